"""What people see: tables, bar charts and plots of columns and files.

Bottom up:

- ``table``: one table in several forms.
- ``figures``: what values stand for.
- ``spectrum``: how many answers stand behind each pattern.
- ``trees``, ``solved``, ``proofs``, ``ranking``: what is shown of each kind of result.
"""
