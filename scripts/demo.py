"""What Tilewright does, in a minute: run a kernel on NumPy arrays, then print the table of kernels.

Called by `./dev demo` from the repository's root, after the build. Exits with 1 when an answer is
wrong.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

TILEWRIGHT = Path(__file__).resolve().parent.parent / "build" / "bin" / "tilewright"
TOLERANCE = 5e-5  # relative and absolute, of an f32 answer against FP64


def tilewright(*arguments):
    """Runs the command-line tool, which prints what it has to say."""
    command = [str(TILEWRIGHT), *map(str, arguments)]
    sys.stdout.flush()
    result = subprocess.run(command, check=False)
    if result.returncode != 0:
        sys.exit(f"demo: {' '.join(command)} failed with exit code {result.returncode}")


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


def main():
    with tempfile.TemporaryDirectory(prefix="tilewright-demo-") as folder:
        run_on_numpy_arrays(Path(folder))
    print("$ tilewright bench --quick")
    tilewright("bench", "--quick")


if __name__ == "__main__":
    main()
