"""Robots ready to build, by name; their parts are those of thinking.py."""

from __future__ import annotations

from collections.abc import Sequence

from turntile.games.robots.notation import FEATURE_NAMES
from turntile.games.robots.records import ADD, DEPLOY, FEATURE_KIND, FEATURE_LEVEL, FEATURES, Robot
from turntile.games.robots.thinking import next_part, preset_level

PRESET_NAMES = ("scout", "ranger", "brawler", "sentry", "sapper")


def preset_parts(name: str) -> tuple[str, ...]:
    number = PRESET_NAMES.index(name)
    return tuple(
        FEATURE_NAMES[feature]
        for feature in range(FEATURES)
        if preset_level(number, FEATURE_KIND[feature]) == FEATURE_LEVEL[feature]
    )


def preset_line(name: str) -> str:
    """All requests that build a preset, as one message."""
    return "; ".join([*(f"add {part}" for part in preset_parts(name)), "deploy"])


def next_step(parts: Sequence[str], name: str) -> str:
    """The next request on the way from these parts to a preset, "" if there is none."""
    robot = Robot()
    for part in parts:
        feature = FEATURE_NAMES.index(part)
        robot.parts[FEATURE_KIND[feature]] = FEATURE_LEVEL[feature]
    action = next_part(robot, PRESET_NAMES.index(name))
    if action < 0:
        return ""
    return "deploy" if action == DEPLOY else f"add {FEATURE_NAMES[action - ADD]}"
