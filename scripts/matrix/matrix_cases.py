"""The cases of matrix.py: what is made of the base clip, and what is to come out."""
from matrix_case import (AV1, Case, FFV1, H264, HEVC, LOSSY, MPEG2, OLD, PALETTE, PHOTO, RGB, STAMPS, VP9, exif,
                         matrix, orientation, rate, rotate, stamps, tags, tone)

CONTAINERS = [
    Case("container/mp4", "clip.mp4", H264),
    Case("container/mp4-fragmented", "clip.mp4", f"{H264} -g 8 -movflags +frag_keyframe+empty_moov"),
    Case("container/mov", "clip.mov", H264),
    Case("container/mkv", "clip.mkv", H264),
    Case("container/webm", "clip.webm", VP9),
    Case("container/avi-mpeg4", "clip.avi", "-c:v mpeg4 -q:v 1 -qmin 1"),
    Case("container/avi-h264", "clip.avi", f"{H264} -bf 2"),
    Case("container/mpegts", "clip.ts", H264),
    Case("container/mpegts-hevc", "clip.ts", HEVC),
    Case("container/m2ts", "clip.m2ts", H264),
    Case("container/mpeg-ps", "clip.mpg", f"{MPEG2} -bf 2"),
    Case("container/vob", "clip.vob", f"{MPEG2} -bf 2"),
    Case("container/flv", "clip.flv", H264),
    Case("container/ogg", "clip.ogv", "-c:v libtheora -q:v 10"),
    Case("container/nut", "clip.nut", H264),
    Case("container/mxf", "clip.mxf", f"{MPEG2} -bf 2"),
    Case("container/asf", "clip.asf", f"-c:v msmpeg4 {OLD}"),
    Case("container/wmv", "clip.wmv", f"-c:v wmv2 {OLD}"),
    Case("container/wtv", "clip.wtv", f"{MPEG2} -bf 2"),
    Case("container/rm", "clip.rm", f"-c:v rv20 {OLD}", **LOSSY),
    Case("container/3gp", "clip.3gp", "-c:v mpeg4 -q:v 1 -qmin 1"),
    Case("container/3g2", "clip.3g2", H264),
    Case("container/f4v", "clip.f4v", H264),
    Case("container/y4m", "clip.y4m", "-pix_fmt yuv420p"),
    Case("container/gif", "clip.gif", "",
         filters=PALETTE, **LOSSY),
    Case("container/apng", "clip.apng", "-plays 1", filters=f"scale={RGB},format=rgb24"),
    Case("container/ivf", "clip.ivf", VP9),
    Case("container/raw-h264", "clip.h264", f"{H264} -bf 0"),
    Case("container/raw-hevc", "clip.hevc", HEVC.replace("lossless", "bframes=0:lossless")),
    Case("container/raw-mpeg2", "clip.m2v", f"{MPEG2} -bf 0"),
    Case("container/raw-mpeg4", "clip.m4v", "-c:v mpeg4 -q:v 1 -qmin 1"),
    Case("container/raw-mjpeg", "clip.mjpeg", "-c:v mjpeg -q:v 1 -qmin 1 -pix_fmt yuvj420p"),
    Case("container/raw-av1", "clip.obu", AV1),
    Case("container/raw-h263", "clip.h263", f"-c:v h263 {OLD}"),
    Case("container/raw-h264-frame-rate", "clip.h264", f"{H264} -bf 2", job={"frameRate": 50}, probe="-framerate 50"),
]

PHOTOS = [Case(f"photo/{name}", f"photo.{name}", f"{PHOTO} {options}", filters=filters) for name, options, filters in (
    ("png", "", f"scale={RGB},format=rgb24"), ("jpg", "-q:v 1 -qmin 1", ""), ("bmp", "", f"scale={RGB},format=bgr24"),
    ("webp", "-c:v libwebp -lossless 1", f"scale={RGB},format=bgra"), ("tiff", "", f"scale={RGB},format=rgb24"),
    ("pgm", "", "format=gray"), ("ppm", "", f"scale={RGB},format=rgb24"), ("jp2", "-c:v jpeg2000 -pred 1", ""))]
PHOTOS += [
    Case("photo/sequence-png", "frames/frame%04d.png", "", filters=f"scale={RGB},format=rgb24", job={"frameRate": 25},
         probe="-framerate 25"),
    Case("photo/sequence-jpg-from-7", "frame%d.jpg", "-q:v 1 -qmin 1 -start_number 7", job={"frameRate": [30000, 1001]},
         probe="-framerate 30000/1001 -start_number 7"),
    Case("photo/exif-turned", "photo.jpg", f"{PHOTO} -q:v 1 -qmin 1", patch=exif(6), turn="90"),
]

