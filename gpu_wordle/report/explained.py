"""One simulated game, turn by turn, with what it says of the answer as a regular expression."""

from __future__ import annotations

from gpu_wordle.errors import counted
from gpu_wordle.experiments.simulate import Simulated
from gpu_wordle.game.game import Turn
from gpu_wordle.strategies.expression import expression, flawed_expression
from gpu_wordle.strategies.refine import FLAWED


def explained_game(simulated: Simulated, answer: int) -> list[str]:
    """The game against an answer: the guess, its feedback, what that says, and how many are left.

    What the strategy is called decides by which expression it goes. UserError if it is no game of
    words.
    """
    game, words = simulated.game, simulated.game.words
    spell = flawed_expression if simulated.strategy == FLAWED else expression
    turns: list[Turn] = []
    state = game.root()
    lines = []
    for guess in simulated.guesses(answer):
        turns.append((guess, int(game.patterns.values[answer, guess])))
        word = words.guesses.shown(guess)
        line = f"{word} {words.feedback.format(turns[-1][1])}"
        if turns[-1][1] != game.patterns.all_green:
            state = game.part(state, *turns[-1])
            line = f"{line}  {spell(words, turns)}  {counted(len(state), 'answer')} left"
        lines.append(line)
    return lines
