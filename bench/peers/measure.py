"""Times every measured case beside a peer, and keeps what was seen in build-bench/results/.

usage: measure.py [--quick] [--cases REGEX] [--clock native|launch|calls|compile ...]
                  [--callers inductor|eager|xla ...] [--through COMMAND]

Each case is timed by a process of its own; COMMAND, if given, starts each of them. A case that is timed
again replaces what was seen of it before, and carries its own date and mode.
"""

import argparse
import json
import re
import shlex
import subprocess
import sys
from datetime import datetime
from itertools import groupby
from pathlib import Path

from matrix import launch_cases, native_cases
from peer import check_frozen

PEER = "inductor"
CAPTURES = "build-bench/captures"
RESULTS = Path("build-bench/results")
PYTHON = "build-bench/venv/bin/python3"
BINARIES = Path("build/bin")
CALLS_A_PROCESS = 2  # a process takes some seconds to begin, and is to be short
CLOCKS = ["native", "launch", "calls", "compile"]


class Measurer:
    def __init__(self, options):
        self.options = options
        self.quick = ["--quick"] if options.quick else []
        self.kernels = {kernel["kernel"] for kernel in
                        json.loads(self.output_of([BINARIES / "tilewright", "list", "--json"], []))}

    def output_of(self, command, through=None, expected=(0,)):
        through = shlex.split(self.options.through) if through is None else through
        print(*command, file=sys.stderr)
        finished = subprocess.run([*through, *map(str, command)], check=False,
                                  stdout=subprocess.PIPE, text=True)
        if finished.returncode not in expected:
            sys.exit(f"{command[0]} exits with {finished.returncode}")
        return finished.stdout

    def chosen(self, cases):
        """The cases that are asked for, by family and number of threads."""
        named = [case for case in cases
                 if re.search(self.options.cases, case.folder("", "").name)]
        return groupby(named, lambda case: (case.family, case.threads))

    def keep(self, clock, key, row):
        path = RESULTS / f"{clock}.json"
        rows = json.loads(path.read_text()) if path.exists() else {}
        rows[key] = {**row, "when": datetime.now().isoformat(timespec="minutes"),
                     "quick": self.options.quick, "through": bool(self.options.through)}
        RESULTS.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(rows, indent=1) + "\n")

    def bench(self, case, *arguments):
        """The row of a case, of one whose answer is wrong too: the tool exits with 1 then."""
        text = self.output_of([BINARIES / "tilewright", "bench", case.family, "--shape",
                               shape_of(case), *arguments, "--json", *self.quick], expected=(0, 1))
        return json.loads(text)[0]

    def native(self):
        for (family, _), cases in self.chosen(native_cases()):
            cases = list(cases)
            if family in self.kernels:
                for case in cases:
                    self.keep("native", name_of(case), self.bench(case, "--peer", PEER))
            else:
                for case in cases:
                    text = self.output_of([BINARIES / "tilewright_baseline_bench", family,
                                           shape_of(case), "--peer", PEER, *self.quick])
                    self.keep("native", name_of(case), read_baseline_table(text))

    def launch(self):
        for (family, threads), cases in self.chosen(launch_cases()):
            for case in cases:
                if family in self.kernels:
                    self.keep("launch", name_of(case),
                              self.bench(case, "--clock", "launch", "--peer", PEER, "--threads",
                                         threads))

    def calls(self):
        """The peers' own calls. Inductor finds its code in the cache that captures left."""
        cases = [case for _, group in self.chosen(launch_cases()) for case in group]
        for peer in self.options.callers or callers():
            script = Path(__file__).with_name(f"{peer}.py")
            for some in (cases[i:i + CALLS_A_PROCESS] for i in range(0, len(cases), CALLS_A_PROCESS)):
                names = [f"{case.family}-{shape_of(case)}" for case in some]
                text = self.output_of([PYTHON, script, "calls", *names, "--threads", some[0].threads,
                                       "--cache", f"build-bench/cache/{peer}"])
                for line in text.splitlines():
                    row = json.loads(line)
                    self.keep("calls", f"{peer} {row['family']} {row['shape']} {row['threads']}", row)

    def compile(self):
        """Ours, each in a fresh process, and the peer's from the captures that began cold."""
        for (family, _), cases in self.chosen(native_cases()):
            for case in cases:
                folder = case.folder(CAPTURES, PEER)
                manifest = check_frozen(folder)
                if not manifest["cold_cache"]:
                    continue
                row = {"peer_seconds": manifest["first_call_seconds"],
                       "peer_cpu_seconds": manifest["first_call_cpu_seconds"],
                       "environment": manifest["environment"]}
                if family in self.kernels:
                    ours = self.bench(case, "--clock", "compile")
                    row["ours_first_ms"], row["ours_ms"] = (ours["first_compile_ms"],
                                                            ours["compile_ms"])
                self.keep("compile", name_of(case), row)


def callers():
    """The peers whose calls are timed; JAX is there after `./dev setup --xla`."""
    has_jax = subprocess.run([PYTHON, "-c", "import jax"], stderr=subprocess.DEVNULL, check=False)
    return [PEER, "eager"] + ["xla"] * (has_jax.returncode == 0)


def shape_of(case):
    return f"{case.rows}x{case.columns}"


def name_of(case):
    return f"{case.family} {shape_of(case)}"


def read_baseline_table(text):
    """What tilewright_baseline_bench printed of one case: microseconds and ratio to stream, by name."""
    times = {}
    for line in text.splitlines():
        if match := re.match(r"  (\S.*?) {2,}(\d+\.\d+) +(\d+\.\d+)", line):
            times[match[1]] = {"us": float(match[2]), "to_stream": float(match[3])}
    return {"yardsticks": times}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--cases", default="")
    parser.add_argument("--clock", choices=CLOCKS, nargs="+", default=CLOCKS)
    parser.add_argument("--callers", choices=[PEER, "eager", "xla"], nargs="+")
    parser.add_argument("--through", default="")
    measurer = Measurer(parser.parse_args())
    for clock in measurer.options.clock:
        getattr(measurer, clock)()


if __name__ == "__main__":
    main()
