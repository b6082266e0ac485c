#pragma once
#include "Markers/candidates.hpp"
#include "Markers/code.hpp"
#include "Markers/edges.hpp"
#include "Markers/model.hpp"
#include "Markers/negative.hpp"
#include "Markers/outlines.hpp"
#include "ocv_markers.h"

#include <algorithm>
#include <memory>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <stdexcept>
#include <tuple>

namespace ocv::markers {

/// A marker that was read, or seen.
struct Found {
    Reading reading;
    Candidate candidate;
    Quad corners;
    /// By its whole code.
    bool isFitted = false;

    int errors() const { return reading.match.distance + reading.borderErrors; }
};

/// By how much of a marker's contrast its paper may be lighter than its lightest cell.
constexpr float paperSlack = 0.1f;
/// The size of a cell, pixels, below which a reading that chance makes now and then is held against the whole of what is seen.
constexpr double smallCell = 6;
/// How much less what is unlike its code counts where cells are large, of which bends and glints make more; and what counts at
/// the most, as of one that can't be fitted at all.
constexpr double smallByLarge = 3, mostBent = 2.4;

inline bool near(const Quad &a, const Quad &b) {
    // Their corners may start anywhere, so centres and sizes are compared: no marker lies on another.
    const Point middleA = (a[0] + a[1] + a[2] + a[3]) * 0.25, middleB = (b[0] + b[1] + b[2] + b[3]) * 0.25;
    return length(middleA - middleB) < 0.125 * std::min(perimeter(a), perimeter(b));
}

/// Finds the markers of one dictionary: what is behind `ocv_marker_detector`.
class MarkerDetector {
public:
    MarkerDetector(const MarkerDictionary &source, const ocv_marker_options &options)
        : dictionary(source), options(options), outlines(options), reader(dictionary, options.errorCorrection) {}
    MarkerDetector(const MarkerDetector &) = delete;

    bool usesHalf(int width, int height) const { return outlines.usesHalf(width, height); }

    const std::vector<Found> &detect(ocv_plane full, const ocv_plane *half) {
        full = seen(full);
        const ocv_plane halfSeen = half != nullptr && options.inverted ? halfNegative.of(*half) : ocv_plane{};
        // Large ones first: what lies on a marker that was read cleanly needs no reading.
        const auto &outlined = outlines.search(full, half != nullptr && options.inverted ? &halfSeen : half);
        if (isShared) {
            measured.resize(std::max(measured.size(), outlined.size()));
            for (Measurements &one : measured) one.clear();
        }
        return read(full, outlined, isShared ? &measured : nullptr);
    }

    /// Reads what another detector has outlined in the same picture: outlines are no dictionary's.
    const std::vector<Found> &detect(ocv_plane full, MarkerDetector &other) {
        return read(seen(full), other.outlines.last(), other.isShared ? &other.measured : nullptr);
    }

    /// Keeps what is measured of the outlines for others.
    void share() { isShared = true; }

    /// The marker `id` where its corners are expected, clockwise from its own top left.
    std::optional<Found> readAt(ocv_plane full, const Quad &quad, int id) {
        if (full.width < 8 || full.height < 8 || !isConvexClockwise(quad)) return {};
        for (const Point corner : quad)
            if (corner.x < 1 || corner.y < 1 || corner.x > full.width - 2 || corner.y > full.height - 2) return {};
        full = seen(full);
        const Sampler luma(full);
        const auto isIt = [&](const Reading &reading) {
            return reading.found && reading.match.id == id && reading.match.firstCorner == 0;
        };
        Found marker{reader.read(luma, quad), {quad, quad, 1, perimeter(quad)}, quad};
        if (!isIt(marker.reading)) {
            // Onto its edges first, then with more effort: no other marker can be meant here.
            const double contrast = std::max(6.0, 0.3 * double(marker.reading.white - marker.reading.black));
            edges.refine(luma, marker.corners, dictionary.bits + 2, 1, contrast);
            marker.reading = reader.read(luma, marker.corners);
            if (!isIt(marker.reading)) marker.reading = reader.readCarefully(luma, marker.corners);
            if (!isIt(marker.reading)) return seenAt(full, quad, id);
        }
        refine(marker, full);
        return marker;
    }

