"""Python without some of its libraries, as on a machine where they were never installed."""

SITE = """\
from importlib.machinery import PathFinder


class Finder:
    def __init__(self):
        self.found = PathFinder.find_spec

    def __call__(self, name, path=None, target=None):
        missing = name.partition(".")[0] in {libraries!r}
        return None if missing else self.found(name, path, target)


PathFinder.find_spec = Finder()
"""


def without(folder, *libraries):
    """Hide libraries from every Python whose path begins with the folder."""
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(SITE.format(libraries=set(libraries)))
    return folder
