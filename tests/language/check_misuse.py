"""Checks that a C++ file does not compile, for the reason its first line gives.

Usage: check_misuse.py COMPILER INCLUDE_FOLDER FILE. The first line of FILE is
`// error: TEXT` (the compiler fails and its messages contain TEXT) or `// compiles`.
"""

import subprocess
import sys


def main():
    compiler, include_folder, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        expectation = file.readline().strip()
    result = subprocess.run(
        [compiler, "-std=c++20", "-fsyntax-only", f"-I{include_folder}", path],
        stderr=subprocess.PIPE, text=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})
    if expectation == "// compiles":
        if result.returncode != 0:
            sys.exit(f"{path} should compile:\n{result.stderr}")
        return
    text = expectation.removeprefix("// error: ")
    if result.returncode == 0:
        sys.exit(f"{path} compiles, but should fail with: {text}")
    if text not in result.stderr:
        sys.exit(f"{path} fails, but not with: {text}\n{result.stderr}")


main()
