"""Reports say what files hold, whatever the files are named and whatever words they hold."""

import csv
import json
import re
from pathlib import Path

import html5lib
import numpy as np
import pytest
from matplotlib.figure import Figure

import gpu_wordle as gw
from gpu_wordle.api.games import position_of
from gpu_wordle.api.session import Machine, open_game
from gpu_wordle.errors import UserError
from gpu_wordle.game.feedback import LetterFeedback
from gpu_wordle.options.declared import declared
from gpu_wordle.report import content
from gpu_wordle.report.content import Picture, Strategy, Table
from gpu_wordle.report.keys import ENVELOPE
from gpu_wordle.report.plots import matrix_pixels
from gpu_wordle.report.sections.certificates import certificate_of
from gpu_wordle.report.sections.compared import mean_ranks
from gpu_wordle.report.sections.rankings import best_openers
from gpu_wordle.report.sections.registry import FIGURES, KINDS
from gpu_wordle.report.sections.source import Source
from gpu_wordle.report.simulations import beside_sections
from gpu_wordle.report.table import Column
from gpu_wordle.report.written import files as written_files
from gpu_wordle.report.written import pdf
from gpu_wordle.store import load, read_words, save
from gpu_wordle.store.form import GAMES as GAMES_COLUMNS
from gpu_wordle.verbs import report as report_verb
from gpu_wordle.verbs.plot import plot
from gpu_wordle.verbs.report import MAX_FILES, report_on
from support import ROOT
from support.small_game import ANSWERS, GUESSES

GAMES = """\
{"player": "ann", "guesses": "chf rat cat", "answer": "cat"}
{"player": "bob", "guesses": "tab cat", "answer": "cat"}
"""
HARD = ["--rule", "hard", "--max-guesses", 4]


@pytest.fixture
def made(run):
    """A file of each kind, of the small game; their names by what they hold."""

    def make(*kinds):
        calls = {
            "r.h5": ["rank", "--out", "r.h5"],
            "hard.h5": ["rank", "--out", "hard.h5", *HARD],
            "open.h5": ["rank", "--exact", 3, "--out", "open.h5"],
            "weighed.h5": ["rank", "--weights", "w.csv", "--out", "weighed.h5"],
            "within.h5": ["rank", "--objective", "within:2", "--out", "within.h5"],
            "t.h5": ["solve", "chf", "--tree", "t.h5"],
            "t.txt": ["solve", "chf", "--tree", "t.txt"],
            "t.json": ["solve", "chf", "--tree", "t.json"],
            "s.h5": ["simulate", "entropy", "parts", "--opener", "all", "--out", "s.h5"],
            "p.h5": ["pairs", "--prove", "--out", "p.h5"],
            "n.h5": ["noise", "--opener", "chf", "--levels", "1,30", "--runs", 3, "--out", "n.h5"],
            "l.h5": ["league", "parts", "random", "--split", "all", "--games", 5, "--out", "l.h5"],
            "a.h5": ["analyse", "--games", "games.jsonl", "--out", "a.h5"],
        }
        Path("games.jsonl").write_text(GAMES)
        for kind in kinds:
            if kind in calls:
                run(*calls[kind], "--threads", 1)
        return [Path(kind) for kind in kinds]

    return make


def sections(*paths, machine=None):
    """Everything that is said of files, by its heading."""
    report = report_on(paths, lambda: pytest.fail("no game is needed"), machine=machine)
    return {
        (chapter.title, section.title): section.blocks
        for chapter in report.chapters
        for section in chapter.sections
    }


def of(kind, blocks):
    """The only block of a kind."""
    (found,) = (block for block in blocks if type(block) is kind)
    return found


def values(table):
    """The columns of a table or a picture by their names."""
    return {column.name: list(column.values) for column in table.columns}


# What is said


