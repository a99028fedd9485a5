"""Openings fixed in advance: several guesses that are made whatever the feedback.

The total of a fixed opening counts 1 for an answer that is its first guess, 2 for one that is its
second, and so on. Every other answer costs all fixed guesses, and what the best play after them
needs. The fixed guesses are made even where the answer is known before.

Bottom up:

- ``openings``: one opening: where it leads, its exact value and its strategy.
- ``survey``: all pairs, counted by joint parts; the best are kept.
- ``legal``: the pairs that a constrained rule allows.
- ``totals``: exact totals of the pairs that were kept, and the proof of the best; both, and the
  survey before them, as units of a job.
- ``longer``: three and four guesses, by greedy extension.
"""
