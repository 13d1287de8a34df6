#!/usr/bin/env python3
"""Prints src/native/math/exp_coefficients.h: the constants of exp for f32 and f64.

exp(x) = 2^n (1 + r + r^2 Q(r)) with n = round(x / ln 2) and r = x - n ln 2. Q is the polynomial that
makes the largest relative error on |r| <= ln(2)/2 as small as possible, found by Remez exchange in 60
decimal digits and then rounded, one coefficient after the other: each rounding is followed by a new
fit of the coefficients below it, so that they take up the error. For f32 the lowest is 1/2 from the
start: twice that is the 1 of 1 + exp(x) and shares its register, for 0.05 ULP.

    scripts/math/exp_coefficients.py > src/native/math/exp_coefficients.h
"""

import struct
from decimal import Decimal, getcontext

getcontext().prec = 60
LN2 = Decimal(2).ln()
# A little more than half of ln 2: n comes from a rounded product.
REACH = LN2 / 2 * (1 + Decimal(2) ** -18)
GRID = 2000


def round_to_f32(value):
    return Decimal(struct.unpack("f", struct.pack("f", float(value)))[0])


def round_to_f64(value):
    return Decimal(float(value))


def round_to_bits(value, bits):
    """Rounds to `bits` significant bits."""
    scale = Decimal(1)
    while value * scale < Decimal(2) ** (bits - 1):
        scale *= 2
    return (value * scale).to_integral_value() / scale


def solve(rows, right):
    """Gaussian elimination with row exchange."""
    size = len(rows)
    rows = [list(row) + [r] for row, r in zip(rows, right)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda i: abs(rows[i][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for i in range(column + 1, size):
            factor = rows[i][column] / rows[column][column]
            for k in range(column, size + 1):
                rows[i][k] -= factor * rows[column][k]
    solution = [Decimal(0)] * size
    for i in reversed(range(size)):
        rest = sum((rows[i][k] * solution[k] for k in range(i + 1, size)), Decimal(0))
        solution[i] = (rows[i][size] - rest) / rows[i][i]
    return solution


def points():
    for i in range(GRID + 1):
        r = REACH * (Decimal(2 * i) / GRID - 1)
        if r != 0:
            yield r


def fit(free, fixed, exact):
    """The `free` coefficients of Q between `exact` below and `fixed` above, and the relative error."""
    first = 2 + len(exact)
    grid = list(points())
    decay = [(-r).exp() for r in grid]
    # Relative error: 1 - e^-r (1 + r + r^2 Q(r)).
    target = []
    for r, e in zip(grid, decay):
        value = 1 - e * (1 + r + sum(c * r ** (k + 2) for k, c in enumerate(exact)))
        for k, c in enumerate(fixed):
            value -= e * c * r ** (free + k + first)
        target.append(value)
    import math

    reference = sorted(
        {
            min(range(len(grid)), key=lambda i: abs(grid[i] - REACH * Decimal(math.cos(math.pi * k / free))))
            for k in range(free + 1)
        }
    )
    # The error cannot be large at r = 0; move a reference point away from there.
    reference = [i if abs(grid[i]) > REACH / 50 else i + GRID // 40 for i in reference]
    coefficients, error = [], Decimal(0)
    for _ in range(30):
        rows = [
            [decay[i] * grid[i] ** (k + first) for k in range(free)] + [Decimal((-1) ** n)]
            for n, i in enumerate(reference)
        ]
        *coefficients, _level = solve(rows, [target[i] for i in reference])
        errors = [
            t - e * sum((c * r ** (k + first) for k, c in enumerate(coefficients)), Decimal(0))
            for r, e, t in zip(grid, decay, target)
        ]
        # One extremum per run of equal sign, the largest free + 1 neighbours of them.
        runs = []
        for i, value in enumerate(errors):
            if runs and (errors[runs[-1]] > 0) == (value > 0):
                if abs(value) > abs(errors[runs[-1]]):
                    runs[-1] = i
            else:
                runs.append(i)
        while len(runs) > free + 1:
            runs.pop(0 if abs(errors[runs[0]]) < abs(errors[runs[-1]]) else -1)
        error = max(abs(value) for value in errors)
        if len(runs) <= free or runs == reference:
            break
        reference = runs
    return coefficients, error


def rounded_polynomial(count, exact, rounding):
    """All `count` coefficients of Q, lowest first, rounded, and the error before rounding."""
    fixed = []
    first_error = None
    for free in range(count - len(exact), 0, -1):
        coefficients, error = fit(free, fixed, exact)
        first_error = first_error or error
        fixed.insert(0, rounding(coefficients[-1]))
    return exact + fixed, first_error


def literal(value, single):
    text = float(value).hex()
    return text + ("f" if single else "")


def block(name, type_name, count, exact, rounding, high_bits, bias, low, low_added, high, mantissa):
    single = type_name == "float"
    coefficients, error = rounded_polynomial(count, exact, rounding)
    high_part = round_to_bits(LN2, high_bits)
    fields = [
        ("inverse_ln2", rounding(1 / LN2)),
        ("ln2_high", high_part),
        ("ln2_low", rounding(LN2 - high_part)),
        ("rounder", Decimal(3 * 2 ** (mantissa - 1))),
        ("lowest", rounding(Decimal(low))),
        ("lowest_added", rounding(Decimal(low_added))),
        ("highest", rounding(Decimal(high))),
    ]
    print(f"/// Relative error of the polynomial before rounding: {float(error):.2e}.")
    print(f"struct {name} {{")
    print(f"  using Type = {type_name};")
    print(f"  static constexpr int mantissa_bits = {mantissa};")
    print(f"  static constexpr int bias = {bias};")
    for field, value in fields:
        print(f"  static constexpr {type_name} {field} = {literal(value, single)};")
    print("  /// Of r^2, r^3, ...")
    print(f"  static constexpr {type_name} coefficients[] = {{")
    for value in coefficients:
        print(f"      {literal(value, single)},")
    print("  };")
    print("};")


print("// Made by scripts/math/exp_coefficients.py; do not edit.")
print("#pragma once")
print()
print("namespace tilewright::native {")
print()
print("// `ln2_high` has so few bits that n * ln2_high is exact. Adding `rounder` to x / ln 2 leaves n in")
print("// the low bits of the sum. Below `lowest` exp is 0, above `highest` it is inf; below `lowest_added`")
print("// it is too small to change a sum (see factors_by in exp.cpp).")
print()
block("ExpF32", "float", 5, [Decimal("0.5")], round_to_f32, 15, 127, -104, -70, 89, 23)
print()
block("ExpF64", "double", 10, [], round_to_f64, 41, 1023, "-745.25", -700, 710, 52)
print()
print("} // namespace tilewright::native")