CODECS = [
    Case("h264/b-frames", "clip.mp4", f"{H264} -bf 3 -x264-params b-adapt=0:b-pyramid=normal"),
    Case("h264/no-b-frames", "clip.mp4", f"{H264} -bf 0"),
    Case("h264/intra-only", "clip.mp4", f"{H264} -g 1"),
    Case("h264/open-gop", "clip.mkv", f"{H264} -g 8 -bf 3 -x264-params open-gop=1:b-adapt=0"),
    Case("h264/baseline", "clip.mp4", f"{H264} -profile:v baseline"),
    Case("h264/lossless", "clip.mp4", "-c:v libx264 -preset veryfast -qp 0"),
    Case("h264/4-2-2", "clip.mp4", f"{H264} -pix_fmt yuv422p"),
    Case("h264/4-4-4", "clip.mp4", f"{H264} -pix_fmt yuv444p"),
    Case("h264/rgb", "clip.mp4", "-c:v libx264rgb -preset veryfast -crf 0"),
    Case("h264/10-bit", "clip.mp4", f"{H264} -pix_fmt yuv420p10le"),
    Case("h264/10-bit-4-2-2", "clip.mp4", f"{H264} -pix_fmt yuv422p10le"),
    Case("h264/gray", "clip.mp4", f"{H264} -pix_fmt gray"),
    Case("h264/gray-10-bit", "clip.mp4", f"{H264} -pix_fmt gray10le"),
    Case("hevc/8-bit", "clip.mp4", f"{HEVC} -tag:v hvc1"),
    *(Case(f"hevc/{name}", "clip.mp4", f"{HEVC} -pix_fmt {pixels}") for name, pixels in (
        ("10-bit", "yuv420p10le"), ("12-bit", "yuv420p12le"), ("4-2-2", "yuv422p"), ("4-2-2-10-bit", "yuv422p10le"),
        ("4-4-4", "yuv444p"), ("4-4-4-12-bit", "yuv444p12le"), ("rgb", "gbrp"), ("gray", "gray"))),
    Case("vp8/plain", "clip.webm", "-c:v libvpx -deadline realtime -cpu-used 4 -b:v 20M -crf 4 -qmin 0 -qmax 8"),
    Case("vp8/hidden-frames", "clip.webm",
         "-c:v libvpx -deadline good -cpu-used 4 -auto-alt-ref 1 -lag-in-frames 16 -b:v 8M -qmin 0 -qmax 12"),
    *(Case(f"vp9/profile-{profile}", "clip.webm", f"{VP9} -pix_fmt {pixels}") for profile, pixels in (
        ("0", "yuv420p"), ("1", "yuv444p"), ("1-4-2-2", "yuv422p"), ("1-4-4-0", "yuv440p"), ("1-rgb", "gbrp"),
        ("2", "yuv420p10le"), ("3", "yuv444p12le"))),
    Case("vp9/hidden-frames", "clip.mp4",
         "-c:v libvpx-vp9 -deadline good -cpu-used 5 -auto-alt-ref 1 -lag-in-frames 16 -b:v 0 -crf 4"),
    Case("av1/svt", "clip.mp4", "-c:v libsvtav1 -preset 10 -crf 8"),
    Case("av1/svt-10-bit", "clip.mkv", "-c:v libsvtav1 -preset 10 -crf 8 -pix_fmt yuv420p10le"),
    Case("av1/4-4-4", "clip.mp4", f"{AV1} -pix_fmt yuv444p"),
    Case("av1/gray", "clip.mkv", f"{AV1} -pix_fmt gray"),
    Case("mpeg/mpeg1", "clip.mpg", "-c:v mpeg1video -q:v 1 -qmin 1 -bf 2"),
    Case("mpeg/mpeg2", "clip.mkv", f"{MPEG2} -bf 2"),
    Case("mpeg/mpeg2-4-2-2", "clip.ts", f"{MPEG2} -pix_fmt yuv422p"),
    Case("mpeg/mpeg4-b-frames", "clip.mp4", "-c:v mpeg4 -q:v 1 -qmin 1 -bf 2"),
    Case("mpeg/mpeg4-b-frames-avi", "clip.avi", "-c:v mpeg4 -q:v 1 -qmin 1 -bf 2"),
    Case("mpeg/xvid", "clip.avi", "-c:v libxvid -q:v 1"),
    Case("old/msmpeg4v2", "clip.avi", f"-c:v msmpeg4v2 {OLD}"),
    Case("old/msmpeg4v3", "clip.avi", f"-c:v msmpeg4 {OLD}"),
    Case("old/wmv1", "clip.wmv", f"-c:v wmv1 {OLD}"),
    Case("old/h261", "clip.avi", f"-c:v h261 {OLD}", **LOSSY),
    Case("old/h263", "clip.3gp", f"-c:v h263 {OLD}"),
    Case("old/h263p", "clip.avi", f"-c:v h263p {OLD}"),
    Case("old/flv1", "clip.flv", f"-c:v flv {OLD}"),
    Case("old/cinepak", "clip.mov", "-c:v cinepak -q:v 1 -max_strips 3 -frames:v 8", **LOSSY),
    Case("old/svq1", "clip.mov", "-c:v svq1 -q:v 1", **LOSSY),
    Case("old/msvideo1", "clip.avi", "-c:v msvideo1", filters=f"scale={RGB},format=rgb555le", corner=1.0, **LOSSY),
    Case("old/dv", "clip.dv", "-c:v dvvideo -pix_fmt yuv420p -frames:v 12", picture="scale=720:576"),
    Case("old/theora", "clip.mkv", "-c:v libtheora -q:v 10"),
    Case("edit/mjpeg-4-2-0", "clip.avi", "-c:v mjpeg -q:v 1 -qmin 1 -pix_fmt yuvj420p"),
    Case("edit/mjpeg-4-2-2", "clip.mov", "-c:v mjpeg -q:v 1 -qmin 1 -pix_fmt yuvj422p"),
    Case("edit/mjpeg-4-4-4", "clip.mkv", "-c:v mjpeg -q:v 1 -qmin 1 -pix_fmt yuvj444p"),
    Case("edit/ljpeg", "clip.avi", "-c:v ljpeg -pix_fmt yuvj444p"),
    Case("edit/prores-4-2-2", "clip.mov", "-c:v prores_ks -profile:v hq -pix_fmt yuv422p10le"),
    Case("edit/prores-4-4-4-4", "clip.mov", "-c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le"),
    Case("edit/dnxhd", "clip.mxf", "-c:v dnxhd -b:v 60M -pix_fmt yuv422p -frames:v 8", picture="scale=1280:720"),
    Case("edit/dnxhr", "clip.mov", "-c:v dnxhd -profile:v dnxhr_hq -pix_fmt yuv422p"),
    Case("edit/dnxhr-10-bit", "clip.mov", "-c:v dnxhd -profile:v dnxhr_hqx -pix_fmt yuv422p10le"),
    Case("edit/dnxhr-4-4-4", "clip.mov", "-c:v dnxhd -profile:v dnxhr_444 -pix_fmt yuv444p10le"),
    Case("edit/cineform", "clip.mov", "-c:v cfhd -quality film3+ -pix_fmt yuv422p10le"),
    Case("edit/cineform-rgb", "clip.mov", "-c:v cfhd -quality film3+ -pix_fmt gbrp12le"),
    Case("edit/v210", "clip.mov", "-c:v v210"),
    Case("edit/r210", "clip.mov", "-c:v r210"),
    Case("edit/jpeg2000", "clip.mov", "-c:v jpeg2000 -pred 1"),
    Case("edit/jpeg2000-12-bit", "clip.mxf", "-c:v libopenjpeg -pix_fmt yuv422p12le"),
    Case("edit/vc2", "clip.mkv", "-c:v vc2 -b:v 60M -pix_fmt yuv420p"),
    Case("edit/hap", "clip.mov", "-c:v hap", **LOSSY),
    Case("lossless/ffv1-v1", "clip.avi", f"{FFV1} -level 1"),
    Case("lossless/ffv1-v3", "clip.mkv", f"{FFV1} -level 3 -slices 4 -slicecrc 1"),
    Case("lossless/huffyuv", "clip.avi", "-c:v huffyuv -pix_fmt yuv422p"),
    Case("lossless/huffyuv-rgb", "clip.avi", "-c:v huffyuv -pix_fmt rgb24"),
    Case("lossless/ffvhuff", "clip.avi", "-c:v ffvhuff"),
    Case("lossless/utvideo", "clip.avi", "-c:v utvideo"),
    Case("lossless/utvideo-rgb", "clip.avi", "-c:v utvideo -pix_fmt gbrp"),
    Case("lossless/magicyuv", "clip.avi", "-c:v magicyuv"),
    Case("lossless/rawvideo-avi", "clip.avi", "-c:v rawvideo"),
    Case("lossless/rawvideo-mov", "clip.mov", "-c:v rawvideo -pix_fmt uyvy422"),
    Case("lossless/png-mov", "clip.mov", "-c:v png"),
    Case("lossless/qtrle", "clip.mov", "-c:v qtrle"),
    Case("lossless/zmbv", "clip.avi", "-c:v zmbv -pix_fmt bgr0"),
    Case("lossless/snow", "clip.avi", "-c:v snow -pred dwt53 -q:v 1 -strict -2"),
]

