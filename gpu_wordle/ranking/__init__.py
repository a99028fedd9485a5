"""Every opener: its statistics, its interval, and the jobs that close intervals.

Bottom up:

- ``statistics``: the columns by which the literature ranks openers.
- ``openers``: the columns of results of every first guess, their checks, and how to merge them.
- ``stop_token``: early ends of jobs.
- ``job``: a table that units of work fill, its file, checkpoints and progress.
- ``solving``: answers to single questions, and the replay of their strategies.
- ``ranking``: intervals, statuses and strategies of all openers, as units of a job.
- ``proving``: a proof of the best opener in rounds, kept in the file of a ranking.
"""
