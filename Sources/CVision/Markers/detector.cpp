#include "Markers/detector.hpp"
#include "Markers/options.hpp"

namespace ocv::markers {
const MarkerDictionary &contents(const ocv_marker_dictionary *dictionary);
}

using namespace ocv::markers;

struct ocv_marker_detector {
    MarkerDetector value;

    ocv_marker report(const Found &found) const {
        ocv_marker marker{};
        marker.id = found.reading.match.id;
        marker.correctedBits = found.reading.match.distance;
        marker.borderErrors = found.reading.borderErrors;
        marker.confidence = value.confidence(found.reading);
        marker.isFitted = found.isFitted;
        marker.isPlain = value.isPlain(found.reading.match.id);
        for (size_t i = 0; i < 4; ++i) marker.corners[i] = {found.corners[i].x, found.corners[i].y};
        return marker;
    }

    /// Writes as many as there is room for, and counts all.
    void report(const std::vector<Found> &all, ocv_marker *out, int32_t capacity, int32_t *count) const {
        for (const Found &found : all) {
            if (*count < capacity) out[*count] = report(found);
            ++*count;
        }
    }
};

ocv_status ocv_marker_detector_create(
    const ocv_marker_dictionary *dictionary, const ocv_marker_options *options, ocv_marker_detector **out) noexcept {
    *out = nullptr;
    return ocv::guarded([&] {
        checkOptions(*options);
        *out = new ocv_marker_detector{{contents(dictionary), *options}};
    });
}

void ocv_marker_detector_destroy(ocv_marker_detector *detector) noexcept { delete detector; }

ocv_status ocv_marker_detector_set_surroundings(
    ocv_marker_detector *detector, int32_t id, int32_t kind, double gap, const bool hasNeighbour[4]) noexcept {
    return ocv::guarded([&] {
        if (kind != OCV_MARKER_ON_CHESSBOARD && kind != OCV_MARKER_ON_GRID)
            throw std::invalid_argument("unknown surroundings");
        Surroundings value;
        value.kind = kind == OCV_MARKER_ON_GRID ? Surroundings::Kind::grid : Surroundings::Kind::chessboard;
        value.gap = gap;
        std::copy_n(hasNeighbour, 4, value.hasNeighbour.begin());
        detector->value.setSurroundings(id, value);
    });
}

bool ocv_marker_detector_uses_half(const ocv_marker_detector *detector, int32_t width, int32_t height) noexcept {
    return detector->value.usesHalf(width, height);
}

int32_t ocv_marker_detector_unread(const ocv_marker_detector *detector) noexcept {
    return int32_t(detector->value.unreadCount());
}

void ocv_marker_detector_share(ocv_marker_detector *detector) noexcept { detector->value.share(); }

ocv_status ocv_marker_detect(
    ocv_marker_detector *detector, ocv_plane full, const ocv_plane *half, ocv_marker *out, int32_t capacity,
    int32_t *count) noexcept {
    *count = 0;
    return ocv::guarded([&] { detector->report(detector->value.detect(full, half), out, capacity, count); });
}

ocv_status ocv_marker_detect_among(
    ocv_marker_detector *detector, ocv_plane full, ocv_marker_detector *other, ocv_marker *out, int32_t capacity,
    int32_t *count) noexcept {
    *count = 0;
    return ocv::guarded([&] { detector->report(detector->value.detect(full, other->value), out, capacity, count); });
}

ocv_status ocv_marker_read(
    ocv_marker_detector *detector, ocv_plane full, int32_t id, const ocv_point corners[4], ocv_marker *out,
    bool *isFound) noexcept {
    *isFound = false;
    return ocv::guarded([&] {
        Quad quad;
        for (size_t i = 0; i < 4; ++i) quad[i] = {corners[i].x, corners[i].y};
        const auto found = detector->value.readAt(full, quad, id);
        if (!found) return;
        *out = detector->report(*found);
        *isFound = true;
    });
}
