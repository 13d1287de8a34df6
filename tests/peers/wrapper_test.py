"""What is read from TorchInductor's wrappers, and which wrappers are refused."""

import sys
import unittest
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "bench" / "peers"))

from peer import Refused  # noqa: E402
from wrapper import Integer, Pointer, read_wrapper  # noqa: E402

KERNEL = """
first = async_compile.cpp_pybinding(['const float*', 'float*'], r'''first source''')
second = async_compile.cpp_pybinding(['const float*', 'float*', 'const int64_t'], '''second source''')
"""

CALL = """
class Runner:
    def call(self, args):
        arg0_1, = args
        args.clear()
        assert_size_stride(arg0_1, (4, 6), (6, 1), 'input')
        buf0 = empty_strided_cpu((4, 1), (1, 4), torch.float32)
        buf1 = empty_strided_cpu((4, 6), (6, 1), torch.float32)
        first(arg0_1, buf0)
        buf2 = buf1; del buf1  # reuse
        second(buf0, buf2, 6)
        return (buf2, )
"""


def read(*changes):
    """The program of the wrapper above with texts replaced; each has to be there."""
    text = KERNEL + CALL
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return read_wrapper(text)


class Read(unittest.TestCase):
    def test_kernels(self):
        kernels = read().kernels
        self.assertEqual(list(kernels), ["first", "second"])
        self.assertEqual(kernels["first"].source, "first source")
        self.assertEqual(kernels["second"].types, ["const float*", "float*", "const int64_t"])

    def test_buffers(self):
        self.assertEqual([(buffer.name, buffer.kind, buffer.bytes()) for buffer in read().buffers],
                         [("arg0_1", "input", 96), ("buf0", "scratch", 16), ("buf1", "output", 96)])

    def test_steps_follow_a_reused_buffer(self):
        first, second = read().steps
        self.assertEqual((first.kernel, first.arguments), ("first", [Pointer(0), Pointer(1)]))
        self.assertEqual((second.kernel, second.arguments),
                         ("second", [Pointer(1), Pointer(2), Integer(6)]))

    def test_views_have_offsets_in_bytes(self):
        program = read(("second(buf0, buf2, 6)",
                        "second(reinterpret_tensor(buf2, (4, 3), (6, 1), 3), buf2, 6)"))
        self.assertEqual(program.steps[1].arguments[0], Pointer(2, 12))

    def test_a_view_of_the_whole_result_is_the_result(self):
        program = read(("return (buf2, )",
                        "return (reinterpret_tensor(buf2, (24, ), (1, ), 0), )"))
        self.assertEqual(program.buffers[2].kind, "output")

    def test_padded_rows_count(self):
        program = read(("buf0 = empty_strided_cpu((4, 1), (1, 4), torch.float32)",
                        "buf0 = empty_strided_cpu((4, 6), (16, 1), torch.float64)"))
        self.assertEqual(program.buffers[1].bytes(), (3 * 16 + 5 + 1) * 8)

    def test_call_at_the_top(self):
        body = CALL[CALL.index("    def call"):].replace("\n    ", "\n").removeprefix("    ")
        self.assertEqual(len(read_wrapper(KERNEL + body.replace("self, ", "")).steps), 2)


class Samples(unittest.TestCase):
    """Wrappers as Inductor 2.14 writes them, for 17 rows of 65."""

    def buffers(self, name):
        program = read_wrapper((HERE / "samples" / f"{name}.py.txt").read_text())
        self.assertEqual(len(program.steps), 1)
        return [(program.buffers[argument.buffer].kind, program.buffers[argument.buffer].dtype,
                 program.buffers[argument.buffer].bytes())
                for argument in program.steps[0].arguments]

    def test_layer_norm(self):
        self.assertEqual(self.buffers("layer_norm"),
                         [("scratch", "float32", 68), ("input", "float32", 4420),
                          ("input", "float32", 260), ("input", "float32", 260),
                          ("scratch", "float32", 68), ("output", "float32", 4420)])

    def test_masked_softmax(self):
        self.assertEqual(self.buffers("masked_softmax"),
                         [("input", "bool", 1105), ("input", "float32", 4420),
                          ("scratch", "float32", 68), ("scratch", "float32", 68),
                          ("output", "float32", 4420)])


