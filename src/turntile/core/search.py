"""Tree search, written once for all games in forge's subset.

Monte Carlo tree search that asks of a game only what the contract has:
- hidden things and chance: every iteration starts from a redealt state, so the tree holds
  statistics over what might be true (information-set search, open loop: a node stands for
  the actions taken, not for one state);
- acting at the same time: each seat chooses by its own statistics, unaware of the others
  (decoupled), and the joint action leads to the child;
- acting in turn is the case of one seat.

Numbers are whole: values are thousandths, the exploration term is an integer square root.
"""

from __future__ import annotations

from turntile.core.contract import MAX_ACTIONS, MAX_SEATS, State, over, redeal, seats, step, to_act
from turntile.core.defaults import NO_ESTIMATE, ROLLOUT_STEPS, candidates, estimate
from turntile.core.dice import Dice, below, next_word, seed_dice
from turntile.core.playouts import REWARD, playout, reward
from turntile.forge import assign, i32, i32s, many, record, u32

MAX_NODES = 1 << 16
MAX_EDGES = 1 << 18
MAX_DEPTH = 96  # of the tree; playouts go on from there
EXPLORATION = 700000  # the square of the exploration constant, in millionths
LEAST_BITS = 8  # of a logarithm's fraction


@record
class Tree:
    """Nodes and, in linked lists, their edges (one seat's action) and branches (a joint action)."""

    dice: Dice
    nodes: i32
    edges: i32
    branches: i32
    iterations: i32
    first_edge: list[i32] = many(MAX_NODES)
    first_branch: list[i32] = many(MAX_NODES)
    edge_next: list[i32] = many(MAX_EDGES)
    edge_choice: list[i32] = many(MAX_EDGES)  # seat * MAX_ACTIONS + action
    edge_visits: list[i32] = many(MAX_EDGES)
    edge_value: list[i32] = many(MAX_EDGES)  # sum of values in thousandths
    branch_next: list[i32] = many(MAX_NODES)
    branch_key: list[u32] = many(MAX_NODES)
    branch_node: list[i32] = many(MAX_NODES)


def start_tree(tree: Tree, low: int, high: int) -> None:
    """An empty tree in a zeroed record. Index 0 of nodes, edges and branches means none; the root is 1."""
    seed_dice(tree.dice, low, high)
    tree.nodes = 2
    tree.edges = 1
    tree.branches = 1


def grow_tree(tree: Tree, root: State, scratch: State, seat: int, iterations: int) -> None:
    """So many iterations from `root` as `seat` may imagine it, in `scratch`."""
    # Made once and handed down: a game may have thousands of actions, and making an array clears it.
    choices = i32s(MAX_ACTIONS)
    edge_of = i32s(MAX_ACTIONS)
    for _ in range(iterations):
        assign(scratch, root)
        scratch.log.quiet = True
        low = next_word(tree.dice)
        high = next_word(tree.dice)
        seed_dice(scratch.dice, low, high)
        redeal(scratch, seat)
        iterate(tree, scratch, choices, edge_of)
        tree.iterations += 1


def iterate(tree: Tree, s: State, choices: list[i32], edge_of: list[i32]) -> None:
    """Down the tree, one node further, a playout, and back up."""
    path = i32s(MAX_DEPTH * MAX_SEATS)
    length = 0
    node = 1
    depth = 0
    actions = i32s(MAX_SEATS)
    bits = to_act(s)
    grown = False
    while bits != 0 and not grown and depth < MAX_DEPTH and node != 0:
        for seat in range(MAX_SEATS):
            actions[seat] = 0
            if (bits >> seat) & 1 == 1:
                edge = choose_edge(tree, node, s, seat, choices, edge_of)
                if edge != 0:
                    path[length] = edge
                    length += 1
                    actions[seat] = tree.edge_choice[edge] % MAX_ACTIONS
                    grown = grown or tree.edge_visits[edge] == 0
                else:
                    actions[seat] = any_candidate(tree, s, seat, choices)
                    grown = True
        step(s, actions)
        node = child(tree, node, joint_key(actions))
        depth += 1
        bits = to_act(s)
    playout(s, tree.dice, ROLLOUT_STEPS)
    credit(tree, s, path, length)


def choose_edge(tree: Tree, node: int, s: State, seat: int, choices: list[i32], edge_of: list[i32]) -> int:
    """The edge of the seat's most promising action: an untried one first. 0 when the tree is full."""
    n = candidates(s, seat, choices)
    note_edges(tree, node, seat, edge_of)
    chosen = most_promising(tree, node, seat, choices, n, edge_of)
    forget_edges(tree, node, seat, edge_of)
    return chosen


def note_edges(tree: Tree, node: int, seat: int, edge_of: list[i32]) -> None:
    """Which edge each of the seat's actions has at this node."""
    edge = tree.first_edge[node]
    while edge != 0:
        if tree.edge_choice[edge] // MAX_ACTIONS == seat:
            edge_of[tree.edge_choice[edge] % MAX_ACTIONS] = edge
        edge = tree.edge_next[edge]


