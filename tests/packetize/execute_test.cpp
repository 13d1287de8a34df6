// Packetized phases, run: against the lanes computed one by one in plain C++, bit for bit.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

#include "compile_lanes.h"
#include "measure/guarded_buffer.h"

namespace tilewright::packetize {
namespace {

constexpr int64_t widths[] = {1, 2, 4, 8, 16};

// Two buffers per size: one whose end and one whose start borders on a page that faults.
template <typename T>
std::vector<GuardedBuffer> guarded(size_t count) {
  std::vector<GuardedBuffer> buffers;
  buffers.push_back(GuardedBuffer::ends_at_page(count * sizeof(T)));
  buffers.push_back(GuardedBuffer::begins_at_page(count * sizeof(T)));
  return buffers;
}

std::vector<float> random_floats(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> value(-2, 2);
  std::vector<float> values(count);
  for (float &v : values)
    v = value(random);
  return values;
}

// y = x * (sum of x * x in 64 slots), rows of any length; the last packets are masked.
std::string row_kernel(int64_t width, const char *store) {
  int64_t packets = 64 / width;
  auto list = [&](const char *prefix, const char *separator = ", ") {
    std::string text;
    for (int64_t j = 0; j < packets; ++j)
      text += (j ? separator : "") + (prefix + std::to_string(j));
    return text;
  };
  auto repeat = [&](const std::string &what) {
    std::string text;
    for (int64_t j = 0; j < packets; ++j)
      text += (j ? ", " : "") + what;
    return text;
  };
  std::string types = repeat("f32"), starts, body, rest;
  for (int64_t j = 0; j < packets; ++j) {
    std::string i = std::to_string(j), offset = "%o" + i;
    starts += (j ? ", " : "") + ("%a" + i) + " = %zero";
    body += "      " + offset + " = arith.constant " + std::to_string(j * width) + " : index\n" +
            "      %e" + i + " = arith.addi %first, " + offset + " : index\n" + "      %v" + i +
            " = lane.load %x[%row, %e" + i + "] consecutive : !tile.view<const ?x?xf32> -> f32\n" +
            "      %n" + i + " = math.fma %v" + i + ", %v" + i + ", %a" + i + " : f32\n";
    rest += "    %p" + i + " = arith.constant " + std::to_string(j * width) + " : index\n" +
            "    %f" + i + " = arith.addi %rest, %p" + i + " : index\n" + "    %in" + i +
            " = arith.cmpi ult, %f" + i + ", %n : index\n" + "    %b" + i + " = scf.if %in" + i +
            " -> f32 {\n" + "      %v = lane.load %x[%row, %f" + i +
            "] consecutive : !tile.view<const ?x?xf32> -> f32\n" +
            "      %m = math.fma %v, %v, %acc" + (packets > 1 ? "#" + i : "") +
            " : f32\n      scf.yield %m : f32\n    } else {\n      scf.yield %acc" +
            (packets > 1 ? "#" + i : "") + " : f32\n    }\n";
  }
  return R"(
lane.phase @rows width $W (%x: !tile.view<const ?x?xf32>, %y: !tile.view<?x?xf32>)
    programs (%begin, %end) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %cm64 = arith.constant -64 : index
  %cw = arith.constant $W : index
  %cmw = arith.constant -$W : index
  %zero = arith.constant -0.0 : f32
  %n = lane.extent %x[1] : !tile.view<const ?x?xf32>
  scf.for %row = %begin to %end step %c1 {
    %lane = lane.id : index
    %main = arith.andi %n, %cm64 : index
    %acc)" +
         (packets > 1 ? ":" + std::to_string(packets) : "") +
         " = scf.for %q = %c0 to %main step %c64 iter_args(" + starts + ") -> (" + types + R"() {
      %first = arith.addi %q, %lane : index
)" + body +
         "      scf.yield " + list("%n") + " : " + types + R"(
    }
    %rest = arith.addi %main, %lane : index
)" + rest +
         "    %s = lane.reduce (" + list("%b") + ") packets " + std::to_string(packets) + " : (" +
         types + R"() -> (f32) {
    ^bb0(%l: f32, %r: f32):
      %sum = arith.addf %l, %r : f32
      lane.yield %sum : f32
    }
    %full = arith.andi %n, %cmw : index
    scf.for %q = %c0 to %full step %cw {
      %e = arith.addi %q, %lane : index
      %v = lane.load %x[%row, %e] consecutive : !tile.view<const ?x?xf32> -> f32
      %o = arith.mulf %v, %s : f32
      lane.store %o, %y[%row, %e] consecutive : f32, !tile.view<?x?xf32>
    }
    %e = arith.addi %full, %lane : index
    %in = arith.cmpi ult, %e, %n : index
    scf.if %in {
      %v = lane.load %x[%row, %e] consecutive : !tile.view<const ?x?xf32> -> f32
      %o = arith.mulf %v, %s : f32
      lane.store %o, %y[%row, %e] consecutive )" +
         store + R"( : f32, !tile.view<?x?xf32>
    }
  }
})";
}

