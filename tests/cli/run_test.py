"""`tilewright run`: answers, and the message for every input that cannot be used."""

import json
import unittest

import numpy as np
from tool import ToolTest

COPY_TILE = """
tile.kernel @copy(%x: !tile.view<const ?x5xf32>, %y: !tile.view<?x5xf32>) {
  tile.axis @r = %x[0] : !tile.view<const ?x5xf32>
  tile.axis @c = %x[1] : !tile.view<const ?x5xf32>
  tile.parallel (%row) over [@r] {
    %v = tile.load %x[%row, @c] : !tile.view<const ?x5xf32> -> !tile.tile<[c:5], f32>
    tile.store %v, %y[%row, @c] : !tile.tile<[c:5], f32>, !tile.view<?x5xf32>
  }
}
"""


class Answers(ToolTest):
    def check_add(self, *options):
        a, b = self.floats(7, 13, seed=1), self.floats(7, 13, seed=2)
        y = self.folder / "y.npy"
        self.succeed("run", "add", self.save("a.npy", a), self.save("b.npy", b), "--out", y,
                     *options)
        np.testing.assert_array_equal(np.load(y), a + b)

    def test_add(self):
        self.check_add()

    def test_add_by_reference(self):
        self.check_add("--reference")

    def test_add_on_one_and_on_two_threads(self):
        self.check_add("--threads", 1)
        self.check_add("--threads", 2)

    def test_add_with_a_plan(self):
        self.check_add("--plan", '{"width":4}')

    def test_rms_norm(self):
        x, gamma = self.floats(17, 65), self.floats(65)
        y = self.folder / "y.npy"
        self.succeed("run", "rms_norm", self.save("x.npy", x), self.save("g.npy", gamma), "--out", y)
        wide = x.astype(np.float64)
        want = wide / np.sqrt(np.mean(wide * wide, axis=1, keepdims=True) + 1e-6) * gamma
        np.testing.assert_allclose(np.load(y), want, rtol=5e-5, atol=5e-5)

    def test_output_is_an_ordinary_npy_file(self):
        y = self.folder / "y.npy"
        self.succeed("run", "copy", self.save("x.npy", self.floats(3, 4)), "--out", y)
        array = np.load(y)
        self.assertEqual((array.dtype, array.shape), (np.float32, (3, 4)))
        self.assertTrue(array.flags.c_contiguous)

    def test_no_rows(self):
        y = self.folder / "y.npy"
        self.succeed("run", "copy", self.save("x.npy", self.floats(0, 4)), "--out", y)
        self.assertEqual(np.load(y).shape, (0, 4))

    def test_versions_2_and_3_of_the_format(self):
        x = self.floats(3, 4)
        for version in [(2, 0), (3, 0)]:
            path = self.folder / "x.npy"
            with open(path, "wb") as file:
                np.lib.format.write_array(file, x, version=version)
            y = self.folder / "y.npy"
            self.succeed("run", "copy", path, "--out", y)
            np.testing.assert_array_equal(np.load(y), x)

    def test_json(self):
        x = self.save("x.npy", self.floats(3, 4))
        answer = json.loads(self.succeed("run", "copy", x, "--out", self.folder / "y.npy", "--json",
                                         "--threads", 2))
        self.assertEqual(answer["kernel"], "copy")
        self.assertEqual(answer["threads"], 2)
        self.assertGreater(answer["compile_ms"], 0)
        self.assertIsInstance(answer["plan"], str)

    def test_tile_file(self):
        tile = self.folder / "copy.tile"
        tile.write_text(COPY_TILE)
        x = self.floats(9, 5)
        y = self.folder / "y.npy"
        for options in [[], ["--reference"]]:
            self.succeed("run", tile, self.save("x.npy", x), "--out", y, *options)
            np.testing.assert_array_equal(np.load(y), x)

    def test_stop_after_prints_ir(self):
        x = self.save("x.npy", self.floats(3, 4))
        self.assertIn("tile.kernel @copy", self.succeed("run", "copy", x, "--stop-after=simplify"))
        self.assertFalse((self.folder / "y.npy").exists())


