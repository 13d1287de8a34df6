"""Writes docs/performance/peers.md from what measure.py kept in build-bench/results/.

usage: report.py [--results FOLDER] [--out FILE]

Every measured case is there, losses and cases without a kernel of ours included; a case that was not
timed has dashes.
"""

import argparse
import json
from pathlib import Path
from statistics import median

from matrix import launch_cases, native_cases
from measure import name_of, shape_of

STREAMS = ["stream plain", "stream prefetched", "stream nontemporal"]
CALLERS = ["inductor", "eager", "xla"]
HAND_WRITTEN = ["c", "avx2", "avx512"]


def number(value, form="{:.3g}"):
    return "–" if value is None else form.format(value)


def time_text(microseconds):
    """Three or four digits, never an exponent."""
    if microseconds is None:
        return "–"
    return f"{microseconds:.0f}" if microseconds >= 1000 else f"{microseconds:.4g}"


def call_text(samples_us):
    """The median, and the lowest where that is far from it: threads that wait for one another take
    whole time slices when another process has one of the processors."""
    middle, lowest = median(samples_us), min(samples_us)
    return time_text(middle) + (f" ({time_text(lowest)})" if lowest < 0.8 * middle else "")


def range_text(rounds):
    """"0.45 (0.43–0.47)", bold where the kernel is slower in the median."""
    if not rounds:
        return "–"
    text = f"{rounds['median']:.2f}"
    text = f"**{text}**" if rounds["median"] > 1 else text
    return f"{text} ({rounds['lowest']:.2f}–{rounds['highest']:.2f})"


