#include "ocv_barcodes.h"
#include "symbols.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace {

/// One way to look at a place.
struct Attempt {
    ocv_patch_treatment treatment;
    /// The patch's size in proportion to the usual one.
    double zoom;
    bool globalThreshold;
    /// How much is added on each side, of the shorter side.
    double margin;
};

/// The first reads most; the others are for blur, small modules and uneven light.
constexpr Attempt attempts[] = {
    {OCV_PATCH_PLAIN, 1, false, 0.12},     {OCV_PATCH_SHARPENED, 1, false, 0.12},
    {OCV_PATCH_PLAIN, 0.6, false, 0.25},   {OCV_PATCH_SHARPENED, 1.5, true, 0.08},
    {OCV_PATCH_SHARPENED, 0.7, false, 0.04},
};

struct Place {
    ocv_point corners[4];
    double score = 0;
    bool isBars = false;
};

double side(const ocv_point &a, const ocv_point &b) { return std::hypot(b.x - a.x, b.y - a.y); }

/// The place with a margin: moved out along its own sides.
Place grown(const Place &place, double margin) {
    Place out = place;
    double x = 0, y = 0, shorter = 1e9;
    for (int i = 0; i < 4; i++) {
        x += place.corners[i].x / 4;
        y += place.corners[i].y / 4;
        shorter = std::min(shorter, side(place.corners[i], place.corners[(i + 1) % 4]));
    }
    for (int i = 0; i < 4; i++) {
        const ocv_point &p = place.corners[i], &before = place.corners[(i + 3) % 4], &after = place.corners[(i + 1) % 4];
        const double a = std::max(side(before, p), 1e-6), b = std::max(side(after, p), 1e-6), way = margin * shorter;
        out.corners[i].x = p.x + way * ((p.x - before.x) / a + (p.x - after.x) / b);
        out.corners[i].y = p.y + way * ((p.y - before.y) / a + (p.y - after.y) / b);
    }
    return out;
}

bool contains(const double corners[8], double x, double y) {
    bool inside = false;
    for (int i = 0, j = 3; i < 4; j = i++) {
        const double xi = corners[2 * i], yi = corners[2 * i + 1], xj = corners[2 * j], yj = corners[2 * j + 1];
        if ((yi > y) != (yj > y) && x < (xj - xi) * (y - yi) / (yj - yi) + xi) {
            inside = !inside;
        }
    }
    return inside;
}

void middle(const double corners[8], double &x, double &y) {
    x = (corners[0] + corners[2] + corners[4] + corners[6]) / 4;
    y = (corners[1] + corners[3] + corners[5] + corners[7]) / 4;
}

class Search {
public:
    Search(zx_picture picture, uint32_t symbologies) : picture(picture), symbologies(symbologies) {}

    std::vector<zx::Symbol> found;

    /// True where a symbol that has been found is at the place.
    bool isCovered(const Place &place) const {
        double corners[8];
        for (int i = 0; i < 4; i++) {
            corners[2 * i] = place.corners[i].x;
            corners[2 * i + 1] = place.corners[i].y;
        }
        double x, y;
        middle(corners, x, y);
        return std::any_of(found.begin(), found.end(), [&](const zx::Symbol &symbol) {
            double u, v;
            middle(symbol.corners, u, v);
            return contains(symbol.corners, x, y) || contains(corners, u, v);
        });
    }

