#include "Alter/styles.hpp"

// Styles that look drawn or printed on paper.

namespace ocv::alter {

cv::Mat burnedPaper(const cv::Mat &source, double unit) {
    const cv::Mat soft = blurred(source, 0.8 * unit);
    cv::Mat result(source.size(), CV_8UC3);
    const int width = source.cols, height = source.rows;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const double px = x / unit, py = y / unit;
            const cv::Vec3b color = soft.at<cv::Vec3b>(y, x);
            const double luma = (0.114 * color[0] + 0.587 * color[1] + 0.299 * color[2]) / 255;
            // Old paper with fibres and stains; the picture is its brown print.
            const double fibre = noise(px / 2, py / 14, 11) * 0.5 + noise(px / 11, py / 2, 12) * 0.5;
            const double stain = turbulence(px / 130, py / 130, 4, 13);
            const double light =
                (0.16 + 0.84 * smoothstep(0.02, 0.95, luma)) * (0.9 + 0.14 * fibre) * (0.78 + 0.36 * stain);
            cv::Vec3d paper(150 * light, 205 * light, 240 * light);
            // What is bright stays paper, what is dark goes towards umber.
            const double ink = 1 - smoothstep(0.1, 0.75, luma);
            paper = {
                mix(paper[0], 20 + 40 * light, ink * 0.75), mix(paper[1], 36 + 60 * light, ink * 0.75),
                mix(paper[2], 62 + 95 * light, ink * 0.75)};
            // From the edge, with an irregular front, charred bites and single holes.
            const double border =
                std::min(std::min(x + 0.5, width - x - 0.5), std::min(y + 0.5, height - y - 0.5)) / unit;
            const double front = 6 + 62 * smoothstep(0.25, 0.8, turbulence(px / 95, py / 95, 5, 14)) +
                                 14 * (turbulence(px / 17, py / 17, 3, 15) - 0.5);
            double depth = border - front;
            const double hole = turbulence(px / 120, py / 120, 4, 16);
            depth = std::min(depth, (0.735 - hole) * 340);
            const double scorch = 1 - smoothstep(0, 70, depth);
            for (int c = 0; c < 3; c++) {
                const double brown = c == 0 ? 12 : c == 1 ? 34 : 70;
                paper[c] = mix(paper[c], brown * (0.6 + 0.6 * fibre), scorch * scorch * 0.92);
            }
            if (depth < 7) { // the rim glows, behind it there is charcoal
                const double glow = limited(1 - std::abs(depth - 1.5) / 4.5) * (0.4 + 0.6 * noise(px / 9, py / 9, 17));
                const double charred = 1 - smoothstep(-2, 5, depth);
                const double ash = 12 + 26 * turbulence(px / 6, py / 6, 3, 18);
                paper = {mix(paper[0], ash, charred), mix(paper[1], ash, charred), mix(paper[2], ash + 2, charred)};
                paper += cv::Vec3d(18, 92, 230) * glow;
            }
            result.at<cv::Vec3b>(y, x) = {code(paper[0]), code(paper[1]), code(paper[2])};
        }
    }
    return result;
}

cv::Mat pencilSketch(const cv::Mat &source, double unit) {
    cv::Mat tone = blurred(gray(source), 1.0 * unit);
    const cv::Mat wide = blurred(tone, 9 * unit);
    const cv::Mat shade = blurred(tone, 3 * unit);
    cv::Mat result(source.size(), CV_8UC3);
    for (int y = 0; y < source.rows; y++) {
        for (int x = 0; x < source.cols; x++) {
            const double px = x / unit, py = y / unit;
            // Colour dodge with the blurred negative leaves the lines.
            const double line = limited((tone.at<uchar>(y, x) + 6.0) / (wide.at<uchar>(y, x) + 6.0));
            const double contour = std::pow(line, 2.6);
            const double dark = 1 - shade.at<uchar>(y, x) / 255.0;
            // Strokes in two directions, not quite straight, set in where it is darker.
            const double wobble = 3 * turbulence(px / 40, py / 40, 2, 21);
            const double first = 0.5 + 0.5 * std::sin((px + py + wobble * 2) * 1.05);
            const double second = 0.5 + 0.5 * std::sin((px - py + wobble * 2) * 1.05);
            const double grain = noise(px / 1.3, py / 1.3, 22);
            double graphite = 0.55 * smoothstep(0.3, 0.85, dark) * (0.35 + 0.65 * first * grain * 1.5);
            graphite += 0.5 * smoothstep(0.55, 0.95, dark) * (0.3 + 0.7 * second * grain * 1.5);
            const double paper = 250 - 10 * noise(px / 2.2, py / 2.2, 23);
            const double value = paper * contour * (1 - limited(graphite)) + 28 * (1 - contour);
            result.at<cv::Vec3b>(y, x) = {code(value * 0.985), code(value * 0.99), code(value)};
        }
    }
    return result;
}

