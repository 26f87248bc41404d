"""Where a call for many tasks puts them: beside another task of the call is beside where the call puts that one."""

from collections.abc import Mapping
from uuid import UUID

from boards.errors import DomainError
from mcpserver.card_changes import Target, target_of
from mcpserver.finding import Seen
from mcpserver.many import Many


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
        """Return the task as the call will have put it. One that fails, or is being planned, stays where it is."""
        place = self._places.get(task.id)
        if place is None:
            return task
        self.add(place)
        return self.targets[place].put if place in self.targets else task
