"""The soak: the real service under mixed traffic, every answer checked, while its parts fail.

    python -m tests.tools.soak MINUTES [--callers N] [--seed S]

`asking` makes requests of seeded games, `cases` the answers that the engine gives to them in
another process, `callers` send them, `judge` compares, `faults` break workers and Redis, `memory`
watches, `promises` says what was kept.
"""
