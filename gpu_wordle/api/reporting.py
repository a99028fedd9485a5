"""Reports on files, and single figures of them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from gpu_wordle.api.files import PUBLISHED, game_of, published_path
from gpu_wordle.api.games import Game as PublicGame
from gpu_wordle.api.games import Position as PublicPosition
from gpu_wordle.api.games import position_of
from gpu_wordle.api.given import takes
from gpu_wordle.errors import UserError
from gpu_wordle.files import command_line, now
from gpu_wordle.files import read as read_bytes
from gpu_wordle.game.game import Game, Position
from gpu_wordle.report.content import Chapter, Picture, Report, picture_of, shown_names
from gpu_wordle.report.document import PROGRAM, Document
from gpu_wordle.report.documents import SUFFIXES, is_document, read_document
from gpu_wordle.report.pictures import check_plot, plain_text, save_picture
from gpu_wordle.report.sections.compared import compared_sections
from gpu_wordle.report.sections.documents import document_sections
from gpu_wordle.report.sections.games import game_sections
from gpu_wordle.report.sections.registry import KINDS
from gpu_wordle.report.sections.source import Source
from gpu_wordle.report.written.files import check_report, save_report
from gpu_wordle.store import Contents, check_same_words, is_hdf5, load, load_tree, read_words
from gpu_wordle.store.contents import MAX_BYTES
from gpu_wordle.store.form import RANKING
from gpu_wordle.store.tree_files import FORMS, tree_contents
from gpu_wordle.verify import VerificationError
from gpu_wordle.version import __version__

MAX_FILES = 20
"""Files that one report is on."""

Given = Callable[[], Position]
"""What opens the game, and where it stands, of files that do not say."""

Read = Source | Document

PROVENANCE = (
    *("filetype", "created", "updated", "program_version", "git_commit", "command", "backend"),
    *("device", "seed", "guesses_sha256", "answers_sha256", "weights_sha256"),
)


@takes()
def write_report(
    files: str | Path | Sequence[str | Path],
    out: str | Path,
    position: PublicPosition | PublicGame | None = None,
) -> Path:
    """Write a report on files of this program, whole or not at all.

    Args:
        files: rankings, simulations, pairs, trees, analyses, or what verbs have printed in JSON,
            CSV or Parquet. Two rankings or more are compared as well.
        out: an .html, .md or .pdf file; a report that is there is replaced, another file is not.
        position: the game of files that do not say: of trees in text, and of games from a file of
            feedback. The original game if it is not given.

    Raises:
        UserError: a file that cannot be read, or ``out`` holds something else.
        JobError: the report could not be written.
    """
    from gpu_wordle.api.functions import load_game

    paths = [Path(files)] if isinstance(files, str | Path) else [Path(each) for each in files]

    def given() -> Position:
        return position_of(load_game() if position is None else position)

    target = Path(out)
    check_report(target)
    save_report(target, report_on(paths, given))
    return target


def report_on(
    paths: Sequence[Path], given: Given, tell: Callable[[int, int, str], None] | None = None
) -> Report:
    """Everything that is to be said of files; ``tell`` hears how many of them are looked at."""
    _check_paths(paths)
    opened: dict[Path, Read] = {}
    names = shown_names(paths)
    chapters = []
    for number, path in enumerate(paths):
        if tell is not None:
            tell(number, len(paths), path.name)
        opened[path] = open_file(path, given)
        chapters.append(chapter_of(path, opened[path], names[path]))
    sources = [read for read in opened.values() if isinstance(read, Source)]
    rankings = [source for source in sources if source.filetype == RANKING]
    if len(rankings) == 1:
        rankings += _other_rules(rankings[0])
    chapters += [_compared(rankings[0], other) for other in rankings[1:]]
    chapters += _games(sources)
    provenance = {str(path): provenance_of(path, read) for path, read in opened.items()}
    provenance |= {str(r.path): provenance_of(r.path, r) for r in rankings if r not in sources}
    made = {"program": f"{PROGRAM} {__version__}", "command": command_line(), "written": now()}
    return Report(f"Report on {', '.join(names.values())}", chapters, provenance, made)


def draw_figure(name: str, paths: Sequence[Path], out: Path, given: Given) -> Picture:
    """Draw one figure of a file, or of two rankings, to a picture; UserError if there is none."""
    check_plot(out)
    _check_paths(paths)
    opened = [open_file(path, given) for path in paths]
    if len(opened) == 1:
        chapter = chapter_of(paths[0], opened[0], paths[0].name)
        if isinstance(opened[0], Source):
            both = [*chapter.sections, *game_sections(opened[0])]
            chapter = replace(chapter, sections=both)
    else:
        rankings = [r for r in opened if isinstance(r, Source) and r.filetype == RANKING]
        if len(opened) > 2 or len(rankings) < 2:
            raise UserError("a figure is of one file, or of two rankings; name those")
        chapter = _compared(*rankings)
    picture = picture_of(chapter, name)
    with plain_text():
        save_picture(out, picture.draw())
    return picture


def open_file(path: Path, given: Given) -> Read:
    """A file, read and checked; UserError if it is missing, damaged or foreign."""
    suffix = path.suffix.lower()
    if suffix in SUFFIXES and (suffix != ".json" or is_document(path)):
        return read_document(path)
    if is_hdf5(path):
        contents = load(path)
        if contents.attributes["filetype"] not in KINDS:
            held = contents.attributes["filetype"]
            raise UserError(f"{path}: holds {held!r}; reports are on {', '.join(KINDS)}")
        return Source(path, contents, lambda: _game_of(path, contents, given))
    if suffix not in FORMS:
        known = ", ".join(dict.fromkeys((*FORMS, *SUFFIXES)))
        raise UserError(f"{path}: a file that reports are on ends in {known}; choose another")
    position = given()
    stored = load_tree(path, position.game)
    try:
        contents = tree_contents(stored.tree, position)
    except VerificationError as error:
        raise UserError(
            f"{path}: {error}; name its game with --guesses, --rule, --state and the like"
        ) from None
    return Source(path, contents, lambda: position.game)


def chapter_of(path: Path, read: Read, name: str) -> Chapter:
    """What is said of one file, which is called ``name``."""
    if isinstance(read, Document):
        verb = read.envelope.get("verb")
        title = f"{name}: {'rows' if verb is None else f'what {verb} printed'}"
        return Chapter(title, [path], document_sections(read))
    kind = KINDS[read.filetype]
    title = f"{name}: {kind.filetype.removeprefix(PROGRAM).strip()}"
    return Chapter(title, [path], kind.sections(read))


def provenance_of(path: Path, read: Read) -> dict[str, str]:
    """Where a file comes from, as far as it says."""
    facts = {"SHA-256": hashlib.sha256(read_bytes(path, MAX_BYTES)).hexdigest()}
    if isinstance(read, Document):
        said = read.envelope.get("program") or {}
        facts |= {"printed by": f"{PROGRAM} {said['version']}"} if "version" in said else {}
    elif is_hdf5(path):
        attributes = read.contents.attributes
        facts |= {
            name.replace("_", " "): str(attributes[name])
            for name in PROVENANCE
            if attributes.get(name) not in (None, "")
        }
    return facts


def _check_paths(paths: Sequence[Path]) -> None:
    """UserError for no file, for too many, and for one that is named twice."""
    if not paths:
        raise UserError("no file to report on; name one, such as one of rank --out")
    if len(paths) > MAX_FILES:
        raise UserError(f"{len(paths)} files; a report is on at most {MAX_FILES}")
    twice = {path for path in paths if paths.count(path) > 1}
    if twice:
        raise UserError(f"{min(twice)}: named twice; name each file once")


def _game_of(path: Path, contents: Contents, given: Given) -> Game:
    """The game that a file is of; one that it does not hold is the one given."""
    try:
        read_words(path, contents)
    except UserError:
        game = given().game
        check_same_words(path, contents, game)
        return game_of(contents, path, game)
    return game_of(contents, path)


def _compared(first: Source, second: Source) -> Chapter:
    """Two rankings side by side."""
    title = " and ".join(shown_names([first.path, second.path]).values())
    return Chapter(title, [first.path, second.path], compared_sections(first, second))


def _other_rules(ranking: Source) -> list[Source]:
    """The published rankings of the same game under other rules."""
    if not ranking.objective.is_default or ranking.contents.attributes["state"]:
        return []
    found = []
    for name, rule in PUBLISHED:
        if rule is ranking.rule:
            continue
        path = published_path(name, rule)
        other = load(path, RANKING)
        if all(
            other.attributes.get(key, "") == ranking.contents.attributes.get(key, "")
            for key in ("guesses_sha256", "answers_sha256", "max_guesses")
        ):
            game = replace(ranking.game, rule=rule)
            found.append(Source(path, other, partial(_same, game)))
    return found


def _same(game: Game) -> Game:
    return game


def _games(sources: Sequence[Source]) -> list[Chapter]:
    """Letters and patterns of each game, once."""
    games: dict[tuple[str, ...], list[Source]] = {}
    for source in sources:
        words = source.game.words
        key = (words.guesses.sha256, words.answers.sha256, words.feedback.name)
        games.setdefault(key, []).append(source)
    chapters = []
    for alike in games.values():
        sections = game_sections(alike[0])
        if sections:
            game = alike[0].game
            title = f"The game of {game.guess_count:,} guesses and {game.answer_count:,} answers"
            chapters.append(Chapter(title, [source.path for source in alike], sections))
    times = Counter(chapter.title for chapter in chapters)
    return [
        each
        if times[each.title] == 1
        else replace(each, title=f"{each.title}, of {', '.join(map(str, each.paths))}")
        for each in chapters
    ]
