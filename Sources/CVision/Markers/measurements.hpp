#pragma once
#include "Markers/geometry.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace ocv::markers {

/// A rough look at a grid of cells, by one sample a cell.
struct Look {
    float darkest = 255, lightest = 0;
    /// Border cells that are light.
    int wrong = 0;
    /// Of the side that rises least from the border to just outside, luma levels; nothing until it is asked for.
    std::optional<float> rise;
};

/// What the cells of a grid are.
struct Grid {
    /// False where nothing is light.
    bool isRead = false;
    uint64_t code = 0;
    int borderErrors = 0;
    /// Luma of the dark and the light cells.
    float black = 0, white = 0;
};

/// What was measured of one outline in a picture, for whichever dictionary it is read in: codes of as many bits are looked for
/// in the same cells, behind the same edges.
class Measurements {
public:
    /// By the cells along a side, border included, of a grid that is laid on a quad.
    struct Grids {
        Quad quad;
        int side;
        std::optional<Look> look;
        /// As `CodeReader` reads them by one threshold, and carefully.
        std::optional<Grid> plain, careful;
    };
    /// What `EdgeFit` makes of a quad.
    struct Sides {
        Quad quad;
        int cells;
        double uncertainty, contrast;
        float ceiling;
        Quad refined{};
        std::array<bool, 4> isRefined{};
    };

    /// The grid on that quad, nothing of it being known at first. Stays valid until another is asked for.
    Grids &grids(const Quad &quad, int side) {
        for (Grids &known : allGrids)
            if (known.side == side && known.quad == quad) return known;
        return allGrids.emplace_back(Grids{quad, side, {}, {}, {}});
    }

    /// The sides that were found from there; null where they weren't looked for.
    const Sides *find(const Sides &wanted) const {
        for (const Sides &known : allSides)
            if (known.cells == wanted.cells && known.quad == wanted.quad && known.uncertainty == wanted.uncertainty &&
                known.contrast == wanted.contrast && known.ceiling == wanted.ceiling)
                return &known;
        return nullptr;
    }
    void add(const Sides &sides) { allSides.push_back(sides); }

    void clear() {
        allGrids.clear();
        allSides.clear();
    }

private:
    std::vector<Grids> allGrids;
    std::vector<Sides> allSides;
};

} // namespace ocv::markers
