"""Every opener: its statistics, its interval, and the job that closes it."""
