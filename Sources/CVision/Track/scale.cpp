#include "Track/scale.hpp"

#include <algorithm>
#include <cmath>

namespace ocv::track {

namespace {

constexpr int steps = 17;
constexpr double stepFactor = 1.03;
constexpr double scaleLabelWidth = 1.0;
constexpr double patchArea = 512;
constexpr float learningRate = 0.025f;
constexpr float regularization = 1e-2f;
constexpr int half = steps / 2 + 1;

} // namespace

ScaleFilter::ScaleFilter(cv::Size2d object) {
    // Long objects keep their shape as far as whole cells allow.
    const double shrink = std::sqrt(patchArea / object.area());
    const auto cells = [&](double length) {
        return std::clamp(int(std::lround(length * shrink / FeatureExtractor::cell)), 2, 16) * FeatureExtractor::cell;
    };
    patchSize = cv::Size(cells(object.width), cells(object.height));
    fourier.create(2 * half, steps, CV_32F);
    label.create(half, 1, CV_32F);
    window.create(steps, 1, CV_32F);
    for (int k = 0; k < half; k++) {
        double sum = 0;
        for (int s = 0; s < steps; s++) {
            const double offset = s - steps / 2, angle = 2 * CV_PI * k * offset / steps;
            fourier.at<float>(2 * k, s) = float(std::cos(angle));
            fourier.at<float>(2 * k + 1, s) = float(-std::sin(angle));
            sum += std::exp(-offset * offset / (2 * scaleLabelWidth * scaleLabelWidth)) * std::cos(angle);
        }
        label.at<float>(k) = float(sum);
    }
    for (int s = 0; s < steps; s++)
        window.at<float>(s) = float(0.5 * (1 - std::cos(2 * CV_PI * (s + 1) / (steps + 1))));
}

void ScaleFilter::pyramid(const cv::Mat &picture, const Place &place) {
    cv::Mat patch, level;
    for (int s = 0; s < steps; s++) {
        const double factor = std::pow(stepFactor, s - steps / 2);
        const Window around{
            place.middle, factor * place.size.width / patchSize.width, factor * place.size.height / patchSize.height,
            place.angle};
        sample(picture, around, patchSize, patch);
        extractor.gradients(patch, values);
        samples.create(steps, int(values.size()), CV_32F);
        float *row = samples.ptr<float>(s);
        const float weight = window.at<float>(s);
        for (size_t i = 0; i < values.size(); i++) row[i] = weight * values[i];
    }
    cv::gemm(fourier, samples, 1, cv::noArray(), 0, spectrum);
}

double ScaleFilter::locate(const cv::Mat &picture, const Place &place) {
    pyramid(picture, place);
    float real[half], imaginary[half];
    for (int k = 0; k < half; k++) {
        const cv::Mat xr = spectrum.row(2 * k), xi = spectrum.row(2 * k + 1);
        const cv::Mat nr = numerator.row(2 * k), ni = numerator.row(2 * k + 1);
        const float divisor = denominator.at<float>(k) + regularization;
        real[k] = float(nr.dot(xr) + ni.dot(xi)) / divisor;
        imaginary[k] = float(nr.dot(xi) - ni.dot(xr)) / divisor;
    }
    const auto response = [&](double offset) {
        double sum = real[0];
        for (int k = 1; k < half; k++) {
            const double angle = 2 * CV_PI * k * offset / steps;
            sum += 2 * (real[k] * std::cos(angle) - imaginary[k] * std::sin(angle));
        }
        return sum;
    };
    double best = -1e30, step = 0;
    for (int i = -4 * (steps / 2); i <= 4 * (steps / 2); i++) {
        const double value = response(i / 4.0);
        if (value > best) {
            best = value;
            step = i / 4.0;
        }
    }
    return std::pow(stepFactor, step);
}

void ScaleFilter::learn(const cv::Mat &picture, const Place &place) {
    pyramid(picture, place);
    const float rate = taught ? learningRate : 1;
    if (!taught) {
        numerator = cv::Mat(spectrum.size(), CV_32F, cv::Scalar(0));
        denominator = cv::Mat(half, 1, CV_32F, cv::Scalar(0));
        taught = true;
    }
    for (int k = 0; k < half; k++) {
        const cv::Mat xr = spectrum.row(2 * k), xi = spectrum.row(2 * k + 1);
        for (int part = 0; part < 2; part++) {
            cv::Mat row = numerator.row(2 * k + part);
            cv::addWeighted(row, 1 - rate, spectrum.row(2 * k + part), rate * label.at<float>(k), 0, row);
        }
        float &energy = denominator.at<float>(k);
        energy = (1 - rate) * energy + rate * float(xr.dot(xr) + xi.dot(xi));
    }
}

} // namespace ocv::track
