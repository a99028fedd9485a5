"""What people see: tables, bar charts and plots of columns and files.

Bottom up:

- ``table``, ``tiles``: one table in several forms; feedback in its colours.
- ``figures``: what values stand for.
- ``keys``, ``document``, ``formats``: what programs are told, and in which form.
- ``pictures``: drawings in files.
- ``plot``, ``spectrum``: how many answers stand behind each pattern.
- ``compared``, ``compared_plot``: strategies side by side, and what predicts the exact value.
- ``reproduced``, ``reproduced_plot``: figures of the literature beside computed ones.
- ``trees``, ``solved``, ``proofs``, ``ranking``: what is shown of each kind of result.
"""
