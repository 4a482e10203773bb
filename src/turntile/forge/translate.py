"""From rules to C: the same text, the same numbers, every index and every store checked.

Each rules function becomes one C function. Numbers are 64-bit; a check that an interval
proves needless is left out. A failed check leaves by longjmp to the guard around the call
from Python (decision 4), so functions return plain values. Whatever is not in
docs/rules-language.md is refused here or in the reader, never guessed at.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from turntile.forge import intervals
from turntile.forge.intervals import ANY, TRUTH, Interval
from turntile.forge.reader import Function, Program
from turntile.forge.records import SCALARS, Field
from turntile.forge.refusal import ForgeError, construct

PASSES = 3  # over the whole program: each narrows what parameters and results can be
LARGEST_LOCAL_ARRAY = 1 << 18  # entries


# --------------------------------------------------------------------------- types


@dataclass(frozen=True)
class Type:
    """int, bool, none, a reference to a record, or a reference to an array."""

    kind: str  # "int", "bool", "none", "record", "array"
    name: str = ""  # the record's name, or the kind of an array's items
    count: int | None = None  # an array's size where it is known

    def __str__(self) -> str:
        if self.kind == "record":
            return self.name
        if self.kind == "array":
            return "bytearray" if self.name == "u8" else f"list[{self.name}]"
        return "None" if self.kind == "none" else self.kind


INT = Type("int")
BOOL = Type("bool")
NONE = Type("none")


@dataclass(frozen=True)
class Value:
    """An expression in C: its text, its type, what it can be, and whether it calls a function."""

    code: str
    type: Type
    range: Interval = ANY
    calls: bool = False
    length: str = ""  # of an array: its size in C

    @property
    def is_number(self) -> bool:
        return self.type.kind in ("int", "bool")


@dataclass
class Signature:
    names: list[str]
    types: list[Type]
    defaults: list[int | None]
    result: Type
    ranges: list[Interval] = field(default_factory=list)  # of the parameters
    result_range: Interval = ANY


@dataclass
class Site:
    """A place where a check can fail."""

    file: str
    line: int
    what: str


@dataclass(frozen=True)
class Walk:
    """An array item that a loop takes one after the other, and where it begins."""

    node: ast.Subscript
    offset: str
    length: str


UNREACHABLE = None  # in place of the set of names that have a value

BINARY: dict[type[ast.operator], tuple[str, Callable[[Interval, Interval], Interval]]] = {
    ast.Add: ("add", intervals.add),
    ast.Sub: ("sub", intervals.subtract),
    ast.Mult: ("mul", intervals.multiply),
    ast.FloorDiv: ("div", intervals.floor_divide),
    ast.Mod: ("mod", intervals.modulo),
    ast.LShift: ("shl", intervals.shift_left),
    ast.RShift: ("shr", intervals.shift_right),
    ast.BitAnd: ("and", intervals.bit_and),
    ast.BitOr: ("or", intervals.bit_or),
    ast.BitXor: ("xor", intervals.bit_xor),
}
PLAIN_C = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^"}
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
BUILTINS = ("min", "max", "abs", "int", "bool", "len", "assign", "i32s", "u8s", "range")


class Translator:
    """One program to C."""

    def __init__(self, program: Program, entries: Sequence[str]) -> None:
        self.program = program
        self.entries = set(entries)
        self.signatures: dict[str, Signature] = {}
        self.sites: list[Site] = []
        self.calls: dict[str, dict[str, ast.AST]] = {}  # caller -> callee -> where

    def translate(self) -> str:
        """The C text of all records and functions."""
        for function in self.program.functions.values():
            self.signatures[function.name] = self.read_signature(function)
        bodies: list[str] = []
        for _ in range(PASSES):
            self.sites.clear()
            argument_ranges: dict[str, list[Interval]] = {}
            bodies = []
            result_ranges: dict[str, Interval] = {}
            for function in self.program.functions.values():
                writer = FunctionWriter(self, function, argument_ranges)
                bodies.append(writer.write())
                result_ranges[function.name] = writer.result_range
            self.narrow(argument_ranges, result_ranges)
        self.refuse_recursion()
        prototypes = [self.head(name) + ";" for name in self.signatures]
        return "\n".join([self.records(), self.tables(), *prototypes, "", *bodies])

    def narrow(self, arguments: dict[str, list[Interval]], results: dict[str, Interval]) -> None:
        for name, signature in self.signatures.items():
            if name not in self.entries and name in arguments:
                signature.ranges = arguments[name]
            signature.result_range = results[name]

    def refuse_recursion(self) -> None:
        done: set[str] = set()

        def visit(name: str, path: tuple[str, ...]) -> None:
            for callee, node in self.calls.get(name, {}).items():
                if callee in (*path, name):
                    function = self.program.functions[name]
                    raise ForgeError(
                        function.source.shown,
                        getattr(node, "lineno", 0),
                        f"recursion: {name} calls {callee}, which comes back to it",
                        "write a loop; keep what is still to do in a local array",
                    )
                if callee not in done:
                    visit(callee, (*path, name))
            done.add(name)

        for name in self.program.functions:
            visit(name, ())

    # ------------------------------------------------------------------ declarations

    def records(self) -> str:
        lines = []
        for name, made in self.program.records.items():
            lines.append(f"typedef struct R_{name} {{")
            for item in made.LAYOUT.fields:
                c_type = f"struct R_{item.kind}" if item.record else SCALARS[item.kind].c_type
                size = f"[{item.count}]" if item.count else ""
                lines.append(f"    {c_type} m_{item.name}{size};")
            lines.append(f"}} R_{name};")
            lines.append(f'_Static_assert(sizeof(R_{name}) == {made.LAYOUT.size}, "layout of {name}");')
        return "\n".join(lines)

    def tables(self) -> str:
        lines = []
        for name, numbers in self.program.tables.items():
            items = ", ".join(c_number(n) for n in numbers)
            lines.append(f"static const int64_t t_{name}[{len(numbers)}] = {{{items}}};")
        return "\n".join(lines)

    def head(self, name: str) -> str:
        signature = self.signatures[name]
        parameters = ", ".join(
            self.parameter(f"v_{n}", t) for n, t in zip(signature.names, signature.types, strict=True)
        )
        return f"static inline {self.c_type(signature.result)} f_{name}({parameters or 'void'})"

    def parameter(self, name: str, type_: Type) -> str:
        if type_.kind == "array":
            return f"{self.c_type(type_)} {name}, int64_t {name}_n"
        return f"{self.c_type(type_)} {name}"

    def c_type(self, type_: Type) -> str:
        if type_.kind == "record":
            return f"R_{type_.name} *"
        if type_.kind == "array":
            return f"{SCALARS[type_.name].c_type} *" if type_.name in SCALARS else f"R_{type_.name} *"
        return {"int": "int64_t", "bool": "int", "none": "void"}[type_.kind]

    def read_signature(self, function: Function) -> Signature:
        node, arguments = function.node, function.node.args

        def refuse(what: str, instead: str) -> ForgeError:
            return ForgeError(function.source.shown, node.lineno, what, instead)

        if arguments.vararg or arguments.kwarg:
            raise refuse(f"star parameters of {node.name}", "name each parameter")
        if arguments.kwonlyargs or arguments.posonlyargs:
            raise refuse(
                f"parameters of {node.name} that are keyword-only or positional-only", "write plain parameters"
            )
        types = []
        for argument in arguments.args:
            if argument.annotation is None:
                raise refuse(f"parameter {argument.arg} of {node.name} without a type", f"write {argument.arg}: int")
            types.append(self.read_type(function, argument.annotation))
        if node.returns is None:
            raise refuse(f"{node.name} without a result type", "write -> int, -> bool or -> None")
        result = self.read_type(function, node.returns)
        if result.kind == "array":
            raise refuse(f"{node.name} returns an array", "let the caller pass the array to fill")
        defaults: list[int | None] = [None] * (len(types) - len(arguments.defaults))
        for default in arguments.defaults:
            defaults.append(self.read_default(function, default))
        names = [argument.arg for argument in arguments.args]
        return Signature(names, types, defaults, result, [range_of(t) for t in types], range_of(result))

    def read_default(self, function: Function, node: ast.expr) -> int:
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return int(node.value)
        if isinstance(node, ast.Name) and node.id in self.program.constants:
            return self.program.constants[node.id]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            number = node.operand.value
            if isinstance(number, int):
                return -number
        raise ForgeError(
            function.source.shown, node.lineno, "a default that is no constant", "write a number or a constant"
        )

    def read_type(self, function: Function, node: ast.expr) -> Type:
        text = ast.unparse(node)
        text = self.program.aliases.get(text, text)
        if text == "None":
            return NONE
        if text == "bool":
            return BOOL
        if text == "int" or text in SCALARS:
            return INT
        if text == "bytearray":
            return Type("array", "u8")
        if text.startswith("list[") and text.endswith("]"):
            item = text[5:-1]
            item = "i32" if item == "int" else item
            if item in SCALARS or item in self.program.records:
                return Type("array", item)
        if text in self.program.records:
            return Type("record", text)
        raise ForgeError(
            function.source.shown,
            node.lineno,
            f"the type {text}",
            "use int, bool, a record, bytearray, list[i32] or None",
        )

    def site(self, file: str, line: int, what: str) -> int:
        self.sites.append(Site(file, line, what))
        return len(self.sites) - 1


def range_of(type_: Type) -> Interval:
    return TRUTH if type_.kind == "bool" else ANY


def c_number(number: int) -> str:
    if number == intervals.LOWEST:
        return "INT64_MIN"
    text = f"INT64_C({abs(number)})"
    return f"(-{text})" if number < 0 else text


class FunctionWriter:
    """One function to C."""

    def __init__(self, translator: Translator, function: Function, argument_ranges: dict[str, list[Interval]]) -> None:
        self.t = translator
        self.program = translator.program
        self.function = function
        self.signature = translator.signatures[function.name]
        self.argument_ranges = argument_ranges
        self.types: dict[str, Type] = dict(zip(self.signature.names, self.signature.types, strict=True))
        self.parameters = set(self.signature.names)
        self.ranges: dict[str, Interval] = dict(zip(self.signature.names, self.signature.ranges, strict=True))
        self.assigned: dict[str, Interval] = {}
        self.local_arrays: dict[str, ast.AST] = {}
        self.lines: list[str] = []
        self.depth = 1
        self.temporaries = 0
        self.known: set[str] = set()
        self.unchecked: dict[int, str] = {}  # items whose index a test before the loop has covered
        self.result_range: Interval = range_of(self.signature.result)
        self.returned: Interval | None = None

    # ------------------------------------------------------------------ the whole function

    def write(self) -> str:
        sites = len(self.t.sites)
        arguments = {name: list(ranges) for name, ranges in self.argument_ranges.items()}
        for _ in range(PASSES):
            del self.t.sites[sites:]
            self.argument_ranges.clear()
            self.argument_ranges.update({name: list(ranges) for name, ranges in arguments.items()})
            self.lines, self.assigned, self.returned = [], {}, None
            self.local_arrays.clear()
            self.temporaries = 0
            self.body()
            for name in list(self.ranges):
                if name in self.parameters:
                    given = self.signature.ranges[self.signature.names.index(name)]
                    self.ranges[name] = given.join(self.assigned.get(name, given))
                elif name in self.assigned:
                    self.ranges[name] = self.assigned[name]
        self.result_range = self.returned or range_of(self.signature.result)
        locals_ = [f"    {self.local(name)}" for name in self.types if name not in self.parameters]
        return "\n".join([self.t.head(self.function.name) + " {", *locals_, *self.lines, "}", ""])

    def local(self, name: str) -> str:
        type_ = self.types[name]
        if name in self.local_arrays:
            return f"{SCALARS[type_.name].c_type} v_{name}[{type_.count}];"
        return f"{self.t.c_type(type_)} v_{name} = 0;"

    def body(self) -> None:
        end = self.block(self.function.node.body, set(self.parameters))
        if end is not UNREACHABLE and self.signature.result != NONE:
            raise self.refuse(
                self.function.node, f"{self.function.name} can end without a value", "return one on every way out"
            )

    def refuse(self, node: ast.AST, what: str, instead: str) -> ForgeError:
        return ForgeError(self.function.source.shown, getattr(node, "lineno", self.function.node.lineno), what, instead)

    def site(self, node: ast.AST, what: str) -> int:
        return self.t.site(self.function.source.shown, getattr(node, "lineno", 0), what)

    def say(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def temporary(self) -> str:
        self.temporaries += 1
        return f"x{self.temporaries}"

    # ------------------------------------------------------------------ statements

    def block(self, body: Sequence[ast.stmt], known: set[str] | None) -> set[str] | None:
        """Write statements; `known` are the names that surely have a value, None where nothing gets to."""
        for statement in body:
            if known is UNREACHABLE:
                raise self.refuse(statement, "a statement that is never reached", "delete it")
            self.lines.append(f'#line {statement.lineno} "{self.function.source.shown}"')
            known = self.statement(statement, known)
        return known

    def statement(self, node: ast.stmt, known: set[str]) -> set[str] | None:
        self.known = known
        if isinstance(node, ast.Assign):
            return self.assign(node, known)
        if isinstance(node, ast.AnnAssign):
            return self.annotated(node, known)
        if isinstance(node, ast.AugAssign):
            self.augmented(node)
            return known
        if isinstance(node, ast.If):
            return self.if_(node, known)
        if isinstance(node, ast.While):
            return self.while_(node, known)
        if isinstance(node, ast.For):
            return self.for_(node, known)
        if isinstance(node, ast.Return):
            self.return_(node)
            return UNREACHABLE
        if isinstance(node, ast.Break | ast.Continue):
            self.say("break;" if isinstance(node, ast.Break) else "continue;")
            return UNREACHABLE
        if isinstance(node, ast.Pass):
            return known
        if isinstance(node, ast.Assert):
            if node.msg is not None:
                raise self.refuse(node, "an assert with a message", "the line says what must hold; a comment says why")
            condition = self.truth(node.test)
            site = self.site(node, ast.unparse(node.test))
            self.say(f"if (TT_RARE(!({condition.code}))) tt_fail(TT_ASSERT, {site}, 0, 0);")
            return known
        if isinstance(node, ast.Expr):
            self.expression_statement(node)
            return known
        raise self.refuse(node, *construct(node))

    def expression_statement(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return
        if not isinstance(node.value, ast.Call):
            what, instead = construct(node.value)
            if type(node.value) in (
                ast.Name,
                ast.Constant,
                ast.Compare,
                ast.BinOp,
                ast.Attribute,
                ast.Subscript,
                ast.BoolOp,
            ):
                what, instead = "an expression that does nothing", "assign it or delete it"
            raise self.refuse(node, what, instead)
        value = self.expression(node.value)
        self.say(f"{value.code};")

    def assign(self, node: ast.Assign, known: set[str]) -> set[str]:
        if len(node.targets) != 1:
            raise self.refuse(node, "a = b = ...", "assign on lines of their own")
        target = node.targets[0]
        if isinstance(target, ast.Tuple | ast.List):
            raise self.refuse(node, "assigning several names at once", "assign on lines of their own")
        if isinstance(target, ast.Name):
            return self.assign_name(node, target.id, node.value, known)
        if isinstance(target, ast.Attribute | ast.Subscript):
            self.store(node, target, node.value)
            return known
        raise self.refuse(node, *construct(target))

    def annotated(self, node: ast.AnnAssign, known: set[str]) -> set[str]:
        if not isinstance(node.target, ast.Name):
            raise self.refuse(node, "an annotation on a field", "fields are declared in their record")
        if node.value is None:
            raise self.refuse(node, f"{node.target.id} without a value", f"write {node.target.id}: int = 0")
        declared = self.t.read_type(self.function, node.annotation)
        after = self.assign_name(node, node.target.id, node.value, known)
        actual = self.types[node.target.id]
        if declared.kind != actual.kind or declared.name != actual.name:
            raise self.refuse(
                node, f"{node.target.id} is declared {declared} and given {actual}", "let both be the same"
            )
        return after

    def assign_name(self, node: ast.stmt, name: str, expression: ast.expr, known: set[str]) -> set[str]:
        if name in self.program.constants or name in self.program.tables:
            raise self.refuse(node, f"assigning the constant {name}", "choose another name")
        if (
            isinstance(expression, ast.Call)
            and isinstance(expression.func, ast.Name)
            and expression.func.id in ("i32s", "u8s")
        ):
            self.make_local_array(node, name, expression)
            return known | {name}
        value = self.expression(expression)
        if value.type.kind == "array" and (value.type.count is None or value.type.name == "table"):
            raise self.refuse(node, f"another name for {ast.unparse(expression)}", "use it under its own name")
        self.declare(node, name, value.type)
        if value.is_number:
            self.note_range(name, value.range)
        self.say(f"v_{name} = {value.code};")
        return known | {name}

    def make_local_array(self, node: ast.stmt, name: str, call: ast.Call) -> None:
        assert isinstance(call.func, ast.Name)
        kind = "i32" if call.func.id == "i32s" else "u8"
        if len(call.args) != 1 or call.keywords:
            raise self.refuse(
                node, f"{call.func.id} with other than one size", f"write {name} = {call.func.id}(MAX_CELLS)"
            )
        size = self.expression(call.args[0])
        if size.range.low != size.range.high or size.calls:
            raise self.refuse(
                node, "a local array whose size is no constant", f"write {name} = {call.func.id}(MAX_CELLS)"
            )
        count = size.range.low
        if not 1 <= count <= LARGEST_LOCAL_ARRAY:
            raise self.refuse(
                node,
                f"a local array of {count}",
                f"1 to {LARGEST_LOCAL_ARRAY} entries fit; keep larger ones in a record",
            )
        if name in self.types and (name not in self.local_arrays and self.types[name].kind != "array"):
            raise self.refuse(node, f"{name} is something else already", "choose another name")
        if name in self.local_arrays and self.local_arrays[name] is not call:
            raise self.refuse(node, f"the local array {name} made twice", "choose another name")
        self.local_arrays[name] = call
        self.types[name] = Type("array", kind, count)
        self.say(f"memset(v_{name}, 0, sizeof v_{name});")

    def declare(self, node: ast.AST, name: str, type_: Type) -> None:
        earlier = self.types.get(name)
        if type_ == NONE:
            raise self.refuse(
                node, f"{name} given the result of a function that has none", "let the function return something"
            )
        if name in self.local_arrays or (earlier and earlier.kind == "array" and name in self.parameters):
            raise self.refuse(node, f"{name} is an array and cannot name another", "choose another name")
        if earlier is None:
            self.types[name] = type_
            if type_.kind in ("int", "bool"):
                self.ranges[name] = range_of(type_)
        elif earlier != type_:
            if {earlier.kind, type_.kind} == {"int", "bool"}:
                raise self.refuse(
                    node, f"{name} is first {earlier}, then {type_}", "use int(...) or a comparison, or another name"
                )
            raise self.refuse(node, f"{name} is first {earlier}, then {type_}", "use another name")

    def note_range(self, name: str, range_: Interval) -> None:
        self.assigned[name] = self.assigned[name].join(range_) if name in self.assigned else range_

    def store(self, node: ast.stmt, target: ast.Attribute | ast.Subscript, expression: ast.expr) -> None:
        """Python's order: the value, then where it goes, then whether it fits there."""
        value = self.expression(expression)
        place, scalar, what = self.place(target)
        c_type = SCALARS[scalar].c_type
        fresh, pointer = self.temporary(), self.temporary()
        fitted = self.fit(node, replace(value, code=fresh), scalar, what)
        if fitted == fresh and not value.calls:
            self.say(f"{place.code} = ({c_type}) {value.code};")
        else:
            self.say(f"{{ int64_t {fresh} = {value.code}; {c_type} *{pointer} = &{place.code};")
            self.say(f"  *{pointer} = ({c_type}) {fitted}; }}")

    def place(self, target: ast.Attribute | ast.Subscript) -> tuple[Value, str, str]:
        """Where a number is stored: the place in C, the kind of number, and its name for errors."""
        value, kind, what = self.attribute(target) if isinstance(target, ast.Attribute) else self.subscript(target)
        if not value.is_number or kind == "table":
            if kind == "table":
                raise self.refuse(target, f"storing into the table {what}", "tables do not change; use an array field")
            raise self.refuse(
                target, f"replacing {what}", "records and arrays stay; change their fields, or assign(target, source)"
            )
        return value, kind, what

    def fit(self, node: ast.AST, value: Value, scalar: str, what: str) -> str:
        if not value.is_number:
            raise self.refuse(node, f"storing {value.type} in {what}", f"store a number ({scalar})")
        if scalar == "bool" and value.type != BOOL:
            raise self.refuse(node, f"storing a number in the truth value {what}", "write a comparison, True or False")
        bounds = SCALARS[scalar]
        if value.range.within(bounds.low, bounds.high):
            return value.code
        return f"tt_fit({value.code}, {c_number(bounds.low)}, {c_number(bounds.high)}, {self.site(node, what)})"

    def augmented(self, node: ast.AugAssign) -> None:
        if type(node.op) not in BINARY:
            raise self.refuse(node, *self.operator_refusal(node.op))
        if isinstance(node.target, ast.Name):
            name = node.target.id
            old = self.name(node.target)
            value = self.operation(node, node.op, old, self.expression(node.value))
            self.declare(node, name, value.type)
            self.note_range(name, value.range)
            self.say(f"v_{name} = {value.code};")
            return
        assert isinstance(node.target, ast.Attribute | ast.Subscript)
        place, scalar, what = self.place(node.target)
        c_type = SCALARS[scalar].c_type
        pointer, old_name = self.temporary(), self.temporary()
        old = Value(old_name, place.type, place.range)
        right = self.expression(node.value)
        value = self.operation(node, node.op, old, right)
        self.say(f"{{ {c_type} *{pointer} = &{place.code}; int64_t {old_name} = *{pointer};")
        self.say(f"  *{pointer} = ({c_type}) {self.fit(node, value, scalar, what)}; }}")

    def if_(self, node: ast.If, known: set[str]) -> set[str] | None:
        condition = self.truth(node.test)
        self.say(f"if ({condition.code}) {{")
        after = self.nested(node.body, known)
        otherwise: set[str] | None = known
        if node.orelse:
            self.say("} else {")
            otherwise = self.nested(node.orelse, known)
        self.say("}")
        if after is UNREACHABLE:
            return otherwise
        return after if otherwise is UNREACHABLE else after & otherwise

    def nested(self, body: Sequence[ast.stmt], known: set[str]) -> set[str] | None:
        self.depth += 1
        after = self.block(body, set(known))
        self.depth -= 1
        return after

    def while_(self, node: ast.While, known: set[str]) -> set[str] | None:
        if node.orelse:
            raise self.refuse(node, "while ... else", "set a bool before leaving the loop")
        condition = self.truth(node.test)
        self.say(f"while ({condition.code}) {{")
        self.nested(node.body, known)
        self.say("}")
        endless = isinstance(node.test, ast.Constant) and node.test.value is True
        return UNREACHABLE if endless and not has_break(node.body) else known

    def for_(self, node: ast.For, known: set[str]) -> set[str]:
        if node.orelse:
            raise self.refuse(node, "for ... else", "set a bool before leaving the loop")
        call = node.iter
        if (
            not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range")
            or call.keywords
        ):
            raise self.refuse(node, f"for over {ast.unparse(call)}", "write for index in range(...)")
        if not isinstance(node.target, ast.Name):
            raise self.refuse(node, "for with several names", "write for index in range(...)")
        if not 1 <= len(call.args) <= 3:
            raise self.refuse(
                node,
                f"range with {len(call.args)} arguments",
                "write range(end), range(start, end) or range(start, end, step)",
            )
        arguments = [self.number(argument) for argument in call.args]
        start = arguments[0] if len(arguments) > 1 else Value("0", INT, Interval(0, 0))
        end = arguments[1] if len(arguments) > 1 else arguments[0]
        stride = arguments[2].range if len(arguments) == 3 else Interval(1, 1)
        if stride.low != stride.high or stride.low == 0:
            raise self.refuse(node, "range with a step that is no constant", "write the step as a number other than 0")
        step = stride.low
        name = node.target.id
        self.declare(node, name, INT)
        span = Interval(start.range.low, max(end.range.high - 1, start.range.low))
        if step < 0:
            span = Interval(min(end.range.low + 1, start.range.high), start.range.high)
        self.note_range(name, span.clipped())
        first, last = self.temporary(), self.temporary()
        self.say(f"{{ int64_t {first} = {start.code}; int64_t {last} = {end.code};")
        walks = self.walks(node, name) if step == 1 else []
        if walks:
            # One test before the loop in place of one in each round; the loop with the tests is kept for a fault.
            bounds = " && ".join(f"tt_walk({w.offset}, {first}, {last}, {w.length})" for w in walks)
            self.say(f"if ({bounds}) {{")
            self.unchecked = {id(w.node): f"({w.offset} + v_{name})" for w in walks}
            self.loop(node, name, first, last, step, known)
            self.unchecked = {}
            self.say("} else {")
            self.loop(node, name, first, last, step, known)
            self.say("}")
        else:
            self.loop(node, name, first, last, step, known)
        self.say("}")
        return known

    def loop(self, node: ast.For, name: str, first: str, last: str, step: int, known: set[str]) -> None:
        self.say(f"for (int64_t i = {first}; i {'<' if step > 0 else '>'} {last}; i += {step}) {{")
        self.depth += 1
        self.say(f"v_{name} = i;")
        self.block(node.body, known | {name})
        self.depth -= 1
        self.say("}")

    def walks(self, node: ast.For, name: str) -> list[Walk]:
        """The items an innermost loop takes one after the other: array[k] and array[fixed + k]."""
        inside = [inner for statement in node.body for inner in ast.walk(statement)]
        if any(isinstance(inner, ast.For | ast.While) for inner in inside):
            return []
        changed = {inner.id for inner in inside if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)}
        if name in changed:
            return []
        found = []
        for inner in inside:
            if isinstance(inner, ast.Subscript):
                walk = self.walk(inner, name, changed)
                if walk is not None:
                    found.append(walk)
        return found

    def walk(self, node: ast.Subscript, name: str, changed: set[str]) -> Walk | None:
        fixed = offset_from(node.slice, name)
        if fixed is None or not all(self.is_fixed(part, changed | {name}) for part in fixed):
            return None
        owner = node.value.value if isinstance(node.value, ast.Attribute) else node.value
        if not isinstance(owner, ast.Name) or owner.id in changed or owner.id not in self.known:
            return None
        array = self.expression(node.value)
        if array.type.kind != "array" or array.type.name == "table":
            return None
        offset = " + ".join(self.expression(part).code for part in fixed) or "0"
        return Walk(node, f"({offset})", array.length)

    def is_fixed(self, node: ast.expr, changed: set[str]) -> bool:
        """A local that the loop does not change and that surely is small, or a constant."""
        if not isinstance(node, ast.Name | ast.Constant):
            return False
        if isinstance(node, ast.Name) and node.id in self.types:
            if node.id in changed or node.id not in self.known or self.types[node.id] != INT:
                return False
        elif isinstance(node, ast.Name) and node.id not in self.program.constants:
            return False
        return True

    def return_(self, node: ast.Return) -> None:
        result = self.signature.result
        if node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None):
            if result != NONE:
                raise self.refuse(node, "return without a value", f"return {result}")
            self.say("return;")
            return
        if result == NONE:
            raise self.refuse(node, "a value from a function declared -> None", "declare its type, or return nothing")
        value = self.expression(node.value)
        if result == BOOL and value.type != BOOL:
            raise self.refuse(node, f"returning {value.type} where bool is declared", "write a comparison")
        if result == INT and not value.is_number:
            raise self.refuse(node, f"returning {value.type} where int is declared", "return a number")
        if result.kind == "record" and value.type != result:
            raise self.refuse(node, f"returning {value.type} where {result} is declared", f"return a {result}")
        if value.is_number:
            self.returned = self.returned.join(value.range) if self.returned else value.range
        self.say(f"return {value.code};")

    # ------------------------------------------------------------------ expressions

    def truth(self, node: ast.expr) -> Value:
        value = self.expression(node)
        if value.type != BOOL:
            wish = f"{ast.unparse(node)} != 0" if value.type == INT else "a comparison"
            raise self.refuse(node, f"{ast.unparse(node)} taken as true or false", f"write {wish}")
        return value

    def number(self, node: ast.expr) -> Value:
        value = self.expression(node)
        if not value.is_number:
            raise self.refuse(
                node, f"{ast.unparse(node)} is no number", f"it is a {value.type}; use one of its fields or items"
            )
        return value

    def expression(self, node: ast.expr) -> Value:
        if isinstance(node, ast.Constant):
            return self.constant(node)
        if isinstance(node, ast.Name):
            return self.name(node)
        if isinstance(node, ast.Attribute):
            return self.loaded(self.attribute(node)[0])
        if isinstance(node, ast.Subscript):
            return self.loaded(self.subscript(node)[0])
        if isinstance(node, ast.BinOp):
            left, right = self.number(node.left), self.number(node.right)
            return self.operation(node, node.op, left, right)
        if isinstance(node, ast.UnaryOp):
            return self.unary(node)
        if isinstance(node, ast.BoolOp):
            return self.and_or(node)
        if isinstance(node, ast.Compare):
            return self.compare(node)
        if isinstance(node, ast.IfExp):
            return self.choice(node)
        if isinstance(node, ast.Call):
            return self.call(node)
        raise self.refuse(node, *construct(node))

    def loaded(self, place: Value) -> Value:
        """A stored number as one of 64 bits: C would add two u32 in 32 bits."""
        return replace(place, code=f"((int64_t) {place.code})") if place.is_number else place

    def constant(self, node: ast.Constant) -> Value:
        if isinstance(node.value, bool):
            return Value(str(int(node.value)), BOOL, Interval(int(node.value), int(node.value)))
        if isinstance(node.value, int):
            if not Interval(node.value, node.value).fits():
                raise self.refuse(node, f"the number {node.value}", "numbers have 64 bits")
            return Value(c_number(node.value), INT, Interval(node.value, node.value))
        raise self.refuse(node, *construct(node))

    def name(self, node: ast.Name) -> Value:
        name = node.id
        if name in self.types:
            if name not in self.known:
                raise self.refuse(node, f"{name} may have no value here", "give it one before, on every way")
            type_ = self.types[name]
            if type_.kind == "array":
                length = f"v_{name}_n" if name in self.parameters else str(type_.count)
                return Value(f"v_{name}", type_, length=length)
            return Value(f"v_{name}", type_, self.ranges.get(name, ANY))
        if name in self.program.constants:
            number = self.program.constants[name]
            return Value(c_number(number), BOOL if name in self.program.truths else INT, Interval(number, number))
        if name in self.program.tables:
            numbers = self.program.tables[name]
            return Value(
                f"t_{name}",
                Type("array", "table", len(numbers)),
                Interval(min(numbers), max(numbers)),
                length=str(len(numbers)),
            )
        if name in self.program.functions or name in BUILTINS:
            raise self.refuse(node, f"the function {name} as a value", "call it")
        raise self.refuse(node, f"{name} is not defined", "define it above, or import it from another rules file")

    def attribute(self, node: ast.Attribute) -> tuple[Value, str, str]:
        """A field: its value, the kind of number (or record), and its name for errors."""
        owner = self.expression(node.value)
        if owner.type.kind != "record":
            raise self.refuse(
                node, f".{node.attr} of {ast.unparse(node.value)}", "only records have fields; there are no methods"
            )
        layout = self.program.records[owner.type.name].LAYOUT
        try:
            item: Field = layout.field(node.attr)
        except KeyError:
            names = ", ".join(f.name for f in layout.fields)
            raise self.refuse(node, f"{owner.type.name} has no field {node.attr}", f"it has {names}") from None
        place = f"{owner.code}->m_{item.name}"
        what = f"{owner.type.name}.{item.name}"
        if item.count:
            return (
                Value(place, Type("array", item.kind, item.count), length=str(item.count), calls=owner.calls),
                item.kind,
                what,
            )
        if item.record:
            return Value(f"(&{place})", Type("record", item.kind), calls=owner.calls), item.kind, what
        scalar = SCALARS[item.kind]
        type_ = BOOL if item.kind == "bool" else INT
        return Value(place, type_, Interval(scalar.low, scalar.high), owner.calls), item.kind, what

    def subscript(self, node: ast.Subscript) -> tuple[Value, str, str]:
        """An item of an array: its value, the kind of number (or record), and its name for errors."""
        if isinstance(node.slice, ast.Slice):
            raise self.refuse(node, *construct(node.slice))
        array = self.expression(node.value)
        if array.type.kind != "array":
            raise self.refuse(node, f"{ast.unparse(node.value)}[...]", "only arrays have items")
        index = self.number(node.slice)
        what = self.array_name(node.value)
        code = index.code
        if id(node) in self.unchecked:
            code = self.unchecked[id(node)]
        elif array.type.count is None or not index.range.within(0, array.type.count - 1):
            code = f"tt_index({code}, {array.length}, {self.site(node, what)})"
        place, calls = f"{array.code}[{code}]", array.calls or index.calls
        if array.type.name == "table":
            return Value(place, INT, array.range, calls), "table", what
        if array.type.name in SCALARS:
            scalar = SCALARS[array.type.name]
            type_ = BOOL if array.type.name == "bool" else INT
            return Value(place, type_, Interval(scalar.low, scalar.high), calls), array.type.name, what
        return Value(f"(&{place})", Type("record", array.type.name), calls=calls), array.type.name, what

    def array_name(self, node: ast.expr) -> str:
        if isinstance(node, ast.Attribute):
            return self.attribute(node)[2]
        return ast.unparse(node)

    def operation(self, node: ast.AST, operator: ast.operator, left: Value, right: Value) -> Value:
        if type(operator) not in BINARY:
            raise self.refuse(node, *self.operator_refusal(operator))
        name, ranges = BINARY[type(operator)]
        result = ranges(left.range, right.range)
        calls = left.calls or right.calls
        type_ = BOOL if name in ("and", "or", "xor") and left.type == right.type == BOOL else INT
        if type_ == BOOL:
            result = TRUTH
        first, second, opening, closing = self.in_order([left, right])
        if name in ("div", "mod"):
            code = self.division(node, name, left, right, first, second)
        elif name in PLAIN_C and result.fits():
            code = f"({first} {PLAIN_C[name]} {second})"
        elif name == "shr" and right.range.within(0, 63):
            code = f"({first} >> {second})"
        elif name == "shl" and right.range.within(0, 62) and result.fits():
            code = f"({first} * (INT64_C(1) << {second}))"
        else:
            code = f"tt_{name}({first}, {second}, {self.site(node, self.written(node))})"
        return Value(f"{opening}{code}{closing}", type_, result.clipped(), calls)

    def written(self, node: ast.AST) -> str:
        return ast.unparse(node)

    def division(self, node: ast.AST, name: str, left: Value, right: Value, first: str, second: str) -> str:
        """Rounds down as Python does; in 32 bits where the numbers allow it, which is much faster."""
        sign = "/" if name == "div" else "%"
        if left.range.low >= 0 and right.range.low >= 1:
            if left.range.high < 2**32 and right.range.high < 2**32:
                return f"((int64_t) ((uint32_t) {first} {sign} (uint32_t) {second}))"
            return f"({first} {sign} {second})"
        if left.range.low >= 0 and left.range.high < 2**31 and right.range.within(-(2**31) + 1, 2**31 - 1):
            return f"tt_{name}_small({first}, {second}, {self.site(node, self.written(node))})"
        return f"tt_{name}({first}, {second}, {self.site(node, self.written(node))})"

    def operator_refusal(self, operator: ast.operator) -> tuple[str, str]:
        if isinstance(operator, ast.Div):
            return "/", "rules count in whole numbers; write //"
        if isinstance(operator, ast.Pow):
            return "**", "multiply, or shift: 1 << n"
        return type(operator).__name__, "use + - * // % << >> & | ^"

    def in_order(self, values: list[Value]) -> tuple[str, str, str, str]:
        """Two operands' texts such that the left is evaluated first, as Python does and C may not."""
        left, right = values
        if not right.calls or (left.range.low == left.range.high and not left.calls):
            return left.code, right.code, "", ""
        first, second = self.temporary(), self.temporary()
        opening = f"({{ int64_t {first} = {left.code}; int64_t {second} = {right.code}; "
        return first, second, opening, "; })"

    def unary(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            value = self.truth(node.operand)
            return Value(f"(!{value.code})", BOOL, TRUTH, value.calls)
        value = self.number(node.operand)
        if isinstance(node.op, ast.UAdd):
            return Value(value.code, INT, value.range, value.calls)
        if isinstance(node.op, ast.Invert):
            return Value(f"(~(int64_t) {value.code})", INT, Interval(~value.range.high, ~value.range.low), value.calls)
        result = Interval(-value.range.high, -value.range.low)
        if result.fits():
            if value.range.low == value.range.high:
                return Value(c_number(-value.range.low), INT, result)
            return Value(f"(-(int64_t) {value.code})", INT, result, value.calls)
        return Value(
            f"tt_sub(0, {value.code}, {self.site(node, self.written(node))})", INT, result.clipped(), value.calls
        )

    def and_or(self, node: ast.BoolOp) -> Value:
        values = []
        for operand in node.values:
            value = self.expression(operand)
            if value.type != BOOL:
                word = "and" if isinstance(node.op, ast.And) else "or"
                raise self.refuse(
                    node,
                    f"{word} between other than truth values",
                    f"write a comparison instead of {ast.unparse(operand)}",
                )
            values.append(value)
        sign = " && " if isinstance(node.op, ast.And) else " || "
        code = sign.join(value.code for value in values)
        return Value(f"({code})", BOOL, TRUTH, any(value.calls for value in values))

    def compare(self, node: ast.Compare) -> Value:
        for operator in node.ops:
            if type(operator) not in COMPARISONS:
                word = {ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not"}[type(operator)]
                instead = (
                    "compare with == and or, or look it up in an array" if "in" in word.split() else "write == or !="
                )
                raise self.refuse(node, word, instead)
        values = [self.number(operand) for operand in [node.left, *node.comparators]]
        signs = [COMPARISONS[type(operator)] for operator in node.ops]
        if not any(value.calls for value in values):
            parts = [f"{a.code} {sign} {b.code}" for a, sign, b in zip(values, signs, values[1:], strict=False)]
            return Value("(" + " && ".join(parts) + ")", BOOL, TRUTH)
        names = [self.temporary() for _ in values]
        code = ""
        for k in range(len(values) - 1, 0, -1):  # each further operand only if the ones before hold
            rest = f" && {code}" if code else ""
            code = f"({{ int64_t {names[k]} = {values[k].code}; {names[k - 1]} {signs[k - 1]} {names[k]}{rest}; }})"
        return Value(f"({{ int64_t {names[0]} = {values[0].code}; {code}; }})", BOOL, TRUTH, True)

    def choice(self, node: ast.IfExp) -> Value:
        condition = self.truth(node.test)
        yes, no = self.expression(node.body), self.expression(node.orelse)
        calls = condition.calls or yes.calls or no.calls
        code = f"({condition.code} ? {yes.code} : {no.code})"
        if yes.is_number and no.is_number:
            type_ = BOOL if yes.type == no.type == BOOL else INT
            return Value(
                f"({condition.code} ? (int64_t) {yes.code} : (int64_t) {no.code})",
                type_,
                yes.range.join(no.range),
                calls,
            )
        if yes.type != no.type or yes.type.kind != "record":
            raise self.refuse(node, f"a choice between {yes.type} and {no.type}", "choose between two of one kind")
        return Value(code, yes.type, calls=calls)

    # ------------------------------------------------------------------ calls

    def call(self, node: ast.Call) -> Value:
        if not isinstance(node.func, ast.Name):
            if isinstance(node.func, ast.Attribute):
                raise self.refuse(
                    node, f"the method .{node.func.attr}(...)", "records and arrays have none; call a rules function"
                )
            raise self.refuse(node, "a call of something that is no name", "call a rules function by its name")
        name = node.func.id
        if node.keywords:
            raise self.refuse(node, f"keyword arguments of {name}", "pass arguments by position")
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                raise self.refuse(node, *construct(argument))
        if name in self.t.signatures:
            return self.call_function(node, name)
        if name in ("i32s", "u8s"):
            raise self.refuse(
                node, f"{name} inside an expression", f"give the local array a name: cells = {name}(MAX_CELLS)"
            )
        if name == "assign":
            return self.call_assign(node)
        if name in ("min", "max", "abs", "int", "bool", "len"):
            return self.call_builtin(node, name)
        if name == "range":
            raise self.refuse(node, "range outside for", "write for index in range(...)")
        raise self.refuse(
            node, f"the function {name}", "rules call rules functions and min, max, abs, int, bool, len, assign"
        )

    def call_builtin(self, node: ast.Call, name: str) -> Value:
        least = 2 if name in ("min", "max") else 1
        if len(node.args) < least or (least == 1 and len(node.args) > 1):
            raise self.refuse(
                node, f"{name} with {len(node.args)} arguments", f"give it {'two or more' if least == 2 else 'one'}"
            )
        if name == "len":
            array = self.expression(node.args[0])
            if array.type.kind != "array":
                raise self.refuse(node, f"len of {ast.unparse(node.args[0])}", "only arrays have a length")
            known = array.type.count
            return Value(array.length, INT, Interval(known, known) if known else Interval(0, 2**31))
        values = [self.number(argument) for argument in node.args]
        if name == "int":
            return Value(f"((int64_t) {values[0].code})", INT, values[0].range, values[0].calls)
        if name == "bool":
            return Value(f"({values[0].code} != 0)", BOOL, TRUTH, values[0].calls)
        if name == "abs":
            value = values[0]
            far = max(abs(value.range.low), abs(value.range.high))
            near = 0 if value.range.low <= 0 <= value.range.high else min(abs(value.range.low), abs(value.range.high))
            result = Interval(near, far)
            if result.fits():
                return Value(f"tt_abs({value.code})", INT, result, value.calls)
            return Value(
                f"tt_abs_checked({value.code}, {self.site(node, self.written(node))})",
                INT,
                result.clipped(),
                value.calls,
            )
        total = values[0]
        for value in values[1:]:
            pick = min if name == "min" else max
            range_ = Interval(pick(total.range.low, value.range.low), pick(total.range.high, value.range.high))
            first, second, opening, closing = self.in_order([total, value])
            total = Value(f"{opening}tt_{name}({first}, {second}){closing}", INT, range_, total.calls or value.calls)
        return total

    def call_assign(self, node: ast.Call) -> Value:
        if len(node.args) != 2:
            raise self.refuse(node, f"assign with {len(node.args)} arguments", "write assign(target, source)")
        target, source = self.expression(node.args[0]), self.expression(node.args[1])
        if target.type.kind != "record" or target.type != source.type:
            raise self.refuse(node, f"assign of {source.type} to {target.type}", "both must be records of one kind")
        size = "sizeof(R_" + target.type.name + ")"
        if target.type.name == self.program.root:
            size = f"tt_used({source.code})"  # the log belongs to the step, not to the position
        return Value(f"memmove({target.code}, {source.code}, {size})", NONE, calls=True)

    def call_function(self, node: ast.Call, name: str) -> Value:
        signature = self.t.signatures[name]
        self.t.calls.setdefault(self.function.name, {}).setdefault(name, node)
        missing = signature.defaults[len(node.args) :]
        if len(node.args) > len(signature.types) or None in missing:
            raise self.refuse(node, f"{name} with {len(node.args)} arguments", f"it takes {', '.join(signature.names)}")
        arguments: list[Value] = []
        for expression, type_, parameter in zip(node.args, signature.types, signature.names, strict=False):
            value = self.expression(expression)
            self.match_parameter(node, name, parameter, type_, value)
            arguments.append(value)
        for default in missing:
            assert default is not None
            arguments.append(Value(c_number(default), INT, Interval(default, default)))
        self.note_arguments(name, signature, arguments)
        code = self.call_code(name, signature, arguments)
        return Value(code, signature.result, signature.result_range, calls=True)

    def match_parameter(self, node: ast.Call, name: str, parameter: str, type_: Type, value: Value) -> None:
        if type_.kind in ("int", "bool"):
            matches = value.is_number and (type_ == INT or value.type == BOOL)
        else:
            matches = value.type.kind == type_.kind and value.type.name == type_.name
        if not matches:
            raise self.refuse(node, f"{parameter} of {name} given {value.type}", f"it takes {type_}")

    def note_arguments(self, name: str, signature: Signature, arguments: list[Value]) -> None:
        ranges = [argument.range for argument in arguments]
        if name in self.argument_ranges:
            ranges = [a.join(b) for a, b in zip(self.argument_ranges[name], ranges, strict=True)]
        self.argument_ranges[name] = ranges

    def call_code(self, name: str, signature: Signature, arguments: list[Value]) -> str:
        sequence = any(argument.calls for argument in arguments[1:])
        opening = ""
        texts = []
        for argument in arguments:
            code = argument.code
            if sequence and argument.type.kind != "array":
                fresh = self.temporary()
                opening += f"{self.t.c_type(argument.type)} {fresh} = {code}; "
                code = fresh
            texts.append(code)
            if argument.type.kind == "array":
                texts.append(argument.length)
        call = f"f_{name}({', '.join(texts)})"
        return f"({{ {opening}{call}; }})" if sequence else call


def offset_from(index: ast.expr, name: str) -> list[ast.expr] | None:
    """What is added to the loop's variable in an index: nothing, or one further term."""
    if isinstance(index, ast.Name):
        return [] if index.id == name else None
    if isinstance(index, ast.BinOp) and isinstance(index.op, ast.Add):
        for one, other in ((index.left, index.right), (index.right, index.left)):
            if isinstance(one, ast.Name) and one.id == name:
                return [other]
    return None


def has_break(body: Sequence[ast.stmt]) -> bool:
    """Does a loop's own body leave it?"""
    for statement in body:
        if isinstance(statement, ast.Break):
            return True
        if isinstance(statement, ast.If) and (has_break(statement.body) or has_break(statement.orelse)):
            return True
    return False
