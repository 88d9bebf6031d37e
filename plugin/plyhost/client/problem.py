"""What a client raises: the service's refusals as one error, and that it did not answer."""

from collections.abc import Mapping
from typing import Any

import msgspec

#: The code of a refusal that is none of the service's: a proxy's page, say.
UNKNOWN = "unknown"


class NoAnswer(Exception):
    """Nothing was answered, however often it was asked; the cause is the transport's error."""


class Problem(Exception):
    """The service refused; nothing was changed.

    `status` is HTTP's, `code` and `reason` are those of docs/errors.md (`reason` only with an
    illegal move), `detail` is a sentence in plain text, `fields` is all that was answered.
    """

    def __init__(self, status: int, fields: Mapping[str, Any]) -> None:
        self.status = status
        self.fields = fields
        self.code = str(fields.get("code", UNKNOWN))
        self.reason: str | None = fields.get("reason")
        self.detail = str(fields.get("detail", f"The server answered with status {status}."))
        super().__init__(f"{self.code}: {self.detail}")


def read_problem(status: int, body: bytes) -> Problem:
    """Return the problem that a body tells; one of unknown code where it tells none."""
    try:
        return Problem(status, msgspec.json.decode(body, type=dict[str, Any]))
    except (msgspec.DecodeError, UnicodeDecodeError):
        return Problem(status, {})
