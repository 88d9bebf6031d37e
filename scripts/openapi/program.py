"""A site's turn by what openapi-python-client makes; `scripts/test-openapi` runs it."""

import sys

from plyhost_api import Client
from plyhost_api.api.ask import plan as ask_plan
from plyhost_api.api.play import move, new
from plyhost_api.models import (
    ControlView,
    ControlViewAfterMove,
    MoveGame,
    MovePlan,
    MoveProblem,
    MoveRequest,
    NewGame,
    NewGameRequest,
    PlanGame,
    PlannedAnswer,
    PlanRequest,
    PlanVerdict,
)

PLAN = MovePlan()
PLAN["a1"] = PlannedAnswer(move="e5")


def play_a_turn(client: Client) -> None:
    """Start, have a plan judged, make a move with it, be refused; all without a cast."""
    view = new.sync(NewGame.CONTROL, client=client, body=NewGameRequest(variants=["size-5"]))
    assert isinstance(view, ControlView)
    judged = ask_plan.sync(PlanGame.CONTROL, client=client, body=PlanRequest(view.state, PLAN))
    assert isinstance(judged, PlanVerdict)
    assert judged.plan is not None
    made = move.sync(
        MoveGame.CONTROL,
        client=client,
        body=MoveRequest(state=view.state, move="a1", plan=judged.plan, expected_ply=view.ply),
    )
    assert isinstance(made, ControlViewAfterMove)
    assert [one.move for one in made.applied] == ["a1", "e5"]
    assert made.territory[0] + made.territory[1] > 0
    refused = move.sync(
        MoveGame.CONTROL, client=client, body=MoveRequest(state=made.state, move="e5")
    )
    assert isinstance(refused, MoveProblem)
    print(f"test-openapi: the generated client played {made.lastmove}, then: {refused.reason}")


if __name__ == "__main__":
    with Client(sys.argv[1]) as opened:
        play_a_turn(opened)
