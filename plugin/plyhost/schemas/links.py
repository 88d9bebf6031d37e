"""OpenAPI links: from an answer to the calls that go on from it, on the same game."""

from typing import Any

from plyhost.schemas.requests import REQUESTS

#: Where an answer holds a state, as a pointer.
STATES = {
    "new": "/state",
    "move": "/state",
    "end": "/state",
    "view": "/state",
    "at": "/state",
    "convert": "/state",
    "replay": "/view/state",
}
#: The calls that go on from a state.
ON_STATE = tuple(name for name, request in REQUESTS.items() if "state" in request.fields)

Link = dict[str, Any]


def _make_link(operation: str, **body: str) -> Link:
    return {
        "operationId": operation,
        "parameters": {"path.game": "$request.path.game"},
        "requestBody": {field: f"${source}" for field, source in body.items()},
    }


def _make_state_link(operation: str, pointer: str) -> Link:
    return _make_link(operation, state=f"response.body#{pointer}")


def list_link_components() -> dict[str, Link]:
    """Return every link by the name that answers refer to it by."""
    found = {
        _format_link_name(operation, pointer): _make_state_link(operation, pointer)
        for pointer in dict.fromkeys(STATES.values())
        for operation in ON_STATE
    }
    found["make-a-listed-move"] = _make_link(
        "move", state="request.body#/state", move="response.body#/moves/0"
    )
    found["make-the-suggested-move"] = _make_link(
        "move", state="request.body#/state", move="response.body#/move"
    )
    found["replay-the-record"] = _make_link("replay", record="response.body#/record")
    return found


#: Answers that hold no state, and where they lead all the same.
_OTHERS = {
    "moves": {"move": "make-a-listed-move"},
    "record": {"replay": "replay-the-record"},
    "suggest": {"move": "make-the-suggested-move"},
}


def list_operation_links(operation: str) -> dict[str, Link]:
    """Return the links of an operation's answer, each under the name of the call it leads to."""
    names = _OTHERS.get(operation, {})
    if pointer := STATES.get(operation):
        names = {target: _format_link_name(target, pointer) for target in ON_STATE}
    return {target: {"$ref": f"#/components/links/{name}"} for target, name in names.items()}


def _format_link_name(operation: str, pointer: str) -> str:
    return f"{operation}-on{pointer.replace('/', '-')}"
