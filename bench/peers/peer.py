"""What the peers have in common: cases, refusals, and captures frozen by hash.

A peer is another compiler, or a library, for the same job. Two kinds of evidence come from one:

- a capture: a folder with the machine code that the peer makes for a case, everything that it was made
  from, and `manifest.json`, which says how to call it and has the hash of every file. The project's
  own timer loads and times it (`tilewright bench --peer NAME`).
- call times: the peer's own calls, timed in a process of its own. These include what a call costs the
  peer's user, and share no round with anybody.

A peer gives what it can and refuses the rest with a reason.
"""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

FAMILIES = ["rms_norm", "layer_norm", "masked_softmax", "swiglu", "gelu_residual", "rope"]
MANIFEST = "manifest.json"
FORMAT = 1


class Refused(Exception):
    """Something that a peer cannot do, or that is not as it must be; the text says what and why."""


@dataclass(frozen=True)
class Case:
    family: str
    rows: int
    columns: int
    threads: int = 1

    def __str__(self):
        return f"{self.family} {self.rows}x{self.columns} on {self.threads} threads"

    def arguments(self):
        """Name, extents and type of each argument, as in KERNELS: the output is last."""
        rows, columns = self.rows, self.columns
        full, row, half = (rows, columns), (columns,), (rows, columns // 2)
        inputs = {"rms_norm": [("x", full, "float32"), ("gamma", row, "float32")],
                  "layer_norm": [("x", full, "float32"), ("gamma", row, "float32"),
                                 ("beta", row, "float32")],
                  "masked_softmax": [("scores", full, "float32"), ("mask", full, "bool")],
                  "swiglu": [("a", full, "float32"), ("b", full, "float32")],
                  "gelu_residual": [("x", full, "float32"), ("r", full, "float32")],
                  "rope": [("x", full, "float32"), ("cos", half, "float32"),
                           ("sin", half, "float32")]}[self.family]
        return [*inputs, ("y", full, "float32")]

    def folder(self, captures, peer):
        """Where the capture of a peer lies; the tool looks in the same place."""
        return Path(captures, peer,
                    f"{self.family}-{self.rows}x{self.columns}-{self.threads}")


class Peer:
    """The interface. Both methods raise Refused for what the peer does not do."""

    name = ""

    def __init__(self, cache=None):
        """`cache` is a folder for what the peer keeps between its runs; None is an empty one."""

    def capture(self, case, folder):
        """Fills an empty folder and freezes it."""
        raise Refused(f"{self.name} makes no library that could be captured")

    def time_calls(self, case, samples, sample_seconds):
        """CallTimes of the peer's own calls."""
        raise Refused(f"{self.name} has no calls of its own")


@dataclass
class CallTimes:
    first_call_seconds: float
    samples_us: list = field(default_factory=list)


def hash_of(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def freeze(folder, contents):
    """Writes the manifest: the contents, and the hash of every file in the folder."""
    folder = Path(folder)
    files = {str(path.relative_to(folder)): hash_of(path)
             for path in sorted(folder.rglob("*")) if path.is_file() and path.name != MANIFEST}
    manifest = {"format": FORMAT, **contents, "files": files}
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n")
    return manifest


def check_frozen(folder):
    """The manifest of a capture in which no file is missing, changed or new."""
    folder = Path(folder)
    if not (folder / MANIFEST).is_file():
        raise Refused(f"{folder} has no {MANIFEST}")
    manifest = json.loads((folder / MANIFEST).read_text())
    if manifest.get("format") != FORMAT:
        raise Refused(f"{folder / MANIFEST} is of format {manifest.get('format')}, not {FORMAT}")
    for name, expected in manifest["files"].items():
        if not (folder / name).is_file():
            raise Refused(f"{folder / name} is missing")
        if hash_of(folder / name) != expected:
            raise Refused(f"{folder / name} was changed after the capture: its SHA-256 is not the "
                          "manifest's")
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_file() and name != MANIFEST and name not in manifest["files"]:
            raise Refused(f"{path} was added after the capture")
    return manifest
