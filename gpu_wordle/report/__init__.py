"""Output for people and programs: tables, formats, pictures and reports.

Bottom up:

- ``table``, ``tiles``: one table in several forms; feedback in its colours.
- ``figures``: the named figures behind a value.
- ``keys``, ``document``: machine output and its formats; ``page_rows``: the keys of questions that
  only the page asks.
- ``pictures``: the style of pictures and their files; matplotlib is loaded only to draw.
- ``spectrum``: the number of answers behind each pattern.
- ``compared``: strategies compared, and predictors of the exact value, with their pictures.
- ``reproduced``, ``reproduced_plot``: published figures beside computed ones.
- ``plots``: pictures of the contents of games and files.
- ``content``, ``documents``: the content of a report; the output of verbs, read back.
- ``noise``, ``pairs``, ``league``, ``simulations``: all that is told of these experiments, from
  rows to the sections of reports.
- ``sections``: the sections on other kinds of files, and the list of all.
- ``written``: a report as HTML, Markdown, PDF.
- ``trees``, ``solved``, ``ranking``: tables of each kind of result.
"""
