"""Reading a game's rules: the files, and in them the constants, tables, records and functions.

The text alone is read; nothing is imported or run, so a game can be built where its other
dependencies are not installed. All files of one game share one namespace, in which every
name means one thing.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from turntile.forge.records import InvalidRecord, Layout, Many, lay_out
from turntile.forge.refusal import ForgeError, construct

FORGE = "turntile.forge"
FORGE_NAMES = {"record", "many", "table", "i32s", "u8s", "assign", "u8", "i16", "i32", "u32"}


@dataclass
class Source:
    """One file: its module name, the name it is cited by, and its text."""

    module: str
    shown: str
    text: str
    tree: ast.Module


@dataclass
class Function:
    source: Source
    node: ast.FunctionDef

    @property
    def name(self) -> str:
        return self.node.name


@dataclass
class RecordType:
    """What `lay_out` needs to know of a record, without the class."""

    LAYOUT: Layout


@dataclass
class Program:
    """All that one game's rules are made of."""

    root: str  # the name of the root record
    constants: dict[str, int] = field(default_factory=dict)
    truths: set[str] = field(default_factory=set)  # the constants that are True or False
    tables: dict[str, tuple[int, ...]] = field(default_factory=dict)
    records: dict[str, RecordType] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)  # stand-ins of the contract -> the game's own
    sources: list[Source] = field(default_factory=list)


@dataclass
class Linkage:
    """How generic chapters meet a game: which module holds stand-ins, which holds defaults."""

    contract: str = ""
    defaults: str = ""
    chapters: tuple[str, ...] = ()


def read_source(module: str, cited_from: tuple[str, int] | None = None) -> Source:
    """The text of a module, found as Python would find it."""
    file, line = cited_from or (module, 0)
    try:
        spec = find_spec(module)
    except (ImportError, ValueError):
        spec = None
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        raise ForgeError(
            file, line, f"import of {module}", "rules import only other rules files, turntile.core and turntile.forge"
        )
    text = Path(spec.origin).read_text(encoding="utf-8")
    shown = module.replace(".", "/") + ".py"
    try:
        tree = ast.parse(text, shown)
    except SyntaxError as error:
        raise ForgeError(shown, error.lineno or 0, "a syntax error", str(error.msg)) from error
    return Source(module, shown, text, tree)


