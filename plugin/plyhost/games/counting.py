"""Legal sequences to a depth: the count that two engines must agree on."""

from plyhost.games.game import AnyGame, Position


def count_sequences(game: AnyGame, position: Position, depth: int) -> int:
    """Return how many sequences of `depth` legal moves there are; a game that is over has none."""
    if depth == 0:
        return 1
    if game.winners(position) is not None:
        return 0
    if depth == 1:
        return game.count(position)
    return sum(
        count_sequences(game, game.play(position, move), depth - 1) for move in game.moves(position)
    )


def count_by_first_move(game: AnyGame, position: Position, depth: int) -> dict[str, int]:
    """Return the count, from depth 1 on, by the first move."""
    if game.winners(position) is not None:
        return {}
    return {
        game.text(position, move): count_sequences(game, game.play(position, move), depth - 1)
        for move in game.moves(position)
    }
