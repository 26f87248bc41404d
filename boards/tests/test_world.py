from boards.models import Card, Membership
from boards.tests.world import ROWS


def test_the_world_has_a_row_of_every_board_model(world):
    """A model without a row in the world would be missing in every test that goes through the rows of a board."""
    assert {Card, Membership} < {*ROWS}
    missing = [model.__name__ for model in ROWS if not model.objects.filter(board=world.board).exists()]
    assert not missing, f"add to the world: {', '.join(missing)}"
