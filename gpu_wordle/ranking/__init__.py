"""Every opener: its statistics, its interval, and the jobs that close intervals.

Bottom up:

- ``statistics``: the columns by which the literature ranks openers.
- ``openers``: what is known of every first guess.
- ``consistency``: whether that can be true.
- ``replay``: what a strategy was seen to do.
- ``stop_token``: how a job comes to an early end.
- ``solving``: the job of answering single questions.
- ``ranking``: intervals, statuses and strategies of all openers.
- ``job``: the job of ranking, with checkpoints, resumed from a file.
- ``proving``: a proof of the best opener in rounds, kept in the file of a ranking.
"""