float tree_of_squares(const float *row, int64_t n) {
  float slots[64];
  std::fill_n(slots, 64, -0.0F);
  for (int64_t e = 0; e < n; ++e)
    slots[e % 64] = std::fma(row[e], row[e], slots[e % 64]);
  for (int half = 32; half > 0; half /= 2)
    for (int i = 0; i < half; ++i)
      slots[i] += slots[i + half];
  return slots[0];
}

TEST(Execute, RowsOfEveryLengthAndWidth) {
  for (int64_t width : widths)
    for (const char *store : {"", "step_down"}) {
      LaneProgram program(row_kernel(width, store), width);
      if (HasFatalFailure())
        return;
      for (int64_t n : {0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 23, 31, 33, 63, 64, 65, 66, 127, 131}) {
        constexpr int64_t rows = 3;
        std::vector<float> values = random_floats(rows * n, 7);
        auto inputs = guarded<float>(rows * n), outputs = guarded<float>(rows * n);
        for (size_t k = 0; k < inputs.size(); ++k) {
          std::copy(values.begin(), values.end(), inputs[k].as<float>());
          outputs[k].fill_nan();
          ASSERT_EQ(program.run("rows",
                                {packed_view(inputs[k].as<float>(), {rows, n}),
                                 packed_view(outputs[k].as<float>(), {rows, n})},
                                rows),
                    TW_OK);
          EXPECT_TRUE(outputs[k].guards_intact());
          for (int64_t r = 0; r < rows; ++r) {
            float sum = tree_of_squares(values.data() + r * n, n);
            for (int64_t e = 0; e < n; ++e)
              ASSERT_EQ(outputs[k].as<float>()[r * n + e], values[r * n + e] * sum)
                  << "width " << width << " row " << r << " element " << e << " of " << n;
          }
        }
      }
    }
}

// y = -x on the output's grid: a masked head, aligned packets, a masked tail.
TEST(Execute, HeadsAndAlignedStores) {
  for (int64_t width : {4, 8, 16}) {
    LaneProgram program(R"(
lane.phase @negate width $W (%x: !tile.view<const ?xf32>, %y: !tile.view<?xf32>)
    programs (%begin, %end) {
  %c0 = arith.constant 0 : index
  %cw = arith.constant $W : index
  %cmw = arith.constant -$W : index
  %n = lane.extent %x[0] : !tile.view<const ?xf32>
  %lane = lane.id : index
  %p = lane.misalignment %y[%c0] bytes )" +
                            std::to_string(width * 4) + R"( : !tile.view<?xf32>
  %back = arith.subi %lane, %p : index
  %head = arith.cmpi ult, %back, %n : index
  scf.if %head {
    %v = lane.load %x[%back] consecutive : !tile.view<const ?xf32> -> f32
    %o = arith.negf %v : f32
    lane.store %o, %y[%back] consecutive step_down : f32, !tile.view<?xf32>
  }
  %from = arith.subi %cw, %p : index
  %left = arith.subi %n, %from : index
  %some = arith.maxsi %left, %c0 : index
  %most = arith.andi %some, %cmw : index
  %to = arith.addi %from, %most : index
  scf.for %q = %from to %to step %cw {
    %e = arith.addi %q, %lane : index
    %v = lane.load %x[%e] consecutive : !tile.view<const ?xf32> -> f32
    %o = arith.negf %v : f32
    lane.store %o, %y[%e] consecutive aligned nontemporal : f32, !tile.view<?xf32>
  }
  %e = arith.addi %to, %lane : index
  %in = arith.cmpi slt, %e, %n : index
  scf.if %in {
    %v = lane.load %x[%e] consecutive : !tile.view<const ?xf32> -> f32
    %o = arith.negf %v : f32
    lane.store %o, %y[%e] consecutive step_down : f32, !tile.view<?xf32>
  }
  lane.fence
})",
                        width);
    if (HasFatalFailure())
      return;
    for (int64_t offset = 0; offset < width; ++offset)
      for (int64_t n = 0; n < 3 * width + 2; ++n) {
        std::vector<float> values = random_floats(n, 3);
        auto output = GuardedBuffer::padded(n * sizeof(float), offset * sizeof(float));
        output.fill_nan();
        auto input = GuardedBuffer::ends_at_page(n * sizeof(float));
        std::copy(values.begin(), values.end(), input.as<float>());
        program.run("negate",
                    {packed_view(input.as<float>(), {n}), packed_view(output.as<float>(), {n})});
        EXPECT_TRUE(output.guards_intact());
        for (int64_t e = 0; e < n; ++e)
          ASSERT_EQ(output.as<float>()[e], -values[e])
              << "width " << width << " offset " << offset << " element " << e << " of " << n;
      }
  }
}