class Refusals(unittest.TestCase):
    def assert_refused(self, why, *changes):
        with self.assertRaises(Refused) as caught:
            read(*changes)
        self.assertIn(why, str(caught.exception))

    def test_another_library_does_the_work(self):
        self.assert_refused("line 12: this call is no C++ kernel of the wrapper: "
                            "extern_kernels.mm(arg0_1, buf0)",
                            ("first(arg0_1, buf0)", "extern_kernels.mm(arg0_1, buf0)"))

    def test_a_result_of_another_library(self):
        self.assert_refused("this is no tensor that the reader understands",
                            ("first(arg0_1, buf0)", "buf3 = torch.ops.aten.mm(arg0_1, buf0)"))

    def test_another_kind_of_kernel(self):
        self.assert_refused("only C++ kernels with Python bindings are understood",
                            ("async_compile.cpp_pybinding(['const float*', 'float*'], ",
                             "async_compile.triton("))

    def test_no_kernel(self):
        with self.assertRaisesRegex(Refused, "has no C\\+\\+ kernel"):
            read_wrapper(CALL)

    def test_no_call(self):
        with self.assertRaisesRegex(Refused, "0 functions named call"):
            read_wrapper(KERNEL)

    def test_control_flow(self):
        self.assert_refused("this statement is not understood",
                            ("first(arg0_1, buf0)", "if True: first(arg0_1, buf0)"))

    def test_symbolic_extents(self):
        self.assert_refused("only literal values are understood",
                            ("empty_strided_cpu((4, 6)", "empty_strided_cpu((s0, 6)"))

    def test_an_input_that_may_be_written(self):
        self.assert_refused("this input may be written", ("first(arg0_1, buf0)", "first(buf0, arg0_1)"))

    def test_an_unknown_element_type(self):
        self.assert_refused("this element type is not known",
                            ("(1, 4), torch.float32", "(1, 4), torch.complex64"))

    def test_a_wrong_number_of_arguments(self):
        self.assert_refused("the kernel has 2 parameters", ("first(arg0_1, buf0)", "first(arg0_1)"))

    def test_a_number_of_an_unknown_type(self):
        self.assert_refused("an argument of type const double is not understood",
                            ("'const int64_t'", "'const double'"))

    def test_an_unknown_pointer(self):
        self.assert_refused("a pointer of type bfloat16* is not understood",
                            ("['const float*', 'float*'],", "['const float*', 'bfloat16*'],"))

    def test_an_unknown_name(self):
        self.assert_refused("this name is not a tensor", ("first(arg0_1, buf0)", "first(arg0_1, c0)"))

    def test_a_result_that_is_an_input(self):
        self.assert_refused("the result is an input", ("return (buf2, )", "return (arg0_1, )"))

    def test_several_results(self):
        self.assert_refused("one result is understood", ("return (buf2, )", "return (buf2, buf0)"))

    def test_a_result_inside_a_larger_buffer(self):
        self.assert_refused("the result is a part of a larger buffer",
                            ("return (buf2, )",
                             "return (reinterpret_tensor(buf2, (4, 3), (6, 1), 0), )"))

    def test_a_result_that_no_kernel_writes(self):
        self.assert_refused("no kernel uses", ("return (buf2, )", "return (buf9, )"),
                            ("first(arg0_1, buf0)",
                             "buf9 = empty_strided_cpu((4, 6), (6, 1), torch.float32)\n"
                             "        first(arg0_1, buf0)"))

    def test_an_input_of_unknown_extents(self):
        self.assert_refused("does not say what extents arg0_1 has",
                            ("assert_size_stride(arg0_1, (4, 6), (6, 1), 'input')", "args.clear()"))

    def test_an_input_read_as_two_types(self):
        self.assert_refused("this input is read as float32 and as bool",
                            ("second(buf0, buf2, 6)", "second(arg0_1, buf2, 6)"),
                            ("['const float*', 'float*', 'const int64_t']",
                             "['const bool*', 'float*', 'const int64_t']"))

    def test_nothing_returned(self):
        self.assert_refused("no return", ("        return (buf2, )\n", ""))


if __name__ == "__main__":
    unittest.main()