def test_a_ranking_is_told_whole(made, run):
    (path,) = made("r.h5")
    told = sections(path)
    rows = gw.open_results(path)
    table = values(of(Table, told["r.h5: ranking", "All openers"]))
    for name in ("opener", "is_candidate", "total", "mean", "worst", "distribution", "parts"):
        assert table[name] == [row[name] for row in rows]
    assert table["rank"] == list(range(1, len(GUESSES) + 1))
    facts, curve = told["r.h5: ranking", "Overview"]
    least = min(row["total"] for row in rows)
    best = [row["opener"] for row in rows if row["total"] == least]
    assert facts["best"] == " ".join(best).upper()
    assert facts["exact"] == str(len(GUESSES))
    assert values(curve)["lower"] == values(curve)["upper"] == table["total"]
    values_of = values(told["r.h5: ranking", "Distributions"][0])
    assert sum(values_of["openers"]) == len(GUESSES)
    letters = values(told[list(told)[-2]][0])
    assert letters["2"][letters["letter"].index("A")] == sum(word[1] == "a" for word in ANSWERS)


def test_what_is_not_exact_is_shown_between_its_bounds(made):
    (path,) = made("open.h5")
    told = sections(path)
    table = values(of(Table, told["open.h5: ranking", "All openers"]))
    assert table["status"].count("bounded") == len(GUESSES) - 3
    curve = values(told["open.h5: ranking", "Overview"][1])
    assert curve["lower"] == table["lower"]
    assert sum(low != high for low, high in zip(curve["lower"], curve["upper"], strict=True)) == 12


def test_two_rankings_are_compared_by_their_ranks(made):
    paths = made("r.h5", "hard.h5")
    told = sections(*paths)
    normal, hard = (gw.open_results(path) for path in paths)
    known = [
        row["opener"] for row in normal if row["status"] == hard[row["opener"]]["status"] == "exact"
    ]
    overview = told["r.h5 and hard.h5", "Overview"]
    assert overview[0]["rule"] == "normal | hard"
    assert overview[0]["exact in both"] == str(len(known))
    table = told["r.h5 and hard.h5", "What moved most"][-1]
    both = values(table)
    assert both["opener"] == known
    for place, (word, climbed) in enumerate(zip(known, both["climbed"], strict=True)):
        ranks = []
        for ranking in (normal, hard):
            totals = [ranking[each]["total"] for each in known]
            mine = ranking[word]["total"]
            ranks.append(sum(t < mine for t in totals) + (sum(t == mine for t in totals) + 1) / 2)
        assert [both["first_rank"][place], both["second_rank"][place]] == ranks
        assert climbed == ranks[0] - ranks[1]
        mean = hard[word]["mean"] - normal[word]["mean"]
        assert both["difference"][place] == pytest.approx(mean, abs=1e-6)
    assert mean_ranks(np.array([7, 3, 3, 9])).tolist() == [3, 1.5, 1.5, 4]


def test_what_two_rankings_do_not_share_is_said(made):
    paths = made("r.h5", "hard.h5")
    told = sections(*paths)
    normal, hard = (gw.open_results(path) for path in paths)
    lost = [row["opener"] for row in normal if hard[row["opener"]]["status"] != "exact"]
    assert lost
    said = f"Without {len(lost)} openers that are not exact in both: {lost[0].upper()}, "
    assert any(str(b).startswith(said) for b in told["r.h5 and hard.h5", "What moved most"])
    pictures = [b for b in told["r.h5 and hard.h5", "Overview"] if isinstance(b, Picture)]
    for picture in pictures:
        (axes,) = picture.draw().axes
        texts = [each.get_text() for each in axes.texts]
        assert any(text.startswith(said) for text in texts)
        assert "h5" not in axes.get_xlabel() + axes.get_ylabel()
        assert "hard" in axes.get_xlabel() + axes.get_ylabel()


def test_a_ranking_is_compared_only_if_asked(made):
    titles = {title for title, _ in sections(*made("r.h5"))}
    assert titles == {"r.h5: ranking", "The game of 15 guesses and 10 answers"}


