#include "Alter/styles.hpp"

#include <array>
#include <vector>

// Styles that live from their colours.

namespace ocv::alter {

cv::Mat mosaic(const cv::Mat &source, double unit) {
    const double side = std::max(16 * unit, 3.0); // of a cell
    const int across = int(source.cols / side) + 3, down = int(source.rows / side) + 3;
    // A jittered lattice of sites, with one more all round the picture.
    std::vector<cv::Point2d> sites(size_t(across) * size_t(down));
    for (int j = 0; j < down; j++) {
        for (int i = 0; i < across; i++) {
            sites[size_t(j * across + i)] = {
                (i - 1 + 0.5 + 0.8 * (fraction(i, j, 51) - 0.5)) * side,
                (j - 1 + 0.5 + 0.8 * (fraction(i, j, 52) - 0.5)) * side};
        }
    }
    cv::Mat cells(source.size(), CV_32S);
    cv::Mat lead(source.size(), CV_32F);
    std::vector<cv::Vec4d> sums(sites.size(), cv::Vec4d::all(0));
    for (int y = 0; y < source.rows; y++) {
        for (int x = 0; x < source.cols; x++) {
            const int ci = int(x / side) + 1, cj = int(y / side) + 1;
            int nearest = 0, second = 0;
            double least = 1e300, next = 1e300;
            for (int j = std::max(cj - 2, 0); j <= std::min(cj + 2, down - 1); j++) {
                for (int i = std::max(ci - 2, 0); i <= std::min(ci + 2, across - 1); i++) {
                    const int site = j * across + i;
                    const double dx = sites[size_t(site)].x - x, dy = sites[size_t(site)].y - y;
                    const double distance = dx * dx + dy * dy;
                    if (distance < least) {
                        next = least;
                        second = nearest;
                        least = distance;
                        nearest = site;
                    } else if (distance < next) {
                        next = distance;
                        second = site;
                    }
                }
            }
            // From the border of two cells, which lies in the middle between their sites.
            const cv::Point2d apart = sites[size_t(second)] - sites[size_t(nearest)];
            const double length = std::max(std::hypot(apart.x, apart.y), 1e-9);
            lead.at<float>(y, x) = float((next - least) / (2 * length));
            cells.at<int>(y, x) = nearest;
            const cv::Vec3b color = source.at<cv::Vec3b>(y, x);
            sums[size_t(nearest)] += cv::Vec4d(color[0], color[1], color[2], 1);
        }
    }
    cv::Mat result(source.size(), CV_8UC3);
    const double width = std::max(1.5 * unit, 0.6), soft = std::max(0.8 * unit, 0.5);
    for (int y = 0; y < source.rows; y++) {
        for (int x = 0; x < source.cols; x++) {
            const int cell = cells.at<int>(y, x);
            const cv::Vec4d sum = sums[size_t(cell)];
            cv::Vec3d color = saturated(cv::Vec3d(sum[0], sum[1], sum[2]) / std::max(sum[3], 1.0), 1.6);
            const double border = lead.at<float>(y, x);
            const cv::Point2d site = sites[size_t(cell)];
            // Each pane of glass has a shade of its own, is lit towards the upper left and dark along the lead.
            const double shade = 0.93 + 0.2 * (fraction(cell, 7, 53) - 0.5);
            const double tilt = ((site.x - x) + (site.y - y)) / side;
            const double bevel =
                1 + 0.22 * std::clamp(tilt, -1.0, 1.0) - 0.22 * (1 - smoothstep(0, 5 * unit, border - width));
            const double glass = smoothstep(width - soft, width + soft, border);
            cv::Vec3b &target = result.at<cv::Vec3b>(y, x);
            for (int c = 0; c < 3; c++) target[c] = code(mix(26, (color[c] * 1.08 + 6) * shade * bevel, glass));
        }
    }
    return result;
}

/// The mean of whichever of eight overlapping sectors about a pixel varies least, mixed with the others by how little they
/// vary (after Papari, Petkov and Campisi 2007, with box-shaped sectors from running sums).
static cv::Mat kuwahara(const cv::Mat &source, int radius) {
    cv::Mat padded, sums, squares;
    cv::copyMakeBorder(source, padded, 2 * radius, 2 * radius, 2 * radius, 2 * radius, cv::BORDER_REFLECT);
    cv::integral(padded, sums, squares, CV_64F, CV_64F);
    cv::Mat result(source.size(), CV_8UC3);
    const int offsets[8][2] = {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}};
    const int half = std::max(radius / 2, 1);
    const double count = (2.0 * half + 1) * (2.0 * half + 1);
    for (int y = 0; y < source.rows; y++) {
        for (int x = 0; x < source.cols; x++) {
            cv::Vec3d mean(0, 0, 0);
            double total = 0;
            for (const auto &offset : offsets) {
                const int cx = x + 2 * radius + offset[0] * half, cy = y + 2 * radius + offset[1] * half;
                const int x0 = cx - half, x1 = cx + half + 1, y0 = cy - half, y1 = cy + half + 1;
                const cv::Vec3d s = sums.at<cv::Vec3d>(y1, x1) - sums.at<cv::Vec3d>(y0, x1) -
                                    sums.at<cv::Vec3d>(y1, x0) + sums.at<cv::Vec3d>(y0, x0);
                const cv::Vec3d q = squares.at<cv::Vec3d>(y1, x1) - squares.at<cv::Vec3d>(y0, x1) -
                                    squares.at<cv::Vec3d>(y1, x0) + squares.at<cv::Vec3d>(y0, x0);
                double variance = 0;
                for (int c = 0; c < 3; c++) variance += q[c] / count - s[c] / count * (s[c] / count);
                const double calm = 1 / (1 + std::max(variance, 0.0) / 30);
                const double weight = calm * calm * calm * calm;
                mean += s * (weight / count);
                total += weight;
            }
            mean /= std::max(total, 1e-30);
            result.at<cv::Vec3b>(y, x) = {code(mean[0]), code(mean[1]), code(mean[2])};
        }
    }
    return result;
}

