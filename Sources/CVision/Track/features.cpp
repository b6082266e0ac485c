#include "Track/features.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::track {

namespace {

constexpr int orientations = 9;
constexpr int directed = 2 * orientations;
constexpr int binBits = 4;

/// Prototypes of the basic colours (Berlin and Kay) in CIE L*a*b*, D65.
constexpr float prototypes[FeatureExtractor::colorChannels][3] = {
    {8, 0, 0},   {35, 20, -65}, {38, 18, 28}, {53, 0, 0}, {50, -48, 38}, {68, 42, 68},
    {75, 35, 2}, {40, 45, -40}, {46, 64, 42}, {96, 0, 0}, {88, -6, 78},
};

/// The steepest of the channels' gradients, which sees edges that only a colour makes.
inline void gradient(
    const uint8_t *row, const uint8_t *above, const uint8_t *below, int x, int channels, float &dx, float &dy) {
    int best = -1, bestX = 0, bestY = 0;
    for (int c = 0; c < channels; c++) {
        const int at = x * channels + c;
        const int gx = int(row[at + channels]) - int(row[at - channels]);
        const int gy = int(below[at]) - int(above[at]);
        const int power = gx * gx + gy * gy;
        if (power > best) {
            best = power;
            bestX = gx;
            bestY = gy;
        }
    }
    dx = float(bestX) * (1.0f / 255);
    dy = float(bestY) * (1.0f / 255);
}

/// Scales the planes so that their mean square is one: no kind of feature then outweighs another by its unit.
void normalizeEnergy(std::vector<cv::Mat> &planes, int first, int last) {
    double power = 0;
    for (int k = first; k < last; k++) power += planes[size_t(k)].dot(planes[size_t(k)]);
    const double count = double(planes[size_t(first)].total()) * (last - first);
    const double gain = std::sqrt(count / (power + 1e-6 * count));
    for (int k = first; k < last; k++) planes[size_t(k)] *= gain;
}

} // namespace

void sample(const cv::Mat &picture, const Window &window, cv::Size size, cv::Mat &patch, const cv::Scalar *outside) {
    const double cosine = std::cos(window.angle), sine = std::sin(window.angle);
    cv::Matx23d map(cosine * window.across, -sine * window.down, 0, sine * window.across, cosine * window.down, 0);
    const double right = (size.width - 1) / 2.0, lower = (size.height - 1) / 2.0;
    map(0, 2) = window.center.x - map(0, 0) * right - map(0, 1) * lower;
    map(1, 2) = window.center.y - map(1, 0) * right - map(1, 1) * lower;
    cv::Mat source = picture;
    const int reduction = int(std::floor(std::min(window.across, window.down)));
    if (reduction >= 2) {
        const cv::Rect frame(0, 0, picture.cols, picture.rows);
        const int margin = 2 * reduction;
        const double width = std::abs(map(0, 0)) * size.width + std::abs(map(0, 1)) * size.height,
                     height = std::abs(map(1, 0)) * size.width + std::abs(map(1, 1)) * size.height;
        const cv::Rect wanted(
            int(std::floor(window.center.x - width / 2)) - margin,
            int(std::floor(window.center.y - height / 2)) - margin, int(std::ceil(width)) + 2 * margin,
            int(std::ceil(height)) + 2 * margin);
        cv::Rect part = wanted & frame;
        part.width -= part.width % reduction;
        part.height -= part.height % reduction;
        if (part.width > 0 && part.height > 0) {
            cv::resize(
                picture(part), source, cv::Size(part.width / reduction, part.height / reduction), 0, 0, cv::INTER_AREA);
            map = map * (1.0 / reduction);
            map(0, 2) = (map(0, 2) * reduction - part.x + 0.5) / reduction - 0.5;
            map(1, 2) = (map(1, 2) * reduction - part.y + 0.5) / reduction - 0.5;
        }
    }
    cv::warpAffine(
        source, patch, map, size, cv::INTER_LINEAR | cv::WARP_INVERSE_MAP,
        outside ? cv::BORDER_CONSTANT : cv::BORDER_REPLICATE, outside ? *outside : cv::Scalar());
}