    /// Looks at a place in one way.
    /// - Returns: true where something was read.
    bool look(const Place &at, const Attempt &attempt) {
        const Place place = grown(at, attempt.margin);
        const double width = (side(place.corners[0], place.corners[1]) + side(place.corners[3], place.corners[2])) / 2;
        const double height = (side(place.corners[1], place.corners[2]) + side(place.corners[0], place.corners[3])) / 2;
        if (!(width > 4) || !(height > 4)) {
            return false;
        }
        // Modules of three pixels and more become some six, and no patch is larger than it takes.
        const double usual = std::clamp(360 / std::sqrt(width * height), 0.1, 3.0);
        const double zoom = std::min(usual * attempt.zoom, 1400 / std::max(width, height));
        const int w = std::max(16, int(std::lround(width * zoom))), h = std::max(16, int(std::lround(height * zoom)));
        pixels.resize(size_t(w) * size_t(h));
        const ocv_plane luma{picture.data, picture.width, picture.height, picture.stride};
        if (ocv_sample_patch(luma, place.corners, attempt.treatment, w, h, pixels.data()).code) {
            return false;
        }
        zx_options options{symbologies, true, !place.isBars, attempt.globalThreshold};
        zx_symbols *symbols = zx_read({pixels.data(), w, h, w}, options);
        bool isNew = false;
        for (int32_t i = 0; i < zx_count(symbols); i++) {
            zx::Symbol symbol = symbols->list[size_t(i)];
            if (symbol.symbology & (ZX_LINEAR)) {
                stretch(symbol, attempt.margin, w, h);
            }
            for (int corner = 0; corner < 4; corner++) {
                const ocv_point back = ocv_patch_to_picture(
                    place.corners, w, h, {symbol.corners[2 * corner], symbol.corners[2 * corner + 1]});
                symbol.corners[2 * corner] = back.x;
                symbol.corners[2 * corner + 1] = back.y;
            }
            isNew = add(std::move(symbol)) || isNew;
        }
        zx_free(symbols);
        return isNew;
    }

private:
    /// Bars are read along a few lines; they reach from one side of the place to the other.
    static void stretch(zx::Symbol &symbol, double margin, int w, int h) {
        double *c = symbol.corners;
        const bool isLevel = std::abs(c[2] - c[0]) >= std::abs(c[3] - c[1]);
        const double edge = margin / (1 + 2 * margin) * std::min(w, h);
        const int axis = isLevel ? 1 : 0;
        const double low = edge - 0.5, high = (isLevel ? h : w) - edge - 0.5;
        // Which side is the symbol's top: read from left to right it is the upper one, and so on round.
        const bool firstIsLow = isLevel ? c[2] >= c[0] : c[3] < c[1];
        c[axis] = c[2 + axis] = firstIsLow ? low : high;
        c[4 + axis] = c[6 + axis] = firstIsLow ? high : low;
    }

    /// A symbol is found once, though several patches may show it.
    bool add(zx::Symbol symbol) {
        double x, y;
        middle(symbol.corners, x, y);
        for (const zx::Symbol &known : found) {
            double u, v;
            middle(known.corners, u, v);
            if (contains(known.corners, x, y) || contains(symbol.corners, u, v)) {
                return false;
            }
        }
        found.push_back(std::move(symbol));
        return true;
    }

    zx_picture picture;
    uint32_t symbologies;
    std::vector<uint8_t> pixels;
};

zx_symbols *result(std::vector<zx::Symbol> &&found) {
    if (found.empty()) {
        return nullptr;
    }
    auto symbols = std::make_unique<zx_symbols>();
    symbols->list = std::move(found);
    return symbols.release();
}

} // namespace

zx_symbols *zx_search(zx_picture picture, uint32_t symbologies, int32_t effort, int32_t turn) noexcept {
    try {
        ocv_code_region regions[64];
        int32_t count = 0;
        const ocv_plane luma{picture.data, picture.width, picture.height, picture.stride};
        if (ocv_find_code_regions(luma, regions, 64, &count).code) {
            return nullptr;
        }
        std::vector<Place> places;
        for (int32_t i = 0; i < count; i++) {
            Place place;
            std::copy(std::begin(regions[i].corners), std::end(regions[i].corners), place.corners);
            place.score = regions[i].score;
            place.isBars = regions[i].coherence > 0.6;
            places.push_back(place);
        }
        Search search(picture, symbologies);
        // Every place once, then the likely ones in other ways.
        std::vector<std::pair<size_t, const Attempt *>> looks;
        size_t likely = places.size();
        for (const Attempt &attempt : attempts) {
            for (size_t i = 0; i < likely; i++) {
                looks.push_back({i, &attempt});
            }
            likely = (likely + 1) / 2;
        }
        // What there is no time for has its turn in another frame.
        const size_t all = looks.size(), most = std::min(all, size_t(std::max(effort, 0)));
        const size_t always = most == all ? all : (most + 1) / 2;
        for (size_t i = 0; i < most; i++) {
            const size_t next = i < always
                ? i
                : always + (size_t(std::max(turn, 0)) * (most - always) + i - always) % (all - always);
            const auto &[place, attempt] = looks[next];
            if (!search.isCovered(places[place])) {
                search.look(places[place], *attempt);
            }
        }
        return result(std::move(search.found));
    } catch (...) {
        return nullptr;
    }
}

zx_symbols *zx_search_at(zx_picture picture, uint32_t symbologies, zx_quad quad, int32_t effort) noexcept {
    try {
        Place place;
        for (int i = 0; i < 4; i++) {
            place.corners[i] = {quad.corners[2 * i], quad.corners[2 * i + 1]};
        }
        Search search(picture, symbologies);
        for (const Attempt &attempt : attempts) {
            if (effort-- <= 0 || search.look(place, attempt)) {
                break;
            }
        }
        return result(std::move(search.found));
    } catch (...) {
        return nullptr;
    }
}
