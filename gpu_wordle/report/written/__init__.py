"""How reports are written: HTML, Markdown and PDF, in whole files.

Bottom up:

- ``svg``: pictures in pages, readable in dark and light.
- ``html``: a page that needs no other file; with ``page.html``, ``page.css`` and ``page.js``.
- ``markdown``, ``pdf``: the same sections on paper and as text.
- ``files``: which of them a name asks for, and what may be replaced.
"""
