"""Reads the wrapper that TorchInductor generates around its C++ kernels.

`read_wrapper` recovers from the wrapper's text alone what calling it does: which kernels run in which
order, on which arguments, through which scratch buffers, and which memory the result is. It knows the
statements that Inductor writes for such graphs and refuses any other, with its line, instead of
guessing. The wrapper is parsed and never executed.
"""

import ast
from dataclasses import dataclass

from peer import Refused

ITEM_BYTES = {"bool": 1, "uint8": 1, "int8": 1, "bfloat16": 2, "float16": 2, "int16": 2, "int32": 4,
              "float32": 4, "int64": 8, "float64": 8}
C_TYPES = {"float": "float32", "double": "float64", "bool": "bool", "int64_t": "int64",
           "int32_t": "int32", "uint8_t": "uint8", "int8_t": "int8"}
ASSERTIONS = {"assert_size_stride", "assert_size_stride_grouped", "assert_alignment"}


@dataclass
class Kernel:
    """A C++ kernel: the types of its parameters, such as "const float*", and its source."""
    types: list
    source: str


@dataclass
class Buffer:
    """Memory that kernels use. An input's type is known from the kernels that read it."""
    name: str
    kind: str  # "input", "scratch" or "output"
    extents: tuple = ()
    strides: tuple = ()
    dtype: str = ""

    def bytes(self):
        if 0 in self.extents:
            return 0
        last = sum((extent - 1) * stride for extent, stride in zip(self.extents, self.strides))
        return (last + 1) * ITEM_BYTES[self.dtype]


@dataclass
class Pointer:
    """An argument: the memory of a buffer from an offset on."""
    buffer: int
    offset: int = 0


@dataclass
class Integer:
    value: int


@dataclass
class Step:
    kernel: str
    arguments: list


@dataclass
class Program:
    kernels: dict  # by name
    buffers: list
    steps: list


@dataclass
class Tensor:
    """What a name of the wrapper stands for: a tensor on some buffer."""
    buffer: int
    offset: int
    extents: tuple
    strides: tuple
    dtype: str


def refuse(node, why):
    line = getattr(node, "lineno", None)
    text = ast.unparse(node).splitlines()[0][:120] if node is not None else ""
    raise Refused(f"wrapper line {line}: {why}: {text}")


def called_name(node):
    """"f" or "a.b.f" of a call, or "" when it is none."""
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""


def constant(node):
    """The value of a literal; tuples of integers, strings and numbers are literals."""
    try:
        return ast.literal_eval(node)
    except ValueError:
        refuse(node, "only literal values are understood")


def read_kernels(tree):
    kernels = {}
    for node in tree.body:
        if not isinstance(node, ast.Assign) or not called_name(node.value):
            continue
        name = called_name(node.value)
        if not name.startswith("async_compile.") or name == "async_compile.wait":
            continue
        if name != "async_compile.cpp_pybinding":
            refuse(node, "only C++ kernels with Python bindings are understood")
        types, source = map(constant, node.value.args)
        kernels[node.targets[0].id] = Kernel(types, source)
    if not kernels:
        raise Refused("the wrapper has no C++ kernel")
    return kernels


def find_call(tree):
    """The function `call(args)`: in class Runner, or at the top of older wrappers."""
    bodies = [tree.body] + [node.body for node in tree.body
                            if isinstance(node, ast.ClassDef) and node.name == "Runner"]
    calls = [node for body in bodies for node in body
             if isinstance(node, ast.FunctionDef) and node.name == "call"]
    if len(calls) != 1:
        raise Refused(f"the wrapper has {len(calls)} functions named call, not one")
    return calls[0]


