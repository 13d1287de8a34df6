"""What Tilewright does, in a minute: run a kernel on NumPy arrays, then print the table of kernels.

Called by `./dev demo` from the repository's root, after the build. Exits with 1 when an answer is
wrong.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

TILEWRIGHT = Path(__file__).resolve().parent.parent / "build" / "bin" / "tilewright"
TOLERANCE = 5e-5  # relative and absolute, of an f32 answer against FP64


def tilewright(*arguments):
    """Runs the command-line tool and returns what it printed."""
    command = [str(TILEWRIGHT), *map(str, arguments)]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(f"demo: {' '.join(command)} failed with exit code {result.returncode}")
    return result.stdout


def rms_norm(x, gamma):
    """NumPy's answer, in FP64."""
    x = x.astype(np.float64)
    return x / np.sqrt(np.mean(x * x, axis=1, keepdims=True) + 1e-6) * gamma


def run_on_numpy_arrays(folder):
    """Runs rms_norm on two .npy files and compares the .npy file it writes with NumPy."""
    rng = np.random.default_rng(2022)
    x = rng.standard_normal((257, 1538), dtype=np.float32)
    gamma = rng.standard_normal(1538, dtype=np.float32)
    np.save(folder / "x.npy", x)
    np.save(folder / "gamma.npy", gamma)

    print("$ tilewright run rms_norm x.npy gamma.npy --out y.npy")
    tilewright("run", "rms_norm", folder / "x.npy", folder / "gamma.npy",
               "--out", folder / "y.npy")

    y = np.load(folder / "y.npy")
    expected = rms_norm(x, gamma)
    error = np.max(np.abs(y - expected))
    if y.shape != x.shape or not np.allclose(y, expected, rtol=TOLERANCE, atol=TOLERANCE):
        sys.exit(f"demo: y.npy differs from NumPy's answer by up to {error:.2e}")
    rows, columns = x.shape
    print(f"  {rows}×{columns} float32 out, at most {error:.1e} from NumPy's answer in FP64\n")


def table_row(case):
    """The texts of one row of the table, from one case of `tilewright bench --json`."""
    def number(name, form):
        value = case.get(name)
        return "-" if value is None else format(value, form)

    return [
        case["kernel"],
        case["shape"],
        number("median_us", ".4g"),
        format(case["bytes"] / case["median_us"] / 1e3, ".1f"),
        number("ratio_hand_written", ".2f"),
        number("compile_ms", ".1f"),
        number("max_abs_error", ".1e"),
        case["plan"] if case["check_ok"] else "WRONG ANSWER",
    ]


def print_table(cases):
    """Numbers to the right, words to the left."""
    head = ["kernel", "shape", "µs", "GB/s", "× hand-written", "compile ms", "max error", "plan"]
    rows = [table_row(case) for case in cases]
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    left = {0, len(head) - 1}
    for row in [head, ["─" * width for width in widths], *rows]:
        cells = (text.ljust(width) if i in left else text.rjust(width)
                 for i, (text, width) in enumerate(zip(row, widths)))
        print("  ".join(cells).rstrip())


def main():
    with tempfile.TemporaryDirectory(prefix="tilewright-demo-") as folder:
        run_on_numpy_arrays(Path(folder))
    print("$ tilewright bench", flush=True)
    cases = json.loads(tilewright("bench", "--json"))
    print_table(cases)
    wrong = [case for case in cases if not case["check_ok"]]
    if wrong:
        sys.exit(f"demo: {len(wrong)} of {len(cases)} cases gave a wrong answer")


if __name__ == "__main__":
    main()
