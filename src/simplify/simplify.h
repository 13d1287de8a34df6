// The passes of simplify, in order. Each takes tile IR to tile IR that computes the same; together
// they settle all numerics: no later stage changes a bit of a result.
#pragma once

#include "simplify/bound_arguments.h"
#include "simplify/contract.h"
#include "simplify/drop_dead.h"
#include "simplify/expand_functions.h"
#include "simplify/fold_scalars.h"
#include "simplify/merge_maps.h"
#include "simplify/prove_blocks.h"
#include "simplify/relax_extrema.h"
#include "simplify/set_grouping.h"
