"""What a game's extension is made of: the header with its rules in C, and the Cython wrapper.

The wrapper's text is the same for every game; all that differs is in the header.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from turntile.forge.fingerprint import fingerprint
from turntile.forge.layout import position_size
from turntile.forge.reader import Linkage, Program, Reader
from turntile.forge.refusal import ForgeError
from turntile.forge.translate import Translator

HERE = Path(__file__).parent

LINKAGE = Linkage(
    contract="turntile.core.contract",
    defaults="turntile.core.defaults",
    chapters=("turntile.core.playouts", "turntile.core.search", "turntile.core.batch"),
)
REQUIRED = (
    "setup", "seats", "to_act", "why_illegal", "legal", "default_action",
    "step", "over", "score", "place", "observe", "redeal",
)  # fmt: skip
GENERIC = (
    "candidates", "rollout_action", "estimate", "used_bytes", "seed_dice",
    "tt_playout", "tt_reward", "tt_choose_rollout_actions", "tt_start_tree", "tt_grow_tree", "tt_root_edges",
    "tt_begin", "tt_advance", "tt_mask_legal",
)  # fmt: skip
CONSTANTS = ("MAX_SEATS", "MAX_ACTIONS", "PLANES")
ROOT_FIELDS = {"width": "i32", "height": "i32", "dice": "Dice", "log": "Log"}
MOST_SEATS = 8


@dataclass(frozen=True)
class Generated:
    """The two files of one game's extension."""

    rules: str  # the rules module
    header: str
    wrapper: str
    fingerprint: str


def generate(rules: str) -> Generated:
    """Translate a rules module and all it is made of; ForgeError where it cannot be."""
    program = Reader(LINKAGE).read(rules)
    check_contract(rules, program)
    translator = Translator(program, [*REQUIRED, *GENERIC])
    body = translator.translate()
    sources = [source.module for source in program.sources]
    mark = fingerprint(sources)
    sites = ",\n".join(f"    {{{c_text(s.file)}, {s.line}, {c_text(s.what)}}}" for s in translator.sites)
    header = "\n".join(
        [
            f"/* The rules of {rules} in C. Written by forge: change the rules, not this file. */",
            (HERE / "prelude.h").read_text(),
            definitions(program, mark, sources),
            "typedef struct { const char *file; int line; const char *what; } tt_site_t;",
            f"static tt_site_t tt_sites[] = {{\n{sites}\n}};",
            structs_first(body, program),
            '#line 1 "turntile/forge/guards.h"',
            (HERE / "guards.h").read_text(),
            accessors(),
        ]
    )
    return Generated(rules, header, (HERE / "wrapper.pyx").read_text(), mark)


def structs_first(body: str, program: Program) -> str:
    """The translated rules, with `tt_used` between the prototypes it needs and the bodies that need it."""
    used = "\n".join(
        [
            f"static inline int64_t f_used_bytes(R_{program.root} * v_s);",
            f"static int64_t tt_used(R_{program.root} *s) {{",
            "    int64_t used = f_used_bytes(s);",
            "    return used > 0 && used < TT_POSITION ? used : TT_POSITION;",
            "}",
        ]
    )
    marker = "static inline void f_setup("
    at = body.index(marker)
    return body[:at] + used + "\n" + body[at:]


def definitions(program: Program, mark: str, sources: list[str]) -> str:
    layout = program.records[program.root].LAYOUT
    stride = -(-layout.size // 64) * 64  # whole cache lines: matches of a batch share none
    lines = [f"#define TT_{name} {program.constants[name]}" for name in CONSTANTS]
    lines += [
        f"#define TT_EVENT_SIZE {program.constants['EVENT_SIZE']}",
        f"#define TT_ROOT R_{program.root}",
        f"#define TT_POSITION INT64_C({position_size(layout)})",
        f"#define TT_STRIDE INT64_C({stride})",
        f"#define TT_FINGERPRINT {c_text(mark)}",
        f"#define TT_SOURCES {c_text(' '.join(sources))}",
    ]
    return "\n".join(lines)


def accessors() -> str:
    """The few fields the wrapper looks into."""
    return """
static inline int32_t *tt_log_n(tt_state *s) { return &s->m_log.m_n; }
static inline int32_t *tt_log_numbers(tt_state *s) { return s->m_log.m_numbers; }
static inline uint8_t *tt_log_quiet(tt_state *s) { return &s->m_log.m_quiet; }
static inline int64_t tt_area(tt_state *s) { return (int64_t) s->m_width * s->m_height; }
static inline int32_t tt_edge_action(tt_tree *tree, int32_t edge) { return tree->m_edge_choice[edge] % TT_MAX_ACTIONS; }
static inline int32_t tt_edge_visits(tt_tree *tree, int32_t edge) { return tree->m_edge_visits[edge]; }
static inline int32_t tt_edge_value(tt_tree *tree, int32_t edge) { return tree->m_edge_value[edge]; }
"""


def check_contract(rules: str, program: Program) -> None:
    """A game without one of the contract's parts is refused before anything is built."""
    shown = rules.replace(".", "/") + ".py"
    for name in CONSTANTS:
        if name not in program.constants:
            raise ForgeError(shown, 1, f"no {name}", f"define the constant {name}; core/contract.py says what it means")
    if not 1 <= program.constants["MAX_SEATS"] <= MOST_SEATS:
        raise ForgeError(shown, 1, f"MAX_SEATS = {program.constants['MAX_SEATS']}", f"1 to {MOST_SEATS} seats")
    for name in REQUIRED:
        if name not in program.functions:
            raise ForgeError(
                shown, 1, f"no function {name}", "every game's rules have it; core/contract.py says what it does"
            )
    layout = program.records[program.root].LAYOUT
    kinds = {field.name: field.kind for field in layout.fields if not field.count}
    for name, kind in ROOT_FIELDS.items():
        if kinds.get(name) != kind:
            raise ForgeError(shown, 1, f"{program.root} has no {name}: {kind}", "the root record of every game has it")
    if layout.fields[-1].name != "log":
        raise ForgeError(
            shown,
            1,
            f"log is not the last field of {program.root}",
            "move it to the end: what stands before it is the position",
        )


def c_text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'
