#include "Images/search.hpp"

#include "Images/consensus.hpp"
#include "Images/pyramid.hpp"
#include "Pixels/Guard.hpp"
#include "Pixels/clones.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

namespace ocv::images {
namespace {

/// The longer side of the picture that is searched, pixels, at the most.
constexpr int longestFrame = 1280;
constexpr int keypointsOfFrame = 1500;
/// How much nearer the best match must be than the second (Lowe 2004), and the farthest of all, bits of 256.
constexpr float ratio = 0.85F, farthestMatch = 80;
constexpr int leastMatches = 8;
/// How far matches that agree are from where they should be, pixels.
constexpr float tolerance = 6;

/// ORB's descriptor.
constexpr int descriptorBits = 256;
using Descriptor = std::array<uint64_t, descriptorBits / 64>;

/// The nearest of some descriptors, the first of equal ones, and the bits by which it and the next differ.
struct Nearest {
    int index, distance, next;
};

OCV_CLONES Nearest nearest(const Descriptor &one, const Descriptor *others, int count) {
    Nearest out{-1, descriptorBits + 1, descriptorBits + 1};
    for (int i = 0; i < count; i++) {
        int distance = 0;
        for (size_t k = 0; k < one.size(); k++) distance += __builtin_popcountll(one[k] ^ others[i][k]);
        if (distance < out.distance)
            out = {i, distance, out.distance};
        else if (distance < out.next)
            out.next = distance;
    }
    return out;
}

std::vector<Descriptor> words(const cv::Mat &descriptors) {
    std::vector<Descriptor> out(size_t(descriptors.rows));
    for (size_t i = 0; i < out.size(); i++) std::memcpy(out[i].data(), descriptors.ptr(int(i)), sizeof(Descriptor));
    return out;
}

} // namespace

std::optional<cv::Matx33d> find(const ocv_image_reference &reference, const ocv_image_features &frame) {
    if (reference.descriptors.rows < leastMatches || frame.descriptors.rows < leastMatches) return {};
    const std::vector<Descriptor> asking = words(reference.descriptors), asked = words(frame.descriptors);
    std::vector<cv::Point2f> own, seen;
    // A place of the reference may be one of several of its sizes: each asks for itself.
    for (size_t i = 0; i < asking.size(); i++) {
        const Nearest match = nearest(asking[i], asked.data(), int(asked.size()));
        if (float(match.distance) > farthestMatch || float(match.distance) > ratio * float(match.next)) continue;
        own.push_back(reference.keyPlaces[i]);
        seen.push_back(frame.places[size_t(match.index)]);
    }
    return consensus(own, seen, tolerance, leastMatches);
}

} // namespace ocv::images

using namespace ocv::images;

ocv_status ocv_image_features_create(const ocv_pyramid *frame, ocv_image_features **out) noexcept {
    *out = nullptr;
    return ocv::guarded([&] {
        auto made = std::make_unique<ocv_image_features>();
        size_t level = 0;
        while (level + 1 < frame->levels.size() &&
               std::max(frame->levels[level].cols, frame->levels[level].rows) > longestFrame) {
            ++level;
        }
        describe(frame->levels[level], keypointsOfFrame, made->places, made->descriptors);
        for (cv::Point2f &place : made->places) place *= float(1 << level);
        *out = made.release();
    });
}

void ocv_image_features_destroy(ocv_image_features *features) noexcept { delete features; }
