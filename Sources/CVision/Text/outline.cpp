#include "Text/lines.hpp"

#include <algorithm>
#include <cmath>

namespace ocv::text {
namespace {

/// The cost of ends of letters lying on two parallel lines (baseline and descenders, say), for a slope.
double cost(const std::vector<double> &u, const std::vector<double> &v, double slope, std::vector<double> &rest) {
    rest.resize(u.size());
    for (size_t i = 0; i < u.size(); i++) rest[i] = v[i] - slope * u[i];
    std::sort(rest.begin(), rest.end());
    // The sum of distances to a group's median, for each way to cut the sorted values in two.
    const size_t n = rest.size();
    const auto spread = [&](size_t from, size_t to) {
        double sum = 0;
        for (size_t i = from; i < to; i++) sum += std::abs(rest[i] - rest[(from + to) / 2]);
        return sum;
    };
    double best = spread(0, n);
    for (size_t cut = 1; cut < n; cut++) best = std::min(best, spread(0, cut) + spread(cut, n) + 0.02 * double(n));
    return best;
}

/// The slope for which ends of letters lie best on one or two lines. `around` is preferred where there are few.
double slope(const std::vector<double> &u, const std::vector<double> &v, double around, double reach, double height) {
    std::vector<double> rest;
    double best = 1e18, chosen = around;
    for (int step = -40; step <= 40; step++) {
        const double s = around + reach * step / 40;
        // A tenth of a height's rise over the line weighs about as much as a hundredth of a height for each letter.
        const double c =
            cost(u, v, s, rest) + 0.12 * height * std::abs(s - around) / reach * std::max(1.0, 6.0 / double(u.size()));
        if (c < best) {
            best = c;
            chosen = s;
        }
    }
    return chosen;
}

} // namespace

bool outlineOfChain(const std::vector<Letter> &letters, const std::vector<int> &chain, ocv_text_line &line) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0, height = 0;
    const double n = double(chain.size());
    for (int index : chain) {
        const Letter &l = letters[size_t(index)];
        sx += l.center.x;
        sy += l.center.y;
        sxx += double(l.center.x) * l.center.x;
        sxy += double(l.center.x) * l.center.y;
        height += l.height / n;
    }
    const double d = n * sxx - sx * sx;
    const double direction = std::atan(d > 1e-6 ? (n * sxy - sx * sy) / d : 0);
    const cv::Point2d origin(sx / n, sy / n), along(std::cos(direction), std::sin(direction)), down(-along.y, along.x);
    // Each letter's place along the line, top and bottom.
    std::vector<double> us, tops, bottoms;
    double left = 1e9, right = -1e9;
    for (int index : chain) {
        const Letter &l = letters[size_t(index)];
        double top = 1e9, bottom = -1e9, low = 1e9, high = -1e9;
        for (const cv::Point2f &p : l.hull) {
            const cv::Point2d q(p.x - origin.x, p.y - origin.y);
            const double u = q.dot(along), v = q.dot(down);
            top = std::min(top, v);
            bottom = std::max(bottom, v);
            low = std::min(low, u);
            high = std::max(high, u);
        }
        us.push_back((low + high) / 2);
        tops.push_back(top);
        bottoms.push_back(bottom);
        left = std::min(left, low);
        right = std::max(right, high);
    }
    if (!(right > left)) return false;
    double base = 0, ceiling = 0;
    if (chain.size() >= 3) {
        base = slope(us, bottoms, 0, std::min(0.35, 0.8 * height / (right - left) + 0.1), height);
        ceiling = slope(us, tops, base, std::min(0.35, 1.2 * height / (right - left)), height);
    }
    double top = 1e9, bottom = -1e9;
    for (size_t i = 0; i < us.size(); i++) {
        top = std::min(top, tops[i] - ceiling * us[i]);
        bottom = std::max(bottom, bottoms[i] - base * us[i]);
    }
    const auto place = [&](double u, double v) {
        const cv::Point2d p = origin + along * u + down * v;
        return ocv_point{p.x, p.y};
    };
    // The letters' outermost pixels are inside.
    line.corners[0] = place(left - 0.5, top + ceiling * left - 0.5);
    line.corners[1] = place(right + 0.5, top + ceiling * right - 0.5);
    line.corners[2] = place(right + 0.5, bottom + base * right + 0.5);
    line.corners[3] = place(left - 0.5, bottom + base * left + 0.5);
    line.letters = int32_t(chain.size());
    // How badly the letters' ends lie on lines and how much the letters differ, in heights.
    std::vector<double> rest;
    double widths = 0, greys = 0, tall = 0, meanGrey = 0;
    for (int index : chain) meanGrey += letters[size_t(index)].grey / n;
    for (int index : chain) {
        const Letter &l = letters[size_t(index)];
        widths += l.width;
        greys += std::abs(l.grey - meanGrey) / n;
        tall = std::max(tall, double(l.height));
    }
    const double uneven =
        (cost(us, bottoms, base, rest) + cost(us, tops, ceiling, rest)) / n / std::max(height, 1.0) + greys / 80;
    const double full = std::min(widths / (right - left), 1.0);
    line.score = std::pow(n, 0.75) * std::exp(-6 * uneven) * full;
    if (uneven > 0.5 || full < 0.3 || bottom - top > 2.6 * height) return false;
    const double leftHeight = bottom + base * left - top - ceiling * left;
    const double rightHeight = bottom + base * right - top - ceiling * right;
    return std::min(leftHeight, rightHeight) > 2 &&
           std::max(leftHeight, rightHeight) < 3 * std::min(leftHeight, rightHeight);
}

} // namespace ocv::text
