"""TorchInductor on the CPU, with its defaults: captures its code, and times its calls.

`calls.py` has the usage. A capture holds the wrapper, the C++ sources and the libraries that Inductor
made, and the manifest that the project's timer calls them by. Without --cache, the first case of a process
begins with an empty cache; the next ones find there that the compiler works and which instructions the
CPU has, and no code.
"""

import os
import platform
import re
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from calls import main, time_calls
from peer import CallTimes, Peer, Refused, freeze, hash_of
from wrapper import Integer, read_wrapper


class Inductor(Peer):
    name = "inductor"

    def __init__(self, cache=None):
        self.temporary = None if cache else tempfile.TemporaryDirectory(
            prefix="tilewright-inductor-")
        self.cache = Path(cache or self.temporary.name).absolute()
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(self.cache)
        self.cold = cache is None

    def capture(self, case, folder):
        folder = Path(folder)
        if folder.exists():
            raise Refused(f"{folder} exists")
        compiled = self.compile(case)
        program = read_wrapper(compiled.wrapper)
        unfinished = folder.with_name(folder.name + ".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        (unfinished / "wrapper.py.txt").write_text(compiled.wrapper)
        libraries = keep_files(program, self.cache, unfinished)
        manifest = freeze(unfinished, manifest_of(case, compiled, program, libraries, unfinished))
        unfinished.rename(folder)
        return manifest

    def time_calls(self, case, samples, sample_seconds):
        import torch

        compiled = self.compile(case)
        with torch.no_grad():
            return CallTimes(compiled.seconds,
                             time_calls(lambda: compiled.function(*compiled.inputs), samples,
                                        sample_seconds))

    def compile(self, case):
        compiled = compile_case(case)
        compiled.cold, self.cold = self.cold, False
        return compiled


class Compiled:
    """A compiled case: the function, its wrapper's text, and the names of the wrapper's inputs."""

    def __init__(self):
        self.function = None
        self.inputs = []
        self.input_names = []
        self.wrapper = ""
        self.vector_isa = ""
        self.seconds = 0.0  # of the first call, compilation included
        self.cpu_seconds = 0.0  # of the same, this process and its compilers together
        self.cold = False  # whether that began with an empty cache


def compile_case(case):
    import torch
    from torch._inductor.codecache import PyCodeCache
    from torch._inductor.compile_fx import compile_fx
    from torch._inductor.cpu_vec_isa import pick_vec_isa

    from families import FUNCTIONS, inputs

    torch.set_num_threads(case.threads)
    torch._dynamo.reset()  # a second shape would otherwise make code for any shape
    before = len(PyCodeCache.modules)
    result = Compiled()

    def inductor(graph, examples):
        """The backend `inductor` itself; on the way, notes which input is which argument."""
        names = [node.target for node in graph.graph.nodes if node.op == "placeholder"]
        result.input_names = [name.removeprefix("L_").removesuffix("_") for name in names]
        return compile_fx(graph, examples)

    result.inputs = inputs(case)
    result.function = torch.compile(FUNCTIONS[case.family], backend=inductor)
    with torch.no_grad():
        begin, cpu_begin = time.perf_counter(), cpu_seconds()
        result.function(*result.inputs)
        result.seconds, result.cpu_seconds = time.perf_counter() - begin, cpu_seconds() - cpu_begin
    result.vector_isa = str(pick_vec_isa())
    if not pick_vec_isa():
        raise Refused(f"Inductor found no vector instructions and made scalar code of {case}; its probe "
                      "gives up after a minute, so try again when the machine is less busy")
    modules = [module for module in PyCodeCache.modules[before:] if hasattr(module, "call")]
    if len(modules) != 1:
        raise Refused(f"Inductor made {len(modules)} wrappers of {case}, not one")
    result.wrapper = Path(modules[0].__file__).read_text()
    return result


def cpu_seconds():
    """What this process and its finished children have used; says little of a busy machine's load."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def keep_files(program, cache, folder):
    """Copies each kernel's source and library; gives the library of each kernel's name."""
    libraries = {}
    for index, (name, kernel) in enumerate(program.kernels.items()):
        sources = [path for path in cache.rglob("*.cpp")
                   if kernel.source.strip() in path.read_text()]
        if len(sources) != 1:
            raise Refused(f"kernel {name} has {len(sources)} C++ files in the cache, not one")
        library = sources[0].with_suffix(".so")
        if not library.is_file():
            raise Refused(f"kernel {name} has no library beside {sources[0].name}")
        shutil.copy(sources[0], folder / f"kernel{index}.cpp")
        libraries[name] = f"kernel{index}.so"
        shutil.copy(library, folder / libraries[name])
    return libraries


def python_symbols(library):
    """Python's symbols that the library leaves to the process that loads it."""
    lines = subprocess.run(["nm", "-D", "--undefined-only", library], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    return [line.split()[-1] for line in lines if line.split()[-1].lstrip("_").startswith("Py")]


def torch_libraries(libraries):
    """PyTorch's own libraries that these need, with their hashes, each after what it needs itself."""
    import torch

    folder = Path(torch.__file__).parent / "lib"
    found = {}

    def visit(library):
        text = subprocess.run(["readelf", "-dW", library], check=True, capture_output=True,
                              text=True).stdout
        for name in re.findall(r"\(NEEDED\).*\[(.*)\]", text):
            if (folder / name).is_file() and name not in found:
                visit(folder / name)
                found[name] = {"path": str(folder / name), "sha256": hash_of(folder / name)}

    for library in libraries:
        visit(library)
    return list(found.values())


def build_python_symbols(libraries, folder):
    """A library that defines those symbols. The kernels themselves call none of them; the loader
    needs the data among them."""
    names = sorted(set().union(*(python_symbols(folder / library)
                                 for library in libraries.values())))
    source = folder / "python_symbols.c"
    source.write_text("".join(f"char {name}[64];\n" for name in names))
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", folder / "python_symbols.so", source],
                   check=True)
    return "python_symbols.so"


def manifest_of(case, compiled, program, libraries, folder):
    arguments = case.arguments()
    inputs = [buffer for buffer in program.buffers if buffer.kind == "input"]
    if len(inputs) != len(compiled.input_names):
        raise Refused(f"the wrapper has {len(inputs)} inputs, the graph {compiled.input_names}")
    names = dict(zip((buffer.name for buffer in inputs), compiled.input_names))
    known = {name: (extents, dtype) for name, extents, dtype in arguments}
    buffers = []
    for buffer in program.buffers:
        name = {"input": names.get(buffer.name), "output": arguments[-1][0]}.get(buffer.kind,
                                                                                 buffer.name)
        if buffer.kind != "scratch" and known.get(name) != (buffer.extents, buffer.dtype):
            raise Refused(f"{buffer.kind} {name} is {buffer.dtype} {buffer.extents}, which is no "
                          f"argument of {case}")
        buffers.append({"name": name, "kind": buffer.kind, "bytes": buffer.bytes()})
    steps = [{"library": libraries[step.kernel], "symbol": "kernel",
              "arguments": [{"integer": argument.value} if isinstance(argument, Integer)
                            else {"buffer": argument.buffer, "offset": argument.offset}
                            for argument in step.arguments]}
             for step in program.steps]
    return {"peer": Inductor.name, "family": case.family, "rows": case.rows,
            "columns": case.columns, "threads": case.threads,
            "outside": torch_libraries(folder / library for library in libraries.values()),
            "load_first": [build_python_symbols(libraries, folder)], "buffers": buffers,
            "vector_isa": compiled.vector_isa, "steps": steps, "first_call_seconds": compiled.seconds,
            "first_call_cpu_seconds": compiled.cpu_seconds,
            "cold_cache": compiled.cold, "environment": environment()}


def environment():
    import torch

    compiler = subprocess.run(["g++", "--version"], check=True, capture_output=True, text=True)
    model = [line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
             if line.startswith("model name")]
    return {"torch": torch.__version__, "python": platform.python_version(),
            "compiler": compiler.stdout.splitlines()[0], "cpu": model[0] if model else "",
            "cpu_capability": torch.backends.cpu.get_cpu_capability()}


if __name__ == "__main__":
    main(Inductor)
