"""What the OpenAPI document says of each call in words."""

from typing import Any

TAGS = {
    "play": "Begin a game, make moves, end it.",
    "ask": "Which moves are legal, what a text or a click means, how the game stands.",
    "draw": "Boards as render JSON, SVG and PNG.",
    "keep": "Histories, records, checks and forms of states.",
    "service": "What is here, and whether it is well.",
}

#: By operation: its tag, a line, and what a caller should know beside it.
OPERATIONS: dict[str, tuple[str, str, str]] = {
    "new": ("play", "Begin a game", "Returns the view of a game before its first move."),
    "move": (
        "play",
        "Make a move",
        "All or nothing: an illegal move changes nothing and says why. `expected_ply` guards "
        "against a game that has gone on. `auto` makes the moves that are forced then.",
    ),
    "plan": (
        "ask",
        "Judge a plan",
        "What the waiting player answers to what the other may play, checked branch by branch. "
        "`move` takes the plan and makes the answers that apply; nothing is kept here.",
    ),
    "end": (
        "play",
        "End a game by something else than a move",
        "By resignation, time, agreement, abandonment or a claimed repetition.",
    ),
    "moves": ("ask", "List the legal moves", "Their exact number, and a page of them in order."),
    "random": ("ask", "Pick a legal move", "Each as likely; the same one for the same seed."),
    "validate": ("ask", "Judge a text as a move", "Also an empty or a begun one."),
    "click": (
        "ask",
        "Turn a click into text",
        "Takes the text so far and a cell, by name or by row and column. With `targets` the answer "
        "tells where to click next.",
    ),
    "view": ("ask", "Show a game as it stands", "With `include`, all that a page needs."),
    "at": (
        "ask",
        "Show a game at an earlier ply",
        "With the state as it was then; -1 is the last.",
    ),
    "suggest": (
        "ask",
        "Suggest a move",
        "The best moves that a search finds at a level, with what it expects of them; given "
        "`visits`, the answer depends on the request alone.",
    ),
    "same": ("ask", "Tell whether two texts are one move", "Both must be legal here."),
    "render": (
        "draw",
        "Draw a board",
        "At the last ply, at others, or with a move that is not made. Accept `image/svg+xml` or "
        "`image/png` for a picture, for `plies` also `image/webp`, `image/gif` or `image/apng`.",
    ),
    "history": ("keep", "List every ply", "With the chat log; the whole history is checked."),
    "record": ("keep", "Write a game record", "Abstract Play's, of a finished game."),
    "replay": (
        "keep",
        "Play a record or moves from the start",
        "Answers 200 with a verdict: all in order, or the first thing that is not.",
    ),
    "verify": ("keep", "Check a state's whole history", "Answers 200 with a verdict."),
    "convert": (
        "keep",
        "Write a state in another form",
        "Refused where something would be lost, unless `normalise` is set.",
    ),
}
BATCH: dict[str, Any] = {
    "operationId": "batch",
    "tags": ["play"],
    "summary": "Make up to 50 calls in one",
    "description": (
        "They are answered one after another, each with its own status; nothing is shared between "
        "them, and none waits for another to succeed. Each counts what it weighs."
    ),
}
PICTURES: dict[str, tuple[str, str]] = {
    "picture.svg": ("pictureSvg", "Draw a position as SVG"),
    "picture.png": ("picturePng", "Draw a position as PNG"),
    "film.svg": ("filmSvg", "Draw a whole game as an SVG that plays by itself"),
    "film.webp": ("filmWebp", "Draw a whole game as an animated WebP"),
    "film.gif": ("filmGif", "Draw a whole game as an animated GIF"),
    "film.apng": ("filmApng", "Draw a whole game as an animated PNG"),
}
PAGES: dict[str, tuple[str, str, str]] = {
    "/v1": ("describeService", "Describe this service", "Contract, engines, forms and limits."),
    "/v1/games": ("listGames", "List the games", "What a site shows of each."),
    "/v1/games/{game}": ("describeGame", "Describe a game", "Rules, variants, displays, words."),
    "/healthz": ("health", "Tell that the server answers", "Needs no key."),
    "/readyz": (
        "readiness",
        "Tell that it can do its work",
        "Needs no key; `redis` is `degraded` while it is away, which no answer suffers from.",
    ),
}


def describe_operation(name: str) -> dict[str, Any]:
    """Return the words of an operation."""
    tag, summary, description = OPERATIONS[name]
    return {"operationId": name, "tags": [tag], "summary": summary, "description": description}


def describe_picture(name: str) -> dict[str, Any]:
    """Return the words of a picture that comes by GET."""
    operation, summary = PICTURES[name]
    told = "For mails and thumbnails: from a state, or from moves. Carries an ETag for a day."
    return {"operationId": operation, "tags": ["draw"], "summary": summary, "description": told}


def describe_page(path: str) -> dict[str, Any]:
    """Return the words of a page."""
    operation, summary, description = PAGES[path]
    words = {"summary": summary, "description": description}
    return {"operationId": operation, "tags": ["service"], **words}
