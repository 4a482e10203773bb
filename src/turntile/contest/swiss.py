"""Swiss pairings: who has done alike meets, nobody meets anybody twice before it cannot be helped.

For two seats the pairing is the best there is (a matching of least cost): first as few rematches
as possible, then as few second byes, then those of like points. For three and four seats the best
is out of reach; there, tables of neighbours are improved by swaps until no swap helps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from turntile.contest.extras import need

Met = Mapping[tuple[int, int], int]  # how often two bots (smaller number first) sat at one table


def pair_round(
    ranked: Sequence[int], points: Mapping[int, float], met: Met, byes: Sequence[int], seats: int
) -> list[tuple[int, ...]]:
    """The tables of a round, best first; a table of one is a bye. `ranked`: the bots, best first."""
    if len(ranked) < 2:
        return [(bot,) for bot in ranked]
    if seats == 2:
        tables = match_pairs(ranked, points, met, byes)
    else:
        tables = improve(slices(ranked, seats), points, met)
    at = {bot: place for place, bot in enumerate(ranked)}
    seated = [tuple(sorted(table, key=at.__getitem__)) for table in tables]
    return sorted(seated, key=lambda table: (len(table) == 1, at[table[0]]))


def times_met(met: Met, one: int, other: int) -> int:
    return met.get((min(one, other), max(one, other)), 0)


def match_pairs(
    ranked: Sequence[int], points: Mapping[int, float], met: Met, byes: Sequence[int]
) -> list[tuple[int, ...]]:
    nx = need("networkx", "contest", "Swiss pairing")
    bots = len(ranked)
    # Costs in layers, each worth more than all below it together; whole numbers, so that nothing is rounded.
    finest = 4 * bots * bots
    step = finest * bots
    apart = max(points.values(), default=0.0) - min(points.values(), default=0.0)
    second_bye = step * (int(1000 * apart) + 2) ** 2 * bots
    rematch = second_bye * (bots + max(met.values(), default=0) + 1)
    graph = nx.Graph()
    for place, bot in enumerate(ranked):
        for below in range(place + 1, bots):
            other = ranked[below]
            distance = int(1000 * abs(points[bot] - points[other]))
            # Among equals the upper half meets the lower half, as in the Dutch system.
            folded = abs(below - place - bots // 2)
            cost = rematch * times_met(met, bot, other) + step * distance * distance + folded * folded
            graph.add_edge(place, below, weight=-cost)
        if bots % 2:
            lead = int(1000 * (points[bot] - min(points.values())))
            cost = second_bye * byes.count(bot) + step * lead * lead + (bots - place)
            graph.add_edge(place, bots, weight=-cost)
    chosen = nx.max_weight_matching(graph, maxcardinality=True)
    return [tuple(ranked[place] for place in sorted(pair) if place < bots) for pair in chosen]


def slices(ranked: Sequence[int], seats: int) -> list[list[int]]:
    """Neighbours at tables of sizes as even as can be: nobody sits alone while three or four may sit together."""
    tables = -(-len(ranked) // seats)
    return [
        list(ranked[len(ranked) * table // tables : len(ranked) * (table + 1) // tables]) for table in range(tables)
    ]


def improve(tables: list[list[int]], points: Mapping[int, float], met: Met) -> list[tuple[int, ...]]:
    def cost(table: Sequence[int]) -> tuple[int, float]:
        together = [(one, other) for at, one in enumerate(table) for other in table[at + 1 :]]
        again = sum(times_met(met, one, other) for one, other in together)
        return again, round(sum((points[one] - points[other]) ** 2 for one, other in together), 9)

    def better_by_swap(left: list[int], right: list[int]) -> bool:
        before = [a + b for a, b in zip(cost(left), cost(right), strict=True)]
        for i in range(len(left)):
            for j in range(len(right)):
                left[i], right[j] = right[j], left[i]
                if [a + b for a, b in zip(cost(left), cost(right), strict=True)] < before:
                    return True
                left[i], right[j] = right[j], left[i]
        return False

    helped = True
    while helped:
        helped = any(better_by_swap(left, right) for at, left in enumerate(tables) for right in tables[at + 1 :])
    return [tuple(table) for table in tables]
