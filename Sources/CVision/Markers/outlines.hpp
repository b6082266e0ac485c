#pragma once
#include "Markers/borders.hpp"
#include "Markers/geometry.hpp"
#include "Markers/threshold.hpp"
#include "ocv_markers.h"

#include <vector>

namespace ocv::markers {

/// Looks for outlines that may be markers', on the picture and on its halvings.
class OutlineSearch {
public:
    explicit OutlineSearch(const ocv_marker_options &options) : options(options) {}

    bool usesHalf(int width, int height) const;

    /// The outlines in a picture: finer levels first, large ones first.
    ///
    /// - half: the picture at half size, or null: then it is made here where it is needed.
    const std::vector<Candidate> &search(ocv_plane full, const ocv_plane *half);

    /// Those of the last search.
    const std::vector<Candidate> &last() const { return candidates; }

private:
    /// What is dark enough beside what is near: the threshold's window, pixels, and offset, luma levels.
    struct Darkness {
        int window, offset;
    };

    void searchLevels(ocv_plane full, const ocv_plane *half);
    void searchLevel(ocv_plane level, double scale, Darkness darkness, double smallestSide);

    static constexpr int mostLevels = 3;
    const ocv_marker_options options;
    AdaptiveThreshold threshold;
    DarkMask mask;
    BorderFollower borders;
    std::array<std::vector<uint8_t>, mostLevels> levels;
    std::vector<Candidate> candidates;
};

} // namespace ocv::markers
