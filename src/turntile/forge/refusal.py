"""What forge says when it meets something it does not compile: where, what, and what to write instead."""

from __future__ import annotations

import ast


class ForgeError(Exception):
    """A rules file that cannot be compiled: file, line, the construct, what to write instead."""

    def __init__(self, file: str, line: int, what: str, instead: str) -> None:
        super().__init__(f"{file}:{line}: {what}: {instead}")
        self.file = file
        self.line = line
        self.what = what
        self.instead = instead


# Constructs with a name of their own; everything else is named after its syntax node.
INSTEAD: dict[type[ast.AST], tuple[str, str]] = {
    ast.AsyncFunctionDef: ("an async function", "write a plain function; rules never wait"),
    ast.Delete: ("del", "fields and locals stay; set them to 0"),
    ast.AsyncFor: ("async for", "write for ... in range(...)"),
    ast.With: ("with", "rules open nothing; call a function"),
    ast.AsyncWith: ("async with", "rules open nothing; call a function"),
    ast.Match: ("match", "write if ... elif"),
    ast.Raise: ("raise", "answer with a reason code from why_illegal, or assert what must hold"),
    ast.Try: ("try", "test beforehand with if; rules raise nothing"),
    ast.TryStar: ("try", "test beforehand with if; rules raise nothing"),
    ast.Global: ("global", "keep it in a field of the root record"),
    ast.Nonlocal: ("nonlocal", "pass it as an argument"),
    ast.Import: ("import inside rules", "write from module import name at the top of the file"),
    ast.ImportFrom: ("import inside a function", "write it at the top of the file"),
    ast.FunctionDef: ("a function inside a function", "write it at the top of the file and pass what it needs"),
    ast.ClassDef: ("a class", "write a @record at the top of the file"),
    ast.Lambda: ("lambda", "write a function"),
    ast.NamedExpr: (":=", "assign on a line of its own"),
    ast.Dict: ("a dict", "use an array field indexed by a small number"),
    ast.Set: ("a set", "use an array of bool, or a bit set in an int"),
    ast.List: ("a list", "use an array field, or a local array: i32s(n), u8s(n)"),
    ast.Tuple: ("a tuple", "use two variables, or a table(...) at the top of the file"),
    ast.ListComp: ("a comprehension", "write a for loop"),
    ast.SetComp: ("a comprehension", "write a for loop"),
    ast.DictComp: ("a comprehension", "write a for loop"),
    ast.GeneratorExp: ("a generator", "write a for loop"),
    ast.Await: ("await", "rules never wait"),
    ast.Yield: ("yield", "rules return; write a loop"),
    ast.YieldFrom: ("yield from", "rules return; write a loop"),
    ast.JoinedStr: ("a string", "tell an event; words.py makes the text"),
    ast.FormattedValue: ("a string", "tell an event; words.py makes the text"),
    ast.Starred: ("a starred argument", "write the arguments one by one"),
    ast.Slice: ("a slice", "write a for loop over the indices"),
}


def construct(node: ast.AST) -> tuple[str, str]:
    """The name of a construct, and what to write instead of it."""
    if type(node) in INSTEAD:
        return INSTEAD[type(node)]
    if isinstance(node, ast.Constant):
        if isinstance(node.value, float | complex):
            return f"the number {node.value}", "rules count in whole numbers; scale it"
        if isinstance(node.value, str | bytes):
            return "a string", "tell an event; words.py makes the text"
        return repr(node.value), "use a number that means nothing, such as -1"
    return type(node).__name__, "see docs/rules-language.md for what there is"
