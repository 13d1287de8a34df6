// The lane dialect in C++: types and operations generated from lane_ops.td.
#pragma once

#include "tile/tile.h"

#include "lane_dialect.h.inc"
#include "lane_enums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "lane_types.h.inc"

#define GET_OP_CLASSES
#include "lane_ops.h.inc"