def test_a_ranking_has_the_second_guesses_of_its_best_openers(made, run):
    (path,) = made("r.h5")
    report = report_on([path], lambda: pytest.fail("no game is needed"), machine=Machine("cpu", 1))
    (section,) = (s for s in report.chapters[0].sections if s.title == "Second guesses")
    tables = [block for block in section.blocks if isinstance(block, Table)]
    best = [row["opener"] for row in gw.open_results(path).head(3)]
    assert [table.name for table in tables] == [f"second-guesses-{word}" for word in best]
    for word, table in zip(best, tables, strict=True):
        held = values(table)
        parts = json.loads(run("spectrum", word, "--top", 0, "--json"))["rows"]
        found = [each for each in parts if each["pattern"] != "GGG"]
        assert dict(zip(held["colours"], held["answers"], strict=True)) == {
            each["pattern"]: each["part_size"] for each in found
        }
        total = 10
        for colours, guess in zip(held["colours"], held["second guess"], strict=True):
            state = ["--state", f"{word} {colours}"]
            total += json.loads(run("solve", guess, *state, "--json"))["rows"][0]["total"]
        assert total == gw.open_results(path)[word]["total"]


def test_a_ranking_that_solving_contradicts_is_refused(made):
    (path,) = made("r.h5")
    contents = load(path)
    found = best_openers(Source(path, contents, lambda: open_game(read_words(path, contents))))
    other = {guess: value + 1 for guess, value in found.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report_verb, "best_openers", lambda ranking: other)
        with pytest.raises(UserError, match=r"r\.h5: says 2\d for [A-Z]{3}, solving gives"):
            gw.write_report(path, "r.md")


