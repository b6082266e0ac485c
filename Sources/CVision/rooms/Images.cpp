// A room is compiled as one: OpenCV's headers take longer than what is behind them.
#include "Images/alignment.cpp"
#include "Images/fit.cpp"
#include "Images/pyramid.cpp"
#include "Images/quality.cpp"
#include "Images/reference.cpp"
#include "Images/refine.cpp"
#include "Images/search.cpp"
#include "Images/tracker.cpp"
