"""The generated page: every case has its line, losses stand out, and nothing is made up."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "bench" / "peers"))

from matrix import launch_cases, native_cases  # noqa: E402
from measure import read_baseline_table  # noqa: E402
from report import page  # noqa: E402

RUN = {"when": "2026-01-01T00:00", "quick": True, "through": True}


def timed(ratio, **changes):
    rounds = {"median": ratio, "lowest": ratio - 0.01, "highest": ratio + 0.01, "wins": 1, "rounds": 2}
    return {"median_us": 12.5, "check_ok": True, "ratio_hand_written": 1.1, "ratio_stream": 1.5,
            "noise": {"lowest": 0.98, "highest": 1.02},
            "peers": [{"name": "inductor", "median_us": 12.5 / ratio, "ratio": ratio,
                       "rounds": rounds, "refusal": None}], **RUN, **changes}


def lines_of(case, **results):
    text = page({"native": {}, "launch": {}, "calls": {}, "compile": {}, **results})
    return [line for line in text.splitlines() if line.startswith(f"| {case} |")]


class Page(unittest.TestCase):
    def test_every_case_has_its_line(self):
        text = page({"native": {"swiglu 17x65": timed(0.5)}, "launch": {}, "calls": {},
                     "compile": {}})
        for case in native_cases() + launch_cases():
            self.assertIn(f"\n| {case.family} {case.rows}x{case.columns} | ", text)
        self.assertIn("1 of 1 timed cases", text)

    def test_a_win(self):
        self.assertEqual(lines_of("swiglu 129x768", native={"swiglu 129x768": timed(0.5)}),
                         ["| swiglu 129x768 | 12.5 | 25 | 0.50 (0.49–0.51) | 1.10 | 1.50 | 3.00 | "
                          "0.98–1.02 |"])

    def test_a_loss_is_bold(self):
        self.assertIn("| **1.25** (1.24–1.26) |",
                      lines_of("swiglu 129x768", native={"swiglu 129x768": timed(1.25)})[0])

    def test_a_refused_peer_has_no_ratio(self):
        row = timed(0.5)
        row["peers"][0].update(median_us=None, ratio=None, rounds=None, refusal="wrong answer")
        self.assertIn("| 12.5 | – | wrong answer |",
                      lines_of("swiglu 129x768", native={"swiglu 129x768": row})[0])

    def test_a_wrong_kernel_has_no_time(self):
        self.assertIn("| WRONG |", lines_of("swiglu 129x768", native={
            "swiglu 129x768": timed(0.5, check_ok=False, median_us=None)})[0])

    def test_a_family_without_kernel(self):
        times = {"stream plain": {"us": 2.0}, "c": {"us": 9.0}, "avx2": {"us": 6.0},
                 "inductor": {"us": 8.0}}
        native = {"rope 129x768": {"yardsticks": times, **RUN}}
        self.assertEqual(lines_of("rope 129x768", native=native),
                         ["| rope 129x768 | no kernel | 8 | – | 0.75 (yardstick) | – | 4.00 | – |"])
        self.assertEqual(lines_of("rope 64x128", native=native),
                         ["| rope 64x128 | no kernel | – | – | – | – | – | – |"])


class BaselineTable(unittest.TestCase):
    def test_lines_with_times(self):
        text = ("\nrope 17x66                             us   / stream     / best\n"
                "  stream plain                     0.1194      1.000      0.228  stream\n"
                "  c                          refused: wrong\n"
                "  avx2                             0.5305      4.395      1.000  best\n")
        self.assertEqual(read_baseline_table(text)["yardsticks"],
                         {"stream plain": {"us": 0.1194, "to_stream": 1.0},
                          "avx2": {"us": 0.5305, "to_stream": 4.395}})


if __name__ == "__main__":
    unittest.main()