    void setSurroundings(int id, const Surroundings &value) {
        if (id < 0 || size_t(id) >= dictionary.codes.size()) throw std::invalid_argument("no such marker");
        if (!(value.gap > 0)) throw std::invalid_argument("a marker's gap must be over 0");
        surroundings.resize(dictionary.codes.size());
        surroundings[size_t(id)] = value;
    }

    size_t unreadCount() const {
        return size_t(std::count_if(unread.begin(), unread.end(), [&](const Quad &quad) {
            return std::none_of(found.begin(), found.end(), [&](const Found &f) { return near(f.corners, quad); });
        }));
    }

    bool isPlain(int id) const { return dictionary.isPlain(id); }

    double confidence(const Reading &reading) const { return reader.confidence(reading); }

private:
    /// The picture in which markers are black on white.
    ocv_plane seen(ocv_plane full) { return options.inverted ? negative.of(full) : full; }

    /// - measured: by outline, what is known of it already; null where nobody else reads them.
    const std::vector<Found> &read(
        ocv_plane full, const std::vector<Candidate> &outlined, std::vector<Measurements> *measured) {
        found.clear();
        unread.clear();
        if (outlined.empty()) return found;
        const Sampler luma(full);
        const double pictureSize = std::max(full.width, full.height);
        for (size_t i = 0; i < outlined.size(); ++i) {
            measuring = measured != nullptr ? &(*measured)[i] : nullptr;
            reader.share(measuring);
            examine(outlined[i], luma, pictureSize);
        }
        measuring = nullptr;
        reader.share(nullptr);
        for (Found &marker : found) refine(marker, full);
        found.erase(
            std::remove_if(found.begin(), found.end(), [](const Found &f) { return f.reading.doubt > 1; }),
            found.end());
        std::sort(found.begin(), found.end(), [](const Found &a, const Found &b) {
            const auto key = [](const Found &f) {
                return std::make_tuple(f.reading.match.id, f.corners[0].x, f.corners[0].y);
            };
            return key(a) < key(b);
        });
        return found;
    }

    void examine(const Candidate &candidate, const Sampler &luma, double pictureSize) {
        for (const Found &known : found)
            if (known.errors() == 0 && near(known.corners, candidate.fitted)) return;
        Found marker{reader.read(luma, candidate.fitted), candidate, candidate.fitted};
        noteUnread(marker);
        const bool isRead = readOutlined(marker, luma, pictureSize);
        if ((!isRead || marker.errors() > 0) && !readOnPaper(marker, luma) && !isRead) return;
        for (Found &known : found) {
            if (!near(known.corners, marker.corners)) continue;
            if (marker.errors() < known.errors()) known = marker;
            return;
        }
        found.push_back(marker);
    }

    /// Reads what was outlined as it is, and again with better corners where that may help.
    bool readOutlined(Found &marker, const Sampler &luma, double pictureSize) {
        const Candidate &candidate = marker.candidate;
        const bool doubtful = marker.reading.found && marker.errors() > 0 && reader.isCodeCommon();
        if (doubtful || (!marker.reading.found && marker.reading.promising)) {
            // Where chance alone makes codes, what was not read cleanly must at least be a square with straight sides.
            if (reader.isCodeCommon() && !isPlausibleSquare(candidate.fitted, candidate.scale, pictureSize))
                return false;
            const auto refined = alongEdges(luma, marker.corners, candidate.scale, contrastOf(marker), 255);
            const bool straight = std::all_of(refined.begin(), refined.end(), [](bool corner) { return corner; });
            if (reader.isCodeCommon() && !straight) return false;
            const Reading better = reader.read(luma, marker.corners);
            if (better.found) marker.reading = better;
            if (!marker.reading.found) marker.reading = reader.readCarefully(luma, marker.corners);
        }
        return marker.reading.found;
    }

