#include "Markers/options.hpp"

#include <stdexcept>

namespace ocv::markers {

void checkOptions(const ocv_marker_options &options) {
    const auto require = [](bool holds, const char *message) {
        if (!holds) throw std::invalid_argument(message);
    };
    require(
        options.refine >= OCV_MARKER_REFINE_NONE && options.refine <= OCV_MARKER_REFINE_EDGES,
        "unknown corner refinement");
    require(
        options.search >= OCV_MARKER_SEARCH_AUTO && options.search <= OCV_MARKER_SEARCH_HALF, "unknown marker search");
    require(options.errorCorrection >= 0 && options.errorCorrection <= 1, "the error correction rate must be 0 to 1");
    require(
        options.minimumSize >= 4 && options.minimumSize <= 10000, "the smallest marker size must be 4 to 10000 pixels");
    require(options.thresholdOffset <= 127, "the threshold offset must be at most 127");
    require(
        options.windowCount >= 0 && options.windowCount <= OCV_MARKER_MAX_WINDOWS,
        "at most 8 threshold windows can be given");
    for (int i = 0; i < options.windowCount; ++i)
        require(options.windows[i] >= 3 && options.windows[i] <= 255, "a threshold window must be 3 to 255 pixels");
}

} // namespace ocv::markers
