"""What the command line prints for programs."""

import json


def rows_of(text):
    """The rows of a document in JSON."""
    return json.loads(text)["rows"]
