"""How much of anything one request may carry; `GET /v1` shows them."""

#: Bytes of a request's body, and of a state once it is unpacked.
BODY_BYTES = 4 * 1024 * 1024
STATE_BYTES = 4 * 1024 * 1024
#: Bytes of a path with its query.
URI_BYTES = 8 * 1024
#: Bytes of all headers with the first line, and characters of one that is read.
HEADERS_BYTES = 16 * 1024
HEADER_CHARACTERS = 512
#: Seconds for the headers of a request, and between two requests on one connection.
HEADER_SECONDS = 20
#: Fields of one object in a request, names in one list (`variants`, `include`).
FIELDS = 64
LISTED_NAMES = 16
#: How deep arrays and objects may nest.
JSON_DEPTH = 64
#: How many there may be in a body or a state: in memory they take far more than in bytes.
JSON_ARRAYS = 500_000
JSON_OBJECTS = 100_000
#: How many commas, of which the largest state that fits has fewer.
JSON_COMMAS = 1_000_000
#: Characters of an Idempotency-Key.
IDEMPOTENCY_KEY_CHARACTERS = 255
#: Moves of a game.
PLIES = 2000
#: The last ply there can be: a few more, so that every game can be ended.
LAST_PLY = PLIES + 8
#: Characters of a move text, and of a name or any other free text.
MOVE_CHARACTERS = 4000
NAME_CHARACTERS = 200
#: Moves in one listing, plies in one `renders`, moves in one `replay`.
LISTED_MOVES = 120_000
RENDERED_PLIES = 400
REPLAYED_MOVES = PLIES
#: Answers in one plan.
PLAN_NODES = 200
#: Calls in one batch.
BATCHED_CALLS = 50
#: Pixels across a picture, positions in a film.
NARROWEST_PICTURE, WIDEST_PICTURE = 40, 2048
FILMED_POSITIONS = 400
#: Positions by width by width of a film that is an image; milliseconds that a position may stand.
FILM_PIXELS = 48_000_000
SHORTEST_STEP, LONGEST_STEP = 100, 10_000
#: Characters of a state in an address.
PICTURED_STATE = 6000
#: Of a suggestion: visits, seconds, moves told, and the largest seed.
SUGGESTED_VISITS = 100_000
SUGGESTED_SECONDS = 60
SUGGESTED_MOVES = 100
LARGEST_SEED = 2**32 - 1
#: Depth to which `count` goes, on the command line.
COUNT_DEPTH = 12


def list_limits() -> dict[str, int]:
    """Return every limit by its lower-case name."""
    return {name.lower(): value for name, value in globals().items() if name.isupper()}