def forget_edges(tree: Tree, node: int, seat: int, edge_of: list[i32]) -> None:
    edge = tree.first_edge[node]
    while edge != 0:
        if tree.edge_choice[edge] // MAX_ACTIONS == seat:
            edge_of[tree.edge_choice[edge] % MAX_ACTIONS] = 0
        edge = tree.edge_next[edge]


def most_promising(tree: Tree, node: int, seat: int, choices: list[i32], n: int, edge_of: list[i32]) -> int:
    untried = 0
    total = 0
    for k in range(n):
        if edge_of[choices[k]] == 0:
            untried += 1
        else:
            total += tree.edge_visits[edge_of[choices[k]]]
    if untried > 0:
        return add_edge(tree, node, seat, pick_untried(tree, choices, n, edge_of, untried))
    best = 0
    best_promise = -1
    logarithm = logarithm_of(total)
    for k in range(n):
        edge = edge_of[choices[k]]
        promise = promise_of(tree, edge, logarithm)
        if promise > best_promise:
            best_promise = promise
            best = edge
    return best


def pick_untried(tree: Tree, choices: list[i32], n: int, edge_of: list[i32], untried: int) -> int:
    skip = below(tree.dice, untried)
    for k in range(n):
        if edge_of[choices[k]] == 0:
            if skip == 0:
                return choices[k]
            skip -= 1
    return choices[0]


def add_edge(tree: Tree, node: int, seat: int, action: int) -> int:
    if tree.edges >= MAX_EDGES:
        return 0
    edge = tree.edges
    tree.edges += 1
    tree.edge_choice[edge] = seat * MAX_ACTIONS + action
    tree.edge_next[edge] = tree.first_edge[node]
    tree.first_edge[node] = edge
    return edge


def any_candidate(tree: Tree, s: State, seat: int, choices: list[i32]) -> int:
    n = candidates(s, seat, choices)
    return choices[below(tree.dice, n)]


def promise_of(tree: Tree, edge: int, logarithm: int) -> int:
    """Mean value and a bonus for having been tried little (UCB1), in thousandths."""
    visits = tree.edge_visits[edge]
    if visits == 0:
        return 1000000
    return tree.edge_value[edge] // visits + square_root(EXPLORATION * logarithm // (visits << LEAST_BITS))


def logarithm_of(n: int) -> int:
    """log2 of n, times 2 ** LEAST_BITS, by linear steps between powers of two."""
    if n < 1:
        return 0
    bits = 0
    while (n >> bits) > 1:
        bits += 1
    fraction = ((n << LEAST_BITS) >> bits) - (1 << LEAST_BITS)
    return (bits << LEAST_BITS) + fraction


def square_root(n: int) -> int:
    """The whole part of a square root, bit by bit."""
    root = 0
    bit = 1 << 12
    while bit > 0:
        if (root + bit) * (root + bit) <= n:
            root += bit
        bit >>= 1
    return root


def joint_key(actions: list[i32]) -> int:
    """A number for a joint action (FNV-1a; a clash merely merges two children)."""
    key = 2166136261
    for seat in range(MAX_SEATS):
        key = ((key ^ actions[seat]) * 16777619) & 0xFFFFFFFF
    return key


def child(tree: Tree, node: int, key: int) -> int:
    """The node a joint action leads to, made if need be; 0 when the tree is full."""
    branch = tree.first_branch[node]
    while branch != 0:
        if tree.branch_key[branch] == key:
            return tree.branch_node[branch]
        branch = tree.branch_next[branch]
    if tree.nodes >= MAX_NODES or tree.branches >= MAX_NODES:
        return 0
    branch = tree.branches
    tree.branches += 1
    tree.branch_key[branch] = key
    tree.branch_node[branch] = tree.nodes
    tree.branch_next[branch] = tree.first_branch[node]
    tree.first_branch[node] = branch
    tree.nodes += 1
    return tree.branch_node[branch]


def credit(tree: Tree, s: State, path: list[i32], length: int) -> None:
    """Each edge on the way gets what the end is worth for its seat."""
    values = i32s(MAX_SEATS)
    for seat in range(seats(s)):
        values[seat] = value_of(s, seat)
    for k in range(length):
        edge = path[k]
        tree.edge_visits[edge] += 1
        tree.edge_value[edge] += values[tree.edge_choice[edge] // MAX_ACTIONS]


def value_of(s: State, seat: int) -> int:
    """0 (lost) to 1000 (won); an unfinished match by its estimate, or as a draw."""
    if over(s):
        return (REWARD + reward(s, seat)) // 2
    guess = estimate(s, seat)
    if guess == NO_ESTIMATE:
        return 500
    return guess


def root_edges(tree: Tree, seat: int, out: list[i32]) -> int:
    """Write the seat's edges at the root; their number."""
    n = 0
    edge = tree.first_edge[1]
    while edge != 0:
        if tree.edge_choice[edge] // MAX_ACTIONS == seat:
            out[n] = edge
            n += 1
        edge = tree.edge_next[edge]
    return n
