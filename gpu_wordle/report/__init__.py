"""What people see: tables, bar charts and plots of columns and files.

Bottom up:

- ``table``, ``tiles``: one table in several forms; feedback in its colours.
- ``figures``: what values stand for.
- ``keys``, ``document``, ``formats``: what programs are told, and in which form; ``page_rows``:
  what the page alone is told.
- ``pictures``: drawings in files.
- ``look``: what all pictures share; matplotlib is loaded to draw only.
- ``plot``, ``spectrum``: how many answers stand behind each pattern.
- ``compared``, ``compared_plot``: strategies side by side, and what predicts the exact value.
- ``reproduced``, ``reproduced_plot``: figures of the literature beside computed ones.
- ``game_plot``, ``files_plot``, ``noise_plot``: pictures of what files hold.
- ``content``, ``documents``: what a report says; what verbs have printed, read back.
- ``sections``: what is said of each kind of file. ``written``: a report as HTML, Markdown, PDF.
- ``trees``, ``solved``, ``ranking``: what is shown of each kind of result.
"""
