#ifndef COPENCV_H
#define COPENCV_H

// Every ability of the shim. A new header is one line here: compilers notice it by this file.

#include "ocv.h"
#include "ocv_anchor.h"
#include "ocv_chessboard.h"
#include "ocv_codes.h"
#include "ocv_crop.h"
#include "ocv_faces.h"
#include "ocv_horizon.h"
#include "ocv_images.h"
#include "ocv_markers.h"
#include "ocv_pose.h"
#include "ocv_rectangles.h"
#include "ocv_styles.h"
#include "ocv_text.h"
#include "ocv_tracker.h"

#endif
