"""Fields that take exactly one JSON type; marshmallow's own are more obliging."""

from collections.abc import Mapping
from typing import Any

import msgspec
from marshmallow import ValidationError, fields, validate

from plyhost import limits
from plyhost.states.clock import is_stamp
from plyhost.states.forms import FORMS

#: What the documents say of a timestamp.
MOMENT_PATTERN = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"


class Whole(fields.Integer):
    """A whole number that came as one: no text, no fraction, no truth value."""

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> int:
        if type(value) is not int:
            raise ValidationError("Must be a whole number.")
        if not self.lowest <= value <= self.highest:
            raise ValidationError(f"Must be from {self.lowest} to {self.highest}.")
        return value

    def __init__(self, lowest: int, highest: int, **kwargs: Any) -> None:
        self.lowest, self.highest = lowest, highest
        kwargs.setdefault("validate", validate.Range(lowest, highest))
        super().__init__(**kwargs)


class Amount(fields.Float):
    """A number that came as one, whole or not."""

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> float:
        if type(value) not in (int, float):
            raise ValidationError("Must be a number.")
        if not self.lowest <= value <= self.highest:
            raise ValidationError(f"Must be from {self.lowest} to {self.highest}.")
        return float(value)

    def __init__(self, lowest: float, highest: float, **kwargs: Any) -> None:
        self.lowest, self.highest = lowest, highest
        kwargs.setdefault("validate", validate.Range(lowest, highest))
        super().__init__(**kwargs)


class Truth(fields.Boolean):
    """True or false, and nothing that might mean one of them."""

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> bool:
        if not isinstance(value, bool):
            raise ValidationError("Must be true or false.")
        return value


class Moment(fields.String):
    """A timestamp in the one form of the contract."""

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> str:
        if not is_stamp(value):
            raise ValidationError("Must be a moment such as 2026-01-31T09:30:00.000Z.")
        return str(value)


class Few(fields.List[Any]):
    """A list whose length is judged before anything in it is looked at."""

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> list[Any]:
        if isinstance(value, list):
            for check in self.validators:
                if isinstance(check, validate.Length):
                    check(value)
        loaded: list[Any] = super()._deserialize(value, attr, data, **kwargs)
        return loaded


class StateField(fields.Field[Any]):
    """A state in any form, a text, an object or its JSON; `plyhost.states` looks inside."""

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> Any:
        if not isinstance(value, msgspec.Raw | str | dict):
            raise ValidationError("Must be an object or a text.")
        return value


class PlanField(fields.Field[Any]):
    """A tree of branches, `{"their move": {"move": ..., "then": {...}}}`, counted as it is read."""

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> Any:
        work, count = [value], 0
        while work:
            branches = work.pop()
            if not isinstance(branches, dict):
                raise ValidationError("Must be an object of branches.")
            count += len(branches)
            if count > limits.PLAN_NODES:
                raise ValidationError(f"At most {limits.PLAN_NODES} answers in all.")
            for text, branch in branches.items():
                _check_branch(text, branch)
                work.append(branch.get("then", {}))
        return value


def _check_branch(text: Any, branch: Any) -> None:
    if not isinstance(branch, dict) or not {"move"} <= set(branch) <= {"move", "then"}:
        raise ValidationError("A branch has `move`, and may have `then`.")
    for one in (text, branch["move"]):
        if not isinstance(one, str) or len(one) > limits.MOVE_CHARACTERS:
            raise ValidationError(f"A move is a text of at most {limits.MOVE_CHARACTERS}.")


def make_text_field(longest: int, **kwargs: Any) -> fields.String:
    """Return a field for a text of bounded length."""
    return fields.String(validate=validate.Length(max=longest), **kwargs)


def make_choice_field(choices: tuple[str, ...], **kwargs: Any) -> fields.String:
    """Return a field for one of a few texts."""
    return fields.String(validate=validate.OneOf(choices), **kwargs)


def make_short_text_field(**kwargs: Any) -> fields.String:
    """Return a field for a name or another short free text."""
    return make_text_field(limits.NAME_CHARACTERS, **kwargs)


def make_form_field(**kwargs: Any) -> fields.String:
    """Return a field for a state form."""
    return make_choice_field(FORMS, **kwargs)


def make_player_names_field() -> Few:
    """Return a field for the names of both players."""
    return Few(make_short_text_field(), validate=validate.Length(equal=2))