FeatureExtractor::FeatureExtractor(bool color) : color(color) {
    if (!color) return;
    const int side = 1 << binBits;
    cv::Mat cube(side * side, side, CV_32FC3);
    for (int b = 0; b < side; b++) {
        for (int g = 0; g < side; g++) {
            for (int r = 0; r < side; r++) {
                cube.at<cv::Vec3f>(b * side + g, r) =
                    cv::Vec3f((b + 0.5f) / side, (g + 0.5f) / side, (r + 0.5f) / side);
            }
        }
    }
    cv::Mat lab;
    cv::cvtColor(cube, lab, cv::COLOR_BGR2Lab);
    names.resize(size_t(side * side * side));
    for (size_t i = 0; i < names.size(); i++) {
        const cv::Vec3f value = lab.at<cv::Vec3f>(int(i) / side, int(i) % side);
        float sum = 0;
        for (int k = 0; k < colorChannels; k++) {
            // Lightness counts half: shadows change it, paint doesn't.
            const float dl = 0.5f * (value[0] - prototypes[k][0]);
            const float da = value[1] - prototypes[k][1], db = value[2] - prototypes[k][2];
            names[i][size_t(k)] = std::exp(-(dl * dl + da * da + db * db) / (2 * 14.0f * 14.0f));
            sum += names[i][size_t(k)];
        }
        for (float &membership : names[i]) membership /= sum + 1e-6f;
    }
}

void FeatureExtractor::histograms(const cv::Mat &patch) {
    cells = cv::Size(patch.cols / cell, patch.rows / cell);
    histogram.assign(size_t(cells.area()) * directed, 0);
    float cosines[orientations], sines[orientations];
    for (int o = 0; o < orientations; o++) {
        cosines[o] = float(std::cos(o * CV_PI / orientations));
        sines[o] = float(std::sin(o * CV_PI / orientations));
    }
    const int channels = patch.channels();
    for (int y = 1; y < patch.rows - 1; y++) {
        const uint8_t *row = patch.ptr(y), *above = patch.ptr(y - 1), *below = patch.ptr(y + 1);
        const float cellY = (float(y) + 0.5f) / cell - 0.5f;
        const int top = int(std::floor(cellY));
        const float lower = cellY - float(top), upper = 1 - lower;
        for (int x = 1; x < patch.cols - 1; x++) {
            float dx, dy;
            gradient(row, above, below, x, channels, dx, dy);
            float best = 0;
            int bin = 0;
            for (int o = 0; o < orientations; o++) {
                const float along = cosines[o] * dx + sines[o] * dy;
                if (along > best) {
                    best = along;
                    bin = o;
                } else if (-along > best) {
                    best = -along;
                    bin = o + orientations;
                }
            }
            if (best == 0) continue;
            const float magnitude = std::sqrt(dx * dx + dy * dy);
            const float cellX = (float(x) + 0.5f) / cell - 0.5f;
            const int left = int(std::floor(cellX));
            const float right = cellX - float(left);
            const auto add = [&](int cy, int cx, float weight) {
                if (cy >= 0 && cx >= 0 && cy < cells.height && cx < cells.width)
                    histogram[size_t((cy * cells.width + cx) * directed + bin)] += weight * magnitude;
            };
            add(top, left, upper * (1 - right));
            add(top, left + 1, upper * right);
            add(top + 1, left, lower * (1 - right));
            add(top + 1, left + 1, lower * right);
        }
    }
}