# ffv1 keeps these as they are; the others go into NUT as they lie in memory, or as PNG into MOV.
IN_FFV1 = (
    "yuv420p yuv422p yuv444p yuv440p yuv411p yuv410p yuv420p10le yuv420p12le yuv420p16le yuv422p10le yuv422p12le "
    "yuv422p16le yuv444p10le yuv444p12le yuv444p16le yuv440p10le gray gray10le gray12le gray16le ya8 bgr0 bgra "
    "gbrp10le gbrp12le gbrp16le gbrap10le gbrap12le gbrap16le yuva420p yuva422p yuva444p yuva420p10le "
    "yuva444p16le").split()
IN_NUT = (
    "nv12 nv21 yuyv422 uyvy422 yvyu422 p010le rgb24 bgr24 rgba argb abgr 0rgb 0bgr rgb0 gbrp gbrap rgb565le rgb555le "
    "bgr565le rgb444le rgb48le bgr48le rgba64le bgra64le gray16be yuv420p10be yuv444p12be").split()
IN_PNG = "pal8 gray16be rgb48be rgba64be ya16be".split()


# Black and white, so that nothing is dithered.
MONO = "lutyuv=y=if(gt(val\\,110)\\,235\\,16):u=128:v=128"


def pixel(pixels, folder, file, codec):
    if pixels == "pal8":
        filters = PALETTE
    else:
        filters = f"scale={RGB},format={pixels}"
    return Case(f"{folder}/{pixels}", file, f"{codec} -pix_fmt {pixels}", filters=filters, stored=pixels)


