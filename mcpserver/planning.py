"""Plan the places of a call for many tasks: beside another task of the call is beside where the call puts that one."""

from collections.abc import Mapping
from uuid import UUID

from boards.errors import DomainError, Invalid
from mcpserver.card_changes import NOT_PUT_THERE, Target, target_of
from mcpserver.finding import Seen
from mcpserver.given_ids import GivenId
from mcpserver.kinds import read_task
from mcpserver.many import Many

PLACE = {"listId", "list", "position"}  # as callers write it


def planned(many: Many, tasks: Mapping[int, Seen]) -> dict[int, Target]:
    """Return the targets of the call's tasks in the order in which to change them. Those without a target fail.

    It is the order of the call, but a task comes after the one beside which it is put.
    """
    plan = _Plan(many, {task.id: place for place, task in tasks.items()})
    for place in tasks:
        plan.add(place)
    return plan.targets


class _Plan:
    def __init__(self, many: Many, places: Mapping[UUID, int]) -> None:
        self._many, self._places = many, places
        self._begun: set[int] = set()
        self._unread = [given for place in many.failed if self._has_place(place) and (given := self._given(place))]
        self.targets: dict[int, Target] = {}

    def add(self, place: int) -> None:
        if place in self._begun:
            return
        self._begun.add(place)
        try:
            self.targets[place] = target_of(self._many.items[place], self._many.caller.finder, self._put)
        except DomainError as error:
            self._many.fail_by(place, error)

    def _put(self, task: Seen) -> Seen:
        """Return the task as the call will have put it. One that is being planned stays where it is.

        Raise Invalid if the call should have put it somewhere and cannot.
        """
        place = self._places.get(task.id)
        if place is None:
            if any(given.id == task.id or given.number == task.number for given in self._unread):
                raise Invalid(NOT_PUT_THERE, "position")
            return task
        self.add(place)
        if place in self._many.failed and self._has_place(place):
            raise Invalid(NOT_PUT_THERE, "position")
        return self.targets[place].put if place in self.targets else task

    def _has_place(self, place: int) -> bool:
        sent = self._many.arguments["tasks"][place]
        return isinstance(sent, dict) and bool(PLACE & sent.keys())

    def _given(self, place: int) -> GivenId | None:
        """Return the task that a place of the call names; None if it names none."""
        sent = self._many.arguments["tasks"][place]
        try:
            return read_task(sent.get("task", sent.get("taskId")), "task", self._many.caller)
        except DomainError:
            return None
