"""Run a tool: read its arguments, bound its time, and turn refusals into sentences that an agent can act on."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import Any

from django.db import OperationalError, connection

from apiv1.authentication import count_call
from apiv1.errors import Refused
from apiv1.idempotency import once_a_key
from boards.access import read_only
from boards.errors import DomainError, Invalid
from core.measures import TOOL_CALLS
from mcpserver.arguments import read_arguments
from mcpserver.caller import Caller
from mcpserver.messages import encode
from mcpserver.refusals import ToolRefused, corrected, sentence_for, sentence_for_trouble
from mcpserver.registry import Tool
from security.limits import TooMany

SECONDS = 5  # for one statement
IDLE = 0  # psycopg's TransactionStatus: nothing was sent since the transaction began
SAVEPOINTS = ("SAVEPOINT", "RELEASE SAVEPOINT", "ROLLBACK TO SAVEPOINT")
KEY_IS_TAKEN = "This idempotencyKey was used with other arguments. Use a new key for a new request."
KEY_IS_GONE = (
    "The answer for this idempotencyKey is about a board that does not exist, or that you have no access to. Nothing was "
    "changed now. Call list_boards for the boards that you have access to."
)
KEY_IS_BUSY = "A call with this idempotencyKey is still running. Try again in a moment."
OF_KEYS = {404: KEY_IS_GONE, 409: KEY_IS_BUSY, 422: KEY_IS_TAKEN}
TOO_MANY = "Calls for many tasks are limited to {limit} a minute; nothing was changed. Try again in {wait} seconds."
MANY = "mcp-many"  # the limit of tools for many tasks


def run(tool: Tool, given: dict[str, Any], caller: Caller) -> bytes:
    """Return the result of `tools/call`: one text block with the tool's answer as JSON, or with a sentence.

    A refusal is a result and no protocol error, because agents read results and try again: docs/decisions/mcp.md.
    """
    try:
        answer = _answer(tool, given, caller)
        TOOL_CALLS.add(tool.name, "answered")
        return _result(answer, is_error=False)
    except ToolRefused as refusal:
        TOOL_CALLS.add(tool.name, "refused")
        return _result(str(refusal).encode("utf-8", "replace"), is_error=True)


def _result(text: bytes, *, is_error: bool) -> bytes:
    block = {"type": "text", "text": text.decode()}
    return encode({"content": [block], "isError": is_error})


def _answer(tool: Tool, given: dict[str, Any], caller: Caller) -> bytes:
    if not (tool.hints.read_only or caller.actor.writes):
        raise ToolRefused(read_only().message)
    if tool.many:
        _count(caller)
    try:
        arguments = read_arguments(tool.arguments, tool.needs_one_of, tool.elsewhere, given, caller)
    except Invalid as fault:
        raise ToolRefused(corrected(fault)) from None
    key = arguments.pop("idempotencyKey", None)
    with _refusals(arguments, caller), _bounded():
        make = partial(_run, tool, arguments, caller)
        if key is None:
            return make()
        same = json.dumps(arguments, default=str, sort_keys=True).encode()
        return once_a_key(caller.actor, f"mcp/{tool.name}", key, same, make).answer


def _count(caller: Caller) -> None:
    """Count a call for many tasks, apart from other calls."""
    try:
        count_call(None, MANY, caller.token)
    except TooMany as error:
        raise ToolRefused(TOO_MANY.format(limit=error.usage.limit, wait=error.wait)) from None


def _run(tool: Tool, arguments: dict[str, Any], caller: Caller) -> bytes:
    caller.begin()
    caller.finder.find(arguments)
    return encode(tool.function(caller, arguments))


def _bounded() -> AbstractContextManager[None]:
    """Let no statement inside take longer than SECONDS on PostgreSQL. SQLite bounds the wait for its lock itself."""
    return connection.execute_wrapper(_in_time) if connection.vendor == "postgresql" else nullcontext()


def _in_time(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """Run a statement with SET LOCAL statement_timeout before it, both sent in one round trip.

    The timeout ends with the transaction that the two are in, one of their own where none is open. So it never stays
    on a pooled connection, and no transaction around the call is needed: docs/decisions/mcp.md. Savepoint statements
    are sent alone: after an error PostgreSQL accepts nothing else before a rollback to the savepoint. Prepared
    statements (core/sql.py) cannot be sent with another: the first of a transaction has the bound set before it. Those
    outside of one read by keys, and are not bounded.
    """
    bound = f"SET LOCAL statement_timeout = '{SECONDS}s'"
    if sql.startswith(SAVEPOINTS):
        return execute(sql, params, many, context)
    if getattr(context["cursor"], "prepares", False):
        if connection.in_atomic_block and connection.connection.info.transaction_status == IDLE:
            connection.connection.execute(bound)
        return execute(sql, params, many, context)
    done = execute(f"{bound}; {sql}", params, many, context)
    context["cursor"].nextset()
    return done


@contextmanager
def _refusals(arguments: dict[str, Any], caller: Caller) -> Iterator[None]:
    try:
        yield
    except Invalid as error:
        raise ToolRefused(corrected(error)) from None
    except DomainError as error:
        raise ToolRefused(sentence_for(error, arguments, caller)) from None
    except Refused as error:
        raise ToolRefused(OF_KEYS.get(error.status_code, KEY_IS_BUSY)) from None
    except OperationalError as error:
        if sentence := sentence_for_trouble(error):
            raise ToolRefused(sentence) from error
        raise
