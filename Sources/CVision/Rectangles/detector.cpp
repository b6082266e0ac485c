#include "Rectangles/parts.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

using namespace ocv::rectangles;

struct ocv_rectangle_detector {
    ocv_rectangle_options options;
    /// Of luma, Cb and Cr.
    std::array<Regions, 3> regions;
    /// The planes that are looked at: luma, and those of chroma that have edges of their own.
    Views views;
    std::vector<Proposal> proposals;
    std::vector<Rectangle> found;
};

namespace ocv::rectangles {
namespace {

void check(bool valid, const char *message) {
    if (!valid) throw std::invalid_argument(message);
}

bool isShare(double value) { return value >= 0 && value <= 1; }

/// Turns a proposal or rectangle so that its first corner is the one nearest to the top left.
template <typename Shape> void arrange(Shape &shape) {
    const int first = firstCorner(shape.quad);
    turn(shape.quad, first);
    turn(shape.bends, first);
}

/// Maps a proposal or rectangle of a reduced picture to the one `scaleX` × `scaleY` its size.
template <typename Shape> void enlarge(Shape &shape, double scaleX, double scaleY) {
    shape.quad = enlarged(shape.quad, scaleX, scaleY);
    for (auto &side : shape.bends)
        for (double &offset : side) offset *= (scaleX + scaleY) / 2;
}

/// Whether no corner of one is further than `distance` from the other's.
bool isNear(const Quad &a, const Quad &b, double distance) {
    for (int i = 0; i < 4; ++i)
        if (std::abs(a[i].x - b[i].x) > distance || std::abs(a[i].y - b[i].y) > distance) return false;
    return true;
}

/// The least mean side of a rectangle, pixels of the working picture: no less than a contour can show as four of them.
double leastSide(const ocv_rectangle_detector &detector) {
    const cv::Mat &working = detector.regions[0].working;
    return std::max(detector.options.minimumSize * std::min(working.cols, working.rows), 12.0);
}

/// Collects the proposals of every binarisation of every plane, in pixels of the working picture, near-equal ones once.
void collect(ocv_rectangle_detector &detector, double minimumSide) {
    std::vector<Proposal> fresh;
    detector.proposals.clear();
    // The short side of the narrowest rectangle of that size.
    const double narrow = minimumSide * std::sqrt(std::max(leastAspectRatio(detector.options), 0.25));
    for (int plane = 0; plane < 3; ++plane) {
        if (!detector.views[plane]) continue;
        Regions &regions = detector.regions[plane];
        regions.prepare();
        regions.forEachBinarisation(minimumSide, plane > 0, [&](const auto &contours, bool isCoarse) {
            const double side = isCoarse ? narrow / regions.coarseX : narrow;
            fresh.clear();
            for (const auto &contour : contours) propose(contour, side, fresh);
            for (Proposal &proposal : fresh) {
                if (isCoarse) enlarge(proposal, regions.coarseX, regions.coarseY);
                arrange(proposal);
                const Quad &quad = proposal.quad;
                if (!admissible(quad, detector.options, minimumSide, 1)) continue;
                const auto isTwin = [&](const Proposal &other) {
                    return (other.bends == Bends{}) == (proposal.bends == Bends{}) && isNear(other.quad, quad, 2);
                };
                if (std::none_of(detector.proposals.begin(), detector.proposals.end(), isTwin))
                    detector.proposals.push_back(proposal);
            }
        });
    }
}

/// Tests the proposals; those that would only lead to a rectangle again that has been found are passed over.
void confirmAll(ocv_rectangle_detector &detector) {
    std::vector<Rectangle> &found = detector.found;
    Rectangle rectangle;
    for (const Proposal &proposal : detector.proposals) {
        const auto leadsTo = [&](const Rectangle &known) {
            return known.bends == proposal.bends && isNear(known.quad, proposal.quad, 1.5);
        };
        if (std::any_of(found.begin(), found.end(), leadsTo)) continue;
        if (!confirm(detector.views, proposal, 3, rectangle)) continue;
        const auto twin = std::find_if(found.begin(), found.end(), [&](const Rectangle &known) {
            return known.polarity == rectangle.polarity && known.plane == rectangle.plane &&
                   isNear(known.quad, rectangle.quad, 0.75);
        });
        if (twin == found.end())
            found.push_back(rectangle);
        else if (twin->confidence() < rectangle.confidence())
            *twin = rectangle;
    }
}

/// A frame's inner edge may hide the outer one from the binarisations, where a shadow or a
/// seam beside it merges with it: looks for it beside what has been found. Twice, for the frame around the mat around
/// the picture.
void frameAll(ocv_rectangle_detector &detector, double minimumSide) {
    const Regions &regions = detector.regions[0];
    size_t first = 0;
    for (int turn = 0; turn < 2; ++turn) {
        const size_t last = detector.found.size();
        for (size_t index = first; index < last; ++index) {
            const Quad &inner = detector.found[index].quad;
            Proposal proposal;
            Rectangle outer;
            if (!grow(regions.finer, enlarged(inner, regions.finerX, regions.finerY), proposal.quad)) continue;
            proposal.quad = enlarged(proposal.quad, 1 / regions.finerX, 1 / regions.finerY);
            if (!admissible(proposal.quad, detector.options, minimumSide, 1)) continue;
            // Little reach, lest another edge nearby be taken for it after all.
            if (!confirm({&regions.working, nullptr, nullptr}, proposal, 1, outer) || !frames(outer.quad, inner))
                continue;
            outer.doubt = 0.4;
            detector.found.push_back(outer);
        }
        first = last;
    }
}

/// While a framed picture leaves the view, its frame is cut first: looks for frames with one side beyond the border
/// around what is whole, lest the mat, and then the picture, be taken for what was the frame.
void completeAll(ocv_rectangle_detector &detector, double minimumSide) {
    const cv::Size size = detector.regions[0].working.size();
    std::vector<Rectangle> &found = detector.found;
    std::vector<Rectangle> cut;
    for (const Rectangle &inner : found) {
        double shorter, longer;
        sideLengths(inner.quad, shorter, longer);
        const auto isNearBorder = [&](Point at) {
            return std::min({at.x, at.y, size.width - 1 - at.x, size.height - 1 - at.y}) < shorter / 2;
        };
        if (std::none_of(inner.quad.begin(), inner.quad.end(), isNearBorder)) continue;
        std::optional<Rectangle> outermost;
        for (const Proposal &proposal : detector.proposals) {
            if (proposal.bends != Bends{} || signedArea(proposal.quad) < 0.8 * signedArea(inner.quad)) continue;
            Rectangle outer;
            if (!complete(detector.views, proposal, inner, outer)) continue;
            if (!admissible(outer.quad, detector.options, minimumSide, 1)) continue;
            if (!outermost || signedArea(outer.quad) > signedArea(outermost->quad)) outermost = outer;
        }
        if (outermost) cut.push_back(*outermost);
    }
    // What lies inside of them, larger than that, has one side of the frame's or the mat's and another of what it holds.
    found.erase(
        std::remove_if(
            found.begin(), found.end(),
            [&](const Rectangle &rectangle) {
                return std::any_of(cut.begin(), cut.end(), [&](const Rectangle &frame) {
                    return covers(frame.quad, rectangle.quad) &&
                           signedArea(rectangle.quad) > 0.3 * signedArea(frame.quad);
                });
            }),
        found.end());
    found.insert(found.end(), cut.begin(), cut.end());
}

/// Looks for quadrilaterals that a hand drew: their strokes sway too much for straight edges, or straight edges follow
/// one outline here and the other there. They take the place of what has been found along their strokes.
void drawAll(ocv_rectangle_detector &detector, double minimumSide) {
    const Regions &regions = detector.regions[0];
    std::vector<Rectangle> &found = detector.found;
    std::vector<Drawing> drawings;
    const double scale = std::sqrt(regions.finerX * regions.finerY);
    for (const Proposal &proposal : detector.proposals) {
        if (proposal.bends != Bends{}) continue;
        double shorter, longer;
        sideLengths(proposal.quad, shorter, longer);
        const auto isKnown = [&](const Drawing &known) {
            return isNear(known.rectangle.quad, proposal.quad, 2 + known.width);
        };
        if (std::any_of(drawings.begin(), drawings.end(), isKnown)) continue;
        Drawing drawing;
        if (!trace(regions.working, proposal.quad, std::clamp(0.12 * shorter, 6.0, 28.0), drawing)) continue;
        const Quad finer = enlarged(drawing.rectangle.quad, regions.finerX, regions.finerY);
        const double reach = scale * (drawing.width + 2 * drawing.sway + 3);
        if (!trace(regions.finer, finer, reach, drawing)) continue;
        Rectangle &rectangle = drawing.rectangle;
        rectangle.quad = enlarged(rectangle.quad, 1 / regions.finerX, 1 / regions.finerY);
        rectangle.isDrawn = true;
        drawing.width /= scale;
        drawing.sway /= scale;
        drawings.push_back(drawing);
    }
    for (const Drawing &drawing : drawings) {
        // What is straight is better told by its outer edge.
        if (drawing.sway * scale < 0.3 || !admissible(drawing.rectangle.quad, detector.options, minimumSide, 0))
            continue;
        const double near = drawing.width + 2 * drawing.sway + 3;
        const auto isOutline = [&](const Rectangle &other) { return isNear(other.quad, drawing.rectangle.quad, near); };
        found.erase(std::remove_if(found.begin(), found.end(), isOutline), found.end());
        found.push_back(drawing.rectangle);
    }
}

/// Whether a side is nothing but the picture's border, no further than `near` from it: what goes on beyond is no quad of that
/// shape. A completed frame's cut side is known to lie where it does.
bool endsAtBorder(const Rectangle &rectangle, cv::Size size, double near) {
    for (int i = 0; i < 4; ++i) {
        const Point a = rectangle.quad[i], b = rectangle.quad[(i + 1) % 4];
        const double right = size.width - 1 - near, bottom = size.height - 1 - near;
        if (i != rectangle.cut && (std::max(a.x, b.x) < near || std::max(a.y, b.y) < near ||
                                   std::min(a.x, b.x) > right || std::min(a.y, b.y) > bottom))
            return true;
    }
    return false;
}

/// Reduces luma, and chroma where it shows edges that luma lacks.
void reduce(ocv_rectangle_detector &detector, const Planes &planes) {
    Regions &luma = detector.regions[0];
    luma.reduce(planes[0].samples);
    detector.views = {&luma.working, nullptr, nullptr};
    const double side = leastSide(detector);
    for (int index = 1; index < 3; ++index) {
        if (planes[index].samples.empty()) continue;
        Regions &chroma = detector.regions[index];
        chroma.reduce(planes[index].samples, luma);
        if (chroma.addsTo(luma, side)) detector.views[index] = &chroma.working;
    }
}

void detect(ocv_rectangle_detector &detector, const Planes &planes) {
    const cv::Mat &luma = planes[0].samples;
    const ocv_rectangle_options &options = detector.options;
    detector.found.clear();
    if (std::min(luma.cols, luma.rows) < 16) return;
    reduce(detector, planes);
    const Regions &regions = detector.regions[0];

    const double side = leastSide(detector);
    collect(detector, side);
    confirmAll(detector);
    mergeTwins(detector.found);
    frameAll(detector, side);
    completeAll(detector, side);
    drawAll(detector, side);
    select(detector.found);

    const double fullSide = options.minimumSize * std::min(luma.cols, luma.rows);
    const double scale = std::max(regions.scaleX, regions.scaleY);
    for (Rectangle &found : detector.found) {
        enlarge(found, regions.scaleX, regions.scaleY);
        if (found.isDrawn) continue;
        refine(planes, scale * found.doubt + 1.5, found);
        settle(planes, std::max(5.0, 0.009 * std::min(luma.cols, luma.rows)), found);
    }
    // Chroma that shows nothing of its own says nothing of sides either.
    Planes shown = planes;
    for (size_t index = 1; index < 3; ++index)
        if (!detector.views[index]) shown[index].samples = cv::Mat();
    auto &found = detector.found;
    found.erase(
        std::remove_if(
            found.begin(), found.end(),
            [&](const Rectangle &rectangle) {
                return !admissible(rectangle.quad, options, fullSide, 0) ||
                       endsAtBorder(rectangle, luma.size(), 2 * scale) ||
                       rectangle.confidence() < options.minimumConfidence ||
                       (!rectangle.isDrawn && goesOn(shown, rectangle));
            }),
        found.end());
    select(found);
    if (options.maximumObservations > 0 && found.size() > size_t(options.maximumObservations))
        found.resize(options.maximumObservations);
}

} // namespace
} // namespace ocv::rectangles