cv::Mat oilPaint(const cv::Mat &source, double unit) {
    const int radius = std::max(int(std::lround(7 * unit)), 2);
    cv::Mat paint = kuwahara(kuwahara(source, radius), std::max(radius * 2 / 3, 2));
    // Strokes run along the contours: noise is smeared along the directions in which the picture changes least.
    const cv::Mat tone = blurred(gray(paint), 7 * unit);
    cv::Mat dx, dy;
    cv::Sobel(tone, dx, CV_16S, 1, 0);
    cv::Sobel(tone, dy, CV_16S, 0, 1);
    cv::Mat relief(source.size(), CV_8U);
    const int steps = std::max(int(std::lround(9 * unit)), 2);
    for (int y = 0; y < source.rows; y++) {
        for (int x = 0; x < source.cols; x++) {
            double vx = -double(dy.at<short>(y, x)), vy = double(dx.at<short>(y, x));
            const double drift = 6.28 * noise(x / unit / 90, y / unit / 90, 61);
            vx += 60 * std::cos(drift);
            vy += 60 * std::sin(drift);
            const double length = std::max(std::hypot(vx, vy), 1e-9);
            vx /= length;
            vy /= length;
            double sum = 0;
            for (int step = -steps; step <= steps; step++) {
                sum += fraction(
                    int(std::floor((x + vx * step) / (1.6 * unit))), int(std::floor((y + vy * step) / (1.6 * unit))),
                    62);
            }
            relief.at<uchar>(y, x) = code(255 * limited(0.5 + (sum / (2 * steps + 1) - 0.5) * 2.2));
        }
    }
    relief = blurred(relief, 0.9 * unit);
    cv::Mat result(source.size(), CV_8UC3);
    const int step = std::max(int(std::lround(unit)), 1);
    for (int y = 0; y < source.rows; y++) {
        for (int x = 0; x < source.cols; x++) {
            const int x0 = std::max(x - step, 0), x1 = std::min(x + step, source.cols - 1);
            const int y0 = std::max(y - step, 0), y1 = std::min(y + step, source.rows - 1);
            const double slope = double(relief.at<uchar>(y1, x1)) - relief.at<uchar>(y0, x0);
            const cv::Vec3b color = paint.at<cv::Vec3b>(y, x);
            const cv::Vec3d rich = saturated({double(color[0]), double(color[1]), double(color[2])}, 1.35);
            cv::Vec3b &target = result.at<cv::Vec3b>(y, x);
            for (int c = 0; c < 3; c++) target[c] = code((rich[c] - 128) * 1.08 + 128 + slope * 0.42);
        }
    }
    return result;
}

