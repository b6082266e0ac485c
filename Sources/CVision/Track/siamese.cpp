#include "Track/siamese.hpp"
#include "Track/features.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <stdexcept>

namespace ocv::track {

namespace {

/// Share of the object's mean side that is seen around it, on each side half of it.
constexpr double context = 0.5;
/// Boxes that overlap less are of different objects.
constexpr double sameObject = 0.2;
/// Cells with less don't get an opinion: they can't win.
constexpr double leastChance = 0.05;

double contextSide(double width, double height) {
    const double around = context * (width + height);
    return std::sqrt((width + around) * (height + around));
}

double overlap(const cv::Rect2d &a, const cv::Rect2d &b) {
    const double common = (a & b).area();
    return common > 0 ? common / (a.area() + b.area() - common) : 0;
}

void require(int32_t failed) {
    if (failed) throw std::runtime_error("a network failed");
}

} // namespace

Siamese::Siamese(const ocv_tracker_networks &networks) : networks(networks) {
    const size_t cells = size_t(networks.scoreCells) * size_t(networks.scoreCells);
    scores.resize(cells * size_t(networks.scoreChannels));
    sides.resize(4 * cells);
    chances.resize(cells);
    boxes.resize(cells);
    window.resize(size_t(networks.channels) * size_t(networks.searchCells) * size_t(networks.searchCells));
}

void Siamese::crop(const cv::Mat &picture, const Place &at, double side, int size) {
    sample(picture, Window{at.middle, side / size, side / size, at.angle}, cv::Size(size, size), patch, &surround);
    pixels.resize(size_t(3 * size * size));
    const size_t area = size_t(size * size);
    for (int y = 0; y < size; y++) {
        const uint8_t *row = patch.ptr(y);
        float *out = &pixels[size_t(y * size)];
        for (int x = 0; x < size; x++) {
            out[x] = row[3 * x];
            out[area + size_t(x)] = row[3 * x + 1];
            out[2 * area + size_t(x)] = row[3 * x + 2];
        }
    }
}

Siamese::Features Siamese::embed(const cv::Mat &picture, const Place &place) {
    if (!hasSurround) surround = cv::mean(picture);
    hasSurround = true;
    crop(picture, place, contextSide(place.size.width, place.size.height), networks.templateSize);
    Features features(size_t(networks.channels) * size_t(networks.templateCells) * size_t(networks.templateCells));
    require(networks.embedTemplate(networks.context, pixels.data(), features.data()));
    return features;
}

void Siamese::open(const cv::Mat &picture, const Place &place) {
    around = place;
    unit = contextSide(around.size.width, around.size.height) / networks.templateSize;
    crop(picture, around, unit * networks.searchSize, networks.searchSize);
    require(networks.embedSearch(networks.context, pixels.data(), window.data()));
}

/// In pixels of the picture, from the window's middle, in the window's own directions.
cv::Rect2d Siamese::boxOf(int cell) const {
    const int count = networks.scoreCells, area = count * count;
    const double x = (cell % count - count / 2) * networks.stride, y = (cell / count - count / 2) * networks.stride;
    const double left = x - sides[size_t(cell)], top = y - sides[size_t(area + cell)];
    const double width = std::max(1.0, x + sides[size_t(2 * area + cell)] - left);
    const double height = std::max(1.0, y + sides[size_t(3 * area + cell)] - top);
    return {left * unit, top * unit, width * unit, height * unit};
}

Place Siamese::placeOf(const cv::Rect2d &box) const {
    const cv::Point2d away(box.x + box.width / 2, box.y + box.height / 2);
    Place result(around.middle + around.outward(away), box.size());
    result.angle = around.angle;
    return result;
}

Sighting Siamese::find(const Features &pattern, const Place &expected, Bias bias, const Opinion &opinion) {
    require(networks.compare(networks.context, pattern.data(), window.data(), scores.data(), sides.data()));
    const int count = networks.scoreCells, area = count * count;
    const double side = contextSide(expected.size.width, expected.size.height),
                 shape = expected.size.width / expected.size.height;
    const double step = networks.stride * unit, reach = count * step;
    const cv::Point2d middle = around.inward(expected.middle - around.middle);
    const auto margin = [&](int i) {
        return double(scores[size_t(networks.scoreChannels - 1) * size_t(area) + size_t(i)]) -
               (networks.scoreChannels == 2 ? double(scores[size_t(i)]) : 0.0);
    };
    const auto cosine = [](double d) { return std::abs(d) < 0.5 ? 0.5 * (1 + std::cos(2 * CV_PI * d)) : 0.0; };
    int best = 0;
    double most = -1;
    for (int i = 0; i < area; i++) {
        const double chance = chances[size_t(i)] = 1 / (1 + std::exp(-margin(i)));
        const cv::Rect2d box = boxes[size_t(i)] = boxOf(i);
        const double grown = contextSide(box.width, box.height) / side, turned = box.width / box.height / shape;
        const double change = std::max(grown, 1 / grown) * std::max(turned, 1 / turned);
        // A cosine window about the expected place, as wide as the search window.
        const double near = cosine(((i % count - count / 2) * step - middle.x) / reach) *
                            cosine(((i / count - count / 2) * step - middle.y) / reach);
        double value = chance * std::exp(-(change - 1) * bias.stiffness) * (1 - bias.pull) + near * bias.pull;
        if (opinion && chance > leastChance) value += opinion(placeOf(box));
        if (value > most) {
            most = value;
            best = i;
        }
    }
    Sighting result;
    const cv::Rect2d &chosen = boxes[size_t(best)];
    result.place = placeOf(chosen);
    result.score = chances[size_t(best)];
    result.margin = margin(best);
    double agreed = 0, all = 0;
    for (size_t i = 0; i < boxes.size(); i++) {
        const double common = overlap(boxes[i], chosen);
        if (common > sameObject) {
            agreed += chances[i] * common;
            all += chances[i];
        } else {
            result.rival = std::max(result.rival, chances[i]);
        }
    }
    result.agreement = all > 0 ? agreed / all : 0;
    return result;
}

} // namespace ocv::track
