"""Every opener: its statistics, its interval, and the jobs that close intervals."""
