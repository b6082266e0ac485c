#include "Markers/outlines.hpp"
#include "Markers/candidates.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace ocv::markers {

namespace {

/// The window of the automatic threshold: the smallest at which a marker's border stays whole next to noise.
constexpr int wideWindow = 13, wideOffset = 4;
/// A second one on the full-size level: it keeps small markers apart from what is near.
constexpr int narrowWindow = 7, narrowOffset = 7;
/// A third one for borders that are paler than their surroundings' ups and downs, on the first level on which noise is
/// averaged: it sees what is darker than its next neighbours at all, and so each side of a border by its own white alone.
constexpr int paleWindow = 7, paleOffset = 1;
/// The offset of windows that are given.
constexpr int givenOffset = 7;
/// Below this shorter side a coarser level has no marker left that the finer one can't see.
constexpr int smallestLevel = 150;
/// Mean side in pixels of the searched level below which outlines are too coarse for a code to be read.
constexpr double smallestSideOnLevel = 7.5;
/// The same on the coarser levels, which only have to find what the finer one lost to blur, noise or size.
constexpr double smallestSideOnCoarseLevel = 14;

ocv_plane halved(ocv_plane plane, std::vector<uint8_t> &pixels) {
    const ocv_plane half{nullptr, plane.width / 2, plane.height / 2, plane.width / 2};
    pixels.resize(size_t(half.width) * size_t(half.height));
    const ocv_status status = ocv_half_size(plane, pixels.data(), half.stride);
    if (status.code != 0) throw std::runtime_error(status.message);
    return {pixels.data(), half.width, half.height, half.stride};
}

} // namespace

bool OutlineSearch::usesHalf(int width, int height) const {
    if (options.search == OCV_MARKER_SEARCH_AUTO) return std::min(width, height) >= 700;
    return options.search == OCV_MARKER_SEARCH_HALF && std::min(width, height) >= 2;
}

const std::vector<Candidate> &OutlineSearch::search(ocv_plane full, const ocv_plane *half) {
    candidates.clear();
    if (full.width < 8 || full.height < 8) return candidates;
    searchLevels(full, half);
    std::sort(candidates.begin(), candidates.end(), [](const Candidate &a, const Candidate &b) {
        const auto key = [](const Candidate &c) {
            return std::make_tuple(c.scale, -c.perimeter, c.fitted[0].x, c.fitted[0].y);
        };
        return key(a) < key(b);
    });
    return candidates;
}

void OutlineSearch::searchLevels(ocv_plane full, const ocv_plane *half) {
    ocv_plane level = full;
    double scale = 1;
    size_t made = 0;
    const auto descend = [&] {
        level = halved(level, levels[made++]);
        scale *= 2;
    };
    if (usesHalf(full.width, full.height)) {
        if (half != nullptr) {
            if (half->width != full.width / 2 || half->height != full.height / 2)
                throw std::invalid_argument("the half-size plane doesn't fit the picture");
            level = *half;
            scale = 2;
        } else {
            descend();
        }
    }
    while (made < levels.size() && std::max(level.width, level.height) > largestLevel) descend();
    if (options.windowCount > 0) {
        for (int i = 0; i < options.windowCount; ++i)
            searchLevel(level, scale, {options.windows[i] | 1, givenOffset}, smallestSideOnLevel);
        return;
    }
    const auto isCoarser = [&] {
        return made < levels.size() && std::min(level.width, level.height) >= 2 * smallestLevel;
    };
    // What is asked for holds.
    const bool isOffsetGiven = options.thresholdOffset >= 0;
    bool isPaleSearched = isOffsetGiven;
    const auto searchPale = [&] {
        if (!isPaleSearched) searchLevel(level, scale, {paleWindow, paleOffset}, smallestSideOnLevel);
        isPaleSearched = true;
    };
    searchLevel(level, scale, {wideWindow, wideOffset}, smallestSideOnLevel);
    // On a half-size plane the pale window sees nearly all that this one does.
    if (scale == 1 || isOffsetGiven) searchLevel(level, scale, {narrowWindow, narrowOffset}, smallestSideOnLevel);
    if (scale > 1 || !isCoarser()) searchPale();
    while (isCoarser()) {
        descend();
        searchLevel(level, scale, {wideWindow, wideOffset}, smallestSideOnCoarseLevel);
        searchPale();
    }
}

void OutlineSearch::searchLevel(ocv_plane level, double scale, Darkness darkness, double smallestSide) {
    if (level.width < 3 || level.height < 3) return;
    const int offset = options.thresholdOffset >= 0 ? int(std::lround(options.thresholdOffset)) : darkness.offset;
    threshold.apply(level, darkness.window, offset, mask);
    const double smallest = 4 * std::max(options.minimumSize / scale, smallestSide);
    // A diagonal run of pixels counts less than its length; and the outline runs inside the edge.
    const int shortest = std::max(8, int(smallest * 0.7) - 4);
    borders.forEach(mask, shortest, [&](std::vector<cv::Point> &outline) {
        const auto candidate = quadFromOutline(outline, {level.width, level.height}, scale);
        if (candidate && perimeter(candidate->fitted) >= smallest * scale) candidates.push_back(*candidate);
    });
}

} // namespace ocv::markers
