#include "Pixels/modules.hpp"
#include "Rectangles/parts.hpp"

namespace ocv::rectangles {

namespace {

/// How much of `line` lies in a picture of `size`.
double shareInside(Line line, cv::Size size) {
    const int places = 20;
    int inside = 0;
    for (int i = 0; i < places; ++i) {
        const Point at = line.from + (line.to - line.from) * ((i + 0.5) / places);
        inside += at.x >= 0 && at.y >= 0 && at.x <= size.width - 1 && at.y <= size.height - 1;
    }
    return double(inside) / places;
}

/// The side of `quad` that runs along the border of a picture of `size` or beyond it, or in part; −1 for none or several.
int cutSide(const Quad &quad, cv::Size size) {
    const double near = 4;
    const auto isBeyond = [&](Point a, int border) {
        switch (border) {
        case 0: return a.x < near;
        case 1: return a.y < near;
        case 2: return a.x > size.width - 1 - near;
        default: return a.y > size.height - 1 - near;
        }
    };
    int side = -1;
    for (int i = 0; i < 4; ++i)
        for (int border = 0; border < 4; ++border) {
            if (!isBeyond(quad[i], border) || !isBeyond(quad[(i + 1) % 4], border)) continue;
            if (side >= 0 && side != i) return -1;
            side = i;
        }
    double least = 0.8;
    for (int i = 0; i < 4 && side < 0; ++i) least = std::min(least, shareInside({quad[i], quad[(i + 1) % 4]}, size));
    for (int i = 0; i < 4 && side < 0 && least < 0.8; ++i)
        if (shareInside({quad[i], quad[(i + 1) % 4]}, size) == least) side = i;
    return side;
}

/// Which side of `outer` lies beside side 0 of `inner`, both clockwise: the one that runs most nearly alike.
int matching(const Quad &outer, const Quad &inner) {
    const Point along = (inner[1] - inner[0]) / cv::norm(inner[1] - inner[0]);
    int best = 0;
    double most = -2;
    for (int i = 0; i < 4; ++i) {
        const Point side = outer[(i + 1) % 4] - outer[i];
        const double alike = along.dot(side) / cv::norm(side);
        if (alike > most) {
            most = alike;
            best = i;
        }
    }
    return best;
}

/// The side of a frame that the picture's border hides, from `opposite`, the frame's other side: seen from straight
/// ahead it is as far from `inner` there as the opposite one here. `side` counts `inner`'s sides.
bool mirror(const Quad &inner, int side, Line opposite, Line &hidden) {
    std::array<cv::Point2f, 4> from;
    for (int i = 0; i < 4; ++i) from[i] = inner[(side + i) % 4];
    // The hidden side runs above the square, the one opposite below.
    const std::array<cv::Point2f, 4> square{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
    const cv::Matx33d map(cv::getPerspectiveTransform(from.data(), square.data()));
    const cv::Matx33d back(cv::getPerspectiveTransform(square.data(), from.data()));
    const auto taken = [](const cv::Matx33d &by, Point at, Point &to) {
        const cv::Vec3d place = by * cv::Vec3d(at.x, at.y, 1);
        if (place[2] <= 1e-6) return false;
        to = {place[0] / place[2], place[1] / place[2]};
        return true;
    };
    Point a, b;
    if (!taken(map, opposite.from, a) || !taken(map, opposite.to, b)) return false;
    return taken(back, {b.x, 1 - b.y}, hidden.from) && taken(back, {a.x, 1 - a.y}, hidden.to);
}

} // namespace

bool complete(const Views &views, const Proposal &proposal, const Rectangle &inner, Rectangle &outer) {
    const cv::Size size = views[0]->size();
    const int cut = cutSide(proposal.quad, size);
    if (cut < 0) return false;
    std::array<Line, 4> lines;
    for (int i = 0; i < 4; ++i) {
        if (i == cut) continue;
        if (!confirmSide(views, proposal, i, 3, outer, lines[i])) return false;
    }
    const int side = (cut - matching(proposal.quad, inner.quad) + 4) % 4;
    if (!mirror(inner.quad, side, lines[(cut + 2) % 4], lines[cut])) return false;
    if (!enclose(lines, outer.quad)) return false;
    const Line hidden{outer.quad[cut], outer.quad[(cut + 1) % 4]};
    const double inside = shareInside(hidden, size);
    outer.bends = {};
    outer.support[cut] = 0;
    outer.plane[cut] = outer.plane[(cut + 2) % 4];
    outer.polarity[cut] = outer.polarity[(cut + 2) % 4];
    outer.strength[cut] = outer.strength[(cut + 2) % 4];
    outer.cut = cut;
    // What of it is in the picture must be seen there.
    if (inside > 0.15) {
        Rectangle seen;
        Line line;
        if (inside > 0.9 || !confirmSide(views, {outer.quad, {}}, cut, 3, seen, line)) return false;
        lines[cut] = line;
        outer.support[cut] = seen.support[cut];
        outer.polarity[cut] = seen.polarity[cut];
        if (!enclose(lines, outer.quad)) return false;
    }
    // What is not in the picture is not borne out by it.
    for (int i = 0; i < 4; ++i) outer.support[i] *= shareInside({outer.quad[i], outer.quad[(i + 1) % 4]}, size);
    return frames(outer.quad, inner.quad);
}

} // namespace ocv::rectangles
