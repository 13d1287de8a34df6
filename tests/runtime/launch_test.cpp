// Launches through a fake compiler: caching, workers, environment, failures.
#include <gtest/gtest.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#include <cfenv>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "fake_compiler.h"
#include "tilewright/buffer.h"
#include "tilewright/device.h"

namespace tilewright {
namespace {

class Launch : public testing::Test {
protected:
  Launch() {
    fake::compiler = &compiler_;
    fake::compile_double_rows(compiler_);
  }

  /// Launches double_rows on R × C elements and checks the answer.
  /// Runs `action` in a child made by fork, which ends well when no expectation failed there.
  template <typename Action>
  void expect_in_child(Action action) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(20); // a hang ends the child
      action();
      _exit(HasFailure() ? 1 : 0);
    }
    int state = 0;
    ASSERT_EQ(waitpid(child, &state, 0), child);
    EXPECT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 0) << state;
  }

  void double_rows(Device &device, int64_t rows, int64_t columns) {
    Buffer<float> x({rows, columns});
    Buffer<float> y({rows, columns}, -1.0f);
    std::iota(x.begin(), x.end(), 1.0f);
    Status status = launch(device, x.as_argument(), y.as_argument());
    ASSERT_TRUE(status) << status.error().message();
    for (int64_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(y.data()[i], 2 * x.data()[i]) << i;
  }

  Status launch(Device &device, Argument x, Argument y) {
    const std::vector<Argument> arguments{x, y};
    return detail::launch(device, source_, arguments);
  }

  fake::Compiler compiler_;
  KernelSource source_ = fake::double_rows();
};

TEST_F(Launch, computes) {
  Device device({.workers = 1});
  double_rows(device, 5, 7);
}

TEST_F(Launch, other_row_counts_reuse_the_code) {
  Device device({.workers = 1});
  for (int64_t rows : {5, 1, 1000, 0, 5})
    double_rows(device, rows, 7);
  EXPECT_EQ(compiler_.records, 1);
  EXPECT_EQ(compiler_.compiles, 1);
  EXPECT_EQ(device.compile_count(), 1);
}

TEST_F(Launch, other_static_extents_compile_anew) {
  Device device({.workers = 1});
  for (int64_t columns : {7, 8, 7, 8})
    double_rows(device, 5, columns);
  EXPECT_EQ(compiler_.compiles, 2);
}

TEST_F(Launch, another_layout_compiles_anew) {
  Device device({.workers = 1});
  double_rows(device, 4, 4);
  Buffer<float> x({4, 4}, 1.0f);
  Buffer<float> y({4, 4});
  ASSERT_TRUE(launch(device, view(x.data(), {4, 4}, {1, 4}).as_argument(), y.as_argument()));
  EXPECT_EQ(compiler_.compiles, 2);
  EXPECT_EQ(y(3, 3), 2);
}

TEST_F(Launch, another_kernel_of_the_same_name_compiles_anew) {
  Device device({.workers = 1});
  double_rows(device, 4, 4);
  source_ = fake::double_rows();
  double_rows(device, 4, 4);
  EXPECT_EQ(compiler_.compiles, 2);
}

TEST_F(Launch, another_device_compiles_anew) {
  Device one({.workers = 1});
  Device two({.workers = 1});
  double_rows(one, 4, 4);
  double_rows(two, 4, 4);
  EXPECT_EQ(compiler_.compiles, 2);
}

TEST_F(Launch, threads_that_need_the_same_code_compile_once) {
  compiler_.compile_time = std::chrono::milliseconds(50);
  Device device({.workers = 1});
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] { double_rows(device, 5, 7); });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(compiler_.compiles, 1);
}

TEST_F(Launch, tasks_cover_all_programs_once) {
  for (int workers : {1, 2, 5}) {
    Device device({.workers = workers});
    EXPECT_EQ(device.workers(), workers);
    for (int64_t grain : {1, 3, 64}) {
      fake::compile_double_rows(compiler_, grain);
      for (int64_t rows : {0, 1, 2, 63, 64, 65, 1000})
        double_rows(device, rows, grain + 1);
    }
  }
}

TEST_F(Launch, default_workers_are_the_hardware_threads) {
  EXPECT_EQ(Device().workers(), static_cast<int>(std::thread::hardware_concurrency()));
}

TEST_F(Launch, without_programs_nothing_runs) {
  compiler_.phases[0].function = [](const tw_launch *, int64_t, int64_t, tw_worker *) -> tw_status {
    ADD_FAILURE() << "a phase ran";
    return TW_OK;
  };
  Device device({.workers = 1});
  double_rows(device, 0, 7);
}