def test_tables_of_another_origin_are_shown_as_they_stand(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("within.csv").write_text("rule,k,total,note\nhard,1,8127,\nhard,2,8136.5,late\n")
    told = sections(Path("within.csv"))
    facts, said = told["within.csv: table", "Overview"]
    assert facts == {"rows": "2", "columns": "4"}
    assert "does not know 2 columns: k, note." in said
    assert values(of(Table, told["within.csv: table", "Rows"])) == {
        "rule": ["hard", "hard"],
        "k": [1, 2],
        "total": [8127, 8136.5],
        "note": [None, "late"],
    }


def test_simulated_games_in_csv_have_facts_and_pictures(run):
    Path("s.csv").write_text(
        run("simulate", "entropy", "parts", "--opener", "all", "--format", "csv")
    )
    rows = json.loads(run("simulate", "entropy", "parts", "--opener", "all", "--json"))["rows"]
    told = sections(Path("s.csv"))
    facts, *pictures = told["s.csv: rows", "Overview"]
    assert facts["strategies"] == "entropy, parts"
    assert facts["openers"] == str(len({row["opener"] for row in rows}))
    least = min(row["total"] for row in rows if row["total"])
    assert facts["least total"].startswith(f"{least:,} guesses, ")
    assert [picture.name for picture in pictures] == ["games"]
    known = [row for row in rows if row["exact_total"] is not None]
    assert (("s.csv: rows", "Beside the optimum") in told) == bool(known)


def test_gaps_are_told_alike_of_every_form():
    columns = {
        "strategy": ["a", "a", "b", "b"],
        "opener": ["cat", "hat", "cat", "hat"],
        "total": [25, 27, 30, None],
        "exact_total": [24, 27, 24, 27],
    }
    (section,) = beside_sections({name: Column(name, held) for name, held in columns.items()})
    table = values(section.blocks[0])
    assert table["strategy"] == ["a", "b"]
    assert [table[f"{each} gap"] for each in ("least", "mean", "greatest")] == [
        [0, 6],
        [0.5, 6.0],
        [1, 6],
    ]
    assert table["kendall"] == [1.0, None]


def test_a_certificate_is_told_by_what_it_states(run, made):
    run("solve", "chf", "--max-guesses", 0, "--certificate", "c.txt")
    total = json.loads(run("solve", "chf", "--max-guesses", 0, "--json"))["rows"][0]
    told = sections(Path("c.txt"))
    facts, said, picture = told["c.txt: certificate", "Overview"]
    assert facts["opener"] == "CHF"
    assert facts["cost of the strategy"] == str(total["total"])
    assert facts["guesses"].startswith(f"{len(GUESSES)}: SHA-256 ")
    assert "does not check the proof" in said
    assert values(picture)["answers"] == total["distribution"]
    ledger = of(Table, told["c.txt: certificate", "The ledger"]) if len(told) > 1 else None
    states = 0 if ledger is None else sum(values(ledger)["states"])
    assert facts["states in the ledger"] == str(states)
    text = Path("c.txt").read_text()
    Path("c.txt").write_text(text.replace(f"strategy {total['total']}", "strategy 999"))
    with pytest.raises(UserError, match=rf"takes {total['total']} guesses and not 999"):
        gw.write_report("c.txt", "r.md")
    Path("c.txt").write_text(text.removesuffix("end\n"))
    with pytest.raises(UserError, match="the end is missing"):
        gw.write_report("c.txt", "r.md")


def test_certificates_of_every_kind_are_read():
    for path in sorted((ROOT / "results/certificates").glob("*.txt")):
        stated = certificate_of(path)
        assert len(stated.turns) in (0, stated.answers[0])


def test_a_folder_is_told_whole_and_what_is_left_out_is_named(made):
    made("r.h5", "t.h5")
    Path("all").mkdir()
    for name in ("r.h5", "t.h5"):
        Path(name).rename(Path("all", name))
    Path("all/notes.md").write_text("mine")
    Path("all/words.txt").write_text("cat\nhat\n")
    Path("all/own.json").write_text('{"a": 1}')
    gw.write_report("all", "r.md", gw.load_game("guesses.txt", "answers.txt"))
    text = Path("r.md").read_text("utf-8")
    assert text.startswith("<!-- gpu-wordle report -->\n\n# Report on all\n")
    heads = re.findall(r"^## (.*)$", text, flags=re.MULTILINE)
    assert heads[:2] == ["r.h5: ranking", "t.h5: tree"]
    passed = text.partition("## Passed over")[2]
    assert "- own.json: " in passed
    assert "- words.txt: " in passed
    assert "notes.md" not in passed
    Path("empty").mkdir()
    with pytest.raises(UserError, match="empty: the folder has no file that a report takes"):
        gw.write_report("empty", "r.md")


def test_files_of_one_name_have_chapters_of_their_own(made, run):
    Path("other").mkdir()
    Path("small.txt").write_text("cat\nhat\nrat\n")
    Path("tiny.txt").write_text("bat\nhat\nrat\n")
    for lists, out in (("small", "r.h5"), ("tiny", "other/r.h5")):
        gw.rank(gw.load_game(f"{lists}.txt", f"{lists}.txt"), out=out, threads=1)
    paths = [Path("r.h5"), Path("other/r.h5")]
    report = report_on(paths, lambda: pytest.fail("no game is needed"))
    titles = [chapter.title for chapter in report.chapters]
    assert titles[:3] == ["r.h5: ranking", "other/r.h5: ranking", "r.h5 and other/r.h5"]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("kind", ["weighed.h5", "within.h5"])
def test_rankings_of_other_objectives_are_told_and_compared(made, kind):
    told = sections(*made("r.h5", kind))
    assert len(values(of(Table, told[f"{kind}: ranking", "All openers"]))["opener"]) == 15
    assert "Kendall's tau" in told[f"r.h5 and {kind}", "Overview"][0]


def test_a_strategy_is_told_the_same_in_all_forms(made, run):
    paths = made("t.h5", "t.txt", "t.json")
    game = gw.load_game("guesses.txt", "answers.txt")
    told = report_on(paths, lambda: position_of(game))
    trees = [of(Strategy, chapter.sections[1].blocks).tree for chapter in told.chapters[:3]]
    assert trees[0] == trees[1] == trees[2]


def test_noise_is_told_as_it_is_printed(made, run):
    (path,) = made("n.h5")
    told = sections(path)
    asked = ["noise", "--opener", "chf", "--levels", "1,30", "--runs", 3, "--threads", 1]
    document = json.loads(run(*asked, "--json"))
    rows = values(of(Table, told["n.h5: noise", "Runs"]))
    for name in ("level_percent", "run", "total", "gap", "lost", "first_departure_percent"):
        if name in rows:
            assert rows[name] == [row[name] for row in document["rows"]]
    facts, *prose, picture = told["n.h5: noise", "Overview"]
    assert facts["searched"] == "3 of 3 runs"
    assert facts["draws"] == document["draws"]
    said = " ".join(prose)
    assert f"{document['exact_total']:,} guesses" in said
    assert f"{document['bound_percent']:.4g} %" in said
    assert values(picture)["level_percent"] == [1, 30]
    assert values(of(Table, told["n.h5: noise", "Levels"]))["level %"] == ["1", "30"]


def test_documents_are_read_back_from_every_format(run, made):
    made("r.h5")
    printed = {
        "d.json": ["rank", "--top", 0, "--format", "json"],
        "d.csv": ["rank", "--top", 0, "--format", "csv"],
        "c.json": ["compare", "entropy", "parts", "--pairs", 9, "--json"],
        "p.json": ["spectrum", "cat", "--top", 0, "--json"],
    }
    for name, call in printed.items():
        Path(name).write_text(run(*call), encoding="utf-8")
    told = sections(*map(Path, printed))
    first, second = (
        values(of(Table, told[title, "Rows"]))
        for title in ("d.json: output of rank", "d.csv: rows")
    )
    assert {**first, "seconds": 0} == {**second, "seconds": 0}
    assert first["distribution"][0] == gw.open_results("r.h5").head(1)[0]["distribution"]
    names = [b.name for blocks in told.values() for b in blocks if isinstance(b, Picture)]
    assert names == ["games", "games", "agreements", "spectrum"]


@pytest.mark.slow
def test_every_figure_of_a_kind_is_in_its_reports_and_no_other(made):
    paths = made("r.h5", "hard.h5", "s.h5", "p.h5", "n.h5", "l.h5", "t.h5", "a.h5")
    games = load(Path("s.h5"))  # whose exact totals are not published, and so unknown
    exact = GAMES_COLUMNS["exact_total"].dataset(games.values("games/total") - 1)
    games.datasets["games/exact_total"] = exact
    save(Path("s.h5"), games)
    report = report_on(paths, lambda: pytest.fail("no game is needed"))
    found = {}
    for chapter in report.chapters:
        names = [picture.name for picture in chapter.pictures]
        if found.setdefault(chapter.title.split(": ")[-1], names) is names:
            assert all(isinstance(picture.draw(), Figure) for picture in chapter.pictures)
    for kind in KINDS:
        assert found[kind.removeprefix("gpu-wordle ")] == list(FIGURES[kind])
    assert found["r.h5 and hard.h5"] == list(FIGURES["two rankings"])
    assert sorted(found["The game of 15 guesses and 10 answers"]) == sorted(
        FIGURES["any HDF5 file of a game of words"]
    )


def test_tables_that_are_too_long_say_so(tmp_path, monkeypatch):
    monkeypatch.setattr(content, "MAX_ROWS", 4)
    monkeypatch.chdir(tmp_path)
    Path("r.csv").write_text("opener,total\n" + "cat,7\n" * 15)
    gw.write_report("r.csv", "r.html")
    assert "15 rows, of which this report holds the first 4" in Path("r.html").read_text("utf-8")


def test_a_matrix_has_the_colours_of_its_tiles():
    patterns = np.array([[0, 0, 26, 26], [0, 0, 26, 26]])
    pixels = matrix_pixels(patterns, 2, LetterFeedback(3))
    assert pixels.shape == (1, 2, 3)
    grey, green = pixels[0].astype(int)
    assert np.ptp(grey) < np.ptp(green)
    assert green.argmax() == 1


# How it is written


@pytest.mark.slow
def test_a_page_is_valid_needs_nothing_else_and_holds_its_data(made):
    paths = made("r.h5", "s.h5", "t.h5", "a.h5")
    gw.write_report(paths, "r.html")
    text = Path("r.html").read_text("utf-8")
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    page = parser.parse(text)
    identities = [each.get("id") for each in page.iter() if each.get("id")]
    assert len(set(identities)) == len(identities)
    assert {a.get("href")[1:] for a in page.iter("a")} <= set(identities)
    loaded = [each.get(name) for each in page.iter() for name in ("src", "data", "action")]
    assert not any(loaded)
    images = re.findall(r'href="([^#"][^"]*)"', text)
    assert all(target.startswith("data:image/png;base64,") for target in images)
    assert "http" not in re.sub(r'xmlns(:xlink)?="[^"]*"|http-equiv', "", text)
    for path in paths:
        assert page.find(f".//footer/h3[.='{path}']") is not None
    columns = json.loads(page.find(".//script[@id='columns']").text)
    said = [json.loads(each.text) for each in page.findall(".//script[@class='data']")]
    blocks = [
        b
        for held in sections(*paths, machine=Machine("cpu", 1)).values()
        for b in held
        if isinstance(b, Table | Picture)
    ]
    for each, block in zip(said, blocks, strict=True):
        assert each["name"] == block.name
        for column, known in zip(each["columns"], values(block).values(), strict=True):
            held = columns[column["place"]]
            assert held == [pytest.approx(v) if isinstance(v, float) else v for v in known]


def test_markdown_has_the_same_sections_and_says_how_to_draw(made):
    paths = made("r.h5", "hard.h5")
    gw.write_report(paths, "r.md")
    text = Path("r.md").read_text("utf-8")
    told = sections(*paths, machine=Machine("cpu", 1))
    heads = re.findall(r"^### (.*)$", text, flags=re.MULTILINE)
    assert heads == [title for _, title in told]
    assert "    gpu-wordle plot two-ranks r.h5 hard.h5 --out two-ranks.svg" in text.splitlines()
    first = gw.open_results("r.h5").head(1)[0]
    assert re.search(rf"^\| {first['opener']} \| 1 \|.* \| {first['total']} \|", text, re.MULTILINE)


@pytest.mark.slow
def test_paper_has_pictures_among_its_text_in_letters_of_their_own_width(made):
    (path,) = made("r.h5")
    gw.write_report(path, "r.pdf")
    data = Path("r.pdf").read_bytes()
    assert data.startswith(b"%PDF-")
    pictures = sum(isinstance(b, Picture) for blocks in sections(path).values() for b in blocks)
    assert len(re.findall(rb"/Type /Page\b", data)) <= pictures
    assert b"DejaVuSans" in data
    assert b"Mono" not in data


def test_lines_on_paper_fit_and_lose_no_word():
    text = (
        "Regret is what a guess costs beside the best one, in guesses on average. " * 5 + "x" * 200
    )
    lines = pdf.wrapped(text, pdf.ROOM, pdf.PLAIN)
    assert max(pdf.width_of(line, pdf.PLAIN) for line in lines) <= pdf.ROOM
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert pdf.fitting_count([pdf.ROOM, 1]) == pdf.fitting_count([2 * pdf.ROOM]) == 1
    assert pdf.fitting_count([pdf.ROOM / 2 - pdf.GAP] * 3) == 2


@pytest.mark.slow
def test_hostile_words_and_names_are_no_markup(tmp_path, monkeypatch):
    """Names in a game of feedback may hold anything, and so may the names of files."""
    monkeypatch.chdir(tmp_path)
    hostile = ["<script>alert(1)</script>", "</script><b>", '"onload="x', "$\\frac{a$", "a&amp;|`b"]
    with Path("game.csv").open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow([9, *hostile])
        for row, word in enumerate(hostile):
            lines.writerow(
                [word, *(9 if row == place else (row + place) % 2 for place in range(5))]
            )
    game = gw.load_game("game.csv", max_guesses=0)
    name = "<img src=x onerror=alert(1)>_$x$.h5"
    gw.rank(game, out=name)
    for form in ("html", "md"):
        gw.write_report(name, f"r.{form}", game)
    text = Path("r.html").read_text("utf-8")
    page = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)
    assert len(page.findall(".//script")) == 2 + len(page.findall(".//script[@class='data']"))
    assert page.findall(".//img") == page.findall(".//b") == []
    assert not any(name.startswith("on") for each in page.iter() for name in each.attrib)
    assert hostile[0] in " ".join(page.itertext())
    assert "<script>" not in Path("r.md").read_text("utf-8")


