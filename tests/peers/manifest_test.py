"""A capture is used only as it was frozen."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "bench" / "peers"))

from peer import FAMILIES, Case, Peer, Refused, check_frozen, freeze  # noqa: E402


class Manifest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tilewright-peers-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "kernel.so").write_bytes(b"abc")
        (self.folder / "sources").mkdir()
        (self.folder / "sources" / "kernel.cpp").write_text("source")
        freeze(self.folder, {"peer": "stand-in"})

    def assert_refused(self, why):
        with self.assertRaises(Refused) as caught:
            check_frozen(self.folder)
        self.assertIn(why, str(caught.exception))

    def test_hashes_every_file(self):
        manifest = check_frozen(self.folder)
        self.assertEqual(manifest["peer"], "stand-in")
        self.assertEqual(sorted(manifest["files"]), ["kernel.so", "sources/kernel.cpp"])
        self.assertEqual(manifest["files"]["kernel.so"],
                         "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")

    def test_changed_file(self):
        (self.folder / "kernel.so").write_bytes(b"abd")
        self.assert_refused("kernel.so was changed after the capture")

    def test_missing_file(self):
        (self.folder / "kernel.so").unlink()
        self.assert_refused("kernel.so is missing")

    def test_new_file(self):
        (self.folder / "other.so").write_bytes(b"abc")
        self.assert_refused("other.so was added after the capture")

    def test_no_manifest(self):
        (self.folder / "manifest.json").unlink()
        self.assert_refused("has no manifest.json")

    def test_other_format(self):
        path = self.folder / "manifest.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), "format": 0}))
        self.assert_refused("is of format 0, not 1")


class Cases(unittest.TestCase):
    def test_arguments_end_with_the_output(self):
        for family in FAMILIES:
            arguments = Case(family, 3, 8).arguments()
            self.assertEqual(arguments[-1], ("y", (3, 8), "float32"))
        self.assertEqual(Case("rope", 3, 8).arguments()[1], ("cos", (3, 4), "float32"))

    def test_folder_is_where_the_tool_looks(self):
        self.assertEqual(Case("rope", 17, 66, 2).folder("captures", "inductor"),
                         Path("captures/inductor/rope-17x66-2"))

    def test_a_peer_refuses_what_it_does_not_do(self):
        peer = Peer()
        peer.name = "stand-in"
        with self.assertRaisesRegex(Refused, "stand-in makes no library"):
            peer.capture(Case("rope", 2, 2), "folder")
        with self.assertRaisesRegex(Refused, "stand-in has no calls"):
            peer.time_calls(Case("rope", 2, 2), 1, 0.1)


if __name__ == "__main__":
    unittest.main()
