#include "Horizon/split.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::horizon {
namespace {

/// What all angles look at: every second pixel of every second row tells enough.
struct Samples {
    /// What a pixel adds to a sum: one to the count, and the channels' values; 0 for those that there aren't.
    using Values = std::array<double, 4>;

    int width, height;
    size_t channels;
    /// Pixel by pixel, row by row.
    std::vector<Values> values;
    std::vector<double> total;
    double count = 0, squares = 0;

    explicit Samples(const Planes &planes)
        : width(planes[0].cols), height(planes[0].rows), channels(planes.size()), total(planes.size(), 0.0) {
        for (int y = 0; y < height; y += 2) {
            for (int x = 0; x < width; x += 2) {
                count += 1;
                Values &sample = values.emplace_back(Values{1});
                for (size_t k = 0; k < channels; k++) {
                    const float value = planes[k].at<float>(y, x);
                    sample[k + 1] = value;
                    total[k] += value;
                    squares += double(value) * value;
                }
            }
        }
    }
};

/// The best offset for one angle: prefix sums over the pixels' distances from the line.
Split splitAt(const Samples &samples, double angle) {
    const int width = samples.width, height = samples.height;
    const double s = std::sin(angle), c = std::cos(angle);
    const int reach = int(std::ceil(std::hypot(width, height) / 2)) + 1;
    const size_t bins = size_t(2 * reach + 1), channels = samples.channels;
    const double count = samples.count;
    const std::vector<double> &total = samples.total;
    std::vector<Samples::Values> sums(bins, Samples::Values{});
    const Samples::Values *value = samples.values.data();
    for (int y = 0; y < height; y += 2) {
        const double below = (y - (height - 1) / 2.0) * c;
        for (int x = 0; x < width; x += 2, value++) {
            const double v = below - (x - (width - 1) / 2.0) * s;
            Samples::Values &bin = sums[size_t(int(v + reach + 0.5))];
            for (size_t k = 0; k < bin.size(); k++) bin[k] += (*value)[k];
        }
    }
    double variance = samples.squares;
    for (double t : total) variance -= t * t / count;
    Split best;
    best.line.angle = angle;
    if (variance < count) return best;
    std::vector<double> above(channels, 0.0);
    double n = 0;
    for (size_t b = 0; b + 1 < bins; b++) {
        const Samples::Values &bin = sums[b];
        n += bin[0];
        for (size_t k = 0; k < channels; k++) above[k] += bin[1 + k];
        if (n < 0.04 * count || n > 0.96 * count) continue;
        double between = 0;
        for (size_t k = 0; k < channels; k++) {
            const double difference = above[k] / n - (total[k] - above[k]) / (count - n);
            between += difference * difference;
        }
        const double explained = between * n * (count - n) / count / variance;
        if (explained > best.explained) {
            best.explained = explained;
            best.line.offset = double(b) - reach + 0.5;
        }
    }
    return best;
}

/// Where the line is in the picture: the range along it, from its foot.
bool range(
    int width, int height, const Line &line, double &first, double &last, cv::Point2d &foot, cv::Point2d &along) {
    along = {std::cos(line.angle), std::sin(line.angle)};
    foot = cv::Point2d((width - 1) / 2.0 - along.y * line.offset, (height - 1) / 2.0 + along.x * line.offset);
    first = -1e9;
    last = 1e9;
    const double starts[2] = {foot.x, foot.y}, ways[2] = {along.x, along.y}, limits[2] = {width - 1.0, height - 1.0};
    for (int i = 0; i < 2; i++) {
        if (std::abs(ways[i]) < 1e-9) {
            if (starts[i] < 0 || starts[i] > limits[i]) return false;
            continue;
        }
        const double a = -starts[i] / ways[i], b = (limits[i] - starts[i]) / ways[i];
        first = std::max(first, std::min(a, b));
        last = std::min(last, std::max(a, b));
    }
    return last > first;
}

} // namespace

