"""Tables over the last turn in plain Python: a dictionary for Q-learning, sums for iteration."""

from __future__ import annotations

from collections import defaultdict

from support import naive

MASK = (1 << 64) - 1


class SplitMix:
    """Random numbers from 0 to below 1 (Steele, Lea and Flood 2014)."""

    def __init__(self, seed):
        self.state = seed

    def __call__(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        return ((z ^ (z >> 31)) >> 11) / 2**53


def q_learning(answers, episodes, seed, *, rate, discount, exploration, initial, turns=6):
    """Return the table and the number of wins.

    The table has a value for each guess and feedback (None at the start) and next guess.
    """
    table, drawn, wins = {}, SplitMix(seed), 0
    for episode in range(episodes):
        answer = answers[int(drawn() * len(answers))]
        state, last = None, None
        for _ in range(turns):
            best = max(table.get((state, guess), initial) for guess in answers)
            if last is not None:
                table[last] += rate * (discount * best - table[last])
                best = max(table.get((state, guess), initial) for guess in answers)
            explores = drawn() < exploration - exploration / episodes * episode
            guess = answers[int(drawn() * len(answers))]
            while not explores and table.get((state, guess), initial) != best:
                guess = answers[int(drawn() * len(answers))]
            last = (state, guess)
            table.setdefault(last, initial)
            state = (guess, naive.feedback(guess, answer))
            if guess == answer:
                break
        wins += guess == answer
        table[last] += rate * ((guess == answer) - table[last])
    return table, wins


def value_iteration(answers, sweeps, discount):
    """Return the value of each guess for each hidden answer, ``worth[answer][guess]``."""
    value = defaultdict(float)
    for sweep in range(sweeps):
        worth = {
            answer: {
                guess: 1.0 if guess == answer
                else discount * value[guess, naive.feedback(guess, answer)]
                for guess in answers
            }
            for answer in answers
        }  # fmt: skip
        if sweep == sweeps - 1:
            return worth
        for guess in answers:
            for feedback in {naive.feedback(guess, answer) for answer in answers}:
                part = [a for a in answers if naive.feedback(guess, a) == feedback]
                sums = (sum(worth[a][following] for a in part) for following in answers)
                value[guess, feedback] = max(sums) / len(part)
    return None
