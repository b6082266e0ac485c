#pragma once
#include "ocv_markers.h"

namespace ocv::markers {

/// Throws `std::invalid_argument` where an option is out of its range.
void checkOptions(const ocv_marker_options &options);

} // namespace ocv::markers
