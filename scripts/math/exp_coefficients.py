#!/usr/bin/env python3
"""Prints src/native/math/exp_coefficients.h: the constants of exp for f32 and f64.

f64: exp(x) = 2^n (1 + r + r^2 Q(r)) with n = round(x / ln 2) and r = x - n ln 2.

f32: exp(x) = 2^n T_j (1 + p(r)) with 8 n + j = round(x / (ln 2 / 8)), r what is left, T_j the number
nearest to 2^(j/8) e^s, and p a cubic polynomial near e^(r - s) - 1. The shift s is where all eight T_j
are so near to what they stand for that they need no second part. It is below 0, so that T_0 2^128 is a
number; and so near to 0 that |p| < 1/16.

Polynomials make the largest error on the range of r as small as possible: Remez exchange in 60 decimal
digits, then rounding, one coefficient after the other, each followed by a new fit of the coefficients
that are not rounded yet, so that they take up the error.

    scripts/math/exp_coefficients.py > src/native/math/exp_coefficients.h
"""

import math
import struct
from decimal import Decimal, getcontext

getcontext().prec = 60
LN2 = Decimal(2).ln()
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


def points(step):
    """Of a little more than half a step on both sides: the number of steps comes from a rounded product."""
    reach = step / 2 * (1 + Decimal(2) ** -18)
    return [reach * (Decimal(2 * i) / GRID - 1) for i in range(GRID + 1) if 2 * i != GRID]


