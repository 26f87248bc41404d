"""Choose the tests of a run by the fixtures that they ask for, so nobody has to mark one.

`bin/test` alone is the quick run, `bin/test boards` all of boards, `bin/test --full` everything. Three more are for .ci/run:
`--journeys` is what the quick run does in a browser, `--slow` what it leaves out, `--other-database` what another database or
Redis can change.
"""

from argparse import Namespace
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum
from typing import Any

import pytest

# What takes long, and how the quick run calls it. `journey` brings one server for one test through each interface.
SLOW = {
    "chromium": "in Chromium",
    "processes": "with processes of their own",
    "every_address": "of every address",
    "many_examples": "of many generated examples",
}
RUN = pytest.StashKey["Run"]()
LEFT_OUT = pytest.StashKey[dict[str, int]]()


class Run(StrEnum):
    QUICK = "quick"
    JOURNEYS = "journeys"
    SLOW = "slow"
    FULL = "full"
    OTHER_DATABASE = "other-database"


def run_of(config: pytest.Config) -> Run:
    """Return what was asked for. Whoever names a path or a word means all tests that have it."""
    names_a_path = config.args_source is not pytest.Config.ArgsSource.TESTPATHS
    return chosen_run(config.option, names_a_path=names_a_path)


def chosen_run(option: Namespace, *, names_a_path: bool) -> Run:
    if option.run:
        return Run(option.run)
    return Run.FULL if names_a_path or option.keyword or option.markexpr or option.stress else Run.QUICK


def why_slow(fixtures: Collection[str]) -> str:
    """Return why the quick run leaves out a test with these fixtures; empty if it does not."""
    if "journey" in fixtures:
        return ""
    return next((words for fixture, words in SLOW.items() if fixture in fixtures), "")


def is_changed_by_the_database(fixtures: Collection[str]) -> bool:
    """Tell whether a test with these fixtures could say something else on another database, or needs it."""
    if {"services", "any_database"} & set(fixtures):
        return True
    return "_uses_database" in fixtures and not {"chromium", "every_address", "many_examples", "s3"} & set(fixtures)


def further_parameters(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """Yield tests that run the statements of an earlier one with other parameters, which another database need not repeat."""
    functions = set()
    for item in items:
        function = item.nodeid.partition("[")[0]
        if function in functions and not {"services", "any_database", "each_makes_statements"} & fixtures_of(item):
            yield item
        functions.add(function)


def fixtures_of(item: pytest.Item) -> set[str]:
    names = set(item.fixturenames)  # type: ignore[attr-defined]
    if item.get_closest_marker("django_db") or names & {"db", "transactional_db", "live_server"}:
        names.add("_uses_database")
    return names


def pytest_configure(config: pytest.Config) -> None:
    # A worker cannot tell where the arguments of the run came from.
    config.stash[RUN] = Run(config.workerinput["run"]) if is_xdist_worker(config) else run_of(config)
    config.stash[LEFT_OUT] = {}


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    node.workerinput["run"] = str(node.config.stash[RUN])


def is_xdist_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    run = config.stash[RUN]
    others = {item: why for item in items if (why := why_not(run, fixtures_of(item)))}
    if run is Run.OTHER_DATABASE:
        others |= dict.fromkeys(further_parameters(items), "of further parameters")
    config.stash[LEFT_OUT] |= Counter(others.values())
    config.hook.pytest_deselected(items=list(others))
    # The journeys come first, so that one worker has them all and their server starts once.
    items[:] = sorted((item for item in items if item not in others), key=lambda item: not is_journey(item))


def why_not(run: Run, fixtures: Collection[str]) -> str:
    """Return what a test with these fixtures is, if this run has no such tests."""
    if run is Run.QUICK:
        return why_slow(fixtures)
    if run is Run.JOURNEYS:
        return why_slow(fixtures) or ("" if "chromium" in fixtures else "without a browser")
    if run is Run.SLOW and not why_slow(fixtures):
        return "that are quick"
    if run is Run.OTHER_DATABASE and not is_changed_by_the_database(fixtures):
        return "that are the same on every database"
    return ""


def is_journey(item: pytest.Item) -> bool:
    return "journey" in item.fixturenames  # type: ignore[attr-defined]


def pytest_sessionfinish(session: pytest.Session) -> None:
    if is_xdist_worker(session.config):
        session.config.workeroutput["left_out"] = session.config.stash[LEFT_OUT]  # type: ignore[attr-defined]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over from a worker what it left out: each of them collects the same tests."""
    node.config.stash[LEFT_OUT] |= getattr(node, "workeroutput", {}).get("left_out", {})


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if config.stash[RUN] is Run.QUICK and (left_out := config.stash[LEFT_OUT]):
        terminalreporter.section("quick run")
        terminalreporter.write_line("\n".join(summary(left_out)))


def summary(left_out: dict[str, int]) -> list[str]:
    kinds = ", ".join(f"{number} {why}" for why, number in sorted(left_out.items(), key=lambda pair: -pair[1]))
    return [
        f"This was the quick run. It left out {sum(left_out.values())} tests: {kinds}.",
        "bin/test --full runs all of them, bin/test PATH all of a file or folder.",
    ]