# What is refused


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.csv", "", "it is empty"),
        ("x.csv", "colour,\nred,3\n", "a column has no name"),
        ("x.csv", "opener,opener\na,b\n", "a column stands twice"),
        ("x.csv", "opener,total\ncat\n", "line 2: 1 fields; its first line has 2"),
        ("x.csv", "opener,total\ncat,three\n", "line 2: total 'three' is no"),
        ("x.json", '{"schema": 1', "no JSON that can be read"),
        ("x.json", '{"schema": [1, 2, 3], "a": 1}', "no document of gpu-wordle"),
        ("x.json", '{"total": 7920, "best": ["salet"]}', "print anew what an older version"),
        ("x.h5", "nothing", "not a file of gpu-wordle"),
        ("x.docx", "nothing", "unknown suffix; reports take files that end in .txt, .json"),
        ("x.parquet", "nothing", "no Parquet file of gpu-wordle"),
    ],
)
def test_files_that_are_no_ones_are_refused(tmp_path, monkeypatch, name, text, message):
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text)
    with pytest.raises(UserError, match=re.escape(message)):
        gw.write_report(name, "r.html")
    assert not Path("r.html").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": 99}, "schema 99, this program reads 2"),
        ({"program": {"name": "other"}}, "no document of gpu-wordle"),
        ({"rows": 3}, "its rows are no list"),
        ({"rows": [{"total": "x"}]}, "total is 'x', and no whole number"),
        ({"rows": [{"total": 1}, {"mean": 1.5}]}, "its rows have different keys"),
        ({"rows": [{"mean": float("nan")}]}, "no JSON that can be read"),
        ({"colour": 1}, "no column is called 'colour'"),
    ],
)
def test_documents_that_were_changed_are_refused(run, change, message):
    said = json.loads(run("spectrum", "cat", "--json"))
    Path("d.json").write_text(json.dumps({**said, **change}))
    with pytest.raises(UserError, match=re.escape(message)):
        gw.write_report("d.json", "r.md")


