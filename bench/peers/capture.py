"""Captures what a peer makes of the measured cases, as far as it is missing.

usage: capture.py PEER [--cases REGEX] [--captures FOLDER]

A case is called FAMILY-RxC-THREADS. The shapes of one family and number of threads share a process. On
one thread its first case begins with an empty cache, so that the time of the first call is that of a cold
compile; with more, the cache is kept for timing calls.
"""

import argparse
import re
import subprocess
import sys
from itertools import groupby
from pathlib import Path

from matrix import launch_cases, native_cases
from peer import check_frozen


def missing_cases(peer, pattern, captures):
    """A capture that is there has to be as it was frozen."""
    missing = []
    for case in dict.fromkeys(native_cases() + launch_cases()):
        folder = case.folder(captures, peer)
        if not re.search(pattern, folder.name):
            continue
        if folder.exists():
            check_frozen(folder)
        else:
            missing.append(case)
    return missing


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peer", choices=["inductor"])
    parser.add_argument("--cases", default="")
    parser.add_argument("--captures", default="build-bench/captures")
    options, _ = parser.parse_known_args()
    script = Path(__file__).with_name(f"{options.peer}.py")
    missing = missing_cases(options.peer, options.cases, options.captures)
    failed = False
    for (family, threads), cases in groupby(missing, lambda case: (case.family, case.threads)):
        names = [f"{family}-{case.rows}x{case.columns}" for case in cases]
        cache = [] if threads == 1 else ["--cache", f"build-bench/cache/{options.peer}"]
        finished = subprocess.run([sys.executable, script, "capture", *names, "--threads",
                                   str(threads), "--captures", options.captures, *cache],
                                  check=False)
        failed |= finished.returncode != 0
    sys.exit(failed)


if __name__ == "__main__":
    main()
