"""The other commands: exit codes, JSON names, help."""

import json
import unittest

from tool import ToolTest

BENCH_NAMES = {"kernel", "shape", "threads", "clock", "median_us", "samples_us", "check_ok",
               "max_abs_error", "bytes", "plan", "compile_ms", "ratio_stream", "ratio_hand_written",
               "peers"}


class Usage(ToolTest):
    def test_help_has_examples(self):
        self.assertIn("Exit codes", self.succeed("--help"))
        for command in ["list", "run", "check", "bench", "explain", "doctor"]:
            text = self.succeed(command, "--help")
            self.assertIn(f"\n  tilewright {command}", text)
            self.assertIn("JSON: ", text)

    def test_no_command(self):
        self.assert_refused("A subcommand is required; see tilewright --help")

    def test_unknown_command(self):
        result = self.run_tool("rum")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr.count("\n"), 1)

    def test_unknown_option(self):
        result = self.run_tool("list", "--jsno")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, "^tilewright: .*--jsno.*\n$")

    def test_bad_numbers_of_threads(self):
        for threads in ["0", "-1", "many"]:
            self.assertEqual(self.run_tool("explain", "add", "--threads", threads).returncode, 2)

    def test_bad_shapes(self):
        for shape in ["17", "17x", "x5", "17x65x2", "-1x5", "axb", "999999999x999999999"]:
            for command in ["check", "bench", "explain"]:
                self.assert_refused(f"'{shape}' is not a shape; give rows and columns as in --shape "
                                    "257x1538", command, "add", f"--shape={shape}")

    def test_unknown_kernels(self):
        for command in ["check", "bench", "explain"]:
            result = self.run_tool(command, "no_such_kernel")
            self.assertEqual(result.returncode, 2)
            self.assertRegex(result.stderr, "^tilewright: there is no kernel 'no_such_kernel'.*\n$")


class Peers(ToolTest):
    def test_no_capture(self):
        self.assert_peer_refused(f"stranger has no capture {self.folder}/stranger/swiglu-4x8-1; make it "
                                 "with ./dev capture stranger --cases swiglu-4x8-1")

    def test_changed_capture(self):
        folder = self.folder / "stranger" / "swiglu-4x8-1"
        folder.mkdir(parents=True)
        (folder / "kernel.so").write_bytes(b"abc")
        (folder / "manifest.json").write_text(json.dumps({"format": 1, "files": {"kernel.so": "00"}}))
        self.assert_peer_refused(f"the capture in {folder} cannot be used: kernel.so was changed after "
                                 "the capture: its SHA-256 is not the manifest's")

    def assert_peer_refused(self, message):
        result = self.run_tool("bench", "swiglu", "--shape", "4x8", "--quick", "--peer", "stranger",
                               "--captures", self.folder)
        self.assertEqual(result.stderr.splitlines()[-1], f"tilewright: {message}")
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.returncode, 2)


class List(ToolTest):
    def test_text(self):
        self.assertIn("rms_norm", self.succeed("list"))

    def test_json(self):
        kernels = {kernel["kernel"]: kernel for kernel in json.loads(self.succeed("list", "--json"))}
        self.assertEqual(kernels["rms_norm"]["arguments"],
                         ["x in f32 RxC", "gamma in f32 C", "y out f32 RxC"])
        self.assertTrue(all(kernel["summary"] for kernel in kernels.values()))


class Check(ToolTest):
    def test_agreement(self):
        cases = json.loads(self.succeed("check", "add", "--shape", "3x7", "--json"))
        self.assertEqual(len(cases), 1)
        self.assertTrue(cases[0]["check_ok"])
        self.assertTrue(cases[0]["exact"])
        self.assertGreater(cases[0]["plans"], 2)
        self.assertEqual(cases[0]["max_ulp"], 0)

    def test_several_shapes(self):
        text = self.succeed("check", "copy", "--shape", "3x7", "17x65")
        self.assertEqual(text.count("bit for bit"), 2)

    def test_unknown_plan_key(self):
        result = self.run_tool("check", "add", "--shape", "3x7", "--plan", '{"widht":8}')
        self.assertEqual(result.returncode, 2)
        self.assertIn("widht", result.stderr)


class Bench(ToolTest):
    def bench(self, *arguments):
        cases = json.loads(self.succeed("bench", *arguments, "--quick", "--json"))
        for case in cases:
            self.assertLessEqual(BENCH_NAMES, case.keys())
            self.assertTrue(case["check_ok"], case)
            self.assertGreater(case["median_us"], 0)
            self.assertGreater(len(case["samples_us"]), 1)
        return cases

    def test_native_clock(self):
        case, = self.bench("rms_norm", "--shape", "17x65")
        self.assertEqual((case["clock"], case["threads"]), ("native", 1))
        self.assertEqual(case["bytes"], 4 * (17 * 65 * 2 + 65))
        self.assertGreater(case["ratio_hand_written"], 0)
        self.assertGreater(case["ratio_stream"], 0)
        self.assertGreater(case["compile_ms"], 0)
        self.assertLess(case["max_abs_error"], 1e-4)

    def test_launch_clock(self):
        case, = self.bench("rms_norm", "--shape", "17x65", "--clock", "launch", "--threads", 2)
        self.assertEqual((case["clock"], case["threads"]), ("launch", 2))
        self.assertIsNone(case["ratio_hand_written"])

    def test_compile_clock(self):
        case, = self.bench("copy", "--shape", "17x65", "--clock", "compile")
        self.assertEqual(case["clock"], "compile")
        self.assertGreater(case["first_compile_ms"], 0)
        self.assertEqual(case["oracle"], "reference")

    def test_table(self):
        text = self.succeed("bench", "copy", "--shape", "17x65", "--quick")
        self.assertTrue(text.startswith("kernel"))
        self.assertEqual(len(text.splitlines()), 3)

    def test_progress_is_on_standard_error(self):
        result = self.run_tool("bench", "copy", "--shape", "17x65", "--quick", "--json")
        self.assertEqual(result.stderr, "[1/1] copy 17x65\n")

    def test_unknown_clock(self):
        self.assertEqual(self.run_tool("bench", "copy", "--clock", "wall").returncode, 2)


class Explain(ToolTest):
    def test_text(self):
        text = self.succeed("explain", "rms_norm", "--shape", "17x65")
        for part in ["plan  ", "notes", "compile time, ms", "lower"]:
            self.assertIn(part, text)

    def test_json(self):
        answer = json.loads(self.succeed("explain", "rms_norm", "--shape", "17x65", "--json"))
        self.assertIn("width", answer["plan_json"])
        self.assertGreater(answer["compile_ms"], 0)
        self.assertTrue(all(stage["ms"] >= 0 for stage in answer["stages"]))

    def test_stages(self):
        self.assertIn("tile.kernel", self.succeed("explain", "copy", "--stop-after=simplify"))
        self.assertIn("vector", self.succeed("explain", "copy", "--stop-after=packetize"))


class Doctor(ToolTest):
    def test_text(self):
        self.assertIn("missing", self.succeed("doctor"))

    def test_json(self):
        answer = json.loads(self.succeed("doctor", "--json"))
        self.assertTrue(answer["llvm"].startswith("22.1."))
        self.assertIn(answer["isa"], ["x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64"])
        self.assertIsInstance(answer["missing"], list)


if __name__ == "__main__":
    unittest.main()