@pytest.mark.parametrize(
    "said",
    [
        {"opener": "cat", "rows": [{"pattern": None, "part_size": None}]},
        {"opener": "cat", "rows": [{"pattern": "GGG", "part_size": 0}]},
        {"opener": "cat", "rows": [{"pattern": "io", "part_size": 3}]},
        {"rows": [{"opener": None, "distribution": [0, -1, 1]}]},
        {"rows": [{"opener": None, "distribution": [0, 0]}]},
        {"rows": [{"predictor": None, "kendall": None, "spearman": None}]},
        {"rows": [{"player": None, "regret_by_turn": [None]}]},
        {"agreements": {"a / b": None}, "pairs": 0},
        {"histogram": [-3, 10**30]},
        {"game": {}, "rows": []},
    ],
)
def test_documents_in_which_much_is_unknown_are_told_without_pictures(run, said):
    whole = json.loads(run("spectrum", "cat", "--json"))
    bare = {key: value for key, value in whole.items() if key in ENVELOPE}
    Path("d.json").write_text(json.dumps({**bare, **said}))
    gw.write_report("d.json", "r.html")
    assert Path("r.html").read_text("utf-8").count("<figure") == ("histogram" in said)


def test_damaged_files_are_refused_in_one_line(made):
    for path in made("r.h5", "s.h5", "t.h5"):
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
        with pytest.raises(UserError, match="damaged") as error:
            gw.write_report(path, "r.html")
        assert "\n" not in str(error.value)