PIXELS = [
    *(pixel(pixels, "pixels", "clip.mkv", FFV1) for pixels in IN_FFV1),
    *(pixel(pixels, "pixels", "clip.nut", "-c:v rawvideo") for pixels in IN_NUT),
    *(pixel(pixels, "pixels-png", "clip.mov", "-c:v png") for pixels in IN_PNG),
    Case("pixels/monow", "clip.nut", "-c:v rawvideo -pix_fmt monow", picture=MONO, stored="monow"),
    Case("pixels-png/monob", "clip.mov", "-c:v png -pix_fmt monob", picture=MONO, stored="monob"),
]


def tagged(name, file, codec, primaries, transfer, space, pixel_range="tv", filters="", **rest):
    colour = tags(primaries, transfer, space, pixel_range)
    filters = ",".join(filter(None, (filters, colour["filters"])))
    return Case(f"colour/{name}", file, f"{codec} {colour['arguments']}", filters=filters, **rest)


LIGHT = ("hdr10=1:repeat-headers=1:max-cll=1000,400:"
         "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)")
HDR = f"{HEVC}:{LIGHT} -pix_fmt yuv420p10le"
PQ = ("bt2020", "smpte2084", "bt2020nc")
COLOURS = [
    tagged("bt601-625", "clip.mp4", H264, "bt470bg", "smpte170m", "bt470bg"),
    tagged("bt601-525", "clip.mp4", H264, "smpte170m", "smpte170m", "smpte170m"),
    tagged("bt709", "clip.mp4", H264, "bt709", "bt709", "bt709"),
    tagged("bt709-ffv1", "clip.mkv", FFV1, "bt709", "bt709", "bt709"),
    tagged("bt709-4-4-4", "clip.mp4", f"{H264} -pix_fmt yuv444p", "bt709", "bt709", "bt709"),
    tagged("bt709-prores", "clip.mov", "-c:v prores_ks -profile:v hq -pix_fmt yuv422p10le", "bt709", "bt709", "bt709"),
    tagged("bt2020", "clip.mp4", f"{HEVC} -pix_fmt yuv420p10le", "bt2020", "bt2020-10", "bt2020nc"),
    tagged("display-p3", "clip.mp4", H264, "smpte432", "bt709", "bt709"),
    tagged("full-range", "clip.mp4", H264, "bt709", "bt709", "bt709", "pc", "scale=out_range=pc"),
    tagged("full-range-ffv1", "clip.mkv", FFV1, "bt709", "bt709", "bt709", "pc", "scale=out_range=pc"),
    tagged("full-range-10-bit", "clip.mp4", HEVC + ":range=full", "bt709", "bt709", "bt709", "pc",
           "scale=out_range=pc,format=yuv420p10le"),
    Case("colour/full-range-mjpeg", "clip.avi", "-c:v mjpeg -q:v 1 -qmin 1 -pix_fmt yuvj420p"),
    Case("colour/limited-gray", "clip.mkv", f"{FFV1} -pix_fmt gray -color_range tv",
         filters="scale=in_range=tv:out_range=tv,format=gray,setparams=range=tv"),
    tagged("pq-light", "clip.mp4", HDR, *PQ, light=True),
    tagged("pq-light-mkv", "clip.mkv", HDR, *PQ, light=True),
    tagged("pq-light-kept", "clip.mp4", HDR, *PQ, light=True, encode={"codec": "hevc", "pixelFormat": "yuv420p10le"},
           pixels="yuv420p10le"),
    tagged("hlg", "clip.mp4", f"{HEVC} -pix_fmt yuv420p10le", "bt2020", "arib-std-b67", "bt2020nc"),
    tagged("hlg-kept", "clip.mp4", f"{HEVC} -pix_fmt yuv420p10le", "bt2020", "arib-std-b67", "bt2020nc",
           encode={"codec": "hevc", "pixelFormat": "yuv420p10le"}, pixels="yuv420p10le"),
]

