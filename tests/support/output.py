"""Reads the JSON output of the command line."""

import json


def rows_of(text):
    """Return the rows of a document in JSON."""
    return json.loads(text)["rows"]
