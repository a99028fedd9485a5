"""Pictures: no dips that the data have not, whole numbers on axes, and colours for all eyes."""

from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from PIL import Image

from gpu_wordle.api.session import open_game
from gpu_wordle.errors import UserError
from gpu_wordle.options.outcome import Outcome, draw
from gpu_wordle.report.pictures import (
    COLOUR,
    MARK,
    SERIES,
    in_percent,
    panel,
    save_pixels,
    turn_colours,
)
from gpu_wordle.report.plots import BINS, bin_edges, draw_games, draw_spread, full_matrix
from support import ROOT, naive
from support.commands import invoke
from support.word_lists import make_words


def heights(figure):
    return [bar.get_height() for bar in figure.axes[0].patches]


@pytest.mark.parametrize(("count", "unit"), [(61, 1 / 2315), (733, 1 / 2315), (733, None), (30, 1)])
def test_even_data_make_an_even_histogram(count, unit):
    """Each possible value occurs twice; only the last bar may span fewer values."""
    values = np.repeat(np.arange(-5, count - 5), 2) * (unit or 1)
    found = heights(draw_spread(values, ("x", "y"), "title", unit))
    assert len(found) <= BINS
    assert len({*found[:-1]}) == 1
    assert sum(found) == len(values)


def test_bins_of_even_totals_have_no_empty_places():
    values = np.repeat(np.arange(7920, 8400, 2), 3).astype(float)
    counts = np.histogram(values, bin_edges(values))[0]
    assert len({*counts[:-1]}) == 1


def test_values_of_a_continuum_have_bins_as_wide_as_each_other():
    edges = bin_edges(np.random.default_rng(1).normal(size=999))
    assert len(edges) == BINS + 1
    assert np.diff(edges) == pytest.approx(edges[1] - edges[0])


def test_axes_show_values_and_no_offset():
    figure, axes = panel("title", "x", "y")
    axes.plot([7920.001, 7920.002], [3.42113, 3.42117])
    figure.draw_without_rendering()
    for axis in (axes.xaxis, axes.yaxis):
        assert axis.get_offset_text().get_text() == ""
    assert float(axes.get_yticklabels()[0].get_text()) == pytest.approx(3.421, abs=0.001)


def seen_by(kind, colour):
    """A colour as a dichromat sees it: Viénot, Brettel and Mollon, 1999, in linear light."""
    linear = np.array([c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
                       for c in to_rgb(colour)])  # fmt: skip
    lost = {"deutan": (0.29275, 0.70725, -0.02234), "protan": (0.11238, 0.88762, 0.00401)}[kind]
    red, green, blue = linear
    merged = lost[0] * red + lost[1] * green
    return np.array([merged, merged, blue + lost[2] * (red - green)]).clip(0, 1)


def lightness(light):
    """The CIE lightness of linear light, from 0 to 100."""
    y = float(light @ (0.2126, 0.7152, 0.0722))
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


def apart(kind, one, other):
    """How far two colours are apart for a dichromat: in lightness, and along blue to yellow."""
    seen = [seen_by(kind, each) for each in (one, other)]
    by_light = abs(lightness(seen[0]) - lightness(seen[1]))
    by_hue = 100 * abs(np.cbrt(seen[0][2]) - np.cbrt(seen[0][0])
                       - np.cbrt(seen[1][2]) + np.cbrt(seen[1][0]))  # fmt: skip
    return by_light + by_hue


@pytest.mark.parametrize("kind", ["deutan", "protan"])
def test_colours_are_told_apart_without_red_and_green(kind):
    assert apart(kind, "#6aaa64", "#c9873d") < 30  # a green and an orange, which are not
    assert apart(kind, COLOUR, MARK) > 60
    assert min(apart(kind, *pair) for pair in combinations(SERIES, 2)) > 12
    turns = [colour for colour, _ in turn_colours(6)]
    assert min(apart(kind, *pair) for pair in pairwise(turns)) > 10


@pytest.mark.parametrize("count", range(2, 9))
def test_turns_darken_and_their_numbers_can_be_read(count):
    shades = turn_colours(count)
    lights = [lightness(np.array(to_rgb(colour)) ** 2.2) for colour, _ in shades]
    assert lights == sorted(lights, reverse=True)
    for colour, ink in shades:
        one, other = sorted(np.array(to_rgb(each)) ** 2.2 @ (0.2126, 0.7152, 0.0722)
                            for each in (colour, ink))  # fmt: skip
        assert (other + 0.05) / (one + 0.05) >= 4.5
    figure = draw_games(["SALET", "REAST"], [[0, 79, 1228], [1, 80, 1220]], "title")
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["1", "2", "3"]


def test_a_matrix_at_full_size_has_one_pixel_for_each_pattern(tmp_path):
    """Pixels have one colour if and only if they have as many green and as many yellow tiles."""
    answers = ["abbey", "ebbed", "solid", "babel", "dolls"]
    guesses = sorted([*answers, "lolls", "beads", "sling"])
    game = open_game(make_words(guesses, answers))
    pixels, colours = full_matrix(game.patterns.values, game.words.feedback)
    save_pixels(tmp_path / "matrix.png", pixels, colours)
    shown = np.asarray(Image.open(tmp_path / "matrix.png").convert("RGB"))
    assert shown.shape == (5, 8, 3)
    colour_of = {}
    for row, answer in zip(shown, game.words.answers.words, strict=True):
        for pixel, guess in zip(row, game.words.guesses.words, strict=True):
            tiles = Counter(naive.feedback(guess, answer))
            assert colour_of.setdefault((tiles["G"], tiles["Y"]), pixel.tolist()) == pixel.tolist()
    assert len({*map(tuple, colour_of.values())}) == len(colour_of) > 5


@pytest.mark.parametrize(
    ("figure", "out", "message"),
    [("matrix", "x.svg", "ends in .png"), ("letters", "x.png", "letters has no full size")],
)
def test_only_a_matrix_has_a_full_size(tmp_path, figure, out, message):
    ranking = ROOT / "results" / "openers-original-worst.h5"
    with pytest.raises(UserError, match=message):
        invoke(["plot", figure, str(ranking), "--full-size", "--out", str(tmp_path / out)])


@pytest.mark.parametrize("text", ["가나다", "a$x^2$"])
def test_results_are_drawn_with_their_texts_as_they_stand(tmp_path, text):
    """No formulas, and no warning about characters that the font lacks."""
    out = tmp_path / "x.svg"
    result = Outcome(figure=lambda: panel(text, "x")[0])
    figure = result.plot(out)
    assert figure.axes[0].get_title("left") == text
    assert not figure.axes[0].title.get_parse_math()
    draw(result, out)


@pytest.mark.parametrize("most", [0.004, 0.015, 0.3, 1])
def test_no_two_labels_of_shares_are_equal(most):
    figure, axes = panel("title", "x", "y")
    axes.plot([0, 1], [0, most])
    in_percent(axes.yaxis)
    figure.draw_without_rendering()
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert len(labels) == len({*labels}) > 3