SIZES = [
    Case("size/odd-width", "clip.mkv", FFV1, picture="crop=351:288:0:0:exact=1"),
    Case("size/odd-height", "clip.mkv", FFV1, picture="crop=352:287:0:0:exact=1"),
    Case("size/odd-both", "clip.mkv", FFV1, picture="crop=351:287:0:0:exact=1"),
    Case("size/odd-both-4-4-4", "clip.mkv", f"{FFV1} -pix_fmt yuv444p", picture="crop=351:287:0:0:exact=1"),
    Case("size/odd-rgb", "clip.avi", "-c:v utvideo -pix_fmt gbrp", picture="crop=351:287:0:0:exact=1"),
    Case("size/odd-vp9", "clip.webm", VP9, picture="crop=351:287:0:0:exact=1"),
    Case("size/odd-photo", "photo.png", PHOTO, picture="crop=351:287:0:0:exact=1", filters=f"scale={RGB},format=rgb24"),
    Case("size/odd-turned", "clip.mp4", VP9, picture="crop=351:286:0:0:exact=1", turn="90",
         patch=matrix(0, 1, -1, 0, 351, 0)),
    Case("size/cropped-h264", "clip.mp4", H264, picture="crop=338:270:0:0"),
    Case("size/16x16", "clip.mp4", H264, picture="crop=16:16"),
    Case("size/2x2", "clip.mkv", FFV1, picture="crop=2:2"),
    Case("size/1x1", "photo.png", PHOTO, picture="format=rgb24,crop=1:1:50:50"),
    Case("size/aspect-4-3", "clip.mp4", H264, picture="setsar=4/3"),
    Case("size/aspect-16-15-mkv", "clip.mkv", FFV1, picture="setsar=16/15"),
    Case("size/aspect-avi", "clip.avi", "-c:v mpeg4 -q:v 1 -qmin 1", picture="setsar=4/3"),
    Case("size/aspect-container", "clip.mkv", H264, then=("-i IN -c copy -aspect 16:9",)),
    Case("size/aspect-turned", "clip.mp4", H264, picture="setsar=4/3", **rotate(90, (288, 352))),
    Case("size/changing", "clip.h264", f"{H264} -bf 0 -frames:v 12", joined="scale=320:240",
         fails=("352×288", "320×240", "frame 12")),
    Case("size/changing-mpeg2", "clip.m2v", f"{MPEG2} -frames:v 12", joined="scale=320:240",
         fails=("352×288", "320×240", "frame 11")),  # FFmpeg drops the picture that its MPEG-2 decoder still holds
]

# The pictures are stored as 288×352 where they are shown turned by 90°.
CLOCKWISE, ANTICLOCKWISE = matrix(0, 1, -1, 0, 352, 0), matrix(0, -1, 1, 0, 0, 288)
TURNED = [
    *(Case(f"turned/{angle}", "clip.mp4", H264, **rotate(angle, (288, 352) if angle != 180 else (352, 288))) for angle in (90, 180, 270)),
    Case("turned/90-prores", "clip.mov", "-c:v prores_ks -profile:v hq -pix_fmt yuv422p10le", **rotate(90, (288, 352))),
    Case("turned/90-4-2-2", "clip.mp4", f"{H264} -pix_fmt yuv422p", turn="90", patch=CLOCKWISE),
    Case("turned/270-4-2-2-10-bit", "clip.mp4", f"{H264} -pix_fmt yuv422p10le", turn="270", patch=ANTICLOCKWISE),
    Case("turned/90-rgb", "clip.mp4", "-c:v libx264rgb -preset veryfast -crf 0", turn="90", patch=CLOCKWISE),
    Case("turned/90-gray", "clip.mp4", f"{H264} -pix_fmt gray", turn="90", patch=CLOCKWISE),
    Case("turned/hflip", "clip.mp4", H264, turn="hflip", patch=matrix(-1, 0, 0, 1, 352, 0)),
    Case("turned/vflip", "clip.mp4", H264, turn="vflip", patch=matrix(1, 0, 0, -1, 0, 288)),
    Case("turned/transpose", "clip.mp4", H264, turn="transpose", patch=matrix(0, 1, 1, 0, 0, 0)),
    Case("turned/transverse", "clip.mp4", H264, turn="transverse", patch=matrix(0, -1, -1, 0, 352, 288)),
    # In the stream itself, for every picture, and for a key picture and those that follow it.
    Case("turned/sei-90-intra", "clip.h264", f"{H264} -g 1", turn="90", patch=orientation(f"000{0xC000:016b}")),
    Case("turned/sei-hflip-intra", "clip.h264", f"{H264} -g 1", turn="hflip", patch=orientation(f"010{0:016b}")),
    Case("turned/sei-90", "clip.h264", f"{H264} -bf 0", turn="90", patch=orientation(f"000{0xC000:016b}")),
    Case("turned/sei-180", "clip.h264", f"{H264} -bf 0", turn="180", patch=orientation(f"000{0x8000:016b}")),
]

