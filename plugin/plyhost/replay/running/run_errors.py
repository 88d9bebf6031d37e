"""What ends a replay before its end."""


class WrongCall(ValueError):
    """The options do not fit together, or cannot be followed; the message says why."""


class RunFailed(RuntimeError):
    """The run cannot go on, for a reason that is no game's; the message says why."""