void FeatureExtractor::gradients(const cv::Mat &patch, std::vector<float> &out) {
    histograms(patch);
    energy.assign(size_t(cells.area()), 0);
    for (size_t i = 0; i < energy.size(); i++) {
        const float *h = &histogram[i * directed];
        for (int o = 0; o < orientations; o++) energy[i] += (h[o] + h[o + orientations]) * (h[o] + h[o + orientations]);
    }
    const auto at = [&](int y, int x) {
        return energy[size_t(std::clamp(y, 0, cells.height - 1) * cells.width + std::clamp(x, 0, cells.width - 1))];
    };
    out.resize(size_t(cells.area()) * gradientChannels);
    for (int y = 0; y < cells.height; y++) {
        for (int x = 0; x < cells.width; x++) {
            float norms[4];
            for (int k = 0; k < 4; k++) {
                const int dy = k / 2 * 2 - 1, dx = k % 2 * 2 - 1;
                norms[k] = 1 / std::sqrt(at(y, x) + at(y + dy, x) + at(y, x + dx) + at(y + dy, x + dx) + 1e-3f);
            }
            const size_t index = size_t(y * cells.width + x);
            const float *h = &histogram[index * directed];
            float *f = &out[index * gradientChannels];
            float texture[4] = {0, 0, 0, 0};
            for (int o = 0; o < directed; o++) {
                float sum = 0;
                for (int k = 0; k < 4; k++) {
                    const float value = std::min(h[o] * norms[k], 0.2f);
                    sum += value;
                    texture[k] += value;
                }
                f[o] = 0.5f * sum;
            }
            for (int o = 0; o < orientations; o++) {
                float sum = 0;
                for (int k = 0; k < 4; k++) sum += std::min((h[o] + h[o + orientations]) * norms[k], 0.2f);
                f[directed + o] = 0.5f * sum;
            }
            for (int k = 0; k < 4; k++) f[directed + orientations + k] = 0.2357f * texture[k];
        }
    }
}

void FeatureExtractor::colors(const cv::Mat &patch, std::vector<cv::Mat> &planes, int first) {
    constexpr int shift = 8 - binBits;
    for (int cy = 0; cy < cells.height; cy++) {
        for (int cx = 0; cx < cells.width; cx++) {
            std::array<float, colorChannels> sum{};
            for (int y = cy * cell; y < (cy + 1) * cell; y++) {
                const uint8_t *p = patch.ptr(y) + cx * cell * 3;
                for (int x = 0; x < cell; x++, p += 3) {
                    const size_t index =
                        size_t(((p[0] >> shift) << 2 * binBits) | ((p[1] >> shift) << binBits) | (p[2] >> shift));
                    for (size_t k = 0; k < colorChannels; k++) sum[k] += names[index][k];
                }
            }
            for (int k = 0; k < colorChannels; k++) planes[size_t(first + k)].at<float>(cy, cx) = sum[size_t(k)];
        }
    }
    // Memberships are never negative: their mean is what all places have in common and tells nothing.
    for (int k = 0; k < colorChannels; k++) {
        cv::Mat &plane = planes[size_t(first + k)];
        plane -= cv::mean(plane);
    }
}

void FeatureExtractor::extract(const cv::Mat &patch, std::vector<cv::Mat> &planes) {
    gradients(patch, features);
    planes.resize(size_t(channels()));
    for (cv::Mat &plane : planes) plane.create(cells, CV_32F);
    for (int k = 0; k < gradientChannels; k++) {
        float *plane = planes[size_t(k)].ptr<float>();
        for (size_t i = 0; i < size_t(cells.area()); i++) plane[i] = features[i * gradientChannels + size_t(k)];
    }
    normalizeEnergy(planes, 0, gradientChannels);

    cv::Mat luma, small;
    if (patch.channels() == 3)
        cv::cvtColor(patch, luma, cv::COLOR_BGR2GRAY);
    else
        luma = patch;
    cv::resize(luma, small, cells, 0, 0, cv::INTER_AREA);
    cv::Mat &intensity = planes[gradientChannels];
    small.convertTo(intensity, CV_32F, 1.0 / 255);
    intensity -= cv::mean(intensity);
    normalizeEnergy(planes, gradientChannels, gradientChannels + 1);

    if (color) {
        colors(patch, planes, gradientChannels + 1);
        normalizeEnergy(planes, gradientChannels + 1, channels());
    }
}

} // namespace ocv::track
