"""A few of every hostile caller: the one beside them gets every answer, right and soon enough."""

import pytest

from tests.hostile import members, strangers
from tests.hostile.run import Run, attack_service
from tests.hostile.strangers import Attack

#: Seconds that an answer may be late on a machine that does much else.
SLACK = 8.0
#: More megabytes than at full size, since nothing was asked before.
GROWTH = 150


def run(attacks: list[Attack], number: int) -> Run:
    return attack_service(number, 0.2, SLACK, attacks)


@pytest.mark.long
@pytest.mark.parametrize(
    ("attacks", "number"), [(strangers.ATTACKS, 40), (members.ATTACKS, 6)], ids=["open", "keyed"]
)
def test_the_one_who_does_nothing_wrong_notices_nothing(attacks: list[Attack], number: int) -> None:
    seen = run(attacks, number)
    assert [one.name for one in seen.attacks] == [attack.__name__ for attack in attacks]
    assert [fault for one in seen.attacks for fault in one.wrong] == []
    assert all(one.latest <= one.allowed for one in seen.attacks)
    assert sum(one.answers for one in seen.attacks) > len(attacks)
    assert seen.after < seen.before + GROWTH
