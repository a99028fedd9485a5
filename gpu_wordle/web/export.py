"""A static copy of the page: files that any host can serve, with precomputed answers.

For the rules normal and hard it holds the best openers, each with the suggestions after every
reply and the whole strategy. Files are written atomically, and searches whose files exist are not
made again. The same call therefore resumes an interrupted one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from gpu_wordle.api import jobs
from gpu_wordle.api.files import published_openers
from gpu_wordle.api.trees import Tree
from gpu_wordle.backends.cpu.threads import granted
from gpu_wordle.errors import JobError, UserError
from gpu_wordle.files import NotWrittenError, held, read
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.rule import Rule
from gpu_wordle.options.outcome import document_of
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report.document import Document, as_object
from gpu_wordle.report.ranking import TOTAL
from gpu_wordle.verbs import suggest
from gpu_wordle.version import __version__
from gpu_wordle.web import browsing
from gpu_wordle.web.hands import Hands
from gpu_wordle.web.page import describe_site, edition_of, page_files
from gpu_wordle.web.questions import Asked
from gpu_wordle.web.shelf import GameName, Offer, Shelf, describe_default

RULES = (Rule.NORMAL, Rule.HARD)
"""The rules that a static copy covers."""

SITE, MARK = "site.json", "data/made-of.json"
"""The file that the page reads first, and the file that identifies the site of a folder."""

MAX_MARK_BYTES = 4096

MAX_TURNS_DEEP = 100
"""More turns than any strategy takes."""

Advance = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Exported:
    """The state of a site after a call.

    Attributes:
        files: number of its files.
        size: their size in bytes.
        is_whole: whether the site is complete.
    """

    files: int
    size: int
    is_whole: bool


class Export:
    """The job that writes a site.

    Args:
        offer: its default game is exported. UserError unless the game has the objective mean, the
            usual guess limit and equally likely answers.
        folder: the target; UserError if it holds anything else.
        openers: number of best openers of each rule.
        threads: threads of the searches; by default one per core.
    """

    def __init__(self, offer: Offer, folder: Path, openers: int, threads: int | None) -> None:
        default = offer.default
        if replace(default, guesses="", rule="") != GameName(guesses="", rule=""):
            raise UserError(
                "--export is for the objective mean, equally likely answers and the usual guess "
                "limit; leave out --objective, --max-guesses and --weights"
            )
        self._folder = folder
        self._count = openers
        self._hands = Hands(granted(threads))
        self._shelf = Shelf(offer, self._hands)

    def run(
        self, stop_token: StopToken, advance: Advance = lambda done, total, now: None
    ) -> Exported:
        """Write the missing files; after an early end the site has those written so far."""
        self._begin()
        names = {rule: replace(self._shelf.offer.default, rule=rule.value) for rule in RULES}
        games = {rule: self._shelf.game(name) for rule, name in names.items()}
        openers = {rule: self._openers(game, stop_token) for rule, game in games.items()}
        self._write_common()
        total, done = 2 * sum(map(len, openers.values())), 0
        finished: dict[Rule, list[str]] = {rule: [] for rule in RULES}
        for rule, game in games.items():
            folder, start = f"data/{self._name(rule)}", game.start()
            self._make(f"{folder}/start.json", stop_token, partial(self._best, start, stop_token))
            for opener in openers[rule]:
                word = game.words.guesses.words[opener]
                for kind, made in (("trees", self._tree), ("replies", self._replies)):
                    make = partial(made, start, opener, stop_token)
                    self._make(f"{folder}/{kind}/{word}.json", stop_token, make)
                    done += 1
                    advance(done, total, f"{word}, {rule}")
                if stop_token.is_due():
                    break
                finished[rule].append(word)
        described = [self._game(rule, names[rule], finished[rule]) for rule in RULES]
        site = describe_site(self._shelf.offer, "files", edition_of(self._shelf.offer)) | {
            "games": described
        }
        self._write_json(SITE, site)  # last, since it names the other files
        self._hands.close()
        files = [path for path in self._folder.rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files)
        return Exported(len(files), size, not stop_token.is_due())

    def _begin(self) -> None:
        """Create the folder, or check that it holds the same site; UserError if it does not."""
        words = self._shelf.words(self._shelf.offer.default)
        mark = json.dumps({"version": __version__, "words": words.sha256}, indent=1)
        try:
            self._folder.mkdir(exist_ok=True)
            is_new = not any(self._folder.iterdir())
        except OSError as error:
            raise JobError(
                f"{self._folder}: cannot be written to ({error.strerror}); choose another folder"
            ) from None
        if is_new:
            self._write(MARK, mark.encode())
            return
        path = self._folder / MARK
        if not path.is_file() or read(path, MAX_MARK_BYTES).decode(errors="replace") != mark:
            raise UserError(
                f"{self._folder}: holds other files, or the site of another version or word list; "
                "choose an empty folder"
            )

    def _openers(self, game: Game, stop_token: StopToken) -> list[int]:
        """The best openers of a game, from its published ranking or by search."""
        known = published_openers(game)
        if known is not None:
            return known.order(game.start().choices)[: self._count].tolist()
        found, _ = suggest.find(self._shelf.session(game.start()), [TOTAL], self._count, stop_token)
        return [guess for guess in found.lists[TOTAL] if found.shortlist.is_exact[guess]]

    def _write_common(self) -> None:
        """Write the page and the data that all games share; replaces older ones."""
        for name, path in page_files().items():
            self._write(name, path.read_bytes())
        default = self._shelf.offer.default
        asked = Asked(vars(default), self._shelf)
        self._write_json(f"data/words/{default.guesses}.json", browsing.words(asked))
        self._write_json("data/choices.json", browsing.choices(asked))
        rows = browsing.rankings(asked)["rankings"]
        mine = [row for row in rows if row["name"] in map(self._name, RULES)]
        self._write_json("data/rankings.json", {"rankings": mine})
        for row in mine:
            ranking = browsing.ranking(asked, name=row["name"])
            self._write_json(f"data/rankings/{row['name']}.json", ranking)

    def _best(self, position: Position, stop_token: StopToken) -> dict[str, Any] | None:
        """The suggestions at the start, as ``suggest --json`` prints them."""
        document = self._suggestions(position, stop_token)
        return None if stop_token.is_due() else as_object(document)

    def _replies(
        self, start: Position, opener: int, stop_token: StopToken
    ) -> dict[str, Any] | None:
        """The suggestions after every reply to an opener."""
        words, replies = start.game.words, dict[str, Any]()
        for pattern in np.unique(start.game.patterns.values[:, opener]).tolist():
            if pattern == words.feedback.solved:
                continue
            document = self._suggestions(start.after(opener, pattern), stop_token)
            if stop_token.is_due():
                return None
            replies[words.feedback.format(pattern)] = {
                "answers": document.envelope["answers"],
                "columns": {column.name: column.values for column in document.table},
            }
        return {"opener": words.guesses.words[opener], "replies": replies}

    def _tree(self, start: Position, opener: int, stop_token: StopToken) -> dict[str, Any] | None:
        """The whole strategy of an opener; no node if there is none."""
        word = start.game.words.guesses.words[opener]
        for solved in jobs.solve(self._shelf.session(start), [opener], stop_token):
            if solved.result.tree is not None:
                node = _slim(Tree._of(solved.result.tree, start).describe(MAX_TURNS_DEEP))
                return {"opener": word, "node": node}
            if solved.result.is_infeasible:
                return {"opener": word, "node": None}
        return None

    def _game(self, rule: Rule, name: GameName, openers: list[str]) -> dict[str, Any]:
        """The description of a game with the paths of its files."""
        called, default = self._name(rule), describe_default(name)
        is_ranked = (self._folder / f"data/rankings/{called}.json").is_file()
        return {
            "name": called,
            "guesses": name.guesses,
            "rule": rule.value,
            "objective": name.objective,
            "max_guesses": default["max_guesses"],
            "ranking": f"data/rankings/{called}.json" if is_ranked else None,
            "words": f"data/words/{name.guesses}.json",
            "start": f"data/{called}/start.json",
            "openers": openers,
            "replies": f"data/{called}/replies/",
            "trees": f"data/{called}/trees/",
        }

    def _name(self, rule: Rule) -> str:
        """The name of a game, which is also that of its published ranking."""
        return f"{self._shelf.offer.default.guesses}-{rule.value}"

    def _suggestions(self, position: Position, stop_token: StopToken) -> Document:
        """The best guesses of a position."""
        session = self._shelf.session(position)
        found = suggest.find(session, [TOTAL], suggest.DEFAULT_TOP, stop_token)
        return document_of(found[1], "suggest")

    def _make(self, path: str, stop_token: StopToken, make: Callable[[], Any]) -> None:
        """Make and write an object, unless the file exists or the work has ended."""
        if (self._folder / path).is_file() or stop_token.is_due():
            return
        if (made := make()) is not None:
            self._write_json(path, made)

    def _write_json(self, path: str, said: Any) -> None:
        """Write an object as JSON."""
        self._write(path, json.dumps(said, separators=(",", ":"), allow_nan=False).encode())

    def _write(self, path: str, content: bytes) -> None:
        """Write a file."""
        target = self._folder / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise NotWrittenError(target, error) from None
        with held(target) as holding:
            holding.replace(content)


def _slim(node: dict[str, Any]) -> dict[str, Any]:
    """A node without the facts that the page derives from its parts and words."""
    parts = [
        {
            "pattern": part["pattern"],
            "part_size": part["part_size"],
            "node": part["node"] and _slim(part["node"]),
        }
        for part in node["parts"]
    ]
    return {"guess": node["guess"], "total": node["total"], "worst": node["worst"], "parts": parts}
