"""The tables and figures of five documents on Wordle, each beside what comes out here.

Published values are data, as they are printed. Computed values are computed whenever an item is
called, from the word lists, and, where all openers matter, from the published ranking.

- ``item``: what an item is, and a published figure beside a computed one.
- ``bench``: what items compute with.
- a module or two a document: its items.
- ``registry``: all items, by name.
"""
