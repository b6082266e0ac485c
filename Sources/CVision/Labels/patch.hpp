#pragma once
#include "Labels/pyramid.hpp"

#include <array>

// Small squares of a picture, and how one is found again in another picture.

namespace ocv::labels {

/// The linear part of a warp: how offsets around a place turn.
struct Linear {
    double xx = 1, xy = 0, yx = 0, yy = 1;

    double determinant() const { return xx * yy - xy * yx; }
    Linear inverse() const {
        const double d = determinant();
        return {yy / d, -xy / d, -yx / d, xx / d};
    }
    cv::Point2d operator*(cv::Point2d p) const { return {xx * p.x + xy * p.y, yx * p.x + yy * p.y}; }
    /// First the other, then this one.
    Linear operator*(const Linear &o) const {
        return {xx * o.xx + xy * o.yx, xx * o.xy + xy * o.yy, yx * o.xx + yy * o.yx, yx * o.xy + yy * o.yy};
    }
};

/// What a patch of an earlier picture should look like now.
struct Template {
    static constexpr int largest = 21;
    using Values = std::array<float, largest * largest>;

    /// Pixels a side.
    int side = 0;
    /// The level of the new picture that it is compared with.
    int level = 0;
    /// Without their mean, and the mean.
    Values values;
    double mean = 0;
    double deviation = 0;
    Values gradientX, gradientY;
    /// Of the gradients' products, over all pixels.
    double hxx = 0, hxy = 0, hyy = 0;

    /// The smaller eigenvalue of the mean gradient product: how well the weaker direction is determined, codes².
    double corner() const;
    /// The larger one.
    double edge() const;
    /// The direction that is determined best: across an edge. Of length 1.
    cv::Point2d across() const;
    /// True for a patch along a straight edge, which looks the same wherever it slides to.
    bool isEdge() const;
};

/// Where a template was found.
struct Fit {
    /// Pixels of the full picture.
    cv::Point2d point;
    /// Normalised correlation, −1…1.
    double correlation = -1;
    /// The picture's deviation over the template's, and the difference of the means, codes.
    double contrast = 0;
    double brightness = 0;
};

/// Renders what is around `place` of `from` as it would look after `linear`, at least as coarse as `level`.
/// @return false where the part isn't in the picture.
bool makeTemplate(const Pyramid &from, cv::Point2d place, const Linear &linear, int side, int level, Template &out);

/// Moves the template over the picture's level of the same resolution until it fits best: inverse compositional
/// Gauss-Newton steps (Baker & Matthews, “Lucas-Kanade 20 years on”), with gain and offset taken out at each step.
/// `pull`: the weight of staying at the start, in the units of the template's gradients, for a patch with too little in
/// it. `across`: where it isn't 0, a direction of length 1, and the only one in which the template moves.
/// @return false where it leaves the picture, runs away by over `reach` pixels of the level or doesn't come to rest.
bool align(
    const Template &patch, const Pyramid &in, cv::Point2d start, double reach, double pull, Fit &out,
    cv::Point2d across = {});

/// How the picture at exactly this place compares with the template.
bool compare(const Template &patch, const Pyramid &in, cv::Point2d place, Fit &out);

} // namespace ocv::labels