cv::Mat watercolor(const cv::Mat &source, double unit) {
    // Washes: colours run together where they are alike, and stop at edges.
    cv::Mat wash = blurred(source, 1.2 * unit), next;
    for (int pass = 0; pass < 3; pass++) {
        cv::bilateralFilter(
            wash, next, std::min(2 * int(std::ceil(3 * unit)) + 1, 13), 34, 5 * unit, cv::BORDER_REPLICATE);
        std::swap(wash, next);
    }
    const int window = std::max(2 * int(std::lround(3.5 * unit)) + 1, 3);
    cv::medianBlur(wash, wash, window);
    const cv::Mat around = blurred(wash, 5 * unit);
    cv::Mat result(source.size(), CV_8UC3);
    for (int y = 0; y < source.rows; y++) {
        for (int x = 0; x < source.cols; x++) {
            const double px = x / unit, py = y / unit;
            // The brush strays a little from the line.
            const double dx = (turbulence(px / 22, py / 22, 3, 31) - 0.5) * 12 * unit;
            const double dy = (turbulence(px / 22, py / 22, 3, 37) - 0.5) * 12 * unit;
            const int sx = std::clamp(int(std::lround(x + dx)), 0, source.cols - 1);
            const int sy = std::clamp(int(std::lround(y + dy)), 0, source.rows - 1);
            const cv::Vec3b near = wash.at<cv::Vec3b>(sy, sx), mean = around.at<cv::Vec3b>(sy, sx);
            cv::Vec3d color = saturated({double(near[0]), double(near[1]), double(near[2])}, 1.45);
            // Pigment gathers at the rim of a wash and in the paper's hollows.
            double step = 0;
            for (int c = 0; c < 3; c++) step += std::abs(double(near[c]) - mean[c]);
            const double rim = limited(step / 110);
            const double grain = turbulence(px / 2.4, py / 2.4, 2, 34);
            const double flow = turbulence(px / 75, py / 75, 4, 35);
            const double pigment = 0.74 + 0.5 * flow * flow + 0.2 * (grain - 0.5) + 0.35 * rim;
            const double edge =
                std::min(std::min(px, py), std::min((source.cols - x) / unit, (source.rows - y) / unit));
            const double painted = smoothstep(0, 5, edge - 9 - 16 * turbulence(px / 40, py / 40, 3, 36));
            const double paper[3] = {240, 248, 252};
            cv::Vec3b &target = result.at<cv::Vec3b>(y, x);
            for (int c = 0; c < 3; c++) {
                // Thin pigment over white paper lets it shine through: transmission is to the power of its amount.
                const double through = std::pow(limited(color[c] / 255 * 0.9 + 0.1), pigment * 0.8);
                target[c] = code(mix(paper[c], paper[c] * through, painted) - 5 * (grain - 0.5));
            }
        }
    }
    return result;
}

cv::Mat engraving(const cv::Mat &source, double unit) {
    cv::Mat tone = blurred(gray(source), 1.6 * unit);
    cv::Ptr<cv::CLAHE> even = cv::createCLAHE(2.0, {4, 4});
    even->apply(tone, tone);
    const cv::Mat form = blurred(tone, 7 * unit);
    cv::Mat result(source.size(), CV_8UC3);
    const double period = 8;
    for (int y = 0; y < source.rows; y++) {
        for (int x = 0; x < source.cols; x++) {
            const double px = x / unit, py = y / unit;
            const double dark = 1 - tone.at<uchar>(y, x) / 255.0;
            // Lines swell with the tone and bend over the forms, as a burin follows them.
            const double bend = form.at<uchar>(y, x) / 255.0 * 15 + 7 * std::sin(px / 60);
            auto cut = [&](double place, double amount, double wanted) {
                const double phase = place / period - std::floor(place / period);
                const double off = std::abs(phase - 0.5) * 2; // 0 in a line's middle, 1 between two
                const double soft = std::min(0.5, 2.4 / (period * unit));
                return amount * (1 - smoothstep(wanted - soft, wanted + soft, off));
            };
            double ink = cut(py + bend, 1, mix(-0.12, 0.95, dark));
            ink = std::max(ink, cut(px * 0.8 + py * 0.6 + bend, 1, mix(-1.3, 0.75, dark)));
            ink = std::max(ink, 1 - smoothstep(0.03, 0.09, 1 - dark)); // full black
            const double grain = 0.93 + 0.07 * noise(px / 3, py / 3, 41);
            cv::Vec3b &target = result.at<cv::Vec3b>(y, x);
            target[0] = code(mix(205 * grain, 34, ink));
            target[1] = code(mix(228 * grain, 27, ink));
            target[2] = code(mix(240 * grain, 26, ink));
        }
    }
    return result;
}

} // namespace ocv::alter
