#ifndef CVISION_H
#define CVISION_H

// A header a room. A new one is one line here: compilers notice it by this file.

#include "ocv_alter.h"
#include "ocv_barcodes.h"
#include "ocv_boards.h"
#include "ocv_faces.h"
#include "ocv_follow.h"
#include "ocv_horizon.h"
#include "ocv_images.h"
#include "ocv_labels.h"
#include "ocv_markers.h"
#include "ocv_pixels.h"
#include "ocv_poses.h"
#include "ocv_rectangles.h"
#include "ocv_text.h"
#include "ocv_track.h"

#endif
