#!/usr/bin/env python3
"""Draws in the page of `pick` as a user does, in Debian's Chromium, and runs what comes out.

usage: check-pick.py [--program PATH] [--keep DIR] [--screenshot FILE]

Renders a clip of known truth and makes pages of it and of others: another rate, turned, with sound that begins before zero,
of a codec that browsers don't play, a photo. Then

- each page opens from a file, without a word in the console, and shows the very frame that is asked for: its pixels are held
  against what ffmpeg decodes;
- a box, four corners, a spot and a point drawn with the mouse come out as a manifest's numbers; handles, arrows, fields and
  keys do what the page says of them; what is drawn outlives a reload, and undo takes it back;
- the file that the page saves is valid as it is, and the program follows what was drawn: its track is held against the truth;
- a track that goes wrong is corrected by a keyframe drawn over it;
- lines and zones, and lists of a program's own, which are drawn as those are;
- covers that are drawn, and found things that are chosen, are hidden by a run, and what is left visible isn't; `review` tells the
  command that opens the page at its frame;
- axe-core finds nothing serious, light or dark, large or small.

Installs selenium and others (pip) in a folder of its own; needs chromium, chromium-driver and ffmpeg. Exit status 1 where
something doesn't hold.
"""
import argparse
import json
import pathlib
import sys
import tempfile

from browser import Browser, Keys
from pick_covers import check_covers
from pick_gates import check_gates, check_own
from pick_page import LARGE, Page, best, boxes, decoded, make, overlap, run
from turn import turn

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
failures = 0


def expect(holds, what):
    global failures
    failures += not holds
    print("PASS " if holds else "FAIL ", what, flush=True)
    return holds


def check_frames(window, program, folder):
    encode = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "12", "-pix_fmt", "yuv420p", "-g", "24"]
    plain = make(folder / "plain.mp4", *encode, "-bf", "3")
    clips = {"plain": plain}
    clips["variable"] = make(
        folder / "variable.mp4", "-vf", "settb=1/90000,setpts='90000*(N*0.04+0.012*sin(N*1.3)+if(gt(N,30),0.7,0))'",
        "-fps_mode", "vfr", "-enc_time_base", "1/90000", "-video_track_timescale", "90000", *encode, "-bf", "2")
    clips["turned"] = folder / "turned.mp4"
    turn(plain, clips["turned"], 270)
    clips["sound"] = folder / "sound.mp4"
    run("ffmpeg", "-v", "error", "-y", "-i", plain, "-f", "lavfi", "-i", "sine=d=3", "-c:v", "copy", "-c:a", "aac", "-shortest",
        clips["sound"])
    clips["webm"] = make(folder / "clip.webm", "-c:v", "libvpx-vp9", "-b:v", "2M", "-pix_fmt", "yuv420p", "-g", "24")
    clips["ten bits"] = make(folder / "ten.mkv", "-c:v", "libx264", "-crf", "12", "-pix_fmt", "yuv420p10le", "-g", "24")
    clips["photo"] = make(folder / "photo.png", frames=1)
    for name, clip in clips.items():
        page_file = folder / f"{clip.stem}.html"
        run(program, "pick", clip, "-o", page_file)
        page = Page(window, page_file)
        size = (240, 320) if name == "turned" else (320, 240)
        frames = decoded(clip, size)
        pictures = page.run("return page.clip.pictures")
        wanted = pictures[::7] if pictures else [0, 1, 30, 31, 59, 24, 23, 2, 47]
        wrong, worst = [], 0
        for number in wanted:
            page.go(number)
            page.press(Keys.ESCAPE)
            found, error = best(frames, *page.pixels())
            worst = max(worst, error)
            if found != number:
                wrong.append((number, found))
        expect(not wrong and worst < 6, f"{name}: {len(wanted)} frames are the ones asked for {wrong or ''}, "
               f"off by {worst:.1f} of 255 at most")
        notice = page.run("return document.getElementById('notice').hidden")
        expect(notice == (not pictures or name == "photo"), f"{name}: says what it holds where that isn't all")
        errors = window.errors()
        expect(not errors, f"{name}: nothing in the console {errors or ''}")


