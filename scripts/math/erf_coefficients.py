#!/usr/bin/env python3
"""Prints src/native/math/erf_coefficients.h: the constants of erf for f32. Needs NumPy.

For t = |x|, with m = min(t, b), erf(t) = m + m P_j(m t - c_j): the first piece is t < b, where m t is t^2 and
erf(t) / t is a series of that; in the others m is b, and the argument is a multiple of t. What is added to m is
at most a quarter of it, so that only the last rounding counts in full.

Polynomials make the largest error as small as possible: least squares whose weights grow where errors are large
(Lawson), and rounding of one coefficient after the other, each followed by a new fit of those that are left.

    /usr/bin/python3 scripts/math/erf_coefficients.py > src/native/math/erf_coefficients.h
"""

import math

import numpy

DEGREE = 7
BOUNDS = [1.125, 1.84375, 2.75]
LIMIT = 3.9375  # From here on erf is 1 for f32.


def to_f32(value):
    return float(numpy.float32(value))


def fit(basis, target, weights):
    """Factors of the columns of `basis` that are nearest to `target`."""
    lawson, best, factors = numpy.ones(len(target)), math.inf, None
    for _ in range(200):
        scale = (weights * numpy.sqrt(lawson))[:, None]
        found = numpy.linalg.lstsq(basis * scale, target * scale[:, 0], rcond=None)[0]
        errors = numpy.abs(basis @ found - target) * weights
        if errors.max() < best:
            best, factors = errors.max(), found
        lawson = lawson * errors
        lawson = numpy.maximum(lawson / lawson.mean(), 1e-12)
    return factors


def piece(low, high):
    """The piece's center, its coefficients, and its error in units of the last place of erf."""
    saturation = BOUNDS[0]
    first = low == 0
    ends = (0, high * high) if first else (saturation * low, saturation * high)
    center = to_f32((ends[0] + ends[1]) / 2)
    argument = center + (ends[1] - ends[0]) / 2 * numpy.cos(numpy.linspace(0, math.pi, 600))
    argument = numpy.maximum(argument, 1e-9)
    t = numpy.sqrt(argument) if first else argument / saturation
    m = t if first else numpy.full(len(t), saturation)
    erf = numpy.array([math.erf(value) for value in t])
    weights = m * 2.0 ** (24 - numpy.frexp(erf)[1])
    u = argument - center
    reach = numpy.abs(u).max()
    rounded, left = [], erf / m - 1
    for power in range(DEGREE + 1):
        basis = numpy.stack([(u / reach) ** k for k in range(power, DEGREE + 1)], axis=1)
        factors = fit(basis, left, weights)
        rounded.append(to_f32(factors[0] / reach**power))
        left = left - rounded[-1] * u**power
    return center, rounded, (numpy.abs(left) * weights).max()


def literal(value):
    return float(value).hex() + "f"


def main():
    ends = [0.0] + BOUNDS + [LIMIT]
    pieces = [piece(low, high) for low, high in zip(ends, ends[1:])]
    errors = ", ".join(f"{error:.2f}" for _, _, error in pieces)
    # A piece's number is minus the number of bounds below t, of which look-ups take two bits.
    order = [pieces[0], pieces[3], pieces[2], pieces[1]]
    print("// Made by scripts/math/erf_coefficients.py; do not edit.")
    print("#pragma once")
    print()
    print("namespace tilewright::native {")
    print()
    print("/// erf(t) = m + m P(m t - center), where m = min(t, bounds[0]), and entry -j mod 4 of each table is of")
    print("/// the piece above j bounds. In units of the last place the pieces are within")
    print(f"/// {errors} before P is rounded. From `limit` on erf is 1.")
    print("struct ErfF32 {")
    print("  static constexpr float bounds[] = {" + ", ".join(literal(b) for b in BOUNDS) + "};")
    print(f"  static constexpr float limit = {literal(LIMIT)};")
    print("  static constexpr float minus_centers[4] = {" + ", ".join(literal(-p[0]) for p in order) + "};")
    print("  /// Of 1, u, u^2, ...")
    print(f"  static constexpr float coefficients[{DEGREE + 1}][4] = {{")
    for power in range(DEGREE + 1):
        print("      {" + ", ".join(literal(p[1][power]) for p in order) + "},")
    print("  };")
    print("};")
    print()
    print("} // namespace tilewright::native")


main()
