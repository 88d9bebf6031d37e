"""Compact states: a whole game in one short string, cheap to use at any ply.

    p1:<game>:<variants>:<version>:<endings>:<payload>

`variants` and `endings` are joined by `+`; an ending is its word, with the seat behind it for
`resign` and `timeout`.  The payload is base64url without padding of, in order:

- moves made, timestamps after the first, bytes of the times, bytes of the game's own fields (two
  bytes each), the first timestamp and the last (eight bytes each, signed milliseconds), all
  big-endian;
- the two sets of stones (each as many bytes as the board's bit numbers need, little-endian);
- the game's own fields as JSON;
- the times: zigzag varints of the differences in milliseconds, the newest first;
- the moves, each as the game packs it, the newest first;
- a check of 8 bytes: BLAKE2b of the header and of the payload before it.

Newest first means that a move is read, undone and appended at the front, whatever the length.  The
check finds accidents; it is no signature.

`sealing` knows the text, `payload` its bytes, `packed_history` what they hold of a game,
`compact_state` its last step, `walking` all of them.
"""

from plyhost.states.compact.compact_state import dump_compact_state, parse_compact_state
from plyhost.states.compact.packed_history import CompactStack, start_compact_stack
from plyhost.states.compact.walking import walk_compact_backwards, walk_compact_stack

__all__ = [
    "CompactStack",
    "dump_compact_state",
    "parse_compact_state",
    "start_compact_stack",
    "walk_compact_backwards",
    "walk_compact_stack",
]
