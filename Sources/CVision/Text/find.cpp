#include "Pixels/Guard.hpp"
#include "Pixels/sorting.hpp"
#include "Text/lines.hpp"
#include "ocv_text.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::text {
namespace {

/// Of a line's height from ascenders to descenders, what one of capitals alone has.
constexpr double capitals = 0.7;

double length(const ocv_point &a, const ocv_point &b) { return std::hypot(b.x - a.x, b.y - a.y); }

double lineHeight(const ocv_text_line &line) {
    return (length(line.corners[0], line.corners[3]) + length(line.corners[1], line.corners[2])) / 2;
}

double lineWidth(const ocv_text_line &line) {
    return (length(line.corners[0], line.corners[1]) + length(line.corners[3], line.corners[2])) / 2;
}

/// Tilts a line's uprights by the shear that makes its columns stand out best.
void tilt(ocv_plane luma, ocv_text_line &line) {
    constexpr int rows = 24;
    const int columns = std::clamp(int(std::lround(lineWidth(line) / lineHeight(line) * rows)), 8, 600);
    std::vector<uint8_t> pixels(size_t(rows) * size_t(columns));
    if (ocv_sample_patch(luma, line.corners, OCV_PATCH_PLAIN, columns, rows, pixels.data()).code) return;
    cv::Mat patch(rows, columns, CV_8U, pixels.data()), ink;
    cv::threshold(patch, ink, 0, 1, (line.isLight ? cv::THRESH_BINARY : cv::THRESH_BINARY_INV) | cv::THRESH_OTSU);
    double best = -1, chosen = 0;
    std::vector<float> sums;
    for (int step = -14; step <= 14; step++) {
        const double shear = step * 0.05;
        sums.assign(size_t(columns + 2 * rows), 0);
        for (int y = 0; y < rows; y++) {
            const double shift = shear * (y - (rows - 1) / 2.0) + rows;
            const int whole = int(std::floor(shift));
            const float part = float(shift - whole);
            const uint8_t *row = ink.ptr(y);
            for (int x = 0; x < columns; x++) {
                if (row[x] && x + whole >= 0 && size_t(x + whole + 1) < sums.size()) {
                    sums[size_t(x + whole)] += 1 - part;
                    sums[size_t(x + whole + 1)] += part;
                }
            }
        }
        double energy = 0;
        for (size_t x = 1; x < sums.size(); x++) energy += (sums[x] - sums[x - 1]) * (sums[x] - sums[x - 1]);
        energy *= 1 - 0.15 * std::abs(shear);
        if (energy > best) {
            best = energy;
            chosen = shear;
        }
    }
    // The columns stand upright when row y is moved right by chosen · y: the top leans right by as much.
    const double lean = chosen * lineHeight(line) / 2;
    const double along = std::max(lineWidth(line), 1e-6);
    const double ux = (line.corners[1].x - line.corners[0].x) / along,
                 uy = (line.corners[1].y - line.corners[0].y) / along;
    for (int i = 0; i < 4; i++) {
        const double way = i < 2 ? lean : -lean;
        line.corners[i].x += way * ux;
        line.corners[i].y += way * uy;
    }
    // What sheared letters are short of at the ends.
    const double margin = std::abs(lean) * 0.5;
    for (int i = 0; i < 4; i++) {
        const double way = i == 1 || i == 2 ? margin : -margin;
        line.corners[i].x += way * ux;
        line.corners[i].y += way * uy;
    }
}

std::vector<cv::Point2f> quad(const ocv_text_line &line) {
    std::vector<cv::Point2f> quad;
    for (const ocv_point &p : line.corners) quad.emplace_back(float(p.x), float(p.y));
    return quad;
}

/// True where two lines of about one height are for the most part one.
bool overlap(const ocv_text_line &a, const ocv_text_line &b) {
    const double ratio = lineHeight(a) / lineHeight(b);
    if (ratio > 2.2 || ratio < 1 / 2.2) return false;
    const auto p = quad(a), q = quad(b);
    std::vector<cv::Point2f> common;
    const double area = cv::intersectConvexConvex(p, q, common);
    return area > 0.5 * std::min(cv::contourArea(p), cv::contourArea(q));
}

} // namespace
} // namespace ocv::text

using namespace ocv::text;

ocv_status ocv_find_text_lines(
    ocv_plane luma, double minimumHeight, ocv_text_line *lines, int32_t capacity, int32_t *count) noexcept {
    if (!luma.data || luma.width < 1 || luma.height < 1 || !(minimumHeight >= 0) || !lines || capacity < 1 || !count)
        return ocv::failure("looking for text needs a picture, a least height and room for the result");
    *count = 0;
    return ocv::guarded([&] {
        cv::Mat level = ocv::view(luma);
        double scale = 1;
        // Letters of the least height are looked for with some ten pixels of their own.
        while (minimumHeight / scale >= 36 && std::min(level.cols, level.rows) >= 64) {
            cv::Mat half;
            cv::resize(level, half, cv::Size(level.cols / 2, level.rows / 2), 0, 0, cv::INTER_AREA);
            level = half;
            scale *= 2;
        }
        // Letters of all scales, dark and light ones apart.
        std::vector<Letter> letters[2];
        std::vector<TextChain> chains[2];
        for (int octave = 0; octave < 3 && std::min(level.cols, level.rows) >= 24; octave++) {
            const Surroundings around = surroundings(level);
            for (const bool isLight : {false, true}) {
                std::vector<Letter> &all = letters[isLight];
                const auto some = findLetters(level, around, scale, isLight);
                const int first = int(all.size());
                all.insert(all.end(), some.begin(), some.end());
                for (auto &chain : chainLetters(some)) {
                    TextChain made;
                    for (const int index : chain) made.letters.push_back(first + index);
                    made.line.isLight = isLight;
                    if (outlineOfChain(all, made.letters, made.line)) chains[isLight].push_back(std::move(made));
                }
            }
            cv::Mat half;
            cv::resize(level, half, cv::Size(level.cols / 2, level.rows / 2), 0, 0, cv::INTER_AREA);
            level = half;
            scale *= 2;
        }
        std::vector<ocv_text_line> found;
        for (const bool isLight : {false, true}) {
            for (const TextChain &chain : mergeChains(letters[isLight], std::move(chains[isLight]))) {
                const ocv_text_line &line = chain.line;
                if (lineHeight(line) >= capitals * minimumHeight &&
                    (chain.letters.size() >= 3 || lineWidth(line) >= 1.1 * lineHeight(line))) {
                    found.push_back(line);
                }
            }
        }
        ocv::sortByScore(found);
        for (ocv_text_line &line : found) {
            if (*count == capacity) break;
            if (std::none_of(lines, lines + *count, [&](const auto &other) { return overlap(other, line); })) {
                tilt(luma, line);
                lines[(*count)++] = line;
            }
        }
    });
}
