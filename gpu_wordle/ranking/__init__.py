"""Every opener: its statistics, its interval, and the jobs that close intervals.

Bottom up:

- ``statistics``: the columns by which the literature ranks openers.
- ``openers``: what is known of every first guess, whether it can be true, and parts put together.
- ``stop_token``: how a job comes to an early end.
- ``job``: a table that units of work fill, its file, checkpoints and progress.
- ``solving``: answers to single questions, and the replay of their strategies.
- ``ranking``: intervals, statuses and strategies of all openers, as units of a job.
- ``proving``: a proof of the best opener in rounds, kept in the file of a ranking.
"""
