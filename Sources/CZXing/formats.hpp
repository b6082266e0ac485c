#pragma once
#include "zx.h"

#include <ZXing/BarcodeFormat.h>
#include <optional>
#include <utility>

namespace zx {

inline constexpr std::pair<zx_symbology, ZXing::BarcodeFormat> table[] = {
    {ZX_AZTEC, ZXing::BarcodeFormat::Aztec},      {ZX_CODABAR, ZXing::BarcodeFormat::Codabar},
    {ZX_CODE_39, ZXing::BarcodeFormat::Code39},   {ZX_CODE_93, ZXing::BarcodeFormat::Code93},
    {ZX_CODE_128, ZXing::BarcodeFormat::Code128}, {ZX_DATA_MATRIX, ZXing::BarcodeFormat::DataMatrix},
    {ZX_EAN_8, ZXing::BarcodeFormat::EAN8},       {ZX_EAN_13, ZXing::BarcodeFormat::EAN13},
    {ZX_ITF, ZXing::BarcodeFormat::ITF},          {ZX_PDF_417, ZXing::BarcodeFormat::PDF417},
    {ZX_QR, ZXing::BarcodeFormat::QRCode},        {ZX_MICRO_QR, ZXing::BarcodeFormat::MicroQRCode},
    {ZX_UPC_A, ZXing::BarcodeFormat::UPCA},       {ZX_UPC_E, ZXing::BarcodeFormat::UPCE},
};

inline ZXing::BarcodeFormats formats(uint32_t set) {
    ZXing::BarcodeFormats formats;
    for (const auto &[symbology, format] : table)
        if (set & symbology) formats |= format;
    return formats;
}

inline std::optional<zx_symbology> symbology(ZXing::BarcodeFormat wanted) {
    for (const auto &[symbology, format] : table)
        if (format == wanted) return symbology;
    return std::nullopt;
}

} // namespace zx