FIELDS = [
    Case("interlaced/mpeg2-top", "clip.mpg", f"{MPEG2} -flags +ilme+ildct -top 1", filters="setfield=tff"),
    Case("interlaced/mpeg2-bottom", "clip.ts", f"{MPEG2} -flags +ilme+ildct -top 0", filters="setfield=bff"),
    Case("interlaced/h264-top", "clip.mp4", f"{H264} -flags +ilme+ildct -x264-params tff=1", filters="setfield=tff"),
    Case("interlaced/h264-bottom", "clip.ts", f"{H264} -flags +ilme+ildct -x264-params bff=1", filters="setfield=bff"),
    Case("interlaced/h264-fake", "clip.ts", f"{H264} -x264-params fake-interlaced=1"),
]
# Woven of two moments; a whole picture shows the first of them.
for order, merge, flag in (("top", "interleave_top", 1), ("bottom", "interleave_bottom", 0)):
    options = dict(
        twin="select='not(mod(n,2))'", job={"deinterlace": True},
        reference="bwdif=mode=send_frame:deint=interlaced")
    weave = f"tinterlace=mode={merge},setfield={order[0]}ff,settb=1/25,setpts=N,fps=25"
    FIELDS += [
        Case(f"deinterlaced/mpeg2-{order}", "clip.mpg", f"{MPEG2} -flags +ilme+ildct -top {flag}", filters=weave,
             **options),
        Case(f"deinterlaced/h264-{order}", "clip.mp4", f"{H264} -flags +ilme+ildct -x264-params {order[0]}ff=1",
             filters=weave, **options)]
FIELDS.append(Case("deinterlaced/progressive", "clip.mp4", H264, job={"deinterlace": True}))