def test_nothing_but_a_report_is_replaced(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = Path("r.csv")
    path.write_text("opener,total\ncat,7\n")
    for form in ("html", "md", "pdf"):
        out = Path(f"r.{form}")
        out.write_bytes(b"<!DOCTYPE html><p>mine" if form == "html" else b"%PDF-1.4 mine")
        with pytest.raises(UserError, match="holds no report, so it is not replaced"):
            gw.write_report(path, out)
        assert b"mine" in out.read_bytes()
        out.write_bytes(b"")
        gw.write_report(path, out)
        assert gw.write_report(path, out) == out
    Path("link.md").symlink_to("r.md")
    for name, message in (
        ("link.md", "is a link"),
        ("r.docx", "ends in .html, .md, .pdf"),
        ("nowhere/r.html", "there is no folder nowhere"),
    ):
        with pytest.raises(UserError, match=message):
            gw.write_report(path, name)
    monkeypatch.setattr(written_files.util, "find_spec", lambda _: None)
    with pytest.raises(
        UserError, match=r"pip install '\.\[report\]' in the checkout, or write .md"
    ):
        gw.write_report(path, "r.html")


def test_calls_that_contradict_themselves_are_refused(run, made):
    made("r.h5", "s.h5")
    many = [f"{i}.h5" for i in range(MAX_FILES + 1)]
    for call, message in (
        (["report", "r.h5", "r.h5", "--out", "r.md"], "r.h5: named twice"),
        (["report", *many, "--out", "r.md"], "a report takes at most"),
        (["report", "r.h5", "--out", "r.md", "--json", "--format", "csv"], "contradict each other"),
        (["report", "none.h5", "--out", "r.md"], "none.h5: no such file"),
        (["plot", "values"], "name the file and --out"),
        (["plot", "values", "--list"], "leave out --list, or name, file and --out"),
        (["plot", "nothing", "r.h5", "--out", "x.svg"], "no figure is called 'nothing'"),
        (["plot", "regret", "r.h5", "--out", "x.svg"], "no figure 'regret'; it has openers"),
        (["plot", "values", "r.h5", "--out", "x.gif"], "a plot's file ends in"),
        (["plot", "two-ranks", "r.h5", "s.h5", "--out", "x.svg"], "it has rank-correlations"),
    ):
        with pytest.raises(UserError, match=re.escape(message)):
            run(*call)
    with pytest.raises(Exception, match="Missing parameter: out"):
        run("report", "r.h5")


def test_a_tree_in_text_needs_its_own_game(made, run):
    made("t.txt")
    with pytest.raises(UserError, match=r"t\.txt"):
        gw.write_report("t.txt", "r.md")  # as if it were of the original game
    run("report", "t.txt", "--out", "r.md")
    assert "CHF" in Path("r.md").read_text("utf-8")


# Single figures


@pytest.mark.slow
def test_a_figure_is_drawn_as_the_report_has_it(run, made):
    made("r.h5", "hard.h5")
    for name, *more in (("values", "r.h5"), ("matrix", "r.h5"), ("two-ranks", "r.h5", "hard.h5")):
        run("plot", name, *more, "--out", "x.svg")
        assert "<svg" in Path("x.svg").read_text("utf-8")
    for suffix, head in (("png", b"\x89PNG"), ("pdf", b"%PDF-")):
        run("plot", "values", "r.h5", "--out", f"x.{suffix}")
        assert Path(f"x.{suffix}").read_bytes().startswith(head)
    assert declared(plot)["name"].completed("two-r") == ["two-ranks"]


def test_all_figures_are_listed(run):
    told = run("plot", "--list")
    for figures in FIGURES.values():
        assert all(name in told for name in figures)
