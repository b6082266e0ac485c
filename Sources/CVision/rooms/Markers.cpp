// A room is compiled as one: OpenCV's headers take longer than what is behind them.
#include "Markers/borders.cpp"
#include "Markers/candidates.cpp"
#include "Markers/code.cpp"
#include "Markers/detector.cpp"
#include "Markers/dictionary.cpp"
#include "Markers/edges.cpp"
#include "Markers/model.cpp"
#include "Markers/threshold.cpp"
