"""Environments of Gymnasium: one game, or many side by side, with exact regret as a reward."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np

from gpu_wordle.api import acting
from gpu_wordle.api.games import Game, load_game, played
from gpu_wordle.api.values import kept_values
from gpu_wordle.errors import UserError, installing, quoted
from gpu_wordle.experiments.replies import told as row_told
from gpu_wordle.experiments.side_by_side import SideBySide, Tables, Turn
from gpu_wordle.experiments.valued_turns import NONE, ValuedTurns
from gpu_wordle.experiments.values import SUMS
from gpu_wordle.options.declared import Option, checked, declared
from gpu_wordle.options.reading import TRUTH, Allowed, is_a, whole

if TYPE_CHECKING:
    import gymnasium
    from gymnasium import Env as Single
    from gymnasium.vector import VectorEnv as Many
else:
    try:
        import gymnasium
        from gymnasium import Env as Single
        from gymnasium.vector import VectorEnv as Many
    except ModuleNotFoundError:
        gymnasium, Single, Many = None, object, object

NAME = "gpu_wordle/Wordle-v0"
"""The name under which Gymnasium makes the environments."""

MAX_SIDE_BY_SIDE = 1_000_000
"""Most games side by side."""

Observation = dict[str, Any]
"""Arrays by name: ``board``, ``colours``, ``keyboard``, ``mask``."""


class _Games:
    """N games as both environments play them: observations, rewards and infos as arrays."""

    def __init__(
        self,
        game: Game,
        count: int,
        reward: str,
        *,
        values: bool,
        mask: bool,
        candidates: bool,
        arrays: Any = np,
    ) -> None:
        if gymnasium is None:
            raise UserError(f"environments need gymnasium; {installing('gym')}")
        self.game, self.reward, self.has_mask = game, reward, mask
        inner = game._inner
        self.valued = None
        if values or reward == "regret":
            self.valued = ValuedTurns(kept_values(game), count)
        self.tables = Tables(inner, arrays)
        counts = reward == "information" or (candidates and self.valued is None)
        self.umpires = SideBySide(self.tables, count, tracks_answers=counts)
        self.has_counts = counts
        self.count = count
        self.is_over = arrays.ones(count, np.bool_)
        self.is_begun = False

    @property
    def arrays(self) -> Any:
        """The module of the arrays."""
        return self.tables.arrays

    def space(self) -> Any:
        """The space of the observations of one game."""
        umpires = self.umpires
        parts = {"board": umpires.board, "colours": umpires.colours, "keyboard": umpires.keyboard}
        tops = {"board": int(self.tables.tiles.max()), "colours": int(self.tables.colours.max())}
        tops["keyboard"] = tops["colours"]
        spaces = {
            name: gymnasium.spaces.Box(
                0, tops[name], part.shape[1:], np.dtype(str(part.dtype)).type
            )
            for name, part in parts.items()
            if part is not None
        }
        if self.has_mask:
            spaces["mask"] = gymnasium.spaces.MultiBinary(len(self.game.guesses))
        return gymnasium.spaces.Dict(spaces)

    def observe(self) -> Observation:
        """What the players see of their games."""
        umpires = self.umpires
        seen = {"board": umpires.board.copy(), "colours": umpires.colours.copy()}
        if umpires.keyboard is not None:
            seen["keyboard"] = umpires.keyboard.copy()
        if self.has_mask:
            seen["mask"] = umpires.mask()
        return seen

    def secrets(self, words: Sequence[str] | None, random: np.random.Generator) -> Any:
        """The secrets of new games: named, or drawn by weight."""
        if words is None:
            return self.tables.draw(random, self.count)
        answers = self.game._inner.words.answers
        return self.tables.of(np.array([answers.find(word) for word in words], np.int64))

    def restart(self, which: Any, answers: Any) -> None:
        """Begin games anew."""
        self.umpires.restart(which, answers)
        if self.valued is not None:
            self.valued.restart(self.host(which))
        self.is_over, self.is_begun = self.is_over & ~which, True

    def play(self, guess: Any, is_asked: Any) -> tuple[Turn, Any, dict[str, Any]]:
        """Play a guess in each game that is asked; return turns, rewards and what is told."""
        before = self.umpires.bits() if self.reward == "information" else None
        turn = self.umpires.play(guess, is_asked)
        told: dict[str, Any] = {}
        if self.valued is not None:
            played = self.host(turn.is_played)
            pattern = self.host(turn.pattern)
            told["regret"], told["luck"] = self.valued.play(self.host(guess), pattern, played)
        self.is_over = self.is_over | turn.is_solved | turn.is_lost | turn.is_stuck
        where = self.arrays.where
        if self.reward == "solved":
            reward = turn.is_solved.astype(np.float64)
        elif self.reward == "turns":
            reward = -turn.price
        elif self.reward == "regret":
            # A turn without a value costs nothing: what lost the value has cost infinity.
            regret = self.tables.of(np.nan_to_num(told["regret"], posinf=np.inf))
            reward = where(turn.is_played, -regret, -turn.price)
        else:
            reward = before - self.umpires.bits()
        return turn, reward + 0.0, told

    def described(self) -> dict[str, Any]:
        """What is told of each position: value, candidates and an optimal guess, if known."""
        if self.valued is not None:
            places = self.valued.places()
            return {name: places[name].copy() for name in ("value", "candidates", "optimal")}
        return {"candidates": self.host(self.umpires.candidates())} if self.has_counts else {}

    def host(self, array: Any) -> Any:
        """The array as one of numpy."""
        return array.get() if hasattr(array, "get") else np.asarray(array)


class Environment(Single):
    """A game as an environment of Gymnasium; needs the extra ``gym``.

    An action is a word of the game or its number. An illegal guess takes no turn, and as many of
    them as the game has turns truncate it. Observations are arrays: ``board`` and ``colours`` by
    turn and place, ``keyboard`` with the best colour of each letter, ``mask`` of the legal guesses.
    Infos hold ``value``, ``regret``, ``luck``, ``candidates``, ``optimal`` (the number of a best
    next guess), ``illegal`` and, once the game is over, ``answer``; None stands for what is
    unknown.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}

    @checked
    def __init__(
        self,
        game: Annotated[Game, played()],
        reward: acting.RewardName = "solved",
        *,
        values: Annotated[bool | None, acting.WITH_VALUES] = None,
        render_mode: Annotated[
            Literal["ansi"] | None, Option("ansi: :meth:`render` returns the board as text.")
        ] = None,
    ) -> None:
        has_values = game._inner.objective.aim in SUMS if values is None else values
        self._games = _Games(game, 1, reward, values=has_values, mask=True, candidates=True)
        self.render_mode = render_mode
        self.observation_space = self._games.space()
        self.action_space = gymnasium.spaces.Discrete(len(game.guesses))

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._games.game

    @checked
    def reset(
        self,
        *,
        seed: acting.SeedOrNone = None,
        options: Annotated[Mapping[str, Any] | None, acting.PROTOCOL] = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game; ``options={"answer": "crony"}`` names its secret.

        Secrets are drawn by weight. Equal seeds give equal secrets, and no state is shared.
        """
        words = _named(options, "answer", 1)
        super().reset(seed=seed)
        games = self._games
        games.restart(games.arrays.ones(1, np.bool_), games.secrets(words, self.np_random))
        return self._observed(), self._told({}, is_illegal=False)

    @checked
    def step(
        self,
        action: Annotated[
            str | int,
            Option(
                "A word of the game, or its number.",
                Allowed("a word of the game, or its number", acting.action),
            ),
        ],
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make a guess; return observation, reward, terminated, truncated and info.

        Raises UserError for a word that is not in the list, and once the game is over.
        """
        games = self._games
        if bool(games.is_over[0]):
            raise UserError("no game is being played; call reset() first")
        guess = np.array([_guess(self.game, action)], np.int64)
        turn, reward, told = games.play(guess, np.ones(1, np.bool_))
        is_over = bool(turn.is_solved[0] or turn.is_lost[0])
        info = self._told(told, is_illegal=bool(turn.is_illegal[0]))
        return self._observed(), float(reward[0]), is_over, bool(turn.is_stuck[0]), info

    def action_masks(self) -> Any:
        """The legal guesses, bool[G], as agents with masks ask for them."""
        return self._games.umpires.mask()[0].astype(np.bool_)

    def render(self) -> str | None:
        """The board as text, a line for each turn; None unless ``render_mode`` is ``ansi``."""
        if self.render_mode is None:
            return None
        umpires, inner = self._games.umpires, self.game._inner
        return "\n".join(row_told(inner, *turn) for turn in umpires.turns_of(0))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game!r}, {self._games.reward!r})"

    __str__ = __repr__  # the one of Gymnasium tells less

    def _observed(self) -> Observation:
        return {name: each[0] for name, each in self._games.observe().items()}

    def _told(self, told: Mapping[str, Any], *, is_illegal: bool) -> dict[str, Any]:
        games = self._games
        found = {name: _plain(array[0]) for name, array in {**games.described(), **told}.items()}
        keys = ("value", "regret", "luck", "candidates", "optimal")
        info = {key: found.get(key) for key in keys} | {"illegal": is_illegal}
        if bool(games.is_over[0]):
            info["answer"] = int(games.tables.guess_of_answer[games.umpires.answer[0]])
        return info