class Refusals(ToolTest):
    def setUp(self):
        super().setUp()
        self.x = self.save("x.npy", self.floats(3, 4))
        self.gamma = self.save("gamma.npy", self.floats(4))
        self.y = self.folder / "y.npy"

    def refused(self, message, *inputs, kernel="rms_norm"):
        self.assert_refused(message, "run", kernel, *inputs, "--out", self.y)
        self.assertFalse(self.y.exists())

    def test_unknown_kernel(self):
        result = self.run_tool("run", "no_such_kernel", self.x, "--out", self.y)
        self.assertRegex(result.stderr, "^tilewright: there is no kernel 'no_such_kernel'; the "
                                        "kernels are add, .* \\(or give a FILE.tile\\)\n$")
        self.assertEqual(result.returncode, 2)

    def test_missing_file(self):
        missing = self.folder / "missing.npy"
        self.refused(f"{missing}: there is no such file", missing, self.gamma)

    def test_folder(self):
        self.refused(f"{self.folder}: it is not a regular file; give a .npy file", self.folder,
                     self.gamma)

    def test_not_npy(self):
        path = self.folder / "x.npy"
        path.write_bytes(b"PK\x03\x04 something else")
        self.refused(f"{path}: it is not a .npy file; save it with numpy.save", path, self.gamma)

    def test_empty_file(self):
        path = self.folder / "x.npy"
        path.write_bytes(b"")
        self.refused(f"{path}: it is not a .npy file; save it with numpy.save", path, self.gamma)

    def test_unknown_version(self):
        self.x.write_bytes(b"\x93NUMPY\x04\x00" + self.x.read_bytes()[8:])
        self.refused(f"{self.x}: it has version 4.0 of the .npy format; versions 1 to 3 are known",
                     self.x, self.gamma)

    def test_truncated_header(self):
        self.x.write_bytes(self.x.read_bytes()[:40])
        self.refused(f"{self.x}: it is truncated: the file ends after 40 bytes, inside its header",
                     self.x, self.gamma)

    def test_truncated_data(self):
        self.x.write_bytes(self.x.read_bytes()[:-10])
        self.refused(f"{self.x}: it is truncated: shape (3, 4) of f32 takes 48 bytes, and 38 are "
                     "there", self.x, self.gamma)

    def test_trailing_bytes(self):
        self.x.write_bytes(self.x.read_bytes() + b"more")
        self.refused(f"{self.x}: it has 4 bytes after its data; one file holds one array", self.x,
                     self.gamma)

    def test_damaged_header(self):
        self.x.write_bytes(self.x.read_bytes().replace(b"'shape'", b"'shame'"))
        self.refused(f"{self.x}: its header is damaged; save it again with numpy.save", self.x,
                     self.gamma)

    def test_huge_shape(self):
        header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (9000000000000000000, 9), }\n"
        self.x.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)
        self.refused(f"{self.x}: its shape (9000000000000000000, 9) holds more bytes than a file can",
                     self.x, self.gamma)

    def test_fortran_order(self):
        path = self.save("f.npy", np.asfortranarray(self.floats(3, 4)))
        self.refused(f"{path}: it is in Fortran order; save numpy.ascontiguousarray of it", path,
                     self.gamma)

    def test_big_endian(self):
        path = self.save("b.npy", self.floats(3, 4).astype(">f4"))
        self.refused(f"{path}: it has big-endian elements ('>f4'); convert it with .astype('<f4')",
                     path, self.gamma)

    def test_objects(self):
        path = self.save("o.npy", np.array([None, 3]))
        self.refused(f"{path}: it holds Python objects; convert it with .astype(numpy.float32)",
                     path, self.gamma)

    def test_structured_elements(self):
        path = self.save("s.npy", np.zeros(3, dtype=[("a", "<f4"), ("b", "<i4")]))
        self.refused(f"{path}: it has structured elements; save one plain array per field", path,
                     self.gamma)

    def test_unknown_elements(self):
        path = self.save("h.npy", np.zeros(3, np.complex64))
        self.refused(f"{path}: it has elements of type '<c8'; known are float32, float64, int8 to "
                     "int64, uint8 to uint64 and bool", path, self.gamma)

    def test_too_many_dimensions(self):
        path = self.save("d.npy", np.zeros([1] * 9, np.float32))
        self.refused(f"{path}: it has 9 dimensions; at most 8 are supported", path, self.gamma)

    def test_element_type(self):
        path = self.save("d.npy", np.zeros((3, 4)))
        self.refused(f"{path}: it has elements of type f64, but argument x is f32 of rank 2 of "
                     "rms_norm; convert the array", path, self.gamma)

    def test_rank(self):
        self.refused(f"{self.gamma}: it has rank 1 (shape 4), but argument x is f32 of rank 2 of "
                     "rms_norm; reshape the array", self.gamma, self.gamma)

    def test_extent(self):
        path = self.save("g.npy", self.floats(5))
        self.refused(f"{path}: it has shape 5, but argument gamma of rms_norm needs 4 beside the "
                     "other inputs", self.x, path)

    def test_too_few_inputs(self):
        self.refused("rms_norm reads 2 arrays (x, gamma), and 1 was given", self.x)

    def test_too_many_inputs(self):
        self.refused("rms_norm reads 2 arrays (x, gamma), and 3 were given", self.x, self.gamma,
                     self.gamma)

    def test_outputs(self):
        self.assert_refused("rms_norm writes 1 array (y), and --out names 0", "run", "rms_norm",
                            self.x, self.gamma)

    def test_unwritable_output(self):
        y = self.folder / "no" / "y.npy"
        self.assert_refused(f"{y}: it cannot be written: No such file or directory", "run", "copy",
                            self.x, "--out", y)

    def test_missing_tile_file(self):
        tile = self.folder / "missing.tile"
        self.refused(f"{tile}: it cannot be read; give a file with tile IR", self.x,
                     kernel=str(tile))

    def test_broken_tile_file(self):
        tile = self.folder / "broken.tile"
        tile.write_text("tile.kernel @k(\n")
        result = self.run_tool("run", tile, self.x, "--out", self.y)
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, f"^tilewright: .*broken.tile:[0-9]+: .*\n$")

    def test_unknown_stage(self):
        result = self.run_tool("run", "copy", self.x, "--stop-after=nowhere")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, "^tilewright: no stage is called 'nowhere'; the stages are .*"
                                        "simplify.*\n$")

    def test_unknown_plan_key(self):
        result = self.run_tool("run", "copy", self.x, "--out", self.y, "--plan", '{"widht":8}')
        self.assertEqual(result.returncode, 2)
        self.assertIn("widht", result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)

    def test_unknown_isa(self):
        result = self.run_tool("run", "copy", self.x, "--out", self.y, "--isa", "x86-64-v9")
        self.assertEqual(result.returncode, 2)
        self.assertIn("x86-64-v9", result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
