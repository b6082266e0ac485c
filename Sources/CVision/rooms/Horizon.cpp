// A room is compiled as one: OpenCV's headers take longer than what is behind them.
#include "Horizon/horizon.cpp"
#include "Horizon/bars.cpp"
#include "Horizon/mirror.cpp"
#include "Horizon/shore.cpp"
#include "Horizon/sides.cpp"
#include "Horizon/sky.cpp"
#include "Horizon/split.cpp"
