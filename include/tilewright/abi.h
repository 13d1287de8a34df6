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
enum {
  TW_OK = 0,
  TW_OK_SAFE_BODY = 1, /* done; the guard failed, so the safe body ran */
  TW_OVERLAP = 2       /* nothing was run: the guard failed, and the object has no safe body. The
                        * answer depends on the launch's views alone, so all calls of a phase in one
                        * launch agree. */
};

typedef tw_status (*tw_phase)(const tw_launch *launch, int64_t begin, int64_t end,
                              tw_worker *worker);

/* What a compiled kernel calls beside the C library's functions.
 *
 * Whether two views of a launch do not overlap harmfully: the whole test of a guard, for launches
 * that the straight code at the entry of a phase does not let pass. Not zero when (1) their byte
 * ranges are disjoint, or (2) both are slices of one buffer: every step along another dimension
 * than the unit one is a multiple of one pitch, and modulo that pitch their intervals along the
 * unit dimensions do not meet, or (3) `same_element_first` and both have the same elements at the
 * same addresses. A view without elements is disjoint from everything; one with offsets beyond
 * +-2^55 elements, or whose bytes leave the address space, from nothing. */
int32_t tw_views_apart(const tw_launch *launch, int32_t stored, int32_t other, int32_t stored_form,
                       int32_t other_form, int32_t same_element_first);

/* What is fixed about a view when its kernel is compiled: rank, bytes per element, and the
 * dimension whose stride is one, -1 for none. */
static inline int32_t tw_view_form(int32_t rank, int32_t element_bytes, int32_t unit_dim) {
  return rank | element_bytes << 8 | (unit_dim + 1) << 16;
}

#ifdef __cplusplus
}
#endif
#endif
