"""The writers of reports: HTML, Markdown and PDF, written atomically.

Bottom up:

- ``html``: a page that needs no other file; with ``page.html``, ``page.css`` and ``page.js``.
- ``markdown``, ``pdf``: the sections as text and on paper.
- ``sheet_html``, ``sheet_pdf``: cheat sheets.
- ``files``: the format by file name, and which files may be replaced.
"""
