#include "Track/filter.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

namespace ocv::track {

namespace {

// Penalties and costs as published, the label's width (relative to the object's) nearly so. The tie to the past is
// an order of magnitude stronger (published: 15): measured, the published one learns what passes before the object.
constexpr double labelWidth = 0.08;
constexpr float temporalTie = 200;
constexpr float firstPenalty = 1, penaltyGrowth = 10, lastPenalty = 0.1f;
constexpr int iterations = 2;
constexpr float insideCost = 1e-3f, outsideCost = 1e5f;
// Towards the rim of the box its pixels are ever less often the object.
constexpr double rimCost = 1, rimWidth = 0.25;
/// What a cell in the box costs that isn't the object's for certain; what may be either hardly costs.
constexpr double strangerCost = 10;

/// Peak-to-sidelobe ratios at which the filter knows the object for certain and hardly at all, and by how much more somebody else
/// counts there.
constexpr double certainSidelobe = 14, vagueSidelobe = 7, vagueWeight = 2;

/// Distance from the origin on a ring of `length` places.
double cyclic(int index, int length) { return index <= length / 2 ? index : index - length; }

} // namespace

CorrelationFilter::CorrelationFilter(cv::Size cells, cv::Size2d object, int channels)
    : cells(cells), channels(channels), half(cells.width / 2 + 1), bins(size_t(cells.height) * size_t(half)) {
    const double sigma = std::max(0.5, std::sqrt(object.area()) * labelWidth);
    cv::Mat wanted(cells, CV_32F);
    window.create(cells, CV_32F);
    box = cv::Mat(cells, CV_32F, cv::Scalar(outsideCost * outsideCost));
    for (int y = 0; y < cells.height; y++) {
        const double hannY = 0.5 * (1 - std::cos(2 * CV_PI * (y + 1) / (cells.height + 1)));
        for (int x = 0; x < cells.width; x++) {
            const double dx = cyclic(x, cells.width), dy = cyclic(y, cells.height);
            const double hannX = 0.5 * (1 - std::cos(2 * CV_PI * (x + 1) / (cells.width + 1)));
            wanted.at<float>(y, x) = float(std::exp(-(dx * dx + dy * dy) / (2 * sigma * sigma)));
            window.at<float>(y, x) = float(hannX * hannY);
        }
    }
    const int width = std::clamp(int(std::lround(object.width)), 2, cells.width);
    const int height = std::clamp(int(std::lround(object.height)), 2, cells.height);
    const cv::Rect inside((cells.width - width + 1) / 2, (cells.height - height + 1) / 2, width, height);
    const auto grown = [](double distance) { return distance * distance / (2 * rimWidth * rimWidth); };
    const double atRim = std::exp(grown(0.5)) - 1;
    for (int y = inside.y; y < inside.y + inside.height; y++) {
        for (int x = inside.x; x < inside.x + inside.width; x++) {
            const double across = grown((x - (cells.width - 1) / 2.0) / object.width);
            const double down = grown((y - (cells.height - 1) / 2.0) / object.height);
            const double cost = rimCost * std::min((std::exp(across + down) - 1) / atRim, 100.0);
            box.at<float>(y, x) = float(insideCost * insideCost + cost);
        }
    }
    support = box.clone();
    plane.create(cells, CV_32F);
    cv::dft(wanted, transformed, cv::DFT_COMPLEX_OUTPUT);
    label.resize(bins);
    for (int y = 0; y < cells.height; y++) {
        // The label is even, so its spectrum is real.
        for (int x = 0; x < half; x++) label[size_t(y * half + x)] = transformed.at<cv::Vec2f>(y, x)[0];
    }
    responseSpectrum.resize(2 * bins);
    for (Spectrum *s : {&sample, &filter, &confined, &multiplier}) s->assign(2 * bins * size_t(channels), 0);
}

void CorrelationFilter::transform(const std::vector<cv::Mat> &planes, Spectrum &spectrum) {
    for (int k = 0; k < channels; k++) {
        cv::multiply(planes[size_t(k)], window, plane);
        cv::dft(plane, transformed, cv::DFT_COMPLEX_OUTPUT);
        float *out = &spectrum[2 * bins * size_t(k)];
        for (int y = 0; y < cells.height; y++)
            std::copy_n(transformed.ptr<float>(y), 2 * half, out + size_t(2 * half * y));
    }
}

Peak CorrelationFilter::rated(cv::Point top) const {
    Peak peak;
    peak.height = response.at<float>(top);
    // Everything but the peak's own hill is sidelobe.
    const double reach = std::max(2, cells.width / 10);
    double sum = 0, squares = 0, count = 0;
    for (int y = 0; y < cells.height; y++) {
        const float *row = response.ptr<float>(y);
        for (int x = 0; x < cells.width; x++) {
            if (std::abs(cyclic((y - top.y + cells.height) % cells.height, cells.height)) <= reach &&
                std::abs(cyclic((x - top.x + cells.width) % cells.width, cells.width)) <= reach) {
                continue;
            }
            sum += row[x];
            squares += double(row[x]) * row[x];
            count++;
        }
    }
    if (count > 0) {
        const double mean = sum / count;
        peak.sidelobe = (peak.height - mean) / std::sqrt(std::max(squares / count - mean * mean, 1e-12));
    }
    return peak;
}

Peak CorrelationFilter::locate(const std::vector<cv::Mat> &planes, const Witness &witness) {
    transform(planes, sample);
    std::fill(responseSpectrum.begin(), responseSpectrum.end(), 0.0f);
    for (int k = 0; k < channels; k++) {
        const float *f = &filter[2 * bins * size_t(k)], *x = &sample[2 * bins * size_t(k)];
        for (size_t i = 0; i < 2 * bins; i += 2) {
            responseSpectrum[i] += f[i] * x[i] + f[i + 1] * x[i + 1];
            responseSpectrum[i + 1] += f[i] * x[i + 1] - f[i + 1] * x[i];
        }
    }
    for (int y = 0; y < cells.height; y++) {
        float *row = transformed.ptr<float>(y);
        std::fill_n(row, 2 * cells.width, 0.0f);
        std::copy_n(&responseSpectrum[size_t(2 * half * y)], 2 * half, row);
    }
    cv::idft(transformed, response, cv::DFT_REAL_OUTPUT | cv::DFT_SCALE);
    cv::Point top;
    cv::minMaxLoc(response, nullptr, nullptr, nullptr, &top);
    Peak peak = rated(top);
    if (witness) {
        const double vague =
            std::clamp((certainSidelobe - peak.sidelobe) / (certainSidelobe - vagueSidelobe), 0.0, 1.0);
        const double weight = 1 + vagueWeight * vague;
        cv::Mat agreed = response.clone();
        for (int y = 0; y < cells.height; y++) {
            float *row = agreed.ptr<float>(y);
            for (int x = 0; x < cells.width; x++)
                row[x] += float(weight * witness({cyclic(x, cells.width), cyclic(y, cells.height)}));
        }
        cv::Point best;
        cv::minMaxLoc(agreed, nullptr, nullptr, nullptr, &best);
        if (best != top) peak = rated(top = best);
    }
    peak.shift = refine(top);
    return peak;
}

double CorrelationFilter::responseAt(cv::Point2d shift) const {
    if (response.empty() || std::abs(shift.x) > cells.width / 2.0 || std::abs(shift.y) > cells.height / 2.0) return 0;
    const int left = int(std::floor(shift.x)), top = int(std::floor(shift.y));
    const double right = shift.x - left, down = shift.y - top;
    const auto at = [&](int x, int y) {
        return double(response.at<float>((y + cells.height) % cells.height, (x + cells.width) % cells.width));
    };
    return (1 - down) * ((1 - right) * at(left, top) + right * at(left + 1, top)) +
           down * ((1 - right) * at(left, top + 1) + right * at(left + 1, top + 1));
}

/// Newton's method on the response's Fourier series, which is exact between the cells (Danelljan et al., “Learning
/// Spatially Regularized Correlation Filters for Visual Tracking”, ICCV 2015).
cv::Point2d CorrelationFilter::refine(cv::Point start) const {
    const cv::Point2d first(cyclic(start.x, cells.width), cyclic(start.y, cells.height));
    cv::Point2d place = first;
    const double unitX = 2 * CV_PI / cells.width, unitY = 2 * CV_PI / cells.height;
    std::vector<std::complex<double>> waveX(size_t(half), 0.0);
    for (int step = 0; step < 5; step++) {
        for (int x = 0; x < half; x++) waveX[size_t(x)] = std::polar(1.0, unitX * x * place.x);
        double gx = 0, gy = 0, hxx = 0, hxy = 0, hyy = 0;
        for (int y = 0; y < cells.height; y++) {
            const double ky = unitY * cyclic(y, cells.height);
            const std::complex<double> waveY = std::polar(1.0, ky * place.y);
            for (int x = 0; x < half; x++) {
                const float *r = &responseSpectrum[size_t(2 * (y * half + x))];
                const double kx = unitX * x;
                // Columns other than the first and the middle one stand for their mirror images too.
                const double weight = x == 0 || 2 * x == cells.width ? 1 : 2;
                const double wr = waveX[size_t(x)].real() * waveY.real() - waveX[size_t(x)].imag() * waveY.imag();
                const double wi = waveX[size_t(x)].real() * waveY.imag() + waveX[size_t(x)].imag() * waveY.real();
                const double real = weight * (r[0] * wr - r[1] * wi), imaginary = weight * (r[0] * wi + r[1] * wr);
                gx -= kx * imaginary;
                gy -= ky * imaginary;
                hxx -= kx * kx * real;
                hxy -= kx * ky * real;
                hyy -= ky * ky * real;
            }
        }
        const double determinant = hxx * hyy - hxy * hxy;
        if (!(determinant > 0) || hxx >= 0) return first;
        place -= cv::Point2d((hyy * gx - hxy * gy) / determinant, (hxx * gy - hxy * gx) / determinant);
    }
    const cv::Point2d moved = place - first;
    return std::abs(moved.x) <= 1 && std::abs(moved.y) <= 1 ? place : first;
}

void CorrelationFilter::favor(const cv::Mat &likely, double trust) {
    for (int y = 0; y < cells.height; y++) {
        for (int x = 0; x < cells.width; x++) {
            const double strange = 1 - likely.at<float>(y, x);
            support.at<float>(y, x) = float(box.at<float>(y, x) + trust * strangerCost * strange * strange * strange);
        }
    }
}

void CorrelationFilter::learn(const std::vector<cv::Mat> &planes) {
    transform(planes, sample);
    const float total = float(cells.area());
    const float tie = taught ? temporalTie : 0;
    std::vector<float> energy(bins, 0), dots(2 * bins);
    for (int k = 0; k < channels; k++) {
        const float *x = &sample[2 * bins * size_t(k)];
        for (size_t i = 0; i < bins; i++) energy[i] += x[2 * i] * x[2 * i] + x[2 * i + 1] * x[2 * i + 1];
    }
    const Spectrum past = filter;
    std::fill(confined.begin(), confined.end(), 0.0f);
    std::fill(multiplier.begin(), multiplier.end(), 0.0f);
    float penalty = firstPenalty;
    for (int iteration = 0; iteration < iterations; iteration++) {
        // Per frequency: (x xᴴ / T + (γ + μ) I) f = x y / T + μ f′ + γ g − h, by the Sherman–Morrison formula.
        const float scale = 1 / (penalty + tie);
        std::fill(dots.begin(), dots.end(), 0.0f);
        for (int k = 0; k < channels; k++) {
            const size_t base = 2 * bins * size_t(k);
            for (size_t i = 0; i < 2 * bins; i += 2) {
                const float *x = &sample[base + i];
                float *f = &filter[base + i];
                for (size_t c = 0; c < 2; c++) {
                    f[c] = scale * (x[c] * label[i / 2] / total + tie * past[base + i + c] +
                                    penalty * confined[base + i + c] - multiplier[base + i + c]);
                }
                dots[i] += x[0] * f[0] + x[1] * f[1];
                dots[i + 1] += x[0] * f[1] - x[1] * f[0];
            }
        }
        for (size_t i = 0; i < bins; i++) {
            const float divisor = 1 / (energy[i] + total * (penalty + tie));
            dots[2 * i] *= divisor;
            dots[2 * i + 1] *= divisor;
        }
        for (int k = 0; k < channels; k++) {
            const size_t base = 2 * bins * size_t(k);
            for (size_t i = 0; i < 2 * bins; i += 2) {
                const float *x = &sample[base + i];
                float *f = &filter[base + i];
                f[0] -= x[0] * dots[i] - x[1] * dots[i + 1];
                f[1] -= x[0] * dots[i + 1] + x[1] * dots[i];
            }
        }
        // What follows the last filter step would not reach the result.
        if (iteration + 1 == iterations) break;
        confine(penalty);
        penalty = std::min(penalty * penaltyGrowth, lastPenalty);
    }
    if (!taught) first = filter;
    taught = true;
}

/// The g and h steps: `confined` becomes the filter with its part outside the object removed.
void CorrelationFilter::confine(float penalty) {
    cv::Mat spectrum(cells, CV_32FC2, cv::Scalar::all(0));
    for (int k = 0; k < channels; k++) {
        const size_t base = 2 * bins * size_t(k);
        for (int y = 0; y < cells.height; y++) {
            float *row = spectrum.ptr<float>(y);
            const size_t at = base + size_t(2 * half * y);
            for (int x = 0; x < 2 * half; x++) row[x] = penalty * filter[at + size_t(x)] + multiplier[at + size_t(x)];
        }
        cv::idft(spectrum, plane, cv::DFT_REAL_OUTPUT | cv::DFT_SCALE);
        for (int y = 0; y < cells.height; y++) {
            float *row = plane.ptr<float>(y);
            const float *cost = support.ptr<float>(y);
            for (int x = 0; x < cells.width; x++) row[x] /= cost[x] + penalty;
        }
        cv::dft(plane, transformed, cv::DFT_COMPLEX_OUTPUT);
        for (int y = 0; y < cells.height; y++) {
            const float *row = transformed.ptr<float>(y);
            const size_t at = base + size_t(2 * half * y);
            for (int x = 0; x < 2 * half; x++) {
                const size_t i = at + size_t(x);
                confined[i] = row[x];
                multiplier[i] += penalty * (filter[i] - confined[i]);
            }
        }
    }
}

} // namespace ocv::track