TEST_F(Launch, without_parallel_axes_one_program_runs) {
  static int64_t ran;
  ran = 0;
  compiler_.phases[0].program_extents.clear();
  compiler_.phases[0].function = [](const tw_launch *, int64_t begin, int64_t end, tw_worker *) {
    ran += end - begin;
    return tw_status{TW_OK};
  };
  Device device({.workers = 1});
  Buffer<float> x({3, 3});
  ASSERT_TRUE(launch(device, x.as_argument(), x.as_argument()));
  EXPECT_EQ(ran, 1);
}

TEST_F(Launch, phases_run_in_order_with_a_barrier_between) {
  static std::atomic<int64_t> first_done;
  first_done = 0;
  CompiledPhase first{"first",
                      [](const tw_launch *, int64_t begin, int64_t end, tw_worker *) {
                        first_done += end - begin;
                        return tw_status{TW_OK};
                      },
                      0,
                      {{0, 0}},
                      1};
  CompiledPhase second{"second",
                       [](const tw_launch *launch, int64_t, int64_t, tw_worker *) {
                         EXPECT_EQ(first_done, launch->views[0].extents[0]);
                         return tw_status{TW_OK};
                       },
                       0,
                       {{0, 0}},
                       1};
  compiler_.phases = {first, second};
  Device device({.workers = 2});
  Buffer<float> x({1000, 3});
  ASSERT_TRUE(launch(device, x.as_argument(), x.as_argument()));
  EXPECT_EQ(first_done, 1000);
}

TEST_F(Launch, errors_carry_the_line_of_the_kernel) {
  Device device({.workers = 1});
  Buffer<float> x({3, 3});
  Buffer<float> y({2, 3});
  EXPECT_EQ(
      launch(device, x.as_argument(), y.as_argument()).error().message(),
      "user.cpp:12: launch of double_rows: dimension 0 of argument 2 has extent 2, but axis r "
      "spans it, so it must be 3, the extent of dimension 0 of argument 1");
  EXPECT_EQ(
      launch(device, x.as_argument(), std::as_const(x).as_argument()).error().message(),
      "user.cpp:12: launch of double_rows: argument 2 is const, but the kernel writes through "
      "that view; pass writable memory, or declare the view const in the kernel");
}

TEST_F(Launch, failed_compiles_are_errors_and_not_remembered) {
  compiler_.error = Error{ErrorKind::user, "no such function", {"user.cpp", 30}};
  Device device({.workers = 1});
  Buffer<float> x({3, 3});
  EXPECT_EQ(launch(device, x.as_argument(), x.as_argument()).error().message(),
            "user.cpp:30: no such function");
  compiler_.error.reset();
  double_rows(device, 3, 3);
}

TEST_F(Launch, what_the_lambda_throws_reaches_the_caller) {
  source_.body = [] { throw std::runtime_error("thrown while recording"); };
  Device device({.workers = 1});
  Buffer<float> x({3, 3});
  EXPECT_THROW(static_cast<void>(launch(device, x.as_argument(), x.as_argument())),
               std::runtime_error);
}

TEST_F(Launch, unknown_status_is_an_internal_error) {
  compiler_.phases[0].function = [](const tw_launch *, int64_t, int64_t, tw_worker *) {
    return tw_status{77};
  };
  Device device({.workers = 1});
  Buffer<float> x({3, 3});
  EXPECT_EQ(launch(device, x.as_argument(), x.as_argument()).error().message(),
            "user.cpp:12: internal error: double_rows: the compiled code returned the unknown "
            "status 77");
}

TEST_F(Launch, code_for_another_cpu_is_refused) {
  compiler_.phases[0].function = nullptr;
  Device device({.workers = 1});
  Buffer<float> x({3, 3});
  EXPECT_EQ(launch(device, x.as_argument(), x.as_argument()).error().text,
            "launch of double_rows: it was compiled for instructions that this CPU does not have; "
            "compile for an instruction set that it has");
}

TEST_F(Launch, workspace_is_aligned_and_large_enough_on_every_worker) {
  fake::compile_double_rows(compiler_, 1);
  compiler_.phases[0].workspace_bytes = 100'001;
  compiler_.phases[0].function = [](const tw_launch *, int64_t, int64_t, tw_worker *worker) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(worker->workspace) % 64, 0u);
    EXPECT_GE(worker->workspace_bytes, 100'001);
    std::fill_n(static_cast<char *>(worker->workspace), worker->workspace_bytes, 1);
    return tw_status{TW_OK};
  };
  Device device({.workers = 2});
  Buffer<float> x({100, 3});
  EXPECT_TRUE(launch(device, x.as_argument(), x.as_argument()));
}