    /// Reads what is printed on the paper that was outlined in its stead, since that is darker than what is around: false
    /// where nothing is, or nothing that reads better.
    bool readOnPaper(Found &marker, const Sampler &luma) {
        const int cells = dictionary.bits + 2;
        const SquareToQuad paper(marker.candidate.fitted);
        for (const double margin : {0.5, 1.0}) {
            const double near = margin / (cells + 2 * margin), far = 1 - near;
            Quad quad{paper(near, near), paper(far, near), paper(far, far), paper(near, far)};
            if (perimeter(quad) < 4 * options.minimumSize) return false;
            const auto [darkest, lightest] = reader.shades(luma, quad);
            if (lightest == 0) continue;
            const float contrast = lightest - darkest, ceiling = lightest + paperSlack * contrast;
            const double uncertainty = margin / 2 * perimeter(quad) / (4 * cells);
            const auto refined = alongEdges(luma, quad, uncertainty, 0.3 * contrast, ceiling);
            if (!std::all_of(refined.begin(), refined.end(), [](bool corner) { return corner; })) continue;
            const Reading reading = reader.read(luma, quad);
            if (!reading.found) continue;
            if (marker.reading.found && reading.match.distance + reading.borderErrors >= marker.errors()) continue;
            marker = {reading, {quad, quad, marker.candidate.scale, perimeter(quad), ceiling}, quad};
            return true;
        }
        return false;
    }

    /// `EdgeFit::refine`, or what others have measured by it.
    std::array<bool, 4> alongEdges(
        const Sampler &luma, Quad &quad, double uncertainty, double contrast, float ceiling) {
        Measurements::Sides sides{quad, dictionary.bits + 2, uncertainty, contrast, ceiling};
        const Measurements::Sides *known = measuring != nullptr ? measuring->find(sides) : nullptr;
        if (known == nullptr) {
            sides.refined = quad;
            sides.isRefined = edges.refine(luma, sides.refined, sides.cells, uncertainty, contrast, ceiling);
            if (measuring != nullptr) measuring->add(sides);
            known = &sides;
        }
        quad = known->refined;
        return known->isRefined;
    }

    void noteUnread(const Found &marker) {
        constexpr size_t most = 256;
        if (marker.reading.found || !marker.reading.promising || marker.reading.borderErrors > 0) return;
        const auto isKnown = [&](const Quad &quad) { return near(quad, marker.corners); };
        if (unread.size() < most && std::none_of(unread.begin(), unread.end(), isKnown))
            unread.push_back(marker.corners);
    }

    void refine(Found &marker, ocv_plane full) {
        const Sampler luma(full);
        const cv::Mat picture = view(full);
        const Candidate &candidate = marker.candidate;
        Quad corners = candidate.polygon;
        if (options.refine == OCV_MARKER_REFINE_CONTOUR) corners = candidate.fitted;
        if (options.refine == OCV_MARKER_REFINE_SUBPIXEL) {
            corners = candidate.fitted;
            refineByGradient(corners, {}, picture);
        }
        if (options.refine == OCV_MARKER_REFINE_EDGES) {
            corners = candidate.fitted;
            const auto refined = edges.refine(
                luma, corners, dictionary.bits + 2, candidate.scale, contrastOf(marker), candidate.ceiling, true);
            refineByGradient(corners, refined, picture);
        }
        marker.corners = fromOwnCorner(corners, marker);
        const bool isBlurred = options.refine == OCV_MARKER_REFINE_EDGES && ModelFit::isWorthwhile(edges.blur());
        const bool isCommon = reader.commonness(marker.reading) > 0;
        if (!isBlurred && !isCommon && !isSmallAndDoubtful(marker)) return;
        Found fitted = marker;
        if (options.refine != OCV_MARKER_REFINE_EDGES) {
            Quad sides = candidate.fitted;
            edges.refine(
                luma, sides, dictionary.bits + 2, candidate.scale, contrastOf(marker), candidate.ceiling, true);
            fitted.corners = fromOwnCorner(sides, marker);
        }
        fitted.isFitted = fitWhole(fitted, full);
        if (isBlurred) {
            marker = fitted;
            if (!marker.isFitted) marker.reading.blur = model.width();
        }
        const double doubt = model.doubt(marker.reading.match.distance);
        if (isSmallAndDoubtful(marker)) marker.reading.doubt = doubt;
        if (isCommon) marker.reading.strangeness = isSmall(marker) ? doubt : std::min(doubt, mostBent) / smallByLarge;
    }

