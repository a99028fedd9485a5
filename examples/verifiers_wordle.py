"""Wordle with exact regret for language models, by the protocol of verifiers 0.4.

The module is a taskset with its environment. With verifiers installed, in this folder:

    vf-eval verifiers-wordle -m MODEL --env.taskset.rule hard --env.regret-weight 1

A solved game pays 1. With a weight, the exact regret of a game is taken off.
"""

import asyncio
from collections.abc import Iterator
from functools import cached_property

import verifiers.v1 as vf

import gpu_wordle as gw

__all__ = ["WordleEnv", "WordleTaskset"]


class WordleConfig(vf.TasksetConfig):
    """Which game is played."""

    guesses: str = "original"
    rule: str = "normal"


class WordleData(vf.TaskData):
    """What a task knows: its secret."""

    answer: str


class WordleTask(vf.Task[WordleData, vf.State, vf.TaskConfig]):
    """A game with one secret."""


class WordleTaskset(vf.Taskset[WordleTask, WordleConfig]):
    """A task for each word that may be the answer."""

    @cached_property
    def game(self) -> gw.Game:
        """The game that all tasks play."""
        return gw.load_game(self.config.guesses, rule=self.config.rule)

    def load(self) -> Iterator[WordleTask]:
        """Yield the tasks in the order of the list."""
        prompt = gw.Dialogue(self.game, seed=0).prompt
        for answer in self.game.answers:
            yield WordleTask(
                WordleData(name=answer, answer=answer, prompt=prompt), self.config.task
            )


class WordleEnvConfig(vf.EnvConfig):
    """The player, and what regret costs."""

    player: vf.AgentConfig = vf.AgentConfig()
    regret_weight: float = 0.0


class WordleEnv(vf.Env[WordleEnvConfig]):
    """A game in which the umpire plays the user."""

    async def run(self, task: WordleTask, agents: vf.Agents) -> None:
        """Play the game of a task, and score its transcript."""
        dialogue = gw.Dialogue(self.taskset.game, task.data.answer)
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()  # the prompt speaks first
            while not segment.terminated:
                told = dialogue.reply(segment.last_reply)
                if dialogue.is_over:
                    break
                segment = await interaction.turn(told)
        # Exact values take a search, which must not hold up the games beside this one.
        score = await asyncio.to_thread(dialogue.score)
        trace = interaction.trace
        trace.record_reward("solved", float(score["solved"]))
        counts = ("turns", "illegal", "unknown", "contradictions")
        trace.record_metrics({name: score[name] for name in counts})
        if score["total_regret"] is not None:
            trace.record_reward("regret", -score["total_regret"], self.config.regret_weight)
            trace.record_metric("luck", score["total_luck"])
