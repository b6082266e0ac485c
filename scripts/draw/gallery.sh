#!/bin/sh
# Takes the README's pictures from what `make examples` wrote: docs/gallery/*.jpg.
#   scripts/draw/gallery.sh
set -eu
cd "$(dirname "$0")/../.."
mkdir -p docs/gallery

# video, frame, name, part of the picture as width:height:x:y
picture() {
    ffmpeg -v error -y -i "$1" -vf "select='eq(n,$2)',crop=$4,scale=480:270:flags=lanczos" -frames:v 1 -q:v 3 \
        -bitexact "docs/gallery/$3.jpg"
}
picture out/pose/pose.mp4 30 pose 1280:720:300:150
picture out/overlay/overlay.mp4 30 overlay 1120:630:160:90
picture out/images/known.mp4 95 images 960:540:200:80
picture out/labels/labels.mp4 95 labels 800:450:240:100
picture out/classify/classify.mp4 30 classify 1280:720:0:0
picture out/faces/seen.mp4 60 faces 1120:630:100:60
picture out/faces/covered.mp4 95 covered 1120:630:0:90
picture out/text/text.mp4 30 text 960:540:240:100
picture out/barcodes/barcodes.mp4 30 barcodes 1120:630:100:60
picture out/horizon/horizon.mp4 30 horizon 1280:720:0:0
picture out/alter/gallery.mp4 30 alter 1040:585:160:130
picture out/detect/belt.mp4 180 detect 1120:630:160:60
