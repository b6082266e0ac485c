// A room is compiled as one: OpenCV's headers take longer than what is behind them.
#include "Barcodes/look.cpp"
#include "Barcodes/regions.cpp"