// Lanes that differ in everything: gathers, nested branches, division, an uneven mask.
TEST(Execute, DivergentLanes) {
  for (int64_t width : widths) {
    LaneProgram program(R"(
lane.phase @mixed width $W (%i: !tile.view<const ?xi32>, %d: !tile.view<const ?xi32>,
                            %t: !tile.view<const 7xi32>, %m: !tile.view<const ?xi1>,
                            %y: !tile.view<?x3xi32>, %b: !tile.view<?xi1>)
    programs (%begin, %end) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %cw = arith.constant $W : index
  %one = arith.constant 1 : i32
  %none = arith.constant -1 : i32
  %true = arith.constant true
  %n = lane.extent %i[0] : !tile.view<const ?xi32>
  %lane = lane.id : index
  scf.for %q = %c0 to %n step %cw {
    %e = arith.addi %q, %lane : index
    %in = arith.cmpi ult, %e, %n : index
    scf.if %in {
      %index = lane.load %i[%e] consecutive : !tile.view<const ?xi32> -> i32
      %wide = arith.index_cast %index : i32 to index
      %valid = arith.cmpi ult, %wide, %c7 : index
      %found = scf.if %valid -> i32 {
        %value = lane.load %t[%wide] unknown : !tile.view<const 7xi32> -> i32
        scf.yield %value : i32
      } else {
        scf.yield %none : i32
      }
      lane.store %found, %y[%e, %c0] strided : i32, !tile.view<?x3xi32>

      %flag = lane.load %m[%e] consecutive : !tile.view<const ?xi1> -> i1
      %divisor = lane.load %d[%e] consecutive : !tile.view<const ?xi32> -> i32
      %quotient, %trips = scf.if %flag -> (i32, index) {
        %k = arith.divsi %found, %divisor : i32
        %r = arith.remsi %k, %divisor : i32
        %sum = arith.addi %k, %r : i32
        scf.yield %sum, %e : i32, index
      } else {
        %twice = scf.for %z = %c0 to %c3 step %c1 iter_args(%a = %found) -> i32 {
          %next = arith.addi %a, %a : i32
          scf.yield %next : i32
        }
        scf.yield %twice, %c0 : i32, index
      }
      lane.store %quotient, %y[%e, %c1] strided : i32, !tile.view<?x3xi32>
      %short = arith.index_cast %trips : index to i32
      lane.store %short, %y[%e, %c2] strided : i32, !tile.view<?x3xi32>
      %not = arith.xori %flag, %true : i1
      %both = arith.ori %not, %valid : i1
      lane.store %both, %b[%e] consecutive : i1, !tile.view<?xi1>
    }
  }
})",
                        width);
    if (HasFatalFailure())
      return;
    std::mt19937 random(11);
    for (int64_t n = 0; n < 3 * width + 2; ++n) {
      auto index = GuardedBuffer::ends_at_page(n * 4), divisor = GuardedBuffer::ends_at_page(n * 4);
      auto table = GuardedBuffer::ends_at_page(7 * 4), mask = GuardedBuffer::ends_at_page(n);
      auto out = GuardedBuffer::ends_at_page(n * 12), flags = GuardedBuffer::ends_at_page(n);
      out.fill_nan();
      for (int k = 0; k < 7; ++k)
        table.as<int32_t>()[k] = 100 * k - 300;
      for (int64_t e = 0; e < n; ++e) {
        int32_t choices[] = {static_cast<int32_t>(random() % 7), -1, 1000000000, INT32_MIN};
        index.as<int32_t>()[e] = choices[random() % 4];
        mask.as<uint8_t>()[e] = random() % 2;
        divisor.as<int32_t>()[e] =
            mask.as<uint8_t>()[e] ? static_cast<int32_t>(random() % 9) + 1 : 0;
      }
      ASSERT_EQ(program.run("mixed", {packed_view(index.as<int32_t>(), {n}),
                                      packed_view(divisor.as<int32_t>(), {n}),
                                      packed_view(table.as<int32_t>(), {7}),
                                      packed_view(mask.as<uint8_t>(), {n}),
                                      packed_view(out.as<int32_t>(), {n, 3}),
                                      packed_view(flags.as<uint8_t>(), {n})}),
                TW_OK);
      for (int64_t e = 0; e < n; ++e) {
        int32_t at = index.as<int32_t>()[e], by = divisor.as<int32_t>()[e];
        bool valid = at >= 0 && at < 7, flag = mask.as<uint8_t>()[e];
        int32_t found = valid ? table.as<int32_t>()[at] : -1;
        int32_t second = flag ? found / by + found / by % by : found * 8;
        ASSERT_EQ(out.as<int32_t>()[3 * e], found) << "width " << width << " element " << e;
        ASSERT_EQ(out.as<int32_t>()[3 * e + 1], second) << "width " << width << " element " << e;
        ASSERT_EQ(out.as<int32_t>()[3 * e + 2], flag ? e : 0);
        ASSERT_EQ(flags.as<uint8_t>()[e], !flag || valid);
      }
    }
  }
}

