#pragma once
#include <functional>
#include <opencv2/core.hpp>
#include <vector>

namespace ocv::track {

/// Where a correlation filter sees its object in a sample, and how sure the response is.
struct Peak {
    cv::Point2d shift;   ///< from the sample's centre, in cells
    double height = 0;   ///< about 1 where the sample looks as the filter was taught
    double sidelobe = 0; ///< peak-to-sidelobe ratio (Bolme et al., CVPR 2010)
};

/// A correlation filter over many feature channels, confined to the object and tied to its own past.
///
/// Li et al., “Learning Spatial-Temporal Regularized Correlation Filters for Visual Tracking” (CVPR 2018), solved by
/// the alternating direction method of multipliers. The confinement (weights outside the object cost so much that
/// they vanish) keeps the background out of the filter; the tie to the last filter keeps one bad sample, a passing
/// occlusion say, from overwriting it.
class CorrelationFilter {
public:
    /// - Parameters
    ///   - cells: size of the sample, in cells.
    ///   - object: size of the object in the sample, in cells.
    CorrelationFilter(cv::Size cells, cv::Size2d object, int channels);

    /// What somebody else says of a shift from the sample's centre, in cells; it is added to the response.
    using Witness = std::function<double(cv::Point2d shift)>;

    /// Correlates windowed feature planes with the filter. The peak is where the filter and the witness agree best, its height
    /// what the filter says there; the less clear the filter's own peak, the more the witness counts.
    Peak locate(const std::vector<cv::Mat> &planes, const Witness &witness = nullptr);

    /// The last response, about 1 where the sample looked as taught, at a shift from the sample's centre in cells; 0 beyond
    /// half a sample.
    double responseAt(cv::Point2d shift) const;

    /// From now on lessons give less weight to what is hardly the object's: `likely`, 0…1, is a value a cell, `trust`,
    /// 0…1, how much is to be given on it.
    void favor(const cv::Mat &likely, double trust);

    /// Teaches the filter that the object is at the centre of these feature planes.
    void learn(const std::vector<cv::Mat> &planes);

    /// What the first lesson taught takes the place of what is known, and the other way round.
    void exchange() { filter.swap(first); }
    /// From now on what is known is what the first lesson taught.
    void restart() { filter = first; }

private:
    using Spectrum = std::vector<float>; // channels × rows × (columns / 2 + 1) complex numbers

    void transform(const std::vector<cv::Mat> &planes, Spectrum &spectrum);
    void confine(float penalty);
    cv::Point2d refine(cv::Point start) const;
    Peak rated(cv::Point top) const;

    cv::Size cells;
    int channels, half;
    size_t bins;
    cv::Mat window, plane, transformed, response;
    cv::Mat box,
        support; ///< what a weight costs at each cell: by the object's box alone, and by what it is likely to be, too
    std::vector<float> label, responseSpectrum;
    Spectrum sample, filter, confined, multiplier;
    Spectrum first; ///< the filter as the first lesson left it
    bool taught = false;
};

} // namespace ocv::track
