"""Fixed openings: several guesses that are made regardless of feedback.

In the total of a fixed opening, an answer that is its k-th guess costs k. Every other answer costs
all fixed guesses plus optimal play after them. The fixed guesses are made even if the answer is
already known.

Bottom up:

- ``survey``: all pairs, counted by joint parts or entropy; the best are kept. A constrained rule
  allows few of them.
- ``openings``: one opening: its leaves, its exact value and its strategy.
- ``totals``: exact totals of the kept pairs, and the proof of the best; survey and totals as
  units of a job.
- ``longer``: three to six guesses, by greedy extension.
"""