TEST_F(Launch, workspace_beyond_the_limit_is_an_error_with_both_numbers) {
  compiler_.phases[0].workspace_bytes = 5000;
  for (int64_t grain : {0, 1}) {
    compiler_.phases[0].task_programs = grain;
    Device device({.workers = 2, .workspace_limit = 4096});
    Buffer<float> x({3, 3});
    EXPECT_EQ(launch(device, x.as_argument(), x.as_argument()).error().text,
              "launch of double_rows: a worker needs 5000 bytes of scratch memory, more than the "
              "device's limit of 4096; raise DeviceOptions::workspace_limit or use smaller tiles");
  }
}

TEST_F(Launch, workspace_beyond_the_machine_is_an_error_with_both_numbers) {
  compiler_.phases[0].workspace_bytes = int64_t{1} << 60;
  Device device({.workers = 1});
  Buffer<float> x({3, 3});
  Status status = launch(device, x.as_argument(), x.as_argument());
  ASSERT_FALSE(status);
  const std::string memory = std::to_string(int64_t{sysconf(_SC_PHYS_PAGES)} * getpagesize());
  EXPECT_EQ(status.error().text,
            "launch of double_rows: a worker needs 1152921504606846976 bytes of scratch memory, "
            "which could not be allocated on this machine of " +
                memory + " bytes; use smaller tiles or fewer workers");
}

TEST_F(Launch, too_many_programs_are_an_error) {
  compiler_.phases[0].program_extents = {{0, 0}, {1, 0}};
  compiler_.checks.clear();
  Device device({.workers = 1});
  Buffer<float> x({1, 1});
  Argument huge = view(x.data(), {int64_t{1} << 40, 1}, {0, 1}).as_argument();
  EXPECT_EQ(
      launch(device, huge, huge).error().text,
      "launch of double_rows: the extents of its parallel axes multiply to more programs than "
      "a 64-bit number counts; split the launch");
}

TEST_F(Launch, safe_bodies_are_counted_and_noted) {
  compiler_.phases[0].function = [](const tw_launch *, int64_t, int64_t, tw_worker *) {
    return tw_status{TW_OK_SAFE_BODY};
  };
  compiler_.notes = {"line 14: the load gathers"};
  Device device({.workers = 1});
  EXPECT_TRUE(device.notes().empty());
  Buffer<float> x({3, 3});
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(launch(device, x.as_argument(), x.as_argument()));
  EXPECT_EQ(device.safe_launch_count(), 2);
  EXPECT_EQ(device.notes(),
            (std::vector<std::string>{"double_rows: line 14: the load gathers",
                                      "double_rows: arguments that overlap made 2 launches run the "
                                      "safe body, which is slower"}));
}

/// Double_rows whose own phase runs nothing, and whose safe body does the work.
class Overlap : public Launch {
protected:
  Overlap() { overlap(1); }

  /// In tasks of `grain` rows.
  void overlap(int64_t grain) {
    fake::compile_double_rows(compiler_, grain);
    compiler_.safe_phases = compiler_.phases;
    compiler_.phases[0].function = [](const tw_launch *, int64_t, int64_t, tw_worker *) {
      return tw_status{TW_OVERLAP};
    };
  }
};

TEST_F(Overlap, compiles_the_safe_body_once_and_runs_all_programs_in_it) {
  for (int64_t grain : {0, 1, 7}) {
    overlap(grain);
    compiler_.safe_compiles = 0;
    Device device({.workers = 2});
    double_rows(device, 0, 7);
    EXPECT_EQ(compiler_.safe_compiles, 0);
    for (int64_t rows : {1, 100, 3})
      double_rows(device, rows, 7);
    EXPECT_EQ(compiler_.safe_compiles, 1);
    EXPECT_EQ(device.compile_count(), 1);
    EXPECT_EQ(device.safe_launch_count(), 3);
  }
}

TEST_F(Overlap, the_safe_body_is_compiled_for_nobody_else) {
  compiler_.phases = compiler_.safe_phases; // no guard fails
  Device device({.workers = 2});
  double_rows(device, 100, 7);
  EXPECT_EQ(compiler_.safe_compiles, 0);
  EXPECT_EQ(device.safe_launch_count(), 0);
}

TEST_F(Overlap, threads_that_need_the_same_safe_body_compile_it_once) {
  compiler_.compile_time = std::chrono::milliseconds(50);
  Device device({.workers = 2});
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] { double_rows(device, 5, 7); });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(compiler_.safe_compiles, 1);
}

TEST_F(Overlap, each_range_of_programs_goes_its_own_way) {
  static tw_phase work;
  work = compiler_.safe_phases[0].function;
  compiler_.phases[0].function = [](const tw_launch *launch, int64_t begin, int64_t end,
                                    tw_worker *worker) {
    return begin % 2 == 0 ? work(launch, begin, end, worker) : tw_status{TW_OVERLAP};
  };
  Device device({.workers = 2});
  double_rows(device, 100, 7);
  EXPECT_EQ(device.safe_launch_count(), 1);
}

