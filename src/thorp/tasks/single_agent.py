"""`thorp/Task-v1` for Gymnasium: a graded task for a learner that sees arrays."""

from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces

from thorp.env.arrays import Arrays, observation_spec, observe
from thorp.env.choices import default_choices
from thorp.kernel.errors import IllegalError, InvalidError
from thorp.tasks.episode import Episode
from thorp.tasks.record import Row, Split
from thorp.tasks.start import Start, Starts, read_start
from thorp.tasks.suite import Suite, default_suite
from thorp.tasks.world_engine import WorldEngine
from thorp.voxel.observation.session import Session

START: Final = "start"
"""The one option of `reset`: a Start to begin from."""


class TaskEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """A task for Gymnasium; see `docs/tasks.md`.

    `task` names a row, which every episode plays, or a task or family: then each reset draws one of
    its rows in the split. The reward is what the score has grown by. An episode terminates when
    the goal is reached or lost, and is truncated when time is up.
    """

    def __init__(
        self, task: str, split: Split | None = None, *, suite: Suite | None = None
    ) -> None:
        self.suite = suite or default_suite()
        self.rows: list[Row] = self.suite.select(task, split=split)
        if split is None and len(self.rows) > 1:
            self.rows = self.suite.select(task, split="train")
        self._starts = Starts(self.suite)
        self.episode: Episode = self._open(Start(task=self.rows[0].id))
        tuning = self._engine().world.tuning
        specs = observation_spec(tuning.obs_radius).items()
        self.observation_space = spaces.Dict(
            {name: spaces.Box(spec.low, spec.high, spec.shape, spec.dtype) for name, spec in specs}
        )
        self.action_names: Final = default_choices().names
        self.action_space = spaces.Discrete(len(self.action_names))
        self._session = Session(self._engine().body.number)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Begin a row, or the state that the option `start` names."""
        super().reset(seed=seed)
        given = dict(options or {})
        named = given.pop(START, None)
        if given:
            raise InvalidError(
                f"reset has the option {START}, and not {next(iter(given))!r:.40}", code="option"
            )
        if named is not None:
            start = named if isinstance(named, Start) else read_start(named)
        else:
            start = Start(task=self.rows[int(self.np_random.integers(len(self.rows)))].id)
        self.episode = self._open(start)
        self._session = Session(self._engine().body.number)
        return self._observe(), self._info()

    def step(self, action: np.int64) -> tuple[Arrays, float, bool, bool, dict[str, Any]]:
        """Play a turn. An action that is not possible now is refused, and the turn passes."""
        episode = self.episode
        episode.act(int(action))
        ended = episode.is_lost or episode.exact_score == 1
        truncated = episode.is_over and not ended
        return self._observe(), episode.reward, ended, truncated, self._info()

    def _open(self, start: Start) -> Episode:
        episode = self._starts.open(start)
        if not isinstance(episode.engine, WorldEngine):
            raise IllegalError(
                f"{start.task} is a task in words, which no array can hold; play it by OpenEnv, "
                "Inspect or as a match",
                code="arrays",
            )
        return episode

    def _engine(self) -> WorldEngine:
        assert isinstance(self.episode.engine, WorldEngine), "others are refused when opened"
        return self.episode.engine

    def _observe(self) -> Arrays:
        (seen,) = observe(self._engine().world, [self._session], default_choices())
        return seen

    def _info(self) -> dict[str, Any]:
        episode = self.episode
        seen = episode.observe()
        return {
            "task": seen["task"]["id"],
            "text": seen["text"],
            "score": episode.score,
            "turns_left": seen["task"]["turns_left"],
            "state": seen["task"]["state"],
            "node": episode.node(),
        }
