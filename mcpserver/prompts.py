"""Prompts: work that people start from a menu of their client, as a text that names the tools and their order."""

from functools import lru_cache
from typing import Any

from boards import text
from boards.access import read_only
from boards.errors import Invalid
from boards.models import Board
from core.http.compact_json import dumps
from core.text.nearest import SHOWN, shown
from mcpserver.caller import Caller
from mcpserver.given_ids import board_id_in
from mcpserver.messages import INVALID_PARAMS, ProtocolError, encode
from mcpserver.prompt_texts import DATA, PROMPTS, Prompt
from mcpserver.wrong_ids import called, told_apart

LIMITS = {"board": text.BOARD_TITLE, "language": 60}  # characters of each argument
ARGUMENTS = [
    {"name": "board", "description": "The title or the id of the board.", "required": True},
    {"name": "language", "description": "The language to answer in, such as German.", "required": False},
]


@lru_cache(maxsize=2)
def prompt_list(writes: bool) -> bytes:
    """Return the result of `prompts/list`, without the prompts that write if the caller may not."""
    shown_to_it = [prompt for prompt in PROMPTS.values() if writes or not prompt.writes]
    return encode({"prompts": [_described(prompt) for prompt in shown_to_it]})


def get_prompt(params: dict[str, Any], caller: Caller) -> bytes:
    """Return the result of `prompts/get`. Every refusal is an error of the protocol, as people read it, not agents."""
    prompt = _named(params.get("name"))
    if prompt.writes and not caller.actor.writes:
        raise ProtocolError(INVALID_PARAMS, read_only().message)
    try:
        given = _arguments(params.get("arguments"))
        board = _board(given["board"], caller)
    except Invalid as fault:
        raise ProtocolError(INVALID_PARAMS, fault.message) from None
    content = {"type": "text", "text": _written(prompt, board, given.get("language"))}
    return encode({"description": prompt.description, "messages": [{"role": "user", "content": content}]})


def _described(prompt: Prompt) -> dict[str, Any]:
    return {"name": prompt.name, "title": prompt.title, "description": prompt.description, "arguments": ARGUMENTS}


def _named(name: object) -> Prompt:
    prompt = PROMPTS.get(name) if isinstance(name, str) else None
    if prompt is None:
        raise ProtocolError(INVALID_PARAMS, f"Unknown prompt. Available prompts: {', '.join(PROMPTS)}.")
    return prompt


def _arguments(given: object) -> dict[str, str]:
    if given is not None and not isinstance(given, dict):
        raise Invalid("arguments must be an object.")
    sent = {name: value for name, value in (given or {}).items() if value is not None}
    if unknown := [name for name in sent if name not in LIMITS]:
        raise Invalid(f"Unknown argument {shown(unknown[0])}; a prompt takes {' and '.join(LIMITS)}.")
    if "board" not in sent:
        raise Invalid("board is missing. Send the title or the id of a board.", "board")
    return {name: text.clean_line(value, name, LIMITS[name]) for name, value in sent.items()}


def _board(sent: str, caller: Caller) -> Board:
    """Return the board with this id or address or, where only one has it, this title."""
    boards = Board.objects.visible_to(caller.reader).open()
    if (pk := board_id_in(sent)) and (board := boards.filter(pk=pk).first()):
        return board
    by_id = {board.pk: board for board in boards.order_by("pk")}
    found = [by_id[pk] for pk in called(sent, [(pk, board.title) for pk, board in by_id.items()])]
    if not found:
        raise Invalid(
            f"There is no board with the title or id {shown(sent)} that you have access to. "
            "Call list_boards for the titles and ids of boards.",
            "board",
        )
    if len(found) > 1:
        one_of = told_apart([(board.pk, board.title) for board in found], caller.reader)
        raise Invalid(f"Several boards have the title {shown(sent)}: {one_of}. Send the id of one.", "board")
    return found[0]


def _written(prompt: Prompt, board: Board, language: str | None) -> str:
    """Return the text of the prompt. What people wrote stands in it as JSON, and cut."""
    steps = [f"{number}. {step}" for number, step in enumerate(prompt.steps, 1)]
    place = f"The board: {dumps({'id': str(board.pk), 'title': board.title[:SHOWN]})}"
    words = [f"Write to me in this language: {dumps(language)}"] if language else []
    return "\n\n".join([prompt.description, place, "\n".join(steps), DATA, *words])
