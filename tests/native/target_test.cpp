#include "native/target.h"

#include <gtest/gtest.h>

namespace tilewright::native {
namespace {

TEST(Target, LevelsDescribeTheirRegisters) {
  Target v2 = *named("x86-64-v2"), v3 = *named("x86-64-v3"), v4 = *named("x86-64-v4");
  EXPECT_EQ(v2.register_bytes, 16);
  EXPECT_EQ(v3.register_bytes, 32);
  EXPECT_EQ(v4.register_bytes, 64);
  EXPECT_EQ(v4.vector_registers, 32);
  EXPECT_FALSE(v2.fma);
  EXPECT_TRUE(v3.fma);
  EXPECT_FALSE(v2.masked_stores);
  EXPECT_FALSE(v2.cheap_masked_stores);
  EXPECT_TRUE(v4.cheap_masked_stores);
}

TEST(Target, EmptyNameIsTheHost) {
  Target machine = *host();
  EXPECT_EQ(named("")->isa, machine.isa);
  EXPECT_EQ(named(machine.isa)->tune, machine.tune);
  EXPECT_TRUE(runs_here(machine));
  EXPECT_GE(machine.l2_bytes, machine.l1_bytes);
  EXPECT_GE(machine.last_level_bytes, machine.l2_bytes);
}

TEST(Target, UnknownNameListsTheKnownOnes) {
  auto target = named("sparc");
  ASSERT_FALSE(target);
  EXPECT_EQ(target.error().kind, ErrorKind::user);
  EXPECT_EQ(target.error().text, "unknown instruction set 'sparc'; known are x86-64-v2, x86-64-v3, "
                                 "x86-64-v4 and aarch64");
}

TEST(Target, MachineSummaryCarriesTheTarget) {
  Target v3 = *named("x86-64-v3");
  plan::MachineSummary machine = machine_summary(v3, 4);
  EXPECT_EQ(machine.isa, "x86-64-v3");
  EXPECT_EQ(machine.register_bytes, 32);
  EXPECT_EQ(machine.l1_bytes, v3.l1_bytes);
  EXPECT_EQ(machine.workers, 4);
}

} // namespace
} // namespace tilewright::native