double chanceOfMore(const std::array<int, 256> &one, const std::array<int, 256> &other) {
    double pairs = 0, first = 0, second = 0;
    for (size_t i = 0; i < one.size(); i++) {
        pairs += one[i] * (second + other[i] / 2.0);
        first += one[i];
        second += other[i];
    }
    return first > 0 && second > 0 ? pairs / first / second : 0.5;
}

Split bestSplit(const Planes &planes) {
    const Samples samples(planes);
    Split best;
    for (int degrees = -60; degrees <= 60; degrees += 4) {
        const Split split = splitAt(samples, degrees * CV_PI / 180);
        if (split.explained > best.explained) best = split;
    }
    for (double step = 2; step > 0.4; step /= 2) {
        for (const double sign : {-1.0, 1.0}) {
            const Split split = splitAt(samples, best.line.angle + sign * step * CV_PI / 180);
            if (split.explained > best.explained) best = split;
        }
    }
    return best;
}

namespace {

/// Edges are at the most this much steeper than 45°, as a ratio: 61° from level.
constexpr float steepest = 1.8F;

/// The whole degrees, −61…61, of which a ratio from −`steepest` to `steepest` is the tangent.
int degreesOf(float ratio) {
    constexpr int perUnit = 2000;
    static const std::vector<int> table = [] {
        std::vector<int> out;
        const int last = int(2 * steepest * perUnit) + 1;
        for (int i = 0; i <= last; i++)
            out.push_back(int(std::lround(std::atan(double(i) / perUnit - double(steepest)) * 180 / CV_PI)));
        return out;
    }();
    return table[size_t((ratio + steepest) * perUnit + 0.5F)];
}

} // namespace

std::vector<Line> edgeLines(const Planes &planes, int count) {
    const int width = planes[0].cols, height = planes[0].rows;
    constexpr int angles = 121; // a degree apart, −60…60
    const int reach = int(std::ceil(std::hypot(width, height) / 2)) + 1, bins = 2 * reach + 1;
    // A vote table for each polarity: brighter above, brighter below.
    std::vector<cv::Mat> votes{cv::Mat::zeros(angles, bins, CV_32F), cv::Mat::zeros(angles, bins, CV_32F)};
    std::vector<double> sines(angles), cosines(angles);
    for (int a = 0; a < angles; a++) {
        sines[size_t(a)] = std::sin((a - 60) * CV_PI / 180);
        cosines[size_t(a)] = std::cos((a - 60) * CV_PI / 180);
    }
    for (const cv::Mat &plane : planes) {
        cv::Mat dx, dy;
        cv::Sobel(plane, dx, CV_32F, 1, 0, 3, 1 / 8.0);
        cv::Sobel(plane, dy, CV_32F, 0, 1, 3, 1 / 8.0);
        for (int y = 1; y + 1 < height; y++) {
            for (int x = 1; x + 1 < width; x++) {
                const float gx = dx.at<float>(y, x), gy = dy.at<float>(y, x);
                const float square = gx * gx + gy * gy;
                if (square < 2.25f || std::abs(gx) > steepest * std::abs(gy)) continue;
                const float strength = std::sqrt(square);
                const int polarity = gy > 0 ? 0 : 1;
                const float weight = std::min(strength, 12.0f);
                // The edge's direction: at right angles to the gradient.
                const int middle = degreesOf(-gx / gy) + 60;
                for (int a = std::max(middle - 3, 0); a <= std::min(middle + 3, angles - 1); a++) {
                    const double v =
                        (y - (height - 1) / 2.0) * cosines[size_t(a)] - (x - (width - 1) / 2.0) * sines[size_t(a)];
                    votes[size_t(polarity)].at<float>(a, int(v + reach + 0.5)) += weight;
                }
            }
        }
    }
    std::vector<Line> lines;
    for (cv::Mat &table : votes) {
        cv::blur(table, table, cv::Size(3, 3));
        for (int i = 0; i < count; i++) {
            double best = 0;
            cv::Point place;
            cv::minMaxLoc(table, nullptr, &best, nullptr, &place);
            if (best <= 0) break;
            lines.push_back({(place.y - 60) * CV_PI / 180, double(place.x - reach)});
            const cv::Rect near(place.x - 4, place.y - 4, 9, 9);
            table(near & cv::Rect(0, 0, bins, angles)) = 0;
        }
    }
    return lines;
}