class VectorEnvironment(Many):
    """Many games side by side as a vector environment of Gymnasium; needs the extra ``gym``.

    Rules and observations are those of :class:`Environment`; the mask is left out unless asked
    for. A game that is over begins anew at the next step, which ignores its action. Infos hold an
    array for each key, and under ``_key`` where it holds; NaN and -1 stand for what is unknown.
    """

    metadata: dict[str, Any] = {}  # noqa: RUF012 - the protocol gives each its own

    @checked
    def __init__(
        self,
        game: Annotated[Game, played()],
        count: Annotated[int, Option("The number of games.", whole(1, MAX_SIDE_BY_SIDE))],
        reward: acting.RewardName = "solved",
        *,
        values: Annotated[bool, acting.WITH_VALUES] = False,
        mask: Annotated[
            bool, Option("Whether observations hold the mask of legal guesses.", TRUTH)
        ] = False,
        arrays: Annotated[
            Any,
            Option(
                "The module of the arrays: numpy, or another with its functions, such as cupy, "
                "whose arrays lie on a device.",
                is_a("a module of arrays, such as numpy or cupy", acting.is_module_of_arrays),
            ),
        ] = np,
    ) -> None:
        self._games = _Games(
            game, count, reward, values=values, mask=mask, candidates=False, arrays=arrays
        )
        self.num_envs = count
        self.metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP}
        self.single_observation_space = self._games.space()
        self.single_action_space = gymnasium.spaces.Discrete(len(game.guesses))
        batch = gymnasium.vector.utils.batch_space
        self.observation_space = batch(self.single_observation_space, count)
        self.action_space = batch(self.single_action_space, count)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._games.game

    @property
    def secrets(self) -> Any:
        """The hidden word of each game, as the number of its guess; agents must not look here."""
        return self._games.tables.guess_of_answer[self._games.umpires.answer]

    @checked
    def reset(
        self,
        *,
        seed: acting.SeedOrNone = None,
        options: Annotated[Mapping[str, Any] | None, acting.PROTOCOL] = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all games; ``options={"answers": [...]}`` names the secret of each.

        Secrets are drawn by weight. Equal seeds give equal secrets, and no state is shared.
        """
        words = _named(options, "answers", self.num_envs)
        super().reset(seed=seed)
        games = self._games
        every = games.arrays.ones(self.num_envs, np.bool_)
        games.restart(every, games.secrets(words, self.np_random))
        return games.observe(), self._told({}, {}, every)

    @checked
    def step(
        self,
        actions: Annotated[
            Any,
            Option(
                "A word of the game, or its number, for each game.",
                Allowed(
                    "a list of words, or an array of whole numbers, one for each game",
                    acting.actions,
                ),
            ),
        ],
    ) -> tuple[Observation, Any, Any, Any, dict[str, Any]]:
        """Make a guess in each game; return observations, rewards, ends, truncations and infos.

        Raises UserError for an action that is no guess, and changes nothing then.
        """
        games = self._games
        if not games.is_begun:
            raise UserError("no game is being played; call reset() first")
        guess = self._guesses(actions)
        anew = games.is_over
        turn, reward, told = games.play(guess, ~anew)
        games.restart(anew, games.tables.draw(self.np_random, self.num_envs))
        over = turn.is_solved | turn.is_lost
        infos = self._told(told, {"illegal": turn.is_illegal}, ~anew)
        return games.observe(), reward, over, turn.is_stuck, infos

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game!r}, {self.num_envs}, {self._games.reward!r})"

    def _guesses(self, actions: Any) -> Any:
        """The numbers of the guesses, int64[N]."""
        count, guesses = self.num_envs, len(self.game.guesses)
        if len(actions) != count:
            raise UserError(f"{len(actions):,} actions for {count:,} games; give one for each")
        if isinstance(actions, list):
            return self._games.tables.of(
                np.array([_guess(self.game, word) for word in actions], np.int64)
            )
        lowest, highest = int(actions.min()), int(actions.max())
        if lowest < 0 or highest >= guesses:
            _guess(self.game, lowest if lowest < 0 else highest)
        return self._games.tables.of(actions).astype(np.int64)

    def _told(
        self, turns: Mapping[str, Any], flags: Mapping[str, Any], is_played: Any
    ) -> dict[str, Any]:
        """The infos: arrays by key, and where each holds."""
        games = self._games
        every = games.arrays.ones(self.num_envs, np.bool_)
        infos: dict[str, Any] = {}
        for name, array in games.described().items():
            infos |= {name: array, f"_{name}": every}
        for name, array in {**turns, **flags}.items():
            infos |= {name: array, f"_{name}": is_played}
        answer = games.arrays.where(games.is_over, self.secrets, NONE)
        return infos | {"answer": answer, "_answer": games.is_over}


def _plain(value: Any) -> float | int | None:
    """A number of an array as one of Python; None for NaN and for no guess."""
    number = value.item()
    return None if number != number or (isinstance(number, int) and number == NONE) else number


def _guess(game: Game, action: str | int) -> int:
    """The number of the guess that an action names; UserError if there is none."""
    if isinstance(action, str):
        return game._inner.words.guesses.find(action)
    if not 0 <= action < len(game.guesses):
        raise UserError(
            f"action {quoted(action)}: guesses have the numbers 0 to {len(game.guesses) - 1:,}; "
            "give one of them, or a word"
        )
    return action


def _named(options: Mapping[str, Any] | None, key: str, count: int) -> Sequence[str] | None:
    """The secrets that the options of a reset name; None if they name none."""
    for unknown in [each for each in options or {} if each != key]:
        raise UserError(f"options: {quoted(unknown)} is no option; give {key!r}, or nothing")
    if not options:
        return None
    given = options[key]
    words = [given] if isinstance(given, str) else given
    is_list = isinstance(words, list | tuple) and all(isinstance(each, str) for each in words)
    if not is_list or len(words) != count:
        raise UserError(f"options: {key}={quoted(given)}: give a word for each of {count:,} games")
    return words


def _split(given: dict[str, Any]) -> tuple[Game, dict[str, Any]]:
    """The game of some options, and the options of the environment."""
    game = given.pop("game", None)
    of_game = {name: given.pop(name) for name in declared(load_game) if name in given}
    return load_game(**of_game) if game is None else game, given


def made(**given: Any) -> Environment:
    """An environment as :func:`gymnasium.make` asks for it."""
    game, own = _split(given)
    return Environment(game, **own)


def many_made(num_envs: int, **given: Any) -> VectorEnvironment:
    """An environment as :func:`gymnasium.make_vec` asks for it."""
    game, own = _split(given)
    return VectorEnvironment(game, num_envs, **own)


if not TYPE_CHECKING and gymnasium is not None:
    gymnasium.register(
        NAME, entry_point=f"{__name__}:made", vector_entry_point=f"{__name__}:many_made"
    )
