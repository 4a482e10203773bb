"""Forge refuses what it does not compile: with file, line, the construct and what to write instead."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent, indent

import pytest

from turntile.forge.generate import generate
from turntile.forge.reader import Linkage, Reader
from turntile.forge.refusal import ForgeError
from turntile.forge.translate import Translator

HEAD = """\
from __future__ import annotations

from turntile.forge import assign, i32, i32s, many, record, table, u8, u8s

SIZE = 4
TABLE = table(1, 2, 3)


@record
class Part:
    n: i32


@record
class Root:
    n: i32
    small: u8
    alive: bool
    part: Part
    parts: list[Part] = many(SIZE)
    cells: bytearray = many(SIZE)


def twice(n: int) -> int:
    return 2 * n


def act(part: Part) -> None:
    part.n = 1


"""

Translate = Callable[[str], str]


@pytest.fixture
def translate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Translate:
    monkeypatch.syspath_prepend(str(tmp_path))
    count = 0

    def run(text: str) -> str:
        nonlocal count
        count += 1
        name = f"rules_{tmp_path.name.replace('-', '_')}_{count}"
        (tmp_path / f"{name}.py").write_text(text)
        try:
            program = Reader(Linkage()).read(name)
            return Translator(program, ["setup"]).translate()
        finally:
            sys.modules.pop(name, None)

    return run


def in_setup(body: str) -> str:
    return HEAD + "def setup(s: Root) -> None:\n" + indent(dedent(body).strip(), "    ") + "\n"


def test_what_the_language_has_is_translated(translate: Translate) -> None:
    text = in_setup(
        """
        n = 3
        m: int = -n
        queue = i32s(SIZE)
        for k in range(0, SIZE, 2):
            queue[k] = twice(k) if k > 1 else TABLE[k]
        while n > 0 and not s.alive:
            n -= 1
            if n == 1:
                break
            elif n == 2:
                continue
            else:
                pass
        part = s.parts[n]
        assign(part, s.part)
        act(s.parts[1])
        s.small = min(255, max(0, abs(m)), len(queue))
        s.alive = 0 <= n < m or s.n != 2
        s.n += int(s.alive) << 2
        assert s.n >= 0
        """
    )
    assert "f_setup" in translate(text)


STATEMENTS = [
    ("x = 1.5", "the number 1.5", "whole numbers"),
    ("x = 'a'", "a string", "tell an event"),
    ("x = f'{s.n}'", "a string", "tell an event"),
    ("x = None", "None", "-1"),
    ("x = 1 / 2", "/", "write //"),
    ("x = 2 ** 3", "**", "1 << n"),
    ("x = s.n @ 2", "MatMult", "use + -"),
    ("x = [1, 2]", "a list", "i32s(n)"),
    ("x = {1: 2}", "a dict", "array field"),
    ("x = {1, 2}", "a set", "bit set"),
    ("x = (1, 2)", "a tuple", "two variables"),
    ("x = [k for k in range(3)]", "a comprehension", "for loop"),
    ("x = {k for k in range(3)}", "a comprehension", "for loop"),
    ("x = {k: k for k in range(3)}", "a comprehension", "for loop"),
    ("x = sum(k for k in range(3))", "the function sum", "rules functions"),
    ("x = lambda: 1", "lambda", "write a function"),
    ("if (x := 3) > 2:\n    pass", ":=", "line of its own"),
    ("a, b = 1, 2", "several names at once", "lines of their own"),
    ("a = b = 1", "a = b = ...", "lines of their own"),
    ("del s.n", "del", "set them to 0"),
    ("with s:\n    pass", "with", "rules open nothing"),
    ("match s.n:\n    case 1:\n        pass", "match", "if ... elif"),
    ("raise ValueError", "raise", "reason code"),
    ("try:\n    pass\nexcept ValueError:\n    pass", "try", "test beforehand"),
    ("global SIZE", "global", "root record"),
    ("nonlocal_ = 1\ndef inner() -> None:\n    pass", "a function inside a function", "top of the file"),
    ("import os", "import inside rules", "top of the file"),
    ("from os import path", "import inside a function", "top of the file"),
    ("class Inner:\n    pass", "a class", "@record"),
    ("for k in s.cells:\n    pass", "for over s.cells", "range"),
    ("for a, b in range(3):\n    pass", "for with several names", "range"),
    ("for k in range(3):\n    pass\nelse:\n    pass", "for ... else", "set a bool"),
    ("for k in range(0, 3, s.n):\n    pass", "step that is no constant", "other than 0"),
    ("for k in range():\n    pass", "range with 0 arguments", "range(end)"),
    ("while s.n > 0:\n    s.n -= 1\nelse:\n    pass", "while ... else", "set a bool"),
    ("if s.n:\n    pass", "s.n taken as true or false", "s.n != 0"),
    ("while s.part:\n    pass", "s.part taken as true or false", "a comparison"),
    ("x = s.n or 3", "or between other than truth values", "instead of s.n"),
    ("x = s.n and s.alive", "and between other than truth values", "instead of s.n"),
    ("x = not s.n", "s.n taken as true or false", "s.n != 0"),
    ("x = s.n in s.cells", "in", "look it up"),
    ("x = s.n not in s.cells", "not in", "look it up"),
    ("x = s.part is s.part", "is", "== or !="),
    ("x = s.part == s.part", "s.part is no number", "one of its fields"),
    ("x = s.cells[1:2]", "a slice", "for loop"),
    ("x = s.missing", "Root has no field missing", "it has n, small"),
    ("x = s.n.bit_length()", "the method .bit_length(...)", "rules function"),
    ("s.cells.append(1)", "the method .append(...)", "rules function"),
    ("x = twice(n=3)", "keyword arguments of twice", "by position"),
    ("x = twice(*s.cells)", "a starred argument", "one by one"),
    ("x = twice()", "twice with 0 arguments", "it takes n"),
    ("x = twice(1, 2)", "twice with 2 arguments", "it takes n"),
    ("x = twice(s.part)", "n of twice given Part", "it takes int"),
    ("act(3)", "part of act given int", "it takes Part"),
    ("x = act(s.part)", "x given the result of a function that has none", "return something"),
    ("x = print(1)", "the function print", "rules functions"),
    ("x = unknown", "unknown is not defined", "import it"),
    ("x = twice", "the function twice as a value", "call it"),
    ("x = s.n[0]", "s.n[...]", "only arrays"),
    ("x = SIZE.real", ".real of SIZE", "only records"),
    ("s.part = s.parts[0]", "replacing Root.part", "assign(target, source)"),
    ("s.parts[0] = s.part", "replacing Root.parts", "assign(target, source)"),
    ("s.cells = s.cells", "replacing Root.cells", "assign(target, source)"),
    ("TABLE[0] = 1", "storing into the table TABLE", "tables do not change"),
    ("SIZE = 5", "assigning the constant SIZE", "another name"),
    ("s.alive = 1", "storing a number in the truth value Root.alive", "a comparison"),
    ("s.n = s.part", "storing Part in Root.n", "a number"),
    ("x = 1\nx = s.part", "x is first int, then Part", "another name"),
    ("x = 1\nx = s.alive", "x is first int, then bool", "another name"),
    ("x: int", "x without a value", "x: int = 0"),
    ("x: bool = 3", "x is declared bool and given int", "both be the same"),
    ("s.n: int = 3", "an annotation on a field", "in their record"),
    ("x: float = 3", "the type float", "use int"),
    ("if s.alive:\n    x = 1\ns.n = x", "x may have no value here", "on every way"),
    ("for k in range(3):\n    pass\ns.n = k", "k may have no value here", "on every way"),
    ("return\ns.n = 1", "never reached", "delete it"),
    ("return 3", "a value from a function declared -> None", "declare its type"),
    ("s.n", "an expression that does nothing", "assign it or delete it"),
    ("assert s.alive, 'why'", "an assert with a message", "comment"),
    ("x = i32s(s.n)", "whose size is no constant", "i32s(MAX_CELLS)"),
    ("x = i32s(0)", "a local array of 0", "1 to"),
    ("x = i32s(1 << 30)", "a local array of 1073741824", "1 to"),
    ("x = twice(i32s(3))", "i32s inside an expression", "give the local array a name"),
    ("x = i32s(3)\nx = i32s(4)", "the local array x made twice", "another name"),
    ("x = i32s(3)\nx = 4", "x is an array", "another name"),
    ("x = 99999999999999999999", "the number 99999999999999999999", "64 bits"),
    ("x = min(3)", "min with 1 arguments", "two or more"),
    ("x = abs(3, 4)", "abs with 2 arguments", "give it one"),
    ("x = len(s.n)", "len of s.n", "only arrays"),
    ("x = range(3)", "range outside for", "write for"),
    ("assign(s.part)", "assign with 1 arguments", "assign(target, source)"),
    ("assign(s.part, s)", "assign of Root to Part", "of one kind"),
    ("x = s.part if s.alive else s.n", "a choice between Part and int", "of one kind"),
    ("x = TABLE", "another name for TABLE", "own name"),
    ("x = (yield)", "yield", "write a loop"),
    ("s.n **= 2", "**", "1 << n"),
    ("s.n /= 2", "/", "write //"),
    ("y += 1", "y is not defined", "define it"),
]


@pytest.mark.parametrize(
    ("body", "what", "instead"), STATEMENTS, ids=[s[0].replace("\n", " ; ")[:40] for s in STATEMENTS]
)
def test_a_construct_inside_a_function_is_refused(translate: Translate, body: str, what: str, instead: str) -> None:
    with pytest.raises(ForgeError) as caught:
        translate(in_setup(body))
    first = HEAD.count("\n") + 2
    assert what in caught.value.what
    assert instead in caught.value.instead
    assert first <= caught.value.line <= first + body.count("\n")
    assert re.fullmatch(r"rules_\w+\.py:\d+: .+: .+", str(caught.value))


SETUP = "def setup(s: Root) -> None:\n    s.n = 1\n"
FILES = [
    ("import os\n", "import module", "from module import name"),
    ("from os import path\n", "posixpath", ""),
    ("from turntile.forge import *\n", "import *", "name what you import"),
    ("from turntile.forge import many as lots\n", "import many as lots", "own name"),
    ("from turntile.forge import build\n", "build of turntile.forge", "rules use"),
    ("from turntile.core.dice import nothing\n", "defines no nothing", "file that defines it"),
    ("from no_such_module import x\n", "import of no_such_module", "only other rules files"),
    ("if SIZE > 3:\n    X = 1\n", "a statement outside functions", "only imports"),
    ("print(1)\n", "a statement outside functions", "only imports"),
    ("A, B = 1, 2\n", "this assignment outside functions", "NAME = number"),
    ("NAME = 'text'\n", "a constant that is no whole number", "earlier constants"),
    ("NAME = UNKNOWN\n", "UNKNOWN is no constant", "above this line"),
    ("NAME = 1 // 0\n", "cannot be computed", "zero"),
    ("NAME = 1 << 70\n", "the constant", "64 bits"),
    ("EMPTY = table()\n", "an empty table", "at least one number"),
    ("SIZE = 5\n", "SIZE is already defined", "another name"),
    ("def twice(n: int) -> int:\n    return n\n", "twice is already defined", "another name"),
    ("class Plain:\n    n: int\n", "class Plain", "@record above"),
    ("@record\nclass Child(Root):\n    m: i32\n", "class Child", "without bases"),
    (
        "@record\nclass Method:\n    n: i32\n    def f(self) -> None:\n        pass\n",
        "the method f",
        "write a function",
    ),
    ("@record\nclass Twice:\n    n: i32\n    n: i32\n", "the field n twice", "another name"),
    ("@record\nclass Value:\n    n: i32 = 3\n", "record Value", "start at zero"),
    ("@record\nclass Sizeless:\n    n: list[i32]\n", "record Sizeless", "many(16)"),
    ("@record\nclass Sized:\n    n: bytearray = many(0)\n", "record Sized", "from 1"),
    ("@record\nclass Octets:\n    n: list[u8] = many(3)\n", "record Octets", "bytearray"),
    ("@record\nclass Floating:\n    n: float\n", "record Floating", "is no type of a field"),
    ("@record\nclass Nothing:\n    pass\n", "something other than a field", "name: type"),
    ("@decorated\ndef f() -> None:\n    pass\n", "a decorator on f", "have none"),
    ("async def f() -> None:\n    pass\n", "an async function", "never wait"),
    ("def f(n) -> None:\n    pass\n", "parameter n of f without a type", "n: int"),
    ("def f(n: int):\n    pass\n", "f without a result type", "-> None"),
    ("def f(*n: int) -> None:\n    pass\n", "star parameters of f", "name each"),
    ("def f(**n: int) -> None:\n    pass\n", "star parameters of f", "name each"),
    ("def f(*, n: int) -> None:\n    pass\n", "keyword-only", "plain parameters"),
    ("def f(n: int, /) -> None:\n    pass\n", "positional-only", "plain parameters"),
    ("def f(n: str) -> None:\n    pass\n", "the type str", "use int"),
    ("def f(n: int = twice(1)) -> None:\n    pass\n", "a default that is no constant", "a constant"),
    ("def f() -> bytearray:\n    pass\n", "f returns an array", "pass the array"),
    ("def f(n: int) -> int:\n    if n > 1:\n        return 1\n", "f can end without a value", "every way out"),
    ("def f() -> int:\n    return\n", "return without a value", "return int"),
    ("def f(n: int) -> bool:\n    return n\n", "returning int where bool is declared", "a comparison"),
    ("def f(p: Part) -> int:\n    return p\n", "returning Part where int is declared", "a number"),
    ("def f(p: Part) -> Root:\n    return p\n", "returning Part where Root is declared", "return a Root"),
    ("def f(n: int) -> int:\n    return f(n)\n", "recursion: f calls f", "write a loop"),
    (
        "def f(n: int) -> int:\n    return g(n)\n\n\ndef g(n: int) -> int:\n    return f(n)\n",
        "recursion",
        "write a loop",
    ),
    ("def tt_mine() -> None:\n    pass\n", "the name tt_mine", "forge's own"),
    ("def f(:\n", "a syntax error", ""),
    ("yield 1\n", "a statement outside functions", "only imports"),
]


@pytest.mark.parametrize(("text", "what", "instead"), FILES, ids=[f[0].replace("\n", " ; ")[:40] for f in FILES])
def test_a_construct_at_the_top_of_a_file_is_refused(translate: Translate, text: str, what: str, instead: str) -> None:
    with pytest.raises(ForgeError) as caught:
        translate(HEAD + text + "\n\n" + SETUP)
    if what != "posixpath":  # os.path is found as a package or a frozen module, refused either way
        assert what in caught.value.what
    assert instead in caught.value.instead
    assert HEAD.count("\n") < caught.value.line or caught.value.file.endswith(("dice.py", "path.py", "os.py"))


def test_rules_without_setup_are_refused(translate: Translate) -> None:
    with pytest.raises(ForgeError, match=r"no setup\(s: Root\)"):
        translate(HEAD)


def test_a_game_without_a_part_of_the_contract_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "halfgame.py").write_text(HEAD + SETUP)
    with pytest.raises(ForgeError, match=r"halfgame.py:1: no MAX_SEATS"):
        generate("halfgame")
    (tmp_path / "moregame.py").write_text(HEAD + "MAX_SEATS = 2\nMAX_ACTIONS = 3\nPLANES = 1\n\n" + SETUP)
    with pytest.raises(ForgeError, match=r"moregame.py:1: no function seats"):
        generate("moregame")


def test_files_that_import_each_other_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "circle_one.py").write_text("from circle_two import g\n\n\ndef setup(s: Root) -> None:\n    g()\n")
    (tmp_path / "circle_two.py").write_text("from circle_one import setup\n\n\ndef g() -> None:\n    pass\n")
    with pytest.raises(ForgeError, match="in a circle"):
        Reader(Linkage()).read("circle_one")
