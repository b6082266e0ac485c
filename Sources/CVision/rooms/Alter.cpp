// A room is compiled as one: OpenCV's headers take longer than what is behind them.
#include "Alter/color.cpp"
#include "Alter/paper.cpp"
#include "Alter/styles.cpp"