def minimax(grid, basis, target):
    """Factors of the functions `basis`, given by values on `grid`, that are nearest to `target`, and the
    largest error."""
    count = len(basis)
    reach = grid[-1]
    reference = sorted(
        {
            min(range(len(grid)), key=lambda i: abs(grid[i] - reach * Decimal(math.cos(math.pi * k / count))))
            for k in range(count + 1)
        }
    )
    # Where all functions of the basis are small near 0, so is the error: start elsewhere.
    reference = [i if abs(grid[i]) > reach / 50 else i + GRID // 40 for i in reference]
    factors, error = [], Decimal(0)
    for _ in range(30):
        rows = [[values[i] for values in basis] + [Decimal((-1) ** n)] for n, i in enumerate(reference)]
        *factors, _level = solve(rows, [target[i] for i in reference])
        errors = [
            t - sum((factor * values[i] for factor, values in zip(factors, basis)), Decimal(0))
            for i, t in enumerate(target)
        ]
        # One extremum per run of equal sign, the largest count + 1 neighbours of them.
        runs = []
        for i, value in enumerate(errors):
            if runs and (errors[runs[-1]] > 0) == (value > 0):
                if abs(value) > abs(errors[runs[-1]]):
                    runs[-1] = i
            else:
                runs.append(i)
        while len(runs) > count + 1:
            runs.pop(0 if abs(errors[runs[0]]) < abs(errors[runs[-1]]) else -1)
        error = max(abs(value) for value in errors)
        if len(runs) <= count or runs == reference:
            break
        reference = runs
    return factors, error


def rounded_polynomial(grid, weights, target, order, rounding):
    """Coefficients, by exponent, of the polynomial nearest to `target` where errors count by `weights`.
    Rounded in the given order of exponents. Also the error before and after rounding."""
    left = [w * t for w, t in zip(weights, target)]
    rounded, first_error = {}, None
    for exponent in order:
        free = [e for e in order if e not in rounded]
        basis = [[w * r**e for w, r in zip(weights, grid)] for e in free]
        factors, error = minimax(grid, basis, left)
        first_error = first_error or error
        rounded[exponent] = rounding(factors[free.index(exponent)])
        values = basis[free.index(exponent)]
        left = [rest - rounded[exponent] * value for rest, value in zip(left, values)]
    return rounded, first_error, max(abs(rest) for rest in left)


def find_shift():
    """e^s as above. Trying all numbers T_0 and a few values around each takes seconds."""
    powers = [2 ** (j / 8 - 1) for j in range(8)]
    best, best_error = None, 0.1
    for t0 in range(int(2**24 * 0.982), 2**24):
        for tenths in range(-4, 5):
            scaled = t0 + tenths / 50
            error = abs(tenths) / 50
            for power in powers[:0:-1]:
                value = power * scaled
                error = max(error, abs(value - round(value)))
                if error >= best_error:
                    break
            else:
                best, best_error = scaled, error
    return Decimal(best) / 2**24, best_error


def literal(value, single):
    text = float(value).hex()
    return text + ("f" if single else "")


def reduction(step, rounding, high_bits, mantissa):
    high_part = round_to_bits(step, high_bits)
    return [
        ("inverse_step", rounding(1 / step)),
        ("step_high", high_part),
        ("step_low", rounding(step - high_part)),
        ("rounder", Decimal(3 * 2 ** (mantissa - 1))),
    ]


def print_struct(name, type_name, integers, fields, coefficients, rest=()):
    single = type_name == "float"
    print(f"struct {name} {{")
    print(f"  using Type = {type_name};")
    for field, value in integers:
        print(f"  static constexpr int {field} = {value};")
    for field, value in fields:
        print(f"  static constexpr {type_name} {field} = {literal(value, single)};")
    print("  /// Of 1, r, r^2, ...")
    print(f"  static constexpr {type_name} coefficients[] = {{")
    for value in coefficients:
        print(f"      {literal(value, single)},")
    print("  };")
    for line in rest:
        print(line)
    print("};")


def print_f32():
    step = LN2 / 8
    grid = points(step)
    shifted_one, table_error = find_shift()
    table = [round_to_f32(Decimal(2) ** (Decimal(j) / 8) * shifted_one) for j in range(8)]
    # Errors in units of the last place of results between 1 and 2: below 1 it is half as large.
    weights = [(2 if r < 0 else 2 ** (Decimal(7) / 8)) * shifted_one * 2**23 for r in grid]
    target = [r.exp() / shifted_one - 1 for r in grid]
    # Rounding the linear coefficient costs most; those after it make up for it.
    rounded, error, rounded_error = rounded_polynomial(grid, weights, target, [1, 2, 3, 0], round_to_f32)
    entries = []
    for j, value in enumerate(table):
        bits = struct.unpack("i", struct.pack("f", float(value)))[0]
        entries.append(bits - (j << 20) - (127 << 23))
    print(f"/// In units of the last place, the table is within {table_error:.3f}, the polynomial before")
    print(f"/// rounding within {float(error):.3f}, and its rounded coefficients within {float(rounded_error):.3f}.")
    print_struct(
        "ExpF32",
        "float",
        [("mantissa_bits", 23), ("bias", 127), ("step_bits", 3)],
        reduction(step, round_to_f32, 24, 23)
        + [("lowest", Decimal(-175)), ("lowest_added", Decimal(-70)), ("highest", Decimal("88.75"))],
        [rounded[e] for e in range(4)],
        [
            "  /// Of 2^(j/8) e^s as a number, less j at the place of k's low bits, less the bias.",
            "  static constexpr int32_t table[] = {" + ", ".join(str(entry) for entry in entries) + "};",
        ],
    )


def print_f64():
    grid = points(LN2)
    # Relative error: 1 - e^-r (1 + r + r^2 Q(r)).
    weights = [(-r).exp() for r in grid]
    target = [r.exp() - 1 - r for r in grid]
    rounded, error, _ = rounded_polynomial(grid, weights, target, range(11, 1, -1), round_to_f64)
    print(f"/// Relative error of the polynomial before rounding: {float(error):.2e}.")
    print_struct(
        "ExpF64",
        "double",
        [("mantissa_bits", 52), ("bias", 1023), ("step_bits", 0)],
        reduction(LN2, round_to_f64, 41, 52)
        + [("lowest", Decimal("-1417.5")), ("lowest_added", Decimal(-700)), ("highest", Decimal(710))],
        [1, 1] + [rounded[e] for e in range(2, 12)],
    )


print("// Made by scripts/math/exp_coefficients.py; do not edit.")
print("#pragma once")
print()
print("#include <cstdint>")
print()
print("namespace tilewright::native {")
print()
print("// `step` is ln 2 / 2^step_bits. `step_high` has so few bits that x - k step_high is exact where k is")
print("// the nearest number of steps. Adding `rounder` to x / step leaves k in the low bits of the sum.")
print("// At `lowest` the smaller factor of 2^n is 0, far below where exp is; above `highest` exp is inf; below")
print("// `lowest_added` it is too small to change a sum (see exp.cpp).")
print()
print_f32()
print()
print_f64()
print()
print("} // namespace tilewright::native")