TEST_F(Overlap, the_safe_body_gets_the_workspace_that_it_asks_for) {
  compiler_.phases[0].workspace_bytes = 64;
  compiler_.safe_phases[0].workspace_bytes = 5000;
  compiler_.safe_phases[0].function = [](const tw_launch *, int64_t, int64_t, tw_worker *worker) {
    EXPECT_GE(worker->workspace_bytes, 5000);
    return tw_status{TW_OK};
  };
  Buffer<float> x({3, 3});
  Device device({.workers = 1});
  EXPECT_TRUE(launch(device, x.as_argument(), x.as_argument()));
  Device limited({.workers = 1, .workspace_limit = 4096});
  EXPECT_EQ(launch(limited, x.as_argument(), x.as_argument()).error().text,
            "launch of double_rows: a worker needs 5000 bytes of scratch memory, more than the "
            "device's limit of 4096; raise DeviceOptions::workspace_limit or use smaller tiles");
}

TEST_F(Overlap, failed_compiles_are_errors_and_not_remembered) {
  compiler_.safe_error = Error{ErrorKind::internal, "the safe body does not compile", {}};
  Device device({.workers = 2});
  Buffer<float> x({3, 3});
  EXPECT_EQ(launch(device, x.as_argument(), x.as_argument()).error().message(),
            "user.cpp:12: internal error: the safe body does not compile");
  EXPECT_EQ(device.safe_launch_count(), 0);
  compiler_.safe_error.reset();
  double_rows(device, 3, 3);
}

TEST_F(Overlap, without_a_safe_body_is_an_internal_error) {
  compiler_.safe_phases.clear();
  Device device({.workers = 1});
  Buffer<float> x({3, 3});
  EXPECT_EQ(launch(device, x.as_argument(), x.as_argument()).error().message(),
            "user.cpp:12: internal error: double_rows: the guard failed, and the code has no safe "
            "body");
}

TEST_F(Overlap, works_in_a_child_while_the_parent_compiles_the_safe_body) {
  Device device({.workers = 1});
  double_rows(device, 0, 9); // only the safe body is missing
  compiler_.compile_time = std::chrono::milliseconds(300);
  std::thread compiling([&] { double_rows(device, 5, 9); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  expect_in_child([&] { double_rows(device, 5, 9); });
  compiling.join();
}

#if defined(__x86_64__)
TEST_F(Launch, floating_point_environment_is_the_default_inside_and_restored_outside) {
  constexpr unsigned control_bits = 0xffc0; // all but the sticky exception flags
  fake::compile_double_rows(compiler_, 1);
  compiler_.phases[0].function = [](const tw_launch *, int64_t, int64_t, tw_worker *) {
    EXPECT_EQ(_mm_getcsr() & control_bits, 0x1f80u);
    volatile float smallest = 1e-40f;
    EXPECT_NE(smallest * 1.0f, 0.0f); // denormals are kept
    return tw_status{TW_OK};
  };
  const unsigned before = _mm_getcsr();
  for (int workers : {1, 2}) {
    Device device({.workers = workers});
    Buffer<float> x({100, 3});
    // Flush to zero, denormals are zero, round up, and the overflow flag raised.
    const unsigned callers = 0x1f80 | 0x8000 | 0x0040 | 0x4000 | 0x0008;
    _mm_setcsr(callers);
    const bool ok = static_cast<bool>(launch(device, x.as_argument(), x.as_argument()));
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    EXPECT_TRUE(ok);
    EXPECT_EQ(after, callers);
  }
}
#endif

TEST_F(Launch, works_in_a_child_made_by_fork) {
  fake::compile_double_rows(compiler_, 1);
  Device device({.workers = 2});
  double_rows(device, 100, 7);
  expect_in_child([&] {
    double_rows(device, 100, 7); // code and arena of the parent
    double_rows(device, 100, 8); // compiled in the child
  });
  double_rows(device, 100, 7);
}

TEST_F(Launch, works_in_a_child_while_the_parent_compiles) {
  Device device({.workers = 1});
  compiler_.compile_time = std::chrono::milliseconds(300);
  std::thread compiling([&] { double_rows(device, 5, 9); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  expect_in_child([&] { double_rows(device, 5, 9); });
  compiling.join();
}

TEST_F(Launch, from_several_threads_at_once) {
  fake::compile_double_rows(compiler_, 1);
  Device device({.workers = 2});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round)
        double_rows(device, 50 + i, 4);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(compiler_.compiles, 1);
}

TEST_F(Launch, devices_move) {
  Device device({.workers = 1});
  double_rows(device, 2, 2);
  Device other = std::move(device);
  double_rows(other, 3, 2);
  EXPECT_EQ(compiler_.compiles, 1);
}

} // namespace
} // namespace tilewright