Evidence evidence(const Planes &planes, const Line &line, double leastSupport) {
    Evidence out;
    const int width = planes[0].cols, height = planes[0].rows;
    double first, last;
    cv::Point2d foot, along;
    if (!range(width, height, line, first, last, foot, along)) return out;
    out.length = (last - first) / width;
    const cv::Point2d down(-along.y, along.x);
    const int steps = std::max(2, int(last - first));
    // The difference between a strip of four pixels below and one above, at each place.
    std::vector<std::vector<double>> differences(planes.size(), std::vector<double>(size_t(steps)));
    std::vector<double> mean(planes.size(), 0.0);
    for (int i = 0; i < steps; i++) {
        const cv::Point2d p = foot + along * (first + (i + 0.5) * (last - first) / steps);
        float lower[3], upper[3];
        double d[3] = {};
        for (int j = 1; j <= 4; j++) {
            const cv::Point2d below = p + down * j, above = p - down * j;
            at(planes, below.x, below.y, lower);
            at(planes, above.x, above.y, upper);
            for (size_t k = 0; k < planes.size(); k++) d[k] += (lower[k] - upper[k]) / 4;
        }
        for (size_t k = 0; k < planes.size(); k++) {
            differences[k][size_t(i)] = d[k];
            mean[k] += d[k] / steps;
        }
    }
    double size = 0;
    for (double m : mean) size += m * m;
    size = std::sqrt(size);
    out.contrast = size;
    out.isBrightAbove = mean[0] < 0;
    int seen = 0;
    for (int i = 0; i < steps && size >= 1; i++) {
        double projected = 0;
        for (size_t k = 0; k < planes.size(); k++) projected += differences[k][size_t(i)] * mean[k] / size;
        seen += projected > std::max(0.35 * size, 2.0);
    }
    out.support = double(seen) / steps;
    if (out.support < leastSupport) return out;
    int above = 0, below = 0, even = 0;
    double bright = 0, dark = 0;
    // Of luma, a grey level a bin, and of the differences from the neighbours, a quarter of a level a bin.
    std::array<int, 256> high{}, low{}, differences4{};
    const auto bin = [](float value) { return size_t(std::clamp(value, 0.0f, 255.0f)); };
    for (int y = 1; y + 1 < height; y += 2) {
        const float *row = planes[0].ptr<float>(y), *next = planes[0].ptr<float>(y + 1),
                    *before = planes[0].ptr<float>(y - 1);
        for (int x = 1; x + 1 < width; x += 2) {
            const double v = (y - (height - 1) / 2.0) * along.x - (x - (width - 1) / 2.0) * along.y;
            if (v > line.offset - 3) {
                if (v <= line.offset + 3) continue;
                below++;
                dark += row[x];
                low[bin(row[x])]++;
                continue;
            }
            above++;
            bright += row[x];
            high[bin(row[x])]++;
            // A sky may shade from one side to the other: what counts is how its shade bends.
            const float across = row[x + 1] + row[x - 1] - 2 * row[x], down = next[x] + before[x] - 2 * row[x];
            even += std::abs(across) + std::abs(down) < 1.5f;
            differences4[bin(std::abs(across + down) * 4)]++;
        }
    }
    out.brighter = above > 0 && below > 0 ? bright / above - dark / below : 0;
    out.sky = above > 0 ? double(above) / (above + below) : 0;
    out.even = above > 0 ? double(even) / above : 0;
    out.apart = chanceOfMore(high, low);
    int smooth = 0;
    for (size_t i = 0; i < differences4.size() && smooth < 0.9 * above; i++) {
        smooth += differences4[i];
        out.rough = double(i + 1) / 4;
    }
    return out;
}

} // namespace ocv::horizon
