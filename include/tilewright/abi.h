/* The binary interface between compiled kernels and whoever launches them. Plain C, so that
 * ahead-of-time objects need nothing else.
 *
 * A kernel is an ordered list of phases with a barrier between them. A phase runs the programs
 * [begin, end) of one root nest and returns a tw_status. Several threads may run one phase at the
 * same time on disjoint program ranges, each with its own tw_worker. */
#ifndef TILEWRIGHT_ABI_H
#define TILEWRIGHT_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TW_MAX_RANK = 8 };

/* One argument: the address of element (0, ..., 0), and per dimension the extent and the stride,
 * both counted in elements. Strides may be zero or negative. Entries past the rank are unused. */
typedef struct tw_view {
  void *data;
  int64_t extents[TW_MAX_RANK];
  int64_t strides[TW_MAX_RANK];
} tw_view;

/* What all workers of one launch share. `views` has one entry per kernel parameter, in order. */
typedef struct tw_launch {
  const tw_view *views;
  int64_t view_count;
} tw_launch;

/* What one worker owns for the length of a call. `workspace` is 64-byte aligned and holds at least
 * the bytes that the compiled kernel asks for; it may be null when that is zero. */
typedef struct tw_worker {
  void *workspace;
  int64_t workspace_bytes;
} tw_worker;

typedef int32_t tw_status;
enum { TW_OK = 0, TW_OK_SAFE_BODY = 1 /* done; the guard failed, so the safe body ran */ };

typedef tw_status (*tw_phase)(const tw_launch *launch, int64_t begin, int64_t end,
                              tw_worker *worker);

#ifdef __cplusplus
}
#endif
#endif
