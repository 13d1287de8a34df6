"""The measured cases: 24 on the native clock, 15 on the launch clock."""

import os

from peer import FAMILIES, Case

LAUNCH = {"rms_norm": ["1x4096", "17x65", "17x16384", "64x256", "1024x4096"],
          "layer_norm": ["1x4096", "17x16384", "1024x4096"],
          "masked_softmax": ["64x4096"],
          "swiglu": ["17x65", "1024x4096"],
          "gelu_residual": ["17x65", "1024x4096"],
          "rope": ["17x66", "64x128"]}


def native_shapes(family):
    """Rows of rope are of even length."""
    odd = family != "rope"
    return ["17x65" if odd else "17x66", "129x768", "257x1538", "1024x4097" if odd else "1024x4098"]


def workers():
    return len(os.sched_getaffinity(0))


def case_of(family, shape, threads):
    rows, columns = map(int, shape.split("x"))
    return Case(family, rows, columns, threads)


def native_cases():
    return [case_of(family, shape, 1) for family in FAMILIES for shape in native_shapes(family)]


def launch_cases():
    return [case_of(family, shape, workers()) for family in FAMILIES for shape in LAUNCH[family]]