// Tiles kept in private arrays, on the stack and in the workspace, read back in another order.
TEST(Execute, PrivateArrays) {
  for (int64_t width : widths)
    for (int64_t slots : {5, 700}) {
      std::string array = "!lane.private<" + std::to_string(slots) + "xf32>";
      LaneProgram program(R"(
lane.phase @reverse width $W (%x: !tile.view<const ?x?xf32>, %y: !tile.view<?x?xf32>)
    programs (%begin, %end) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %five = arith.constant 5.0 : f32
  %rows = arith.constant )" + std::to_string(slots) +
                              R"( : index
  %n = lane.extent %x[1] : !tile.view<const ?x?xf32>
  %lane = lane.id : index
  %kept = lane.private : )" + array +
                              R"(
  %flags = lane.private : !lane.private<2xi1>
  %in = arith.cmpi ult, %lane, %n : index
  scf.for %r = %c0 to %rows step %c1 {
    lane.put %five, %kept[%r] : f32, )" +
                              array + R"(
  }
  %v0 = scf.if %in -> f32 {
    scf.for %r = %c0 to %rows step %c1 {
      %v = lane.load %x[%r, %lane] consecutive : !tile.view<const ?x?xf32> -> f32
      lane.put %v, %kept[%r] : f32, )" +
                              array + R"(
    }
    %v = lane.load %x[%c0, %lane] consecutive : !tile.view<const ?x?xf32> -> f32
    scf.yield %v : f32
  } else {
    scf.yield %five : f32
  }
  %big = arith.cmpf ogt, %v0, %five : f32
  lane.put %big, %flags[%c1] : i1, !lane.private<2xi1>
  %last = arith.subi %rows, %c1 : index
  scf.for %r = %c0 to %rows step %c1 {
    %s = arith.subi %last, %r : index
    %v = lane.get %kept[%s] : )" +
                              array + R"( -> f32
    scf.if %in {
      %flag = lane.get %flags[%c1] : !lane.private<2xi1> -> i1
      %o = arith.select %flag, %five, %v : f32
      lane.store %o, %y[%r, %lane] consecutive : f32, !tile.view<?x?xf32>
    }
  }
})",
                          width);
      if (HasFatalFailure())
        return;
      EXPECT_EQ(program.workspace_bytes() != 0, slots * width * 4 > 8000);
      for (int64_t n = 0; n <= width; ++n) {
        std::vector<float> values(slots * n), out(slots * n, -1);
        std::iota(values.begin(), values.end(), 3.5F);
        program.run("reverse",
                    {packed_view(values.data(), {slots, n}), packed_view(out.data(), {slots, n})});
        for (int64_t r = 0; r < slots; ++r)
          for (int64_t e = 0; e < n; ++e)
            ASSERT_EQ(out[r * n + e], values[e] > 5 ? 5 : values[(slots - 1 - r) * n + e])
                << "width " << width << " slot " << r << " lane " << e;
      }
    }
}

