"""The verb ``report``: everything that files hold, as HTML, Markdown or PDF."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypedDict

from gpu_wordle.api.files import game_of
from gpu_wordle.api.games import PLACE, Game, Position, position_of
from gpu_wordle.api.jobs import solve
from gpu_wordle.api.session import Machine, open_game, open_session
from gpu_wordle.api.session import read_words as read_lists
from gpu_wordle.certify.certificate import is_certificate
from gpu_wordle.certify.reading import Headline
from gpu_wordle.errors import UserError, counted
from gpu_wordle.files import command_line, now
from gpu_wordle.files import read as read_bytes
from gpu_wordle.game import game as inner
from gpu_wordle.options.declared import Option, Subject
from gpu_wordle.options.outcome import Outcome, verb_for
from gpu_wordle.options.reading import FILE, FILES, TRUTH
from gpu_wordle.options.shared import OUTPUT, BackendName, OnProgress, Threads
from gpu_wordle.options.telling import compile_first, teller
from gpu_wordle.ranking.job import Progress, ProgressCallback, ignore_progress
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report import keys
from gpu_wordle.report.cheat_sheet import cheat_sheet
from gpu_wordle.report.content import Chapter, Picture, Report, Section, Table, shown_names
from gpu_wordle.report.document import PROGRAM, Document
from gpu_wordle.report.documents import SUFFIXES, is_document, read_document
from gpu_wordle.report.keys import Key, schema
from gpu_wordle.report.sections.certificates import certificate_of, certificate_sections
from gpu_wordle.report.sections.compared import compared_sections
from gpu_wordle.report.sections.documents import document_sections
from gpu_wordle.report.sections.games import game_sections
from gpu_wordle.report.sections.rankings import best_openers, second_guesses
from gpu_wordle.report.sections.registry import KINDS
from gpu_wordle.report.sections.source import Source
from gpu_wordle.report.sections.strategies import side_by_side_sections
from gpu_wordle.report.sections.trees import replayed
from gpu_wordle.report.table import Column, FittedTable, columns_of
from gpu_wordle.report.written.files import FORMS, SHEETS, check_report, save_report
from gpu_wordle.solver.ready import make_ready
from gpu_wordle.store import (
    Contents,
    begun,
    check_same_words,
    is_hdf5,
    load,
    load_tree,
    read_words,
)
from gpu_wordle.store.contents import MAX_BYTES
from gpu_wordle.store.form import RANKING, SIMULATION, TREE
from gpu_wordle.store.tree_files import FORMS as TREE_FORMS
from gpu_wordle.store.tree_files import tree_contents
from gpu_wordle.verbs import declare_keys
from gpu_wordle.verify import VerificationError
from gpu_wordle.version import __version__


@schema
class SectionRow(TypedDict):
    """A section of a report."""

    chapter: Annotated[str, Key("title of a chapter of a report")]
    section: Annotated[str, Key("its heading")]
    tables: Annotated[list[str], Key("its tables")]
    figures: Annotated[list[str], Key("its figures")]


@schema
class Written(TypedDict, total=False):
    """The file that was written."""

    out: keys.Out
    bytes: keys.Bytes
    pages: Annotated[int, Key("pages of a cheat sheet")]


MAX_FILES = 20
"""Most files of one report."""

Given = Callable[[], inner.Position]
"""Opens the position for files that do not name their game."""

Read = Source | Document | Headline


PROVENANCE = (
    *("filetype", "created", "updated", "program_version", "git_commit", "command", "backend"),
    *("device", "seed", "guesses_sha256", "answers_sha256", "weights_sha256"),
)


GAME_OF_FILES = Subject(
    "The game of files that do not name it: trees in text, and games from a file of feedback. "
    "Default: the original game.",
    PLACE,
)


def _written(outcome: Outcome) -> Path:
    """The path of the report, which Python callers get."""
    return Path(outcome.facts["out"])


@verb_for(_written)
def report(
    files: Annotated[
        str | Path | Sequence[str | Path],
        Option(
            "Rankings, simulations, leagues, pairs, trees, analyses, certificates, the JSON, CSV "
            "or Parquet output of a verb, other tables in CSV, or folders of these.",
            FILES,
        ),
    ],
    out: Annotated[
        str | Path,
        Option("The .html, .md or .pdf file to write.", FILE, OUTPUT, flag="--out"),
    ],
    position: Annotated[Position | Game | None, GAME_OF_FILES] = None,
    *,
    sheet: Annotated[
        bool,
        Option(
            "Write a cheat sheet of one tree to print, as .html or .pdf: the next guess for each "
            "feedback, on one or two pages.",
            TRUTH,
            OUTPUT,
        ),
    ] = False,
    backend: BackendName = "auto",
    threads: Threads = None,
    progress: OnProgress = None,
) -> Outcome:
    """Write a report on files: tables, pictures, strategies and provenance.

    HTML is one page that needs no network. Several rankings are also compared, and simulations are
    set side by side with them. The best openers of a ranking are solved again, for their second
    guesses. The options of the game are for files that do not name their game: trees in text, and
    games from a file of feedback. An existing report is replaced; any other existing file is not.

    Raises UserError for a file that cannot be read, and JobError if the report cannot be written.

    Examples:
        $ gpu-wordle report openers.h5 --out openers.html
        $ gpu-wordle report salet.h5 --sheet --out salet.pdf
        >>> gw.write_report("openers.h5", "openers.html")
    """
    paths = [Path(files)] if isinstance(files, str | Path) else [Path(each) for each in files]
    target, told = Path(out), progress or ignore_progress
    check_report(target, SHEETS if sheet else FORMS)

    def given() -> inner.Position:
        return place_of_files(position, Machine(backend, threads))

    if sheet:
        return _sheet(paths, target, given)
    made = report_on(paths, given, told, Machine(backend, threads))
    told(Progress("writing", 0, 1, note=target.name))
    size = save_report(target, made)
    columns = columns_of(_rows(made), SectionRow)
    wrapping = [Column(each.name, each.values, wraps=True) for each in columns]
    sections = counted(len(columns[0].values), "section")
    return Outcome(
        lines=lambda width: [
            FittedTable(wrapping),
            f"{sections}, {size:,} bytes, in {target}",
        ],
        facts={"out": str(target), "bytes": size},
        columns=columns,
    )


def _sheet(paths: Sequence[Path], target: Path, given: Given) -> Outcome:
    """Write the cheat sheet of one tree."""
    check_paths(paths)
    if len(paths) > 1:
        raise UserError(f"{len(paths)} files; a cheat sheet is of one tree, so name one file")
    (path,) = paths
    if is_hdf5(path):
        contents = load(path, TREE)
        source = Source(path, contents, lambda: _game_of(path, contents, given))
    else:
        source = _tree_of(path, given)
    tree, verdict = replayed(source)
    made = cheat_sheet(tree, source.position, verdict)
    size, pages = save_report(target, made), len(made.pages)
    left = [note for note in made.notes if note.startswith("Left out")]
    return Outcome(
        lines=lambda width: [f"{counted(pages, 'page')}, {size:,} bytes, in {target}", *left],
        facts={"out": str(target), "bytes": size, "pages": pages},
    )


def place_of_files(position: Position | Game | None, machine: Machine) -> inner.Position:
    """The given position for files that do not name their game; by default the original game."""
    if position is not None:
        return position_of(position)
    return open_game(read_lists(), machine=machine).start()


def _rows(made: Report) -> list[dict[str, Any]]:
    """A row for each section of the report."""
    return [
        {
            "chapter": chapter.title,
            "section": section.title,
            "tables": [block.name for block in section.blocks if isinstance(block, Table)],
            "figures": [block.name for block in section.blocks if isinstance(block, Picture)],
        }
        for chapter in made.chapters
        for section in chapter.sections
    ]


def report_on(
    paths: Sequence[Path],
    given: Given,
    on_progress: ProgressCallback = ignore_progress,
    machine: Machine | None = None,
) -> Report:
    """The report on the files and on those in folders; ``on_progress`` is called for each file.

    With a machine, the best openers of rankings are solved again, for their second guesses.
    """
    listed, of_folders = _files_of(paths)
    check_paths(listed)
    opened: dict[Path, Read] = {}
    passed: dict[str, str] = {}
    names = shown_names(listed)
    chapters = []
    for number, path in enumerate(listed):
        on_progress(Progress("reading", number, len(listed), note=path.name))
        try:
            read = open_file(path, given)
            chapter = chapter_of(path, read, names[path])
        except UserError as error:
            if path not in of_folders:
                raise
            passed[names[path]] = str(error)
            continue
        if machine is not None and isinstance(read, Source) and read.filetype == RANKING:
            chapter = _with_second_guesses(chapter, read, machine, on_progress)
        opened[path] = read
        chapters.append(chapter)
    if not opened:
        raise UserError(f"no file of these can be reported on; {next(iter(passed.values()))}")
    sources = [read for read in opened.values() if isinstance(read, Source)]
    rankings = [source for source in sources if source.filetype == RANKING]
    chapters += [compared(rankings[0], other) for other in rankings[1:]]
    chapters += side_by_side(sources)
    chapters += _games(sources)
    if passed:
        said = "These files of the folders are not part of the report."
        chapters.append(Chapter("Passed over", [], [Section("Files", [said, passed])]))
    provenance = {str(path): provenance_of(path, read) for path, read in opened.items()}
    made = {"program": f"{PROGRAM} {__version__}", "command": command_line(), "written": now()}
    title = ", ".join(path.name or str(path) for path in paths)
    return Report(f"Report on {title}", chapters, provenance, made)


def _files_of(paths: Sequence[Path]) -> tuple[list[Path], set[Path]]:
    """The files, with those in folders that may be of a kind that reports take; and the latter.

    Raises UserError for a folder without any.
    """
    listed: list[Path] = []
    of_folders: set[Path] = set()
    for path in paths:
        if not path.is_dir():
            listed.append(path)
            continue
        found = [
            each
            for each in sorted(path.iterdir())
            if each.is_file() and each.suffix.lower() in (*TREE_FORMS, *SUFFIXES)
        ]
        if not found:
            raise UserError(f"{path}: the folder has no file that a report takes; name another")
        listed += found
        of_folders |= set(found)
    return listed, of_folders


def _with_second_guesses(
    chapter: Chapter, ranking: Source, machine: Machine, on_progress: ProgressCallback
) -> Chapter:
    """The chapter on a ranking, with the second guesses of its best openers."""
    best = best_openers(ranking)
    if not best:
        return chapter
    make = partial(make_ready, ranking.rule)
    compile_first(make, None if on_progress is ignore_progress else on_progress)
    session, tell = open_session(ranking.position, machine), teller(on_progress, "solving openers")
    solved = solve(session, list(best), StopToken(), advance=tell)
    for (guess, value), each in zip(best.items(), solved, strict=True):
        if each.result.upper != value:
            word = session.game.words.guesses.shown(guess)
            raise UserError(
                f"{ranking.path}: says {value:,} for {word}, solving gives {each.result.upper:,}; "
                "rank anew"
            )
    first, *others = chapter.sections
    return replace(chapter, sections=[first, second_guesses(solved), *others])


def open_file(path: Path, given: Given) -> Read:
    """Read and check a file; UserError if it is missing, damaged or of another kind."""
    suffix = path.suffix.lower()
    if is_certificate(path):
        return certificate_of(path)
    if suffix in SUFFIXES and (suffix != ".json" or is_document(path)):
        declare_keys()
        return read_document(path)
    if is_hdf5(path):
        contents = load(path)
        if contents.attributes["filetype"] not in KINDS:
            held = contents.attributes["filetype"]
            raise UserError(f"{path}: holds {held!r}; reports take {', '.join(KINDS)}")
        return Source(path, contents, lambda: _game_of(path, contents, given))
    if suffix not in TREE_FORMS:
        known = ", ".join(dict.fromkeys((*TREE_FORMS, *SUFFIXES)))
        raise UserError(f"{path}: unknown suffix; reports take files that end in {known}")
    return _tree_of(path, given)


def _tree_of(path: Path, given: Given) -> Source:
    """Read and check a tree that does not name its game."""
    position = given()
    stored, position = begun(path, load_tree(path, position.game), position)
    try:
        contents = tree_contents(stored.tree, position)
    except VerificationError as error:
        raise UserError(
            f"{path}: {error}; name its game with --guesses, --rule, --state and the like"
        ) from None
    return Source(path, contents, lambda: position.game)


def chapter_of(path: Path, read: Read, name: str) -> Chapter:
    """The chapter on one file, titled ``name``."""
    if isinstance(read, Headline):
        return Chapter(f"{name}: certificate", [path], certificate_sections(read))
    if isinstance(read, Document):
        verb = read.envelope.get("verb")
        rows = "table" if read.unknown else "rows"
        title = f"{name}: {rows if verb is None else f'output of {verb}'}"
        return Chapter(title, [path], document_sections(read))
    title = f"{name}: {read.filetype.removeprefix(PROGRAM).strip()}"
    return Chapter(title, [path], KINDS[read.filetype](read))


def provenance_of(path: Path, read: Read) -> dict[str, str]:
    """The provenance of a file: its hash and what it records of its origin."""
    facts = {"SHA-256": hashlib.sha256(read_bytes(path, MAX_BYTES)).hexdigest()}
    if isinstance(read, Document):
        said = read.envelope.get("program") or {}
        facts |= {"printed by": f"{PROGRAM} {said['version']}"} if "version" in said else {}
    elif isinstance(read, Source) and is_hdf5(path):
        attributes = read.contents.attributes
        facts |= {
            name.replace("_", " "): str(attributes[name])
            for name in PROVENANCE
            if attributes.get(name) not in (None, "")
        }
    return facts


def check_paths(paths: Sequence[Path]) -> None:
    """Raise UserError if there are no files, too many, or one is named twice."""
    if not paths:
        raise UserError("no file to report on; name one, such as rank writes with --out")
    if len(paths) > MAX_FILES:
        raise UserError(f"{len(paths)} files; a report takes at most {MAX_FILES}")
    twice = {path for path in paths if paths.count(path) > 1}
    if twice:
        raise UserError(f"{min(twice)}: named twice; name each file once")


def _game_of(path: Path, contents: Contents, given: Given) -> inner.Game:
    """The game of a file; if the file does not hold it, the given game."""
    try:
        read_words(path, contents)
    except UserError:
        game = given().game
        check_same_words(path, contents, game)
        return game_of(contents, path, game)
    return game_of(contents, path)


def compared(first: Source, second: Source) -> Chapter:
    """The chapter that compares two rankings."""
    title = " and ".join(shown_names([first.path, second.path]).values())
    return Chapter(title, [first.path, second.path], compared_sections(first, second))


def side_by_side(sources: Sequence[Source]) -> list[Chapter]:
    """The chapter on strategies and rankings of the game of the first simulation, if any."""
    simulations = [source for source in sources if source.filetype == SIMULATION]
    if not simulations:
        return []
    lists = ("guesses_sha256", "answers_sha256", "feedback", "state")
    same = [
        source
        for source in sources
        if all(
            source.contents.attributes.get(n) == simulations[0].contents.attributes.get(n)
            for n in lists
        )
    ]
    simulations = [source for source in same if source.filetype == SIMULATION]
    rankings = [source for source in same if source.filetype == RANKING]
    sections = side_by_side_sections(simulations, rankings)
    paths = [source.path for source in (*rankings, *simulations)]
    return [Chapter("Strategies side by side", paths, sections)] if sections else []


def _games(sources: Sequence[Source]) -> list[Chapter]:
    """A chapter on the letters and patterns of each distinct game."""
    games: dict[tuple[str, ...], list[Source]] = {}
    for source in sources:
        words = source.game.words
        key = (words.guesses.sha256, words.answers.sha256, words.feedback.name)
        games.setdefault(key, []).append(source)
    told = [(alike, game_sections(alike[0])) for alike in games.values()]
    sizes = [(alike[0].game.guess_count, alike[0].game.answer_count) for alike, _ in told]
    chapters = []
    for (alike, sections), size in zip(told, sizes, strict=True):
        title = "The game of {:,} guesses and {:,} answers".format(*size)
        paths = [source.path for source in alike]
        if sizes.count(size) > 1:
            title = f"{title}, of {', '.join(map(str, paths))}"
        if sections:
            chapters.append(Chapter(title, paths, sections))
    return chapters


write_report = report
"""The public name in Python."""
