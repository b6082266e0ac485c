#include "Images/search.hpp"

#include "Images/alignment.hpp"
#include "Images/consensus.hpp"
#include "Images/pyramid.hpp"
#include "Pixels/Guard.hpp"
#include "Pixels/clones.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>

namespace ocv::images {
namespace {

/// The longer side of the picture that is searched, pixels, at the most.
constexpr int longestFrame = 1280;
constexpr int keypointsOfFrame = 1500;
/// How much nearer the best match must be than the second (Lowe 2004), and the farthest of all, bits of 256.
constexpr float ratio = 0.9F;
constexpr int farthestMatch = 80;
/// The same of the first 64 bits, of which each tells most (ORB has the surest first).
constexpr int farthestHead = 21;
constexpr int leastMatches = 6;
/// How far matches that agree are from where they should be, pixels of the picture that is searched.
constexpr float tolerance = 3;
/// Of two matches that agree: the least cosine of the turn between them, the most that they differ in size, and how far one may be
/// from where the other has it, as a share of the way, and pixels more.
constexpr float leastAlong = 0.87F, mostGrowth = 1.7F, mostOff = 0.5F, moreOff = 8;
/// Views of which the matches are looked at closely.
constexpr size_t mostCandidates = 3;
/// How far the matches of other views may be from where one view has them, of `tolerance`.
constexpr float nearby = 5;

/// The nearest of some descriptors, the first of equal ones, and the bits by which it and the next differ.
struct Nearest {
    int index, distance, next;
};

/// Marks which descriptors may be near, by a quarter of the bits; `marks` has room for `block`.
constexpr int block = 64;
OCV_CLONES void markNear(uint64_t head, const uint64_t *heads, uint8_t *marks) {
    for (int i = 0; i < block; i++) marks[i] = __builtin_popcountll(head ^ heads[i]) <= farthestHead;
}

/// - Parameter heads: Filled up to whole blocks.
OCV_CLONES Nearest nearest(const Descriptor &one, const Descriptor *others, const uint64_t *heads, int count) {
    Nearest out{-1, descriptorBits + 1, descriptorBits + 1};
    std::array<uint8_t, block> marks;
    for (int first = 0; first < count; first += block) {
        markNear(one[0], heads + first, marks.data());
        const int last = count - first < block ? count - first : block;
        for (int eight = 0; eight < last; eight += 8) {
            uint64_t near = 0;
            std::memcpy(&near, marks.data() + eight, 8);
            for (; near != 0; near &= near - 1) {
                const int i = first + eight + __builtin_ctzll(near) / 8;
                if (i >= count) break;
                int distance = 0;
                for (size_t k = 0; k < one.size(); k++) distance += __builtin_popcountll(one[k] ^ others[i][k]);
                if (distance < out.distance)
                    out = {i, distance, out.distance};
                else if (distance < out.next)
                    out.next = distance;
            }
        }
    }
    return out;
}

/// A place of a view that looks like one of the frame: what it says about where the view lies.
struct Match {
    /// In the picture's level 0, in the view, in the frame.
    cv::Point2f place, own, seen;
    /// How the view is turned and by what it is larger, as a complex number, and its size.
    cv::Point2f turn;
    float growth;
};

std::vector<Match> matches(const View &view, const Keypoints &frame, const std::vector<uint64_t> &heads) {
    std::vector<Match> out;
    for (size_t i = 0; i < view.places.size(); i++) {
        const Nearest match = nearest(
            view.keypoints.descriptors[i], frame.descriptors.data(), heads.data(), int(frame.descriptors.size()));
        if (match.distance > farthestMatch || float(match.distance) > ratio * float(match.next)) continue;
        const Keypoint &own = view.keypoints.points[i], &seen = frame.points[size_t(match.index)];
        const float angle = seen.angle - own.angle, growth = seen.size / own.size;
        out.push_back({view.places[i], own.at, seen.at, {growth * std::cos(angle), growth * std::sin(angle)}, growth});
    }
    return out;
}

/// Whether one match is where another says, the way that it says.
bool agree(const Match &one, const Match &other) {
    if (one.turn.dot(other.turn) < leastAlong * one.growth * other.growth) return false;
    if (other.growth > mostGrowth * one.growth || one.growth > mostGrowth * other.growth) return false;
    const cv::Point2f way = other.own - one.own;
    const cv::Point2f expected{one.turn.x * way.x - one.turn.y * way.y, one.turn.y * way.x + one.turn.x * way.y};
    const cv::Point2f off = other.seen - one.seen - expected;
    const float most = mostOff * std::sqrt(expected.dot(expected)) + moreOff;
    return off.dot(off) <= most * most;
}

} // namespace

std::vector<cv::Matx33d> find(const ocv_image_reference &reference, const ocv_image_features &frame) {
    /// The match of a view with which most others agree.
    struct Candidate {
        size_t view, seed;
        int count;
    };
    std::vector<uint64_t> heads;
    for (const Descriptor &descriptor : frame.keypoints.descriptors) heads.push_back(descriptor[0]);
    heads.resize((heads.size() + block - 1) / block * block);
    std::vector<std::vector<Match>> all;
    std::vector<Candidate> candidates;
    for (const View &view : views(reference)) {
        all.push_back(matches(view, frame.keypoints, heads));
        const std::vector<Match> &own = all.back();
        Candidate best{all.size() - 1, 0, 0};
        for (size_t i = 0; i < own.size(); i++) {
            int count = 0;
            for (const Match &other : own) count += agree(own[i], other);
            if (count > best.count) best.count = count, best.seed = i;
        }
        if (best.count >= leastMatches) candidates.push_back(best);
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate &a, const Candidate &b) {
        return a.count != b.count ? a.count > b.count : a.view < b.view;
    });
    if (candidates.size() > mostCandidates) candidates.resize(mostCandidates);
    std::vector<cv::Matx33d> out;
    const float pixels = tolerance * frame.scale;
    for (const Candidate &candidate : candidates) {
        std::vector<cv::Point2f> own, seen;
        for (const Match &other : all[candidate.view]) {
            if (!agree(all[candidate.view][candidate.seed], other)) continue;
            own.push_back(other.place);
            seen.push_back(other.seen * frame.scale);
        }
        const auto rough = consensus(own, seen, pixels, leastMatches);
        if (!rough) continue;
        // What the other views have to say about the same place: the farther the matches reach, the surer the corners.
        own.clear();
        seen.clear();
        for (const std::vector<Match> &view : all) {
            for (const Match &match : view) {
                const cv::Point2f at = match.seen * frame.scale;
                const cv::Point2d off = map(*rough, match.place) - cv::Point2d(at);
                if (!(off.dot(off) <= double(nearby * nearby * pixels * pixels))) continue;
                own.push_back(match.place);
                seen.push_back(at);
            }
        }
        const auto whole = consensus(own, seen, pixels, leastMatches);
        out.push_back(whole ? *whole : *rough);
    }
    return out;
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
        made->keypoints = describe(frame->levels[level], keypointsOfFrame);
        made->scale = float(1 << level);
        *out = made.release();
    });
}

void ocv_image_features_destroy(ocv_image_features *features) noexcept { delete features; }
