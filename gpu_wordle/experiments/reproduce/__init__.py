"""The tables and figures of five documents on Wordle, each beside what comes out here.

- ``published.toml``: what the documents print, item by item.
- ``item``: what an item is, and a published figure beside a computed one.
- ``bench``: what items compute with.
- a module or two a document: how each of its items is computed, from the word lists and, where all
  openers matter, from the published ranking.
- ``registry``: all items, by name.
"""
