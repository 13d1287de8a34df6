"""What every peer's script does: times calls, and has this command line.

usage: PEER.py capture CASE... --threads N [--captures FOLDER] [--cache FOLDER]
       PEER.py calls CASE... --threads N [--samples N] [--sample-seconds S] [--cache FOLDER]

A case is FAMILY-RxC. `calls` prints one line of JSON a case, {"family", "shape", "threads", "first_call_seconds",
"samples_us"}: microseconds per call, one value a sample, after a warm-up as long as a sample.
"""

import argparse
import json
import sys
import time

from matrix import case_of
from peer import Refused


def time_calls(call, samples, sample_seconds):
    """Microseconds per call of `call()`, one value a sample."""

    def run(repetitions):
        begin = time.perf_counter()
        for _ in range(repetitions):
            call()
        return time.perf_counter() - begin

    repetitions = 1
    while (seconds := run(repetitions)) < sample_seconds / 3:
        repetitions *= 2
    repetitions = max(1, round(repetitions * sample_seconds / seconds))
    run(repetitions)
    return [run(repetitions) / repetitions * 1e6 for _ in range(samples)]


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["capture", "calls"])
    parser.add_argument("cases", nargs="+")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--captures", default="build-bench/captures")
    parser.add_argument("--cache", help="a folder for what the peer keeps between its runs; by "
                                        "default an empty one")
    parser.add_argument("--samples", type=int, default=7)
    parser.add_argument("--sample-seconds", type=float, default=0.03)
    return parser.parse_args()


def main(peer_class):
    options = parse_options()
    peer = peer_class(options.cache)
    for name in options.cases:
        family, shape = name.rsplit("-", 1)
        case = case_of(family, shape, options.threads)
        try:
            if options.action == "capture":
                peer.capture(case, case.folder(options.captures, peer.name))
                print(f"{peer.name}: captured {case}", file=sys.stderr)
                continue
            times = peer.time_calls(case, options.samples, options.sample_seconds)
        except Refused as refusal:
            raise SystemExit(f"{peer.name}: {refusal}") from None
        print(json.dumps({"family": case.family, "shape": shape, "threads": case.threads,
                          "first_call_seconds": times.first_call_seconds,
                          "samples_us": times.samples_us}), flush=True)