NEGATIVE = "-output_ts_offset -0.5 -avoid_negative_ts disabled"
LONG_LAST = "-i IN -c copy -bsf:v setts=duration=if(eq(N\\,31)\\,DURATION*10\\,DURATION)"
UNEVEN = "N/25+mod(N*N*7,29)/1000"
TIMES = [
    *(Case(f"time/{name}", "clip.mp4", H264, **rate(frames)) for name, frames in (
        ("29.97", "30000/1001"), ("23.976", "24000/1001"), ("59.94", "60000/1001"), ("60", "60"), ("15", "15"),
        ("1", "1"), ("1000", "1000"))),
    Case("time/29.97-mkv", "clip.mkv", H264, **rate("30000/1001")),
    Case("time/29.97-mpegts", "clip.ts", H264, **rate("30000/1001")),
    Case("time/29.97-avi", "clip.avi", "-c:v mpeg4 -q:v 1 -qmin 1", **rate("30000/1001")),
    Case("time/variable-mp4", "clip.mp4", f"{H264} {STAMPS} -video_track_timescale 90000", filters=stamps(UNEVEN)),
    Case("time/variable-mp4-b-frames", "clip.mp4", f"{H264} -bf 3 -x264-params b-adapt=0 {STAMPS}",
         filters=stamps(UNEVEN)),
    Case("time/variable-mkv", "clip.mkv", f"{H264} {STAMPS}", filters=stamps(UNEVEN)),
    Case("time/variable-webm", "clip.webm", f"{VP9} {STAMPS}", filters=stamps(UNEVEN)),
    Case("time/variable-mpegts", "clip.ts", f"{H264} {STAMPS}", filters=stamps(UNEVEN)),
    Case("time/variable-flv", "clip.flv", f"{H264} {STAMPS}", filters=stamps(UNEVEN)),
    Case("time/fine-mp4", "clip.mp4", f"{H264} {STAMPS} -video_track_timescale 1000000", filters=stamps(UNEVEN)),
    Case("time/start-mp4", "clip.mp4", f"{H264} -output_ts_offset 0.7777"),
    Case("time/start-mp4-hour", "clip.mp4", f"{H264} -output_ts_offset 3600.04"),
    Case("time/start-mkv", "clip.mkv", f"{H264} -output_ts_offset 0.7777"),
    Case("time/start-mpegts", "clip.ts", f"{H264} -muxdelay 3"),
    Case("time/start-mpegts-day", "clip.ts", f"{H264} -output_ts_offset 86400"),
    Case("time/negative-mpeg-ps", "clip.mpg", f"{MPEG2} -bf 2 {NEGATIVE}"),
    Case("time/negative-asf", "clip.asf", f"-c:v msmpeg4 {OLD} {NEGATIVE}"),
    Case("time/no-stamps-mkv", "clip.mkv", f"{H264} {NEGATIVE}"),   # Matroska can't say them
    Case("time/edit-list", "clip.mp4", f"{H264} -g 40 -bf 2", then=("-ss 0.31 -i IN -c copy",), first=8),
    Case("time/edit-list-mov", "clip.mov", f"{H264} -g 40 -bf 0", then=("-ss 0.31 -i IN -c copy",), first=8),
    Case("time/edit-list-audio", "clip.mp4", f"{H264} -g 40 -bf 2 -map 0:v -map 1:a -c:a aac",
         inputs="-f lavfi -i sine=duration=1.28:sample_rate=48000", then=("-ss 0.31 -i IN -c copy",), first=8,
         audio=("aac",)),
    Case("time/no-stamps-b-frames", "clip.h264", f"{H264} -bf 3 -x264-params b-adapt=0"),
    Case("time/duplicates-mkv", "clip.mkv", f"{FFV1} -bsf:v setts=ts=floor(N/2)*80"),
    Case("time/duplicates-nut", "clip.nut", f"{FFV1} -bsf:v setts=ts=floor(N/2)*2"),
    Case("time/duplicates-flv", "clip.flv", f"-c:v flv {OLD} -bsf:v setts=ts=floor(N/2)*80"),
    Case("time/gap-mp4", "clip.mp4", f"{H264} {STAMPS}", filters=stamps("N/25+if(gte(N,16),2,0)")),
    Case("time/gap-mpegts", "clip.ts", f"{H264} {STAMPS}", filters=stamps("N/25+if(gte(N,16),2,0)")),
    Case("time/wrap-mpegts", "clip.ts", f"{H264} -bf 0 -muxdelay 0 -muxpreload 0 -output_ts_offset 95443.0"),
    Case("time/wrap-mpegts-b-frames", "clip.ts", f"{H264} -bf 2 -muxdelay 0 -muxpreload 0 -output_ts_offset 95443.0"),
    Case("time/long-last-mp4", "clip.mp4", f"{H264} -bf 0", then=(LONG_LAST,)),
    Case("time/long-last-gif", "clip.gif", "-final_delay 100", picture="format=gray"),
]

# name, file, encoder, codec that comes out, options. In MP4, layers II and III have one name: mp3.
TRACKS = (
    ("aac", "clip.mp4", "aac", "aac", ""), ("aac-mpegts", "clip.ts", "aac", "aac", ""),
    ("mp3", "clip.mp4", "libmp3lame", "mp3", ""), ("opus", "clip.mkv", "libopus", "opus", ""),
    ("vorbis", "clip.mkv", "libvorbis", "aac", ""), ("flac", "clip.mkv", "flac", "flac", ""),
    ("ac3", "clip.mkv", "ac3", "ac3", ""), ("eac3", "clip.mp4", "eac3", "eac3", ""),
    ("alac", "clip.mov", "alac", "alac", ""),
    ("mp2", "clip.ts", "mp2", "mp3", ""), ("pcm", "clip.mov", "pcm_s16le", "aac", ""),
    ("pcm-24-mkv", "clip.mkv", "pcm_s24le", "aac", ""), ("wmav2", "clip.mkv", "wmav2", "aac", ""),
    ("adpcm", "clip.avi", "adpcm_ima_wav", "aac", ""), ("alaw-8000", "clip.mov", "pcm_alaw", "aac", "-ar 8000"),
    ("pcm-96000", "clip.mkv", "pcm_s16le", "aac", "-ar 96000"), ("pcm-5.1", "clip.mkv", "pcm_s16le", "aac", "-ac 6"))