class CallReader:
    """Follows the statements of `call`, from the first to the return."""

    def __init__(self, kernels):
        self.kernels = kernels
        self.buffers = []
        self.steps = []
        self.tensors = {}  # by name
        self.result = None

    def read(self, function):
        for statement in function.body:
            if self.result is not None:
                refuse(statement, "a statement after the return")
            self.read_statement(statement)
        if self.result is None:
            refuse(function, "no return")
        return self.result

    def read_statement(self, node):
        if isinstance(node, ast.Return):
            self.read_return(node)
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            self.read_assignment(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            self.read_call(node.value)
        elif not isinstance(node, ast.Delete):  # names that end here; storage is kept apart
            refuse(node, "this statement is not understood")

    def read_assignment(self, node):
        target, value = node.targets[0], node.value
        if ast.unparse(value) == "args" and isinstance(target, (ast.Tuple, ast.List)):
            for name in target.elts:
                self.add_buffer(node, name.id, "input", (), (), "")
        elif not isinstance(target, ast.Name):
            refuse(node, "this assignment is not understood")
        elif called_name(value) == "empty_strided_cpu":
            extents, strides = map(constant, value.args[:2])
            self.add_buffer(node, target.id, "scratch", extents, strides,
                            self.dtype_of(value.args[2]))
        else:
            self.tensors[target.id] = self.tensor(value)

    def add_buffer(self, node, name, kind, extents, strides, dtype):
        if any(type(extent) is not int for extent in (*extents, *strides)):
            refuse(node, "extents and strides have to be numbers")
        self.tensors[name] = Tensor(len(self.buffers), 0, extents, strides, dtype)
        self.buffers.append(Buffer(name, kind, extents, strides, dtype))

    def dtype_of(self, node):
        name = ast.unparse(node).removeprefix("torch.")
        if name not in ITEM_BYTES:
            refuse(node, "this element type is not known")
        return name

    def tensor(self, node):
        """The tensor that an expression stands for: a name, or a view of one."""
        if isinstance(node, ast.Name):
            if node.id not in self.tensors:
                refuse(node, "this name is not a tensor")
            return self.tensors[node.id]
        if called_name(node) == "reinterpret_tensor":
            base = self.tensor(node.args[0])
            if not base.dtype:
                refuse(node, "a view of an input whose element type is not known yet")
            extents, strides = map(constant, node.args[1:3])
            elements = constant(node.args[3]) if len(node.args) > 3 else 0
            return Tensor(base.buffer, base.offset + elements * ITEM_BYTES[base.dtype], extents,
                          strides, base.dtype)
        refuse(node, "this is no tensor that the reader understands")

    def read_call(self, node):
        name = called_name(node)
        if name == "args.clear":
            return
        if name in ASSERTIONS:
            self.read_assertion(name, node)
        elif name in self.kernels:
            self.read_kernel_call(name, node)
        else:
            refuse(node, "this call is no C++ kernel of the wrapper")

    def read_assertion(self, name, node):
        """Extents and strides of inputs are known from what the wrapper asserts of them."""
        if name == "assert_alignment":
            return
        if name == "assert_size_stride":
            groups = [(node.args[0], constant(node.args[1]), constant(node.args[2]))]
        else:
            groups = zip(node.args[0].elts, constant(node.args[1]), constant(node.args[2]))
        for tensor, extents, strides in groups:
            known = self.tensor(tensor)
            known.extents, known.strides = extents, strides
            if self.buffers[known.buffer].kind == "input":
                self.buffers[known.buffer].extents = extents
                self.buffers[known.buffer].strides = strides

    def read_kernel_call(self, name, node):
        types = self.kernels[name].types
        if len(types) != len(node.args) or node.keywords:
            refuse(node, f"the kernel has {len(types)} parameters")
        arguments = []
        for argument, of_type in zip(node.args, types):
            if of_type.endswith("*"):
                arguments.append(self.read_pointer(argument, of_type))
            elif "int64_t" in of_type and type(value := constant(argument)) is int:
                arguments.append(Integer(value))
            else:
                refuse(argument, f"an argument of type {of_type} is not understood")
        self.steps.append(Step(name, arguments))

    def read_pointer(self, node, of_type):
        dtype = C_TYPES.get(of_type.removeprefix("const ").removesuffix("*"))
        if dtype is None:
            refuse(node, f"a pointer of type {of_type} is not understood")
        tensor = self.tensor(node)
        buffer = self.buffers[tensor.buffer]
        if buffer.kind == "input":
            if not of_type.startswith("const "):
                refuse(node, "this input may be written")
            if buffer.dtype not in ("", dtype):
                refuse(node, f"this input is read as {buffer.dtype} and as {dtype}")
            buffer.dtype = tensor.dtype = dtype
        return Pointer(tensor.buffer, tensor.offset)

    def read_return(self, node):
        values = node.value.elts if isinstance(node.value, (ast.Tuple, ast.List)) else [node.value]
        if len(values) != 1:
            refuse(node, "one result is understood")
        result = self.tensor(values[0])
        buffer = self.buffers[result.buffer]
        whole = Buffer("", "", result.extents, result.strides, result.dtype)
        if buffer.kind == "input":
            refuse(node, "the result is an input, or a view of one")
        if result.offset != 0 or buffer.bytes() != whole.bytes():
            refuse(node, "the result is a part of a larger buffer")
        buffer.kind = "output"
        self.result = result


def read_wrapper(text):
    """The program of a wrapper; Refused when any of it is not understood."""
    tree = ast.parse(text)
    reader = CallReader(read_kernels(tree))
    result = reader.read(find_call(tree))
    used = {argument.buffer for step in reader.steps for argument in step.arguments
            if isinstance(argument, Pointer)}
    for index, buffer in enumerate(reader.buffers):
        if index not in used:
            raise Refused(f"no kernel uses {buffer.name}")
        if buffer.kind == "input" and not buffer.extents:
            raise Refused(f"the wrapper does not say what extents {buffer.name} has")
    if result.buffer not in used:
        raise Refused("no kernel writes the result")
    return Program(reader.kernels, reader.buffers, reader.steps)