    /// Whether only the whole of it can tell that a marker is one: where cells are small, few samples say what is in them.
    bool isSmallAndDoubtful(const Found &marker) const { return isSmall(marker) && reader.isDoubtful(marker.reading); }

    bool isSmall(const Found &marker) const {
        return perimeter(marker.candidate.fitted) / 4 / (dictionary.bits + 2) < smallCell;
    }

    /// What a side must rise by, luma levels.
    static double contrastOf(const Found &marker) { return 0.3 * (marker.reading.white - marker.reading.black); }

    static Quad fromOwnCorner(const Quad &corners, const Found &marker) {
        Quad turned;
        for (size_t i = 0; i < 4; ++i) turned[i] = corners[(i + size_t(marker.reading.match.firstCorner)) % 4];
        return turned;
    }

    /// The marker `id` where it can't be read for blur, but what is seen is what it would show.
    std::optional<Found> seenAt(ocv_plane full, const Quad &quad, int id) {
        if (options.refine != OCV_MARKER_REFINE_EDGES) return {};
        Found marker{{}, {quad, quad, 1, perimeter(quad)}, quad};
        marker.reading.match.id = id;
        marker.isFitted = fitWhole(marker, full) && model.isPlain();
        return marker.isFitted ? std::optional(marker) : std::nullopt;
    }

    bool fitWhole(Found &marker, ocv_plane full) {
        const size_t id = size_t(marker.reading.match.id);
        return model.refine(
            full, marker.corners, dictionary.bits, dictionary.codes[id], edges.blur(),
            surroundings.empty() ? Surroundings{} : surroundings[id]);
    }

    /// `cv::cornerSubPix` for the corners that aren't `done`; one that it moves too far stays where it was.
    void refineByGradient(Quad &corners, std::array<bool, 4> done, const cv::Mat &picture) {
        for (size_t i = 0; i < 4; ++i) {
            if (done[i]) continue;
            const double shorter =
                std::min(length(corners[i] - corners[(i + 1) % 4]), length(corners[i] - corners[(i + 3) % 4]));
            // Within a cell, or the window would hold the code's own corners.
            const int window = std::clamp(int(0.8 * shorter / (dictionary.bits + 2)), 1, 5);
            cornerScratch.assign(1, cv::Point2f(corners[i]));
            cv::cornerSubPix(
                picture, cornerScratch, {window, window}, {-1, -1},
                cv::TermCriteria(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 30, 0.01));
            const Point moved = cornerScratch[0];
            if (length(moved - corners[i]) <= window + 1) corners[i] = moved;
        }
    }

    const MarkerDictionary dictionary;
    const ocv_marker_options options;
    Negative negative, halfNegative;
    OutlineSearch outlines;
    CodeReader reader;
    EdgeFit edges;
    ModelFit model;
    /// By id, what is known to be around a marker; empty where nothing is known of any.
    std::vector<Surroundings> surroundings;
    std::vector<Found> found;
    /// By outline of the last picture, for others; and that of the outline that is being read.
    std::vector<Measurements> measured;
    Measurements *measuring = nullptr;
    bool isShared = false;
    /// Places with a marker's border and no code.
    std::vector<Quad> unread;
    std::vector<cv::Point2f> cornerScratch;
};

} // namespace ocv::markers
