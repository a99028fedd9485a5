"""How well does a program play? Score its transcripts by exact regret.

The program here plays badly on purpose: it guesses a random word that agrees with the green tiles
and forgets the rest, as a language model may. ``gw.regret`` says what each guess costs beyond the
best one, in guesses on average. Its negative is a reward that leads to optimal play.
"""

from __future__ import annotations

import random
from fractions import Fraction

import gpu_wordle as gw

GAMES = 20
TURNS = 6


def main() -> None:
    """Play some games and add up what the guesses cost."""
    game = gw.load_game("original", max_guesses=0)  # so that every position has a value
    rng = random.Random(2)
    spent: list[Fraction | float] = []
    for number in range(GAMES):
        answer = rng.choice(game.answers)
        history = ""
        for turn in range(TURNS):
            guess = "crane" if turn == 0 else careless(game, history, rng)
            position = game.after(history)
            if turn:  # the first guess is the same in all games
                spent.append(gw.regret(position, guess))
            if number == 0:
                print(f"{guess} {game.feedback(guess, answer)} {len(position):,} left", end="")
                print(f" {float(spent[-1]):.3f} lost" if turn else "")
            if guess == answer:
                break
            history = f"{history} {guess} {game.feedback(guess, answer)}"
    mean = float(sum(spent) / len(spent))
    print(f"{GAMES} games: {mean:.3f} guesses lost a turn, skill {1 - mean:.1%}")


def careless(game: gw.Game, history: str, rng: random.Random) -> str:
    """A random answer that keeps the green letters and minds nothing else."""
    fields = history.split()
    greens = {
        (place, word[place])
        for word, colours in zip(fields[::2], fields[1::2], strict=True)
        for place in range(len(word))
        if colours[place] == "G"
    }
    fitting = [word for word in game.answers if all(word[i] == letter for i, letter in greens)]
    return rng.choice(fitting)


if __name__ == "__main__":
    main()
