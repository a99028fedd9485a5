"""The tables and figures of five documents on Wordle, each beside the figures computed here.

- ``published.toml``: the printed figures, item by item.
- ``item``: what an item is, and a published figure beside a computed one.
- ``bench``: the games, players and solvers that items compute with.
- a module or two for each document: how each of its items is computed, from the word lists and, if
  all openers matter, from the published ranking.
- ``registry``: all items by name, and the machine code that they need.
"""