def table(titles, rows):
    lines = [titles, ["---"] * len(titles), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def fastest(yardsticks, names):
    return min((yardsticks[name] for name in names if name in yardsticks),
               key=lambda entry: entry["us"], default=None)


def native_row(case, row):
    if row is None:
        return [name_of(case)] + ["–"] * 7
    if "yardsticks" in row:  # no kernel of ours: the best yardstick in its place
        best, stream = (fastest(row["yardsticks"], names) for names in (HAND_WRITTEN, STREAMS))
        peer = row["yardsticks"].get("inductor")
        return [name_of(case), "no kernel", time_text(peer and peer["us"]), "–",
                f"{number(best['us'] / peer['us'], '{:.2f}')} (yardstick)" if peer else "–", "–",
                number(peer and peer["us"] / stream["us"], "{:.2f}"), "–"]
    peer = row["peers"][0]
    to_hand, to_stream = row["ratio_hand_written"], row["ratio_stream"]
    peer_to_stream = None
    if peer["ratio"] and to_stream:
        peer_to_stream = to_stream / peer["ratio"]
    ours = time_text(row["median_us"]) if row["check_ok"] else "WRONG"
    return [name_of(case), ours, time_text(peer["median_us"]),
            peer["refusal"] or range_text(peer["rounds"]), number(to_hand, "{:.2f}"),
            number(to_stream, "{:.2f}"), number(peer_to_stream, "{:.2f}"), noise_text(row)]


def noise_text(row):
    noise = row.get("noise")
    return f"{noise['lowest']:.2f}–{noise['highest']:.2f}" if noise else "–"


def launch_row(case, row, calls, without_kernel):
    """The calls of the peers' users were timed in processes of their own."""
    keys = [f"{peer} {name_of(case)} {case.threads}" for peer in CALLERS]
    called = [call_text(calls[key]["samples_us"]) if key in calls else "–" for key in keys]
    if row is None:
        ours = "no kernel" if case.family in without_kernel else "–"
        return [name_of(case), ours, "–", "–", *called, "–"]
    peer = row["peers"][0]
    ours = time_text(row["median_us"]) if row["check_ok"] else "WRONG"
    return [name_of(case), ours, time_text(peer["median_us"]),
            peer["refusal"] or range_text(peer["rounds"]), *called, noise_text(row)]


def compile_row(name, row):
    return [name, number(row.get("ours_first_ms"), "{:.0f}"), number(row.get("ours_ms"), "{:.0f}"),
            number(row["peer_seconds"], "{:.1f}"), number(row["peer_cpu_seconds"], "{:.1f}")]


def conditions(results):
    rows = [row for clock in results.values() for row in clock.values()]
    environment = next(iter(results["compile"].values()), {}).get("environment", {})
    modes = {True: "quick", False: "full"}
    times = sorted(row["when"] for row in rows)
    alone = all(row["through"] for row in rows)
    return (f"Made by `./dev peers` between {times[0]} and {times[-1]} on {environment.get('cpu')}, "
            f"{environment.get('cpu_capability')}, {launch_cases()[0].threads} virtual processors of a "
            f"shared machine{', its other work stopped during each timing' if alone else ''}. "
            f"Samples: {' and '.join(sorted({modes[row['quick']] for row in rows}))} mode of the timer. "
            f"PyTorch {environment.get('torch')}, {environment.get('compiler')}.")


def page(results):
    native, launch, calls = results["native"], results["launch"], results["calls"]
    wins = [row["peers"][0]["ratio"] < 1 for row in native.values()
            if "peers" in row and row["peers"][0]["ratio"]]
    without_kernel = {name.split()[0] for name, row in native.items() if "yardsticks" in row}
    launch_wins = [row["peers"][0]["ratio"] < 1 for row in launch.values()
                   if row["peers"][0]["ratio"]]
    return f"""# Beside TorchInductor

Generated; do not edit. {conditions(results)}

[inductor.md](inductor.md) says what Inductor's code does. How it gets here: `./dev capture inductor`
freezes the C++ and the library that `torch.compile` makes with its defaults, by hash, and the timer of
every other benchmark here calls that library on the same arrays, with the same checks, in the same rounds.

## Native clock, one thread

{sum(wins)} of {len(wins)} timed cases are faster than Inductor's kernel. Ratios are medians over rounds, with
the lowest and the highest; bold is slower. "Noise" is the range of the same object against itself. Where
there is no kernel of ours, the best yardstick of `bench/baseline/` stands in the column of yardsticks, over
Inductor.

{table(["case", "ours, µs", "Inductor, µs", "ours ÷ Inductor", "ours ÷ best yardstick",
        "ours ÷ stream", "Inductor ÷ stream", "noise"],
       [native_row(case, native.get(name_of(case))) for case in native_cases()])}
## Launch clock, all workers

{sum(launch_wins)} of {len(launch_wins)} timed cases are faster. Ours is an API call to its completion, launch
checks included; "Inductor's kernel" is only the generated function with its OpenMP loop, called from C++ and
with its scratch buffers allocated once, in the same rounds. The other three times are what a user calls
from Python, in processes of their own: `torch.compile`'s function, eager PyTorch, and JAX's compiled function.
They include Python and the allocation of the result; in parentheses the lowest of seven samples where it is
more than a fifth below their median. Multiples of 4 ms are time slices: a thread waited for one that another
process kept from its processor. A dash was not timed: its process did not end in time.

{table(["case", "ours, µs", "Inductor's kernel, µs", "ours ÷ Inductor's kernel",
        "compiled call, µs", "eager call, µs", "XLA call, µs", "noise"],
       [launch_row(case, launch.get(name_of(case)), calls, without_kernel)
        for case in launch_cases()])}
## Compile clock

Ours: the first compile of a fresh process, and the median of those after it. Inductor: the first call in a
fresh process with an empty cache, importing PyTorch not counted, by the clock on the wall and by the processor
time of Python and of the C++ compiler. The machine was shared while Inductor compiled, so its wall time says
little.

{table(["case", "ours, first, ms", "ours, later, ms", "Inductor, wall, s", "Inductor, processor, s"],
       [compile_row(name, row) for name, row in sorted(results["compile"].items())])}"""


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", default="build-bench/results")
    parser.add_argument("--out", default="docs/performance/peers.md")
    options = parser.parse_args()
    results = {}
    for clock in ["native", "launch", "calls", "compile"]:
        path = Path(options.results, f"{clock}.json")
        results[clock] = json.loads(path.read_text()) if path.exists() else {}
    Path(options.out).write_text(page(results))
    print(f"wrote {options.out}")


if __name__ == "__main__":
    main()