def check_missing(window, program, folder):
    clip = make(folder / "gone.mp4", "-pix_fmt", "yuv420p")
    page_file = folder / "gone.html"
    run(program, "pick", clip, "-o", page_file)
    clip.unlink()
    window.open(page_file)
    window.wait("document.getElementById('notice')?.textContent.includes('--embed')", what="no word of a clip that is gone")
    expect(True, "a clip that is gone: the page says so, and what to do")
    window.errors()


def check_drawing(window, page):
    page.tool("box")
    page.drag((455, 93), (595, 226))
    expect(page.file == {"regions": [{"id": "region-1", "frame": 0, "box": [455, 93, 140, 133]}]},
           f"a box drawn with the mouse: {page.file}")
    page.type("item-id", "star")
    page.type("item-text", "a star")
    expect(page.file["regions"][0] == {"id": "star", "label": "a star", "frame": 0, "box": [455, 93, 140, 133]},
           "its id and label")
    page.press(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    page.chord(Keys.SHIFT, Keys.ARROW_LEFT)
    expect(page.file["regions"][0]["box"] == [446, 94, 140, 133], "arrows move it by one, with Shift by ten")
    page.chord(Keys.CONTROL, Keys.ARROW_RIGHT)
    page.chord(Keys.CONTROL, Keys.ARROW_UP)
    expect(page.file["regions"][0]["box"] == [446, 94, 141, 132], "with Ctrl its right and lower edges")
    page.drag((446, 94), (455, 93))
    expect(page.file["regions"][0]["box"] == [455, 93, 132, 133], "a corner is dragged")
    page.tool("select")
    page.drag((520, 160), (530, 165))
    expect(page.file["regions"][0]["box"] == [465, 98, 132, 133], "it is dragged as a whole")
    field = window.find("#place-fields input[name=Left]")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("455.5", Keys.TAB)
    expect(page.file["regions"][0]["box"] == [455.5, 98, 132, 133], "a field takes a number with a fraction")
    steps = 0
    while window.find("#undo").is_enabled() and steps < 30:
        page.chord(Keys.CONTROL, "z")
        steps += 1
    expect(page.file == {"regions": []} and 6 <= steps <= 10, f"undo takes it all back, in {steps} steps")
    for _ in range(steps):
        page.chord(Keys.CONTROL, "y")
    expect(page.file["regions"][0]["box"] == [455.5, 98, 132, 133], "redo brings it again")

    page.press(Keys.ESCAPE)
    page.tool("quad")
    corners = [(200, 330), (260, 340), (255, 450), (140, 440)]
    for corner in corners[:2]:
        page.tap((corner[0] + 0.5, corner[1] + 0.5))
    page.tap((300.5, 300.5))
    page.press(Keys.BACKSPACE)
    for corner in corners[2:]:
        page.tap((corner[0] + 0.5, corner[1] + 0.5))
    expect(page.file["regions"][1] == {"id": "region-1", "frame": 0, "polygon": [list(corner) for corner in corners]},
           f"four corners, one taken back: {page.file['regions'][1:]}")
    page.tool("spot")
    page.tap((1146.5, 520.5))
    expect(page.file["regions"][2] == {"id": "region-2", "frame": 0, "point": [1146, 520]}, "a spot")
    page.press("p")
    page.tap((520.5, 160.5))
    page.type("item-text", "here")
    expect(page.file["points"] == [{"id": "point-1", "text": "here", "frame": 0, "point": [520, 160]}], "a point with a text")
    words = page.run("return document.getElementById('manifest').textContent")
    expect('"regions": "desk.regions.json"' in words and '"points": "desk.regions.json"' in words, f"what a manifest says: {words}")
    before = page.file
    page.__init__(window, page.path)
    expect(page.file == before, f"a reload keeps it: {page.file}")
    page.click("restart")
    expect(page.file == {"regions": []}, "and it is started over")
    page.chord(Keys.CONTROL, "z")
    expect(page.file == before, "which can be taken back too")
    page.click("restart")


def check_keys(window, page):
    page.restart()
    page.press(".", ".", ",")
    page.settle(1)
    page.press(Keys.PAGE_DOWN)
    page.settle(11)
    page.press(Keys.PAGE_UP)
    page.settle(1)
    page.press(Keys.END)
    page.settle(224)
    page.press(Keys.HOME)
    page.settle(0)
    page.press(Keys.ARROW_RIGHT)
    page.settle(1)
    page.type("frame", 100)
    page.settle(100)
    page.type("time", 2.01)
    page.settle(50)
    for identifier, frame in [("on", 51), ("on-ten", 61), ("back", 60), ("back-ten", 50), ("last", 224), ("first", 0)]:
        page.click(identifier)
        page.settle(frame)
    expect(True, "frames by keys, buttons, number and time")
    for key, tool in zip("vbqspizcx", ["select", "box", "quad", "spot", "point", "line", "zone", "cover", "patch"]):
        page.press(key)
        if not expect(page.run("return page.tool") == tool, f"{key.upper()} chooses {tool}"):
            break
    page.press("0")
    fitted = page.run("return page.view.scale")
    scales = []
    for key in "1++-0":
        page.press(key)
        scales.append(page.run("return page.view.scale"))
    expect(scales[:4] == [1, 2, 4, 2] and abs(scales[4] - fitted) < 1e-9, f"1, +, + and − zoom, 0 fits: {scales}")
    page.press("l")
    expect(page.run("return page.view.hasLoupe"), "L shows the loupe")
    page.press("l")
    page.press(" ")
    window.wait("annotatePick.page.clip.isPlaying")
    page.press(" ")
    window.wait("!annotatePick.page.clip.isPlaying")
    expect(True, "the space bar plays and pauses")
    page.press("?")
    expect(page.run("return document.getElementById('help').open"), "? opens the help")
    keys = page.run("return [...document.querySelectorAll('#key-list dt')].map((term) => term.textContent)")
    expect(len(keys) > 20 and len(set(keys)) == len(keys), f"which tells of {len(keys)} keys")
    window.press(Keys.ESCAPE)
    page.press("b", Keys.ENTER)
    expect(page.file["regions"] == [{"id": "region-1", "frame": page.frame, "box": [568, 288, 144, 144]}],
           f"Enter puts a box into the middle: {page.file}")
    page.press("[", "]", "e")
    expect("end" not in page.file["regions"][0], "it can't end where it begins")
    start = page.frame
    page.go(start + 20)
    page.press("k")
    page.go(start + 30)
    page.press("a")
    page.go(start + 40)
    page.press("e")
    expect(page.file["regions"][0] == {
        "id": "region-1", "frame": start, "box": [568, 288, 144, 144], "end": start + 40,
        "keyframes": [{"frame": start + 20, "box": [568, 288, 144, 144]}, {"frame": start + 30, "absent": True}]},
        f"K, A and E: {page.file['regions'][0]}")
    page.press("[")
    page.settle(start + 30)
    page.press("[")
    page.settle(start + 20)
    page.press(Keys.DELETE)
    expect([key["frame"] for key in page.file["regions"][0]["keyframes"]] == [start + 30], "Delete takes the keyframe")
    page.go(start)
    page.press(Keys.DELETE)
    expect(page.file == {"regions": []}, "and then the entry")
    page.restart()


def follow(program, folder, clip, name):
    """Runs the file as the page saved it."""
    manifest = folder / f"{name}.json"
    manifest.write_text(json.dumps({
        "version": 1, "output": {"directory": f"out-{name}"},
        "graphs": {"g": {"stages": [{"id": "objects", "type": "track"}]}},
        "jobs": [{"id": "desk", "input": clip.name, "graph": "g", "regions": "desk.regions.json", "encode": {"codec": "none"}}]}))
    run(program, "validate", manifest)
    run(program, "run", manifest, "--progress", "none")
    return folder / f"out-{name}/desk.tracks.jsonl"


def save(window, page, folder):
    target = folder / "desk.regions.json"
    target.unlink(missing_ok=True)
    page.chord(Keys.CONTROL, "s")
    window.wait("document.getElementById('notice').textContent.startsWith('Saved')")
    for _ in range(100):
        if target.exists() and target.stat().st_size:
            break
        window.driver.execute_async_script("setTimeout(arguments[0], 50)")
    expect(json.loads(target.read_text()) == page.file, "the file that is saved is what the page shows")


def check_running(window, page, program, folder, clip, screenshot):
    truth = boxes(clip.with_name("desk.tracks.jsonl"), "region", "ball")
    star = boxes(clip.with_name("desk.tracks.jsonl"), "region", "star")
    page.restart()
    page.tool("box")
    for name, known in [("star", star), ("ball", truth)]:
        left, top, width, height = (round(number) for number in known[0])
        page.drag((left, top), (left + width, top + height))
        page.type("item-id", name)
    save(window, page, folder)
    tracks = follow(program, folder, clip, "first")
    found = boxes(tracks, "region", "star")
    least = min(overlap(found[frame], star[frame]) for frame in found if frame in star)
    expect(len(found) > 200 and least > 0.5, f"the star is followed on {len(found)} frames, IoU {least:.2f} at the least")

    # A wrong beginning: the ball's box lies on the wall, until somebody says better.
    regions = folder / "desk.regions.json"
    regions.write_text(json.dumps({"regions": [
        {"id": "star", "label": "a star", "frame": 0, "box": [round(number) for number in star[0]]},
        {"id": "ball", "time": 0, "box": [420, 400, 100, 100]}]}))
    tracks = follow(program, folder, clip, "wrong")
    corrected = folder / "correct.html"
    run(program, "pick", clip, "--regions", regions, "--tracks", tracks, "-o", corrected)
    page = Page(window, corrected)
    page.go(30)
    shapes = page.run("return page.shapes().map((shape) => [shape.item.id, shape.look])")
    expect(["ball", "tracked"] in shapes, f"the page shows where the track is: {shapes}")
    before = boxes(tracks, "region", "ball")
    wrong = sum(overlap(box, truth[frame]) < 0.3 for frame, box in before.items() if frame >= 30 and frame in truth)
    window.find("#list li:nth-child(2) button").click()
    page.tool("box")
    left, top, width, height = (round(number) for number in truth[30])
    page.drag((left, top), (left + width, top + height))
    entry = page.file["regions"][1]
    expect(entry == {"id": "ball", "frame": 0, "box": [420, 400, 100, 100],
                     "keyframes": [{"frame": 30, "box": [left, top, width, height]}]}, f"a keyframe drawn over it: {entry}")
    if screenshot:
        window.resize((1400, 860))
        page.run("page.view.fit(); page.refresh()")
        page.press("v")
        window.screenshot(screenshot)
        window.resize(LARGE)
    save(window, page, folder)
    if "keyframes" not in json.loads(run(program, "schema", "manifest"))["$defs"]["region"]["properties"]:
        print("SKIP  this program has no keyframes yet")
        return
    tracks = follow(program, folder, clip, "corrected")
    after = boxes(tracks, "region", "ball")
    still = sum(overlap(box, truth[frame]) < 0.3 for frame, box in after.items() if 30 <= frame <= 60 and frame in truth)
    expect(wrong > 20 and still == 0, f"the keyframe corrects the track: {wrong} frames were wrong, {still} of the next 30 are")


def check_files(window, page, folder):
    page.restart()
    source = folder / "other.json"
    entries = [
        {"id": "a", "time": 1.01, "box": [0.1, 0.2, 0.3, 0.4], "units": "normalized", "end": 2},
        {"id": "b", "label": "B", "frame": 7, "polygon": [[1, 2], [30, 2.5], [30, 40], [1, 40]],
         "fill": "both", "keyframes": [{"frame": 9, "polygon": [[2, 2], [31, 2], [31, 40], [2, 40]]}]}]
    source.write_text(json.dumps({"regions": entries, "points": [{"id": "p", "text": "t", "time": 0, "point": [5, 6]}]}))
    window.find("#file").send_keys(str(source))
    window.wait("annotatePick.page.drawing.items.length === 3")
    expect(page.file == {"regions": entries, "points": [{"id": "p", "text": "t", "time": 0, "point": [5, 6]}]},
           f"a file that is opened comes out as it was: {page.file}")
    expect(page.run("return page.drawing.items[0].keys[0].frame") == 26, "a time is the first frame at or after it")
    for text, said in [("{", "no JSON"), ("[]x", "no JSON"), ("{}", "Expected"), ('{"regions": [{"id": "a"}]}', "no place"),
                       ('{"regions": [{"id": "a", "box": [1, 2, "x", 4]}]}', "can't be read"), ("null", "Expected"),
                       ('{"regions": {}}', "Expected a list"), ('{"regions": [null]}', "no place"),
                       ('{"regions": [{"id": "<img src=x onerror=alert(1)>", "frame": "x", "box": [1, 2, 3, 4]}]}', "no number")]:
        source.write_text(text)
        window.find("#file").send_keys(str(source))
        window.wait("document.getElementById('notice').textContent.includes(arguments[0])", said, what=f"{text}: not told")
    expect(len(page.file["regions"]) == 2, "files that are none are told of, and change nothing")
    source.write_text(json.dumps([{"id": "<img src=x onerror=document.title='pwned'>", "frame": 0, "box": [9, 9, 9, 9]}] * 2))
    window.find("#file").send_keys(str(source))
    window.wait("annotatePick.page.drawing.items.length === 2 && document.querySelectorAll('#list li.flawed').length === 2")
    expect(window.run("return document.title") != "pwned" and not window.all("#list img"), "an id is a text; two alike are told")
    errors = window.errors()
    expect(not errors, f"nothing in the console {errors or ''}")
    page.restart()


def check_looks(window, page, folder):
    page.restart()
    page.tool("box")
    page.drag((455, 93), (595, 226))
    page.go(20)
    page.press("k")
    grounds = []
    for dark in (False, True):
        window.prefer(dark)
        for size in ((1280, 800), (700, 900), (360, 640)):
            window.resize(size)
            found, passes = window.axe()
            wide = window.run("return document.documentElement.scrollWidth <= innerWidth")
            expect(not found and passes > 15 and wide,
                   f"{'dark' if dark else 'light'}, {size[0]}×{size[1]}: axe-core passes {passes} rules {found or ''}"
                   f"{'' if wide else ', and the page is too wide'}")
            window.screenshot(folder / f"look-{'dark' if dark else 'light'}-{size[0]}.png")
        grounds.append(window.run("return getComputedStyle(document.body).backgroundColor"))
    expect(grounds[0] != grounds[1], f"light and dark: {grounds}")
    window.prefer(False)
    window.resize(LARGE)
    page.restart()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / ".build/release/annotate-batch")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for all that is made")
    parser.add_argument("--screenshot", type=pathlib.Path, help="a picture of the page at work")
    options = parser.parse_args()
    program = options.program.resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.keep or pathlib.Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        clip = folder / "desk.mp4"
        run(program, "synth", ROOT / "manifests/scenes/desk.scene.json", "-o", clip)
        run(program, "pick", clip, "-o", folder / "desk.html")
        with Browser(size=LARGE, downloads=folder) as window:
            check_frames(window, program, folder)
            check_missing(window, program, folder)
            page = Page(window, folder / "desk.html")
            check_drawing(window, page)
            check_gates(window, page, expect)
            check_own(window, folder / "desk.html", expect)
            page = Page(window, folder / "desk.html")
            check_covers(window, page, program, folder, clip, expect, save)
            check_keys(window, page)
            check_files(window, page, folder)
            check_looks(window, page, folder)
            check_running(window, page, program, folder, clip, options.screenshot)
            errors = window.errors()
            expect(not errors, f"nothing in the console {errors or ''}")
    print(f"{failures} failed" if failures else "all hold")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