SOUNDS = [
    *(Case(f"audio/{name}", file, **tone(codec, options=options), audio=(out,))
      for name, file, codec, out, options in TRACKS),
    Case("audio/vorbis-ogg", "clip.ogv", "-c:v libtheora -q:v 10 -map 0:v -map 1:a -c:a libvorbis",
         inputs="-f lavfi -i sine=duration=1.28:sample_rate=48000", audio=("aac",)),
    Case("audio/two-tracks", "clip.mkv", f"{H264} -map 0:v -map 1:a -map 2:a -c:a:0 aac -c:a:1 libopus",
         inputs="-f lavfi -i sine=duration=1.28:sample_rate=48000 -f lavfi -i sine=880:duration=1.28:sample_rate=48000",
         audio=("aac", "opus")),
    Case("audio/copied-and-transcoded", "clip.mkv", f"{H264} -map 0:v -map 1:a -map 2:a -c:a:0 aac -c:a:1 pcm_s16le",
         inputs="-f lavfi -i sine=duration=1.28:sample_rate=48000 -f lavfi -i sine=880:duration=1.28:sample_rate=48000",
         audio=("aac", "aac")),
    Case("audio/longer", "clip.mp4", **tone("aac", 3), audio=("aac",)),
    Case("audio/longer-pcm", "clip.mkv", **tone("pcm_s16le", 3), audio=("aac",)),
    Case("audio/shorter", "clip.mp4", **tone("aac", 0.5), audio=("aac",)),
    Case("audio/video-later", "clip.mp4", **tone("aac", 1.78, "-fps_mode passthrough"), before="-itsoffset 0.5",
         audio=("aac",)),
    Case("audio/video-later-pcm", "clip.mkv", **tone("pcm_s16le", 1.78, "-fps_mode passthrough"),
         before="-itsoffset 0.5", audio=("aac",)),
    Case("audio/later-pcm", "clip.mkv", f"{H264} -map 0:v -map 1:a -c:a pcm_s16le",
         inputs="-itsoffset 0.3 -f lavfi -i sine=duration=1.28:sample_rate=48000", audio=("aac",)),
    Case("audio/mpegts-start", "clip.ts", **tone("mp2", options="-output_ts_offset 10"), audio=("mp3",)),
    Case("audio/negative-start", "clip.mpg", **tone("mp2", options=NEGATIVE, video=MPEG2), audio=("mp3",)),
    Case("audio/negative-start-wma", "clip.wmv", **tone("wmav2", options=NEGATIVE, video=f"-c:v wmv2 {OLD}"),
         audio=("aac",)),
]

OUTPUTS = [
    Case("output/h264", "clip.mkv", H264, encode={"codec": "h264"}, pixels="yuv420p"),
    Case("output/h264-4-2-2", "clip.mp4", f"{H264} -pix_fmt yuv422p", encode={"pixelFormat": "yuv422p"},
         pixels="yuv422p"),
    Case("output/h264-4-4-4", "clip.mp4", f"{H264} -pix_fmt yuv444p", encode={"pixelFormat": "yuv444p"},
         pixels="yuv444p"),
    Case("output/h264-10-bit", "clip.mp4", f"{H264} -pix_fmt yuv420p10le", encode={"pixelFormat": "yuv420p10le"},
         pixels="yuv420p10le"),
    Case("output/hevc", "clip.mp4", H264, encode={"codec": "hevc"}, pixels="yuv420p"),
    Case("output/hevc-10-bit", "clip.mp4", f"{HEVC} -pix_fmt yuv420p10le",
         encode={"codec": "hevc", "pixelFormat": "yuv420p10le"}, pixels="yuv420p10le"),
    Case("output/hevc-variable", "clip.mp4", f"{H264} {STAMPS}", filters=stamps(UNEVEN), encode={"codec": "hevc"}),
    Case("output/av1", "clip.mp4", H264, encode={"codec": "av1"}, pixels="yuv420p"),
    Case("output/av1-10-bit", "clip.mp4", f"{HEVC} -pix_fmt yuv420p10le",
         encode={"codec": "av1", "pixelFormat": "yuv420p10le"}, pixels="yuv420p10le"),
    Case("output/av1-variable", "clip.mp4", f"{H264} {STAMPS}", filters=stamps(UNEVEN), encode={"codec": "av1"}),
    Case("output/ffv1", "clip.mp4", H264, encode={"codec": "ffv1"}),
    Case("output/ffv1-10-bit", "clip.mp4", f"{H264} -pix_fmt yuv422p10le",
         encode={"codec": "ffv1", "pixelFormat": "yuv420p10le"}, pixels="yuv420p10le"),
    Case("output/ffv1-variable", "clip.mp4", f"{H264} {STAMPS}", filters=stamps(UNEVEN), encode={"codec": "ffv1"}),
    Case("output/ffv1-odd", "clip.mkv", FFV1, picture="crop=351:287:0:0:exact=1", encode={"codec": "ffv1"}),
    Case("output/ffv1-audio", "clip.mkv", **tone("pcm_s16le"), encode={"codec": "ffv1"}, audio=("pcm_s16le",)),
    Case("output/none", "clip.mp4", H264, encode={"codec": "none"}),
    Case("output/bitrate", "clip.mp4", H264, encode={"bitrate": 500000}),
    Case("output/bitrate-hevc", "clip.mp4", H264, encode={"codec": "hevc", "bitrate": 500000}),
]

CASES = (CONTAINERS + PHOTOS + CODECS + PIXELS + COLOURS + SIZES + TURNED + FIELDS + TIMES + SOUNDS + OUTPUTS)

# Red for a known reason, which the table names.
KNOWN: dict[str, str] = {}
