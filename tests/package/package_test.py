"""Installs the library into an empty folder and builds a program against it with find_package."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

BUILD = Path(os.environ["TILEWRIGHT_BIN_DIR"]).parent
CONSUMER = Path(__file__).resolve().parent / "consumer"


def run(*command, **options):
    """Standard output of a command that has to succeed."""
    result = subprocess.run([*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, check=False, **options)
    if result.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{result.stdout}")
    return result.stdout


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="tilewright-package-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.prefix = cls.folder / "prefix"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)

    def test_program_builds_and_runs(self):
        build = self.folder / "build"
        run("cmake", "-G", "Ninja", "-S", CONSUMER, "-B", build,
            f"-DCMAKE_PREFIX_PATH={self.prefix}",
            "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror", *self.sanitizer_options())
        run("cmake", "--build", build)
        output = run(build / "consumer")
        self.assertRegex(output, r"(?m)^largest error \S+$")
        self.assertRegex(output, r"(?m)^refused: .*launch of rms_norm: argument 1 has rank 1, but the "
                                 r"kernel's view has rank 2")

    def sanitizer_options(self):
        """A library built with sanitizers needs a program built with them."""
        cache = (BUILD / "CMakeCache.txt").read_text()
        found = re.search(r"(?m)^TILEWRIGHT_SANITIZE:STRING=(.+)$", cache)
        return [f"-DCMAKE_EXE_LINKER_FLAGS=-fsanitize={found.group(1)}"] if found else []

    def test_headers_need_neither_llvm_nor_mlir(self):
        headers = list((self.prefix / "include").rglob("*.h"))
        self.assertTrue(headers)
        for header in headers:
            for include in re.findall(r'#include ["<]([^">]+)', header.read_text()):
                self.assertNotRegex(include, "^(llvm|mlir|fmt|oneapi|tbb|nlohmann)/",
                                    f"in {header.name}")

    def test_library_shows_only_its_own_names(self):
        library, = (self.prefix / "lib").rglob("libtilewright.so")
        symbols = run("nm", "--dynamic", "--defined-only", "--demangle", library).splitlines()
        names = [line.split(maxsplit=2)[2] for line in symbols]
        own = re.compile(r"^(tw_|(vtable for |VTT for |typeinfo for |typeinfo name for "
                         r"|guard variable for |non-virtual thunk to )?.*\btilewright::)")
        self.assertEqual([name for name in names if not own.match(name)], [])
        self.assertTrue(any("tilewright::detail::launch" in name for name in names))


if __name__ == "__main__":
    unittest.main()
