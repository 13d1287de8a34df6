"""Running the command-line tool from tests."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np

TILEWRIGHT = Path(os.environ["TILEWRIGHT_BIN_DIR"]) / "tilewright"


class ToolTest(unittest.TestCase):
    """Each test has an empty folder of its own, `self.folder`."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tilewright-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_tool(self, *arguments):
        """The finished process; its output is text."""
        return subprocess.run([TILEWRIGHT, *map(str, arguments)], capture_output=True, text=True,
                              timeout=120, check=False)

    def succeed(self, *arguments):
        """Standard output of a run that has to succeed."""
        result = self.run_tool(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def assert_refused(self, message, *arguments):
        """The run prints exactly this one line on standard error, nothing else, and exits with 2."""
        result = self.run_tool(*arguments)
        self.assertEqual(result.stderr, f"tilewright: {message}\n")
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.returncode, 2)

    def save(self, name, array):
        """Writes an array as .npy and returns its path."""
        path = self.folder / name
        np.save(path, array)
        return path

    def floats(self, *shape, seed=1):
        return np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)