class Reader:
    """Collects a Program from a rules module, its chapters and the generic ones."""

    def __init__(self, linkage: Linkage) -> None:
        self.linkage = linkage
        self.program = Program(root="")
        self.defined_in: dict[str, Source] = {}
        self.seen: set[str] = set()
        self.in_progress: set[str] = set()

    def read(self, rules: str) -> Program:
        self.read_module(rules, None)
        setup = self.program.functions.get("setup")
        if setup is None or not setup.node.args.args or not isinstance(setup.node.args.args[0].annotation, ast.Name):
            shown = rules.replace(".", "/") + ".py"
            raise ForgeError(shown, 1, "no setup(s: Root)", "write def setup(s: YourRootRecord) -> None")
        self.program.root = setup.node.args.args[0].annotation.id
        self.program.aliases["State"] = self.program.root
        if self.linkage.defaults:
            self.read_module(self.linkage.defaults, None)
        self.read_chapters()
        return self.program

    def read_chapters(self) -> None:
        """The generic chapters, their own names prefixed: a game may use the same words."""
        sources = [read_source(chapter) for chapter in self.linkage.chapters]
        prefix = Prefix({name for source in sources for name in defined_names(source.tree)})
        for source in sources:
            prefix.visit(source.tree)
        for source in sources:
            self.seen.add(source.module)
        for source in sources:
            self.read_statements(source)

    def read_module(self, module: str, cited_from: tuple[str, int] | None) -> None:
        if module in self.seen or module in (FORGE, self.linkage.contract):
            return
        if module in self.in_progress:
            file, line = cited_from or (module, 0)
            raise ForgeError(
                file, line, f"{module} imports itself in a circle", "move what both need to a file of its own"
            )
        self.in_progress.add(module)
        self.read_statements(read_source(module, cited_from))
        self.in_progress.discard(module)
        self.seen.add(module)

    def read_statements(self, source: Source) -> None:
        for node in source.tree.body:
            self.read_top_level(source, node)
        self.program.sources.append(source)

    # ------------------------------------------------------------------ the top level of a file

    def read_top_level(self, source: Source, node: ast.stmt) -> None:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return  # a docstring
        if isinstance(node, ast.ImportFrom):
            self.read_import(source, node)
        elif isinstance(node, ast.Import):
            raise self.refuse(source, node, "import module", "write from module import name")
        elif isinstance(node, ast.ClassDef):
            self.read_record(source, node)
        elif isinstance(node, ast.FunctionDef):
            if node.decorator_list:
                raise self.refuse(source, node, f"a decorator on {node.name}", "rules functions have none")
            if self.define(source, node, node.name):
                self.program.functions[node.name] = Function(source, node)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            if not is_export_list(node):
                self.read_constant(source, node)
        else:
            raise self.refuse(source, node, *self.top_level_construct(node))

    def top_level_construct(self, node: ast.stmt) -> tuple[str, str]:
        if isinstance(node, ast.If | ast.For | ast.While | ast.Expr | ast.AugAssign | ast.Assert):
            return "a statement outside functions", "only imports, constants, records and functions stand there"
        return construct(node)

    def refuse(self, source: Source, node: ast.AST, what: str, instead: str) -> ForgeError:
        return ForgeError(source.shown, getattr(node, "lineno", 0), what, instead)

    def define(self, source: Source, node: ast.AST, name: str) -> bool:
        """Every name of one game means one thing; only a default gives way (then: False)."""
        if name.startswith(CHAPTER_PREFIX) and source.module not in self.linkage.chapters:
            raise self.refuse(
                source, node, f"the name {name}", f"names beginning with {CHAPTER_PREFIX} are forge's own"
            )
        earlier = self.defined_in.get(name)
        if earlier is None:
            self.defined_in[name] = source
            return True
        elif source.module != self.linkage.defaults:
            raise self.refuse(
                source,
                node,
                f"{name} is already defined in {earlier.shown}",
                "the files of one game share one namespace; choose another name",
            )
        return False

    def read_import(self, source: Source, node: ast.ImportFrom) -> None:
        if node.module == "__future__":
            return
        module = node.module or ""
        if node.level:
            package = source.module.split(".")[: -node.level]
            module = ".".join([*package, *([module] if module else [])])
        for alias in node.names:
            if alias.asname and alias.asname != alias.name:
                raise self.refuse(
                    source, node, f"import {alias.name} as {alias.asname}", "import it under its own name"
                )
            if alias.name == "*":
                raise self.refuse(source, node, "import *", "name what you import")
            if module == FORGE and alias.name not in FORGE_NAMES:
                raise self.refuse(
                    source, node, f"{alias.name} of turntile.forge", "rules use " + ", ".join(sorted(FORGE_NAMES))
                )
        self.read_module(module, (source.shown, node.lineno))
        if module not in (FORGE, self.linkage.contract, *self.linkage.chapters):
            for alias in node.names:
                if alias.name not in self.defined_in:
                    raise self.refuse(
                        source, node, f"{module} defines no {alias.name}", "import it from the file that defines it"
                    )

    # ------------------------------------------------------------------ records

    def read_record(self, source: Source, node: ast.ClassDef) -> None:
        decorators = [d.id for d in node.decorator_list if isinstance(d, ast.Name)]
        if decorators != ["record"] or node.bases or node.keywords:
            raise self.refuse(
                source, node, f"class {node.name}", "rules have only records: @record above a class without bases"
            )
        self.define(source, node, node.name)
        annotations: dict[str, object] = {}
        sizes: dict[str, object] = {}
        for item in node.body:
            if (
                isinstance(item, ast.Expr)
                and isinstance(item.value, ast.Constant)
                and isinstance(item.value.value, str)
            ):
                continue
            if isinstance(item, ast.FunctionDef):
                raise self.refuse(
                    source,
                    item,
                    f"the method {item.name} of a record",
                    f"write a function: def {item.name}(x: {node.name})",
                )
            if not isinstance(item, ast.AnnAssign) or not isinstance(item.target, ast.Name):
                raise self.refuse(source, item, "something other than a field in a record", "write name: type")
            name = item.target.id
            if name in annotations:
                raise self.refuse(source, item, f"the field {name} twice", "choose another name")
            annotations[name] = ast.unparse(item.annotation)
            if item.value is not None:
                sizes[name] = self.read_size(source, item.value)
        try:
            layout = lay_out(node.name, annotations, sizes, dict(self.program.records))
        except InvalidRecord as error:
            raise ForgeError(source.shown, node.lineno, f"record {node.name}", str(error)) from error
        if not layout.fields:
            raise self.refuse(source, node, f"record {node.name} without fields", "give it a field")
        self.program.records[node.name] = RecordType(layout)

    def read_size(self, source: Source, node: ast.expr) -> object:
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "many"
            and len(node.args) == 1
        ):
            return Many(self.constant_value(source, node.args[0]))
        return self.constant_value(source, node)  # refused by lay_out, which knows the field

    # ------------------------------------------------------------------ constants

    def read_constant(self, source: Source, node: ast.Assign | ast.AnnAssign) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        target = targets[0]
        if len(targets) != 1 or not isinstance(target, ast.Name) or node.value is None:
            raise self.refuse(source, node, "this assignment outside functions", "write NAME = number, one a line")
        if not self.define(source, node, target.id):
            return
        value = node.value
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "table":
            if not value.args or value.keywords:
                raise self.refuse(source, node, "an empty table", "give it at least one number")
            self.program.tables[target.id] = tuple(self.constant_value(source, item) for item in value.args)
            return
        if isinstance(value, ast.Constant) and isinstance(value.value, bool):
            self.program.truths.add(target.id)
        self.program.constants[target.id] = self.constant_value(source, value)

    def constant_value(self, source: Source, node: ast.expr) -> int:
        """A whole number known when the rules are built."""
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            value = int(node.value)
        elif isinstance(node, ast.Name):
            if node.id not in self.program.constants:
                raise self.refuse(
                    source, node, f"{node.id} is no constant", "define it as a whole number above this line"
                )
            value = self.program.constants[node.id]
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Invert):
            inner = self.constant_value(source, node.operand)
            value = -inner if isinstance(node.op, ast.USub) else ~inner
        elif isinstance(node, ast.BinOp) and type(node.op) in CONSTANT_OPERATORS:
            value = self.constant_operation(source, node)
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "len"
            and len(node.args) == 1
        ):
            name = node.args[0]
            if not isinstance(name, ast.Name) or name.id not in self.program.tables:
                raise self.refuse(source, node, "len of something that is no table", "give it a table defined above")
            value = len(self.program.tables[name.id])
        else:
            raise self.refuse(
                source,
                node,
                "a constant that is no whole number",
                "write a number, or + - * // % << >> & | ^ of earlier constants",
            )
        if not -(2**63) <= value < 2**63:
            raise self.refuse(source, node, f"the constant {value}", "numbers have 64 bits")
        return value

    def constant_operation(self, source: Source, node: ast.BinOp) -> int:
        left = self.constant_value(source, node.left)
        right = self.constant_value(source, node.right)
        try:
            return int(CONSTANT_OPERATORS[type(node.op)](left, right))
        except (ZeroDivisionError, ValueError) as error:
            raise self.refuse(source, node, "a constant that cannot be computed", str(error)) from error


CHAPTER_PREFIX = "tt_"


def is_export_list(node: ast.Assign | ast.AnnAssign) -> bool:
    """`__all__`, which is for type checkers only."""
    return isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["__all__"]


class Prefix(ast.NodeTransformer):
    """Gives a set of names the chapters' prefix wherever they stand."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def prefixed(self, name: str) -> str:
        return CHAPTER_PREFIX + name if name in self.names else name

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.prefixed(node.id)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.name = self.prefixed(node.name)
        self.generic_visit(node)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        node.name = self.prefixed(node.name)
        self.generic_visit(node)
        return node


def defined_names(tree: ast.Module) -> set[str]:
    """The constants, records and functions that a file defines itself."""
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return names


CONSTANT_OPERATORS: dict[type[ast.operator], Any] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
    ast.LShift: lambda a, b: a << b,
    ast.RShift: lambda a, b: a >> b,
    ast.BitAnd: lambda a, b: a & b,
    ast.BitOr: lambda a, b: a | b,
    ast.BitXor: lambda a, b: a ^ b,
}
