#pragma once
#include "zx.h"

#include <string>
#include <vector>

namespace zx {

struct Symbol {
    zx_symbology symbology;
    double corners[8];
    std::vector<uint8_t> bytes;
    std::string text;
};

} // namespace zx

struct zx_symbols {
    std::vector<zx::Symbol> list;
};