ocv_status ocv_rectangle_detector_create(ocv_rectangle_options options, ocv_rectangle_detector **detector) noexcept {
    return ocv::guarded([&] {
        *detector = nullptr;
        check(isShare(options.minimumAspectRatio), "minimumAspectRatio must be 0…1");
        check(isShare(options.maximumAspectRatio), "maximumAspectRatio must be 0…1");
        check(
            options.minimumAspectRatio <= options.maximumAspectRatio,
            "minimumAspectRatio must not exceed maximumAspectRatio");
        check(
            options.quadratureTolerance >= 0 && options.quadratureTolerance <= 45,
            "quadratureTolerance must be 0…45 degrees");
        check(isShare(options.minimumSize), "minimumSize must be 0…1");
        check(isShare(options.minimumConfidence), "minimumConfidence must be 0…1");
        check(options.maximumObservations >= 0, "maximumObservations must be 0 or more");
        *detector = new ocv_rectangle_detector{options, {}, {}, {}, {}};
    });
}

void ocv_rectangle_detector_destroy(ocv_rectangle_detector *detector) noexcept { delete detector; }

ocv_status ocv_rectangle_detect(
    ocv_rectangle_detector *detector, const ocv_picture *picture, ocv_rectangle *rectangles, int32_t capacity,
    int32_t *count) noexcept {
    return ocv::guarded([&] {
        *count = 0;
        detect(*detector, planes(*picture));
        const int32_t written = std::min(int32_t(detector->found.size()), std::max(capacity, 0));
        for (int32_t index = 0; index < written; ++index) {
            const Rectangle &found = detector->found[index];
            const int first = firstCorner(found.quad);
            for (int i = 0; i < 4; ++i) {
                const Point corner = found.quad[(first + i) % 4];
                rectangles[index].corners[i] = {corner.x, corner.y};
            }
            rectangles[index].confidence = found.confidence();
        }
        *count = written;
    });
}
