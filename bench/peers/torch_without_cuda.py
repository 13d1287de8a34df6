"""Lets the PyPI build of PyTorch load on a machine without CUDA's libraries.

PyPI's x86-64 wheel of PyTorch is a CUDA build: its Python extension is linked against libtorch_cuda.so
and against CUDA libraries of some gigabytes, though a program on the CPU calls nothing of them. This
script removes libtorch_cuda.so and what only it needs, and puts small libraries of the same names in
their place. There a function of CUDA's C interface answers 100, "no CUDA-capable device is detected",
so PyTorch finds that there is no GPU; the few objects that PyTorch reads while it loads exist; and
every other symbol is a trap.

libtorch_cpu.so, which holds all CPU kernels, and Inductor, which is Python, stay as they were.

usage: torch_without_cuda.py FOLDER   (the installed package: site-packages/torch)
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

KEPT = ["libtorch_python.so", "libtorch.so", "libtorch_cpu.so", "libtorch_global_deps.so", "libc10.so",
        "libc10_cuda.so", "libshm.so"]
REPLACED = "libtorch_cuda.so"
REMOVED = [REPLACED, "libtorch_cuda_linalg.so", "libtorch_nvshmem.so", "libcaffe2_nvrtc.so"]
CUDA_LIBRARY = re.compile(r"lib(cu|nccl)")
C_FUNCTION = re.compile(r"(cu|cuda|cudnn|cupti|cublas|cufile|nccl)[A-Z]\w*$")

# What a function does that is not a trap. The first three are called while PyTorch loads: a reference
# to a function pointer, and two constructors of an object that Python holds and never uses.
ANSWERS = {"_ZN4c10d15get_gil_checkerEv": "lea unread(%rip), %rax",
           "_ZN4c10d16ProcessGroupNCCL7OptionsC1Eb": "lea vtable + 16(%rip), %rax; mov %rax, (%rdi)",
           "_ZN4c10d5nccl216ProcessGroupNCCL7OptionsC1Eb":
               "lea vtable + 16(%rip), %rax; mov %rax, (%rdi)",
           "cudaGetErrorString": "lea no_device(%rip), %rax"}
CUDA_ANSWER = "mov $100, %eax"
HEADER = """.section .note.GNU-stack,"",@progbits
.data
unread: .quad 0
vtable: .quad 0, class, nothing, nothing, nothing, nothing
class: .quad _ZTVN10__cxxabiv117__class_type_infoE + 16, name
name: .asciz "N10tilewright6unusedE"
no_device: .asciz "no CUDA-capable device is detected"
.text
nothing: ret
"""

# PyTorch replaces some of its own operators by faster ones, and asks the function that this variable
# names which. Those for CUDA go, since without libtorch_cuda.so there is nothing to replace.
OVERRIDES_VARIABLE = "TORCH_PYTHON_NATIVE_USER_GRAPH_ORDER_FN"
OVERRIDES_MODULE = """def keep(operator, dispatch_key, overrides):
    return [] if dispatch_key == "CUDA" else overrides
"""
OVERRIDES_PATH_FILE = ("import os; "
                       f"os.environ['{OVERRIDES_VARIABLE}'] = 'overrides_without_cuda.keep'\n")


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def symbols(library, which):
    """Names of the defined or of the undefined (and not weak) dynamic symbols, without versions."""
    names = set()
    for line in output_of("nm", "-D", f"--{which}-only", library).splitlines():
        kind, name = line.split()[-2:]
        if which == "defined" or kind == "U":
            names.add(name.split("@")[0])
    return names


def needed_libraries(library):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", output_of("readelf", "-dW", library))


def library_paths(libraries):
    """Where the loader finds each needed library; None for one that it does not find."""
    found = {}
    for library in libraries:
        for line in output_of("ldd", library).splitlines():
            if match := re.match(r"\s*(\S+) => (not found|\S+)", line):
                found[match[1]] = None if match[2] == "not found" else match[2]
            elif match := re.match(r"\s*(/\S+) \(", line):
                found[Path(match[1]).name] = match[1]
    return found


def version_names(libraries, needed):
    """The symbol versions that the libraries ask of a needed library."""
    names = set()
    for library in libraries:
        text = output_of("readelf", "-VW", library)
        for block in re.findall(rf"File: {re.escape(needed)}  Cnt:.*?((?:\n.*Name:.*)+)", text):
            names |= set(re.findall(r"Name: (\S+)", block))
    return sorted(names)


def symbol_text(name):
    """Assembly that defines one symbol: a function, or one of the objects of a C++ class."""
    if name.startswith("_ZTI"):  # a class without bases, of that name
        section, body = ".data", ("  .quad _ZTVN10__cxxabiv117__class_type_infoE + 16, 1f\n"
                                  f'1: .asciz "{name[4:]}"')
    elif name.startswith("_ZTV"):
        section, body = ".data", "  .zero 1024"
    else:
        section = ".text"
        answer = ANSWERS.get(name, CUDA_ANSWER if C_FUNCTION.match(name) else None)
        body = f"  {answer}\n  ret" if answer else "  ud2"
    return f"{section}\n.balign 8\n.globl {name}\n{name}:\n{body}\n"


def stub_text(names):
    return HEADER + "".join(map(symbol_text, sorted(names))) if names else ""


def build_stub(path, names, versions):
    with tempfile.TemporaryDirectory() as folder:
        source, script = Path(folder, "stub.s"), Path(folder, "stub.map")
        source.write_text(stub_text(names))
        script.write_text("".join(f"{version} {{ }};\n" for version in versions))
        options = [f"-Wl,--version-script={script}"] if versions else []
        subprocess.run(["gcc", "-shared", "-nostdlib", f"-Wl,-soname,{path.name}", *options, source,
                        "-o", path], check=True)


def main(folder):
    libraries = Path(folder, "lib")
    if (libraries / "removed-cuda").exists():
        return
    kept = [libraries / name for name in KEPT]
    for name in REMOVED:
        (libraries / name).unlink(missing_ok=True)
    needed = set().union(*(needed_libraries(path) for path in kept))
    replaced = sorted(name for name in needed if name == REPLACED or CUDA_LIBRARY.match(name))
    for name in replaced:  # empty at first, so that the loader looks no further
        build_stub(libraries / name, set(), [])
    paths = library_paths(kept)
    if missing := sorted(name for name, path in paths.items() if path is None):
        sys.exit(f"torch_without_cuda: {', '.join(missing)} cannot be found")
    defined = set().union(*(symbols(path, "defined")
                            for path in [sys.executable, *kept, *paths.values()]))
    wanted = set().union(*(symbols(path, "undefined") for path in kept)) - defined
    for name in replaced:
        build_stub(libraries / name, wanted if name == REPLACED else set(),
                   version_names(kept, name))
    Path(folder, "..", "overrides_without_cuda.py").write_text(OVERRIDES_MODULE)
    Path(folder, "..", "overrides_without_cuda.pth").write_text(OVERRIDES_PATH_FILE)
    (libraries / "removed-cuda").write_text("".join(f"{name}\n" for name in [*REMOVED, *replaced]))
    print(f"torch_without_cuda: replaced {', '.join(replaced)} ({len(wanted)} symbols)")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
