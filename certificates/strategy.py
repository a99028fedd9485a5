"""Read the strategy of a certificate and add up what it costs."""

from game import INFEASIBLE, TURNS, named, require


def follow(game, read, opener):
    """Return the cost of the strategy and the length of its longest line (lemma 6)."""
    nodes, turns = {}, {}
    for _ in game.answers:
        words = read()
        a = game.answer_at.get(words[-1])
        require(a is not None and a not in turns, f"no answer, or its second line: {words[-1]}")
        require(words.index(words[-1]) == len(words) - 1 < TURNS, f"a line too long: {words[-1]}")
        history, state = (), game.start
        for g in named(words, game.guess_at):
            if history not in nodes:
                nodes[history] = g
                is_legal = g in state.legal or (not history and g == opener)
                require(is_legal, f"an illegal guess: {game.guesses[g]}")
            require(nodes[history] == g, f"the same feedback, but another guess: {words[-1]}")
            pattern = int(game.matrix[g, a])
            history += ((g, pattern),)
            state = state.after(g, state.answers[game.matrix[g, state.answers] == pattern])
        turns[a] = len(words)
    require(opener in (None, nodes[()]), "the strategy opens otherwise")
    price = game.price[[turns[a] for a in range(len(turns))]]
    require((price < INFEASIBLE).all(), "the strategy is too late")
    return int((price * game.weights).sum()), max(turns.values())
