// A room is compiled as one: OpenCV's headers take longer than what is behind them.
#include "Pixels/cells.cpp"
#include "Pixels/common.cpp"
#include "Pixels/components.cpp"
#include "Pixels/crop.cpp"
#include "Pixels/input.cpp"
#include "Pixels/patch.cpp"
#include "Pixels/rows.cpp"
#include "Pixels/tensor.cpp"