cv::Mat comic(const cv::Mat &source, double unit) {
    cv::Mat flat = blurred(source, 1.2 * unit), next;
    for (int pass = 0; pass < 3; pass++) {
        cv::bilateralFilter(
            flat, next, std::min(2 * int(std::ceil(3 * unit)) + 1, 11), 40, 4 * unit, cv::BORDER_REPLICATE);
        std::swap(flat, next);
    }
    // Ink where a fine blur is darker than a coarse one (Winnemöller's XDoG, 2006).
    const cv::Mat tone = gray(flat);
    const cv::Mat fine = blurred(tone, 1.1 * unit), coarse = blurred(tone, 2.6 * unit);
    cv::Mat result(source.size(), CV_8UC3);
    const double period = 7.2, c45 = 0.70710678;
    for (int y = 0; y < source.rows; y++) {
        for (int x = 0; x < source.cols; x++) {
            const double px = x / unit, py = y / unit;
            const cv::Vec3b near = flat.at<cv::Vec3b>(y, x);
            const double luma = tone.at<uchar>(y, x) / 255.0;
            cv::Vec3d color = saturated({double(near[0]), double(near[1]), double(near[2])}, 1.7);
            // Few levels of light with soft steps; between them, dots as large as what is missing.
            const double levels = 3, place = luma * levels;
            const double low = std::floor(place), share = place - low;
            const double u = (px * c45 + py * c45) / period, v = (px * c45 - py * c45) / period;
            const double du = u - std::floor(u) - 0.5, dv = v - std::floor(v) - 0.5;
            const double radius = std::sqrt(limited(1 - share)) * 0.66;
            const double soft = std::min(0.3, 0.7 / (period * unit));
            const double dot = 1 - smoothstep(radius - soft, radius + soft, std::hypot(du, dv));
            const double light = mix(low + 1, low, dot) / levels;
            const double factor = (0.30 + 0.80 * light) / std::max(0.30 + 0.70 * luma, 0.05);
            const double ink = smoothstep(1.2, 5.5, double(coarse.at<uchar>(y, x)) - fine.at<uchar>(y, x)) *
                               smoothstep(0.95, 0.6, luma);
            const double black = std::max(ink, 1 - smoothstep(0.06, 0.14, luma));
            cv::Vec3b &target = result.at<cv::Vec3b>(y, x);
            const double paper[3] = {226, 244, 250};
            for (int c = 0; c < 3; c++) target[c] = code(mix(limited(color[c] * factor / 255) * paper[c], 16, black));
        }
    }
    return result;
}

cv::Mat neon(const cv::Mat &source, double unit) {
    const cv::Mat soft = blurred(source, 2.0 * unit);
    cv::Mat hues = blurred(source, 6 * unit);
    cv::Mat dx, dy;
    cv::Sobel(soft, dx, CV_16S, 1, 0, 3);
    cv::Sobel(soft, dy, CV_16S, 0, 1, 3);
    cv::Mat tubes(source.size(), CV_8UC3);
    for (int y = 0; y < source.rows; y++) {
        for (int x = 0; x < source.cols; x++) {
            const cv::Vec3s a = dx.at<cv::Vec3s>(y, x), b = dy.at<cv::Vec3s>(y, x);
            double strength = 0;
            for (int c = 0; c < 3; c++) strength = std::max(strength, std::hypot(double(a[c]), double(b[c])));
            const double line = smoothstep(16, 105, strength * unit);
            const cv::Vec3b hue = hues.at<cv::Vec3b>(y, x);
            cv::Vec3d color(hue[0], hue[1], hue[2]);
            // The picture's own hue at full strength; what is grey glows from cyan to magenta along the picture.
            const double most = std::max({color[0], color[1], color[2], 1.0});
            const double least = std::min({color[0], color[1], color[2]});
            const double colorful = limited((most - least) / 70);
            const double along = limited(double(x + y) / (source.cols + source.rows));
            const cv::Vec3d plain(255, mix(235, 40, along), mix(30, 255, along));
            const cv::Vec3d own = (color - cv::Vec3d::all(least)) * (255 / std::max(most - least, 1.0));
            color = own * colorful + plain * (1 - colorful);
            tubes.at<cv::Vec3b>(y, x) = {code(color[0] * line), code(color[1] * line), code(color[2] * line)};
        }
    }
    const cv::Mat glow = blurred(tubes, 5 * unit), haze = blurred(tubes, 16 * unit);
    cv::Mat result(source.size(), CV_8UC3);
    for (int y = 0; y < source.rows; y++) {
        for (int x = 0; x < source.cols; x++) {
            const cv::Vec3b tube = tubes.at<cv::Vec3b>(y, x), near = glow.at<cv::Vec3b>(y, x);
            const cv::Vec3b far = haze.at<cv::Vec3b>(y, x), room = soft.at<cv::Vec3b>(y, x);
            const double core = smoothstep(150, 255, std::max({tube[0], tube[1], tube[2]})) * 0.55;
            cv::Vec3b &target = result.at<cv::Vec3b>(y, x);
            for (int c = 0; c < 3; c++) {
                const double light = 8 + 0.07 * room[c] + tube[c] + 0.9 * near[c] + 0.7 * far[c];
                target[c] = code(mix(std::min(light, 255.0), 255, core));
            }
        }
    }
    return result;
}

} // namespace ocv::alter