// Uniform accesses where perhaps no lane is active: then the address may be anything.
TEST(Execute, UniformAccessesUnderMasks) {
  for (int64_t width : widths) {
    LaneProgram program(R"(
lane.phase @choose width $W (%m: !tile.view<const $Wxi1>, %t: !tile.view<const ?xi32>,
                             %at: !tile.view<const 1xi32>, %y: !tile.view<?xi32>)
    programs (%begin, %end) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %none = arith.constant -1 : i32
  %lane = lane.id : index
  %kept = lane.private : !lane.private<3xi32>
  scf.for %i = %c0 to %c3 step %c1 {
    lane.put %none, %kept[%i] : i32, !lane.private<3xi32>
  }
  %short = lane.load %at[%c0] uniform : !tile.view<const 1xi32> -> i32
  %far = arith.index_cast %short : i32 to index
  %active = lane.load %m[%lane] consecutive : !tile.view<const $Wxi1> -> i1
  scf.if %active {
    %v = lane.load %t[%far] uniform : !tile.view<const ?xi32> -> i32
    %lanes = arith.index_cast %lane : index to i32
    %sum = arith.addi %v, %lanes : i32
    lane.put %sum, %kept[%far] : i32, !lane.private<3xi32>
    %back = lane.get %kept[%far] : !lane.private<3xi32> -> i32
    lane.store %back, %y[%lane] consecutive : i32, !tile.view<?xi32>
    lane.store %v, %y[%far] uniform : i32, !tile.view<?xi32>
  }
})",
                        width);
    if (HasFatalFailure())
      return;
    for (uint64_t mask = 0; mask < (uint64_t{1} << std::min<int64_t>(width, 8)); ++mask) {
      std::vector<uint8_t> flags(width);
      std::vector<int32_t> table{7, 70, 700}, out(width + 3, -5);
      for (int64_t lane = 0; lane < width; ++lane)
        flags[lane] = mask >> (lane % 8) & 1;
      int32_t at = mask == 0 ? 1000000000 : 2;
      program.run("choose", {packed_view(flags.data(), {width}), packed_view(table.data(), {3}),
                             packed_view(&at, {1}), packed_view(out.data(), {width + 3})});
      for (int64_t lane = 0; lane < width + 3; ++lane) {
        bool active = lane < width && flags[lane];
        int32_t expected = active ? 700 + static_cast<int32_t>(lane) : -5;
        if (lane == 2 && mask != 0)
          expected = 700;
        ASSERT_EQ(out[lane], expected) << "width " << width << " mask " << mask;
      }
    }
  }
}

// Several carried values; the index of the largest element, the first among equals.
TEST(Execute, ReductionsOfSeveralValues) {
  for (int64_t width : widths) {
    LaneProgram program(R"(
lane.phase @largest width $W (%x: !tile.view<const $Wxf32>, %v: !tile.view<1xf32>,
                              %i: !tile.view<1xi64>, %last: !tile.view<1xi64>)
    programs (%begin, %end) {
  %c0 = arith.constant 0 : index
  %lane = lane.id : index
  %a = lane.load %x[%lane] consecutive : !tile.view<const $Wxf32> -> f32
  %at = arith.index_cast %lane : index to i64
  %best, %where = lane.reduce (%a, %at) packets 1 : (f32, i64) -> (f32, i64) {
  ^bb0(%l: f32, %li: i64, %r: f32, %ri: i64):
    %above = arith.cmpf ogt, %r, %l : f32
    %equal = arith.cmpf oeq, %r, %l : f32
    %before = arith.cmpi slt, %ri, %li : i64
    %first = arith.andi %equal, %before : i1
    %more = arith.ori %above, %first : i1
    %value = arith.select %more, %r, %l : f32
    %index = arith.select %more, %ri, %li : i64
    lane.yield %value, %index : f32, i64
  }
  lane.store %best, %v[%c0] uniform : f32, !tile.view<1xf32>
  lane.store %where, %i[%c0] uniform : i64, !tile.view<1xi64>
  lane.store %at, %last[%c0] uniform : i64, !tile.view<1xi64>
})",
                        width);
    if (HasFatalFailure())
      return;
    for (int64_t at = 0; at < width; ++at) {
      std::vector<float> values(width, 1);
      values[at] = 2;
      if (at + 1 < width)
        values.back() = 2;
      float best = 0;
      int64_t where = -1, last = -1;
      program.run("largest", {packed_view(values.data(), {width}), packed_view(&best, {1}),
                              packed_view(&where, {1}), packed_view(&last, {1})});
      EXPECT_EQ(best, 2);
      EXPECT_EQ(where, at);
      EXPECT_EQ(last, width - 1);
    }
  }
}

} // namespace
} // namespace tilewright::packetize
