#!/usr/bin/env python3
"""Drives Debian's Chromium through the page that `review` writes, and holds what it shows against the clips.

usage: check-review.py [--program PATH] [--keep DIR] [--seeks N] [--page FILE]

Renders clips with the frame's number in their pixels (25 frames a second; 30000/1001 and a variable rate, both with sound; a
turned one; all with B-frames), and a batch of 50 jobs, two of them ten minutes long. Then

- the page opens from a file without an error in the console, and loads nothing from anywhere else;
- each of N seeks shows the right frame in the source and in the annotated video: the number is read from a screenshot;
- while it plays, the boxes are those of the picture that is on the screen;
- boxes that the page draws lie within a pixel of burned-in ones, at 1:1 and 2:1;
- every key and every button does what the help says;
- each figure of an expectation that fails has a line and a card whose links go to the frame where it is worst;
- plots tell what the track file has, are broken at gaps and dashed where places are predicted; a click goes there;
- paper has every plot, upright too, and the sheet's pictures, or says that there is none yet;
- cards of one frame have marks of their own, and what a link asks for in vain is told;
- marks and remarks come out as JSON, and back through `review --remarks`;
- a label that is HTML stays a text;
- axe-core finds nothing serious, light and dark, on every view;
- opening, size, memory and the time to a ten-minute job's first boxes are measured, and have limits.

The comparisons have to see what is wrong: a page that draws boxes two pixels off, and one that seeks to a frame's start, must
fail them.

Installs selenium, numpy, pillow, axe-core and pymupdf (pip) in a folder of its own; needs chromium, chromium-driver and ffmpeg. Exit
status 1 where something doesn't hold.
"""
import argparse
import json
import pathlib
import re
import random
import subprocess
import sys
import tempfile
import time

import browser
import review_clips
import review_commands
import review_load
import review_paper
import review_plots
from browser import Browser, Keys

import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
failures = 0
measured = []
SETTLED = """(() => { const view = annotateReview.app.jobView;
    return view.results !== null && (!view.picture.player || view.picture.player.isSettled); })()"""


def expect(holds, what):
    global failures
    failures += not holds
    print("PASS " if holds else "FAIL ", what, flush=True)
    return holds


def measure(name, value, unit, most=None):
    measured.append((name, value, unit, most))
    if most is not None and value > most:
        expect(False, f"{name}: {value:.4g} {unit}, {most:g} at most")


def painted(page):
    """Waits until what was changed is on the screen."""
    page.driver.execute_async_script(
        "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30)));")


def open_job(page, path, job, frame=0, video="source"):
    page.open(path, f"#job={job}&frame={frame}")
    page.wait(SETTLED, what=f"{job} doesn't open")
    if video == "annotated":
        page.press("v")
        page.wait("annotateReview.app.jobView.way === 'annotated'")
        page.wait(SETTLED)


def seek(page, job, frame, seconds=10):
    page.run("location.hash = arguments[0]", f"#job={job}&frame={frame}")
    # The hash changes the view a moment later.
    page.wait(f"document.body.dataset.frame === '{frame}' && {SETTLED}", seconds=seconds, what=f"{job} doesn't come to {frame}")
    painted(page)


def shot(page):
    """The picture as it is on the screen, and screen pixels for one of the clip's."""
    left, top, width, height = page.run(
        "const box = document.getElementById('picture').getBoundingClientRect();"
        "return [box.left, box.top, box.width, box.height]")
    screen = page.screenshot()
    part = screen[round(top):round(top + height), round(left):round(left + width)]
    return part.astype(numpy.int16), width / review_clips.SIZE[0]


def number(picture, scale):
    """The frame's number in its pixels; None where the two rows contradict."""
    rows = [0, 0]
    for x, y, bit, inverted in review_clips.number_cells():
        x, y = round(x * scale), round(y * scale)
        bright = picture[y - 2:y + 3, x - 3:x + 4].mean() > 128
        rows[inverted] |= bright << bit
    return rows[0] if rows[0] ^ rows[1] == (1 << review_clips.BITS) - 1 else None


def wrong_seeks(page, path, job, video, frames, seconds=10):
    """Of the frames asked for those that aren't the ones that are seen: (frame, seen)."""
    open_job(page, path, job, frames[0], video=video)
    page.run("annotateReview.app.jobView.set('hasTexts', false)")
    wrong = []
    for frame in frames:
        try:
            seek(page, job, frame, seconds)
            seen = number(*shot(page))
        except browser.TimeoutException:
            seen = number(*shot(page))
        if seen != frame:
            wrong.append((frame, seen))
    return wrong


def check_seeks(page, path, count):
    for job in ("constant", "ntsc", "variable", "turned", "part"):
        span = review_clips.PART if job == "part" else range(review_clips.FRAMES)
        for video in ("source", "annotated"):
            others = random.Random(job + video).sample(span[2:-1], min(count - 3, len(span) - 3))
            frames = [span[0], span[-1], span[1]] + others
            wrong = wrong_seeks(page, path, job, video, frames)
            expect(not wrong, f"{job}, {video}: {len(frames) - len(wrong)} of {len(frames)} seeks show the right frame"
                   + (f"; asked and seen: {wrong[:8]}" if wrong else ""))


def check_playing(page, path):
    """Of pictures taken while it plays, how many have the boxes of their own number."""
    open_job(page, path, "variable")
    page.run("annotateReview.app.jobView.set('hasTexts', false); annotateReview.app.jobView.set('zoom', 1);"
             "annotateReview.app.jobView.picture.player.rate = 0.5; annotateReview.app.jobView.picture.player.play()")
    lags = []
    for _ in range(16):
        picture, scale = shot(page)
        seen = number(picture, scale)
        if seen is None:
            continue
        _, top, _, tall = review_clips.mover(0)
        row = picture[round((top + tall * 0.8) * scale)]
        # The mover's own colour; everything else is grey.
        colored = numpy.flatnonzero((row.max(axis=1) - row.min(axis=1)) > 120)
        if len(colored):
            # The middle of its left side.
            side = colored[colored < colored[0] + 5].mean() + 0.5
            lags.append(seen - round((side / scale - review_clips.mover(0)[0]) / 2.3))
    still = sum(lag == 0 for lag in lags)
    others = "" if still == len(lags) else f": frames late {list(map(int, lags))}"
    expect(len(lags) >= 8 and still == len(lags),
           f"playing: {still} of {len(lags)} screenshots have the boxes of their picture{others}")


def edges(difference, box, scale):
    """Where the four sides of a box are in what was drawn: left, top, right, bottom, pixels of the picture."""
    left, top, width, height = box
    # Brightness: colour has half the pixels in a video.
    strength = abs(difference @ numpy.array([0.299, 0.587, 0.114]))
    strength[strength < 16] = 0
    reach = 7

    def middle(line, place):
        start = max(round((place - reach) * scale), 0)
        part = line[start:round((place + reach) * scale)]
        total = part.sum()
        return ((numpy.arange(len(part)) + start + 0.5) * part).sum() / total / scale if total else float("nan")

    # Some lines beside one another: no dash and no crossing of another box decides.
    across = strength[round((top + height * 0.35) * scale):round((top + height * 0.45) * scale)].sum(axis=0)
    down = strength[:, round((left + width * 0.35) * scale):round((left + width * 0.45) * scale)].sum(axis=1)
    return [middle(across, left), middle(down, top), middle(across, left + width), middle(down, top + height)]


def box_distance(page, path, job, zoom):
    """The largest distance of drawn sides from burned-in ones, px."""
    worst = 0
    for frame in (3, 45, 77, 104):
        pictures = {}
        for video in ("source", "annotated"):
            open_job(page, path, job, frame, video)
            page.run("const view = annotateReview.app.jobView;"
                     "view.set('hasTexts', false); view.set('zoom', arguments[0]);", zoom)
            painted(page)
            if video == "source":
                pictures["drawn"], scale = shot(page)
                page.run("annotateReview.app.jobView.set('hasOverlay', false)")
                painted(page)
            pictures[video], scale = shot(page)
        for found in review_clips.rows(review_clips.FRAMES):
            if found[0] != frame or found[5] is None or found[1] == 4:
                continue
            ours = edges(pictures["drawn"] - pictures["source"], found[5], scale)
            burned = edges(pictures["annotated"] - pictures["source"], found[5], scale)
            distance = max(abs(a - b) for a, b in zip(ours, burned))
            worst = distance if distance != distance else max(worst, distance)
    return worst


def check_boxes(page, path):
    for job, zoom in (("constant", 1), ("constant", 2), ("turned", 1), ("turned", 2)):
        worst = box_distance(page, path, job, zoom)
        expect(worst <= 1, f"boxes of {job} at {zoom}:1 are within {worst:.2f} px of the burned-in ones")


def check_spoiled(page, path):
    """Copies of the page that are wrong must not pass."""
    # The policy names the page's own scripts by their hashes: another script would not run at all.
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", path.read_text())
    spoils = {
        "boxes two pixels off": (
            "values[0].map((value) => value * scale)", "values[0].map((value, at) => (value + (at < 2 ? 2 : 0)) * scale)"),
        "seeks to a frame's start": ("return (this.#timeOf(index) + this.#endOf(index)) / 2;", "return this.#timeOf(index);"),
    }
    for name, (old, new) in spoils.items():
        if text.count(old) != 1:
            expect(False, f"{name}: the page has no “{old}” to spoil")
            continue
        spoiled = path.with_name("spoiled.html")
        spoiled.write_text(text.replace(old, new))
        if "boxes" in name:
            worst = box_distance(page, spoiled, "constant", 1)
            expect(not worst <= 1, f"{name} are seen: {worst:.2f} px")
        else:
            frames = range(7, 100, 13)
            wrong = sum(len(wrong_seeks(page, spoiled, job, "source", frames, 2)) for job in ("variable", "ntsc"))
            expect(wrong > 0, f"{name}: seen, {wrong} of {2 * len(frames)} wrong")
        spoiled.unlink()


def check_remarks(page, path, program, folder, downloads):
    open_job(page, path, "constant", 45)
    page.run("localStorage.clear()")
    open_job(page, path, "constant", 45)
    for old in downloads.glob("*.json"):
        old.unlink()
    page.press("2")
    page.press("w")
    page.press("a box\u2019s too “wide” <b>", Keys.ENTER)
    page.press(".", "1", "d", "x")
    deadline = time.time() + 10
    while not (files := list(downloads.glob("*.json"))) and time.time() < deadline:
        time.sleep(0.1)
    if not expect(bool(files), "marks and remarks are exported"):
        return
    exported = json.loads(files[0].read_text())
    wanted = [{"job": "constant", "frame": 45, "mark": "wrong", "text": "a box’s too “wide” <b>"},
              {"job": "constant", "frame": 45, "track": 1, "mark": "right", "text": ""}]
    got = [{key: value for key, value in each.items() if key != "time"} for each in exported["remarks"]]
    expect(exported["format"] == "annotate-review" and exported["reviewed"] == ["constant"] and got == wanted,
           f"the file says what was marked: {got if got != wanted else len(got)}")
    again = path.with_name("again.html")
    result = subprocess.run([program, "review", path.parent, "-o", again, "--remarks", files[0]], capture_output=True, text=True)
    if not expect(result.returncode == 0, f"review takes it back {result.stderr}"):
        return
    page.run("localStorage.clear()")
    open_job(page, again, "constant", 45)
    back = page.run("return JSON.parse(annotateReview.remarks.exported())")
    expect(back["remarks"] == exported["remarks"] and back["reviewed"] == exported["reviewed"], "the new page has them")
    page.run("localStorage.clear()")
    open_job(page, path, "constant", 45)
    page.find("#import").send_keys(str(files[0]))
    page.wait("annotateReview.remarks.count === 2", what="the page doesn't import what it exported")
    expect(True, "the page imports what it exported")
    page.run("localStorage.clear()")
    again.unlink()


def check_access(page, path):
    for dark in (False, True):
        page.prefer(dark)
        for view, fragment in (("list", ""), ("job", "#job=constant&frame=45&track=1"), ("sheet", "#sheet"), ("help", "#help")):
            page.open(path, fragment)
            page.wait(f"document.body.dataset.view === '{view}'")
            if view == "job":
                page.wait(SETTLED)
            time.sleep(0.6)
            found, passes = page.axe()
            expect(not found and passes > 10, f"axe-core, {view}, {'dark' if dark else 'light'}: {passes} rules hold, "
                   f"{len(found)} serious" + "".join(f"\n      {rule}: {text}: {nodes[:3]}" for rule, text, nodes in found))
    page.prefer()


def check_open(page, path):
    page.open(path)
    page.wait("document.querySelectorAll('#jobs tbody tr').length === 50")
    expect(page.run("return document.querySelector('#jobs tbody .bad').textContent.includes('broken.mp4')"),
           "the list names what failed")
    addresses = page.run("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    for fragment in ("#job=constant&frame=95", "#job=broken", "#sheet", "#help", "#job=no-such-job"):
        page.open(path, fragment)
        time.sleep(1)
        addresses += page.run("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    foreign = [address for address in addresses if not address.startswith(("file:", "data:", "blob:"))]
    expect(not foreign, f"nothing comes from elsewhere: {foreign or len(addresses)}")
    open_job(page, path, "constant", 95)
    time.sleep(0.6)
    expect(not page.run("return window.hacked || document.querySelector('img[src=x]')")
           and page.run("return document.getElementById('observations').textContent.includes('onerror=')"),
           "a label that is HTML stays a text")
    page.open(path, "#sheet")
    page.wait("document.querySelectorAll('#cards canvas[data-done=picture]').length >= 4", what="the sheet draws no pictures")
    expect(True, "the contact sheet draws pictures from the videos")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / ".build/release/annotate-batch")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for all that is made; what is there already is used again")
    parser.add_argument("--seeks", type=int, default=40)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.keep or pathlib.Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        check(options, folder)
    print("\n| measured | | at most |\n| --- | ---: | ---: |")
    for name, value, unit, most in measured:
        print(f"| {name} | {value:.4g} {unit} | {'' if most is None else f'{most:g} {unit}'} |")
    print(f"{failures} failed" if failures else "all hold")
    return 1 if failures else 0


def check(options, folder):
    program = options.program.resolve()
    output = folder / "out"
    if not (output / "report.json").exists():
        output = review_clips.batch(folder, program)
    path = output / "review.html"
    start = time.perf_counter()
    result = subprocess.run([program, "review", output, "-o", path], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"check-review: review ended with {result.returncode}: {result.stderr}")
    measure("making the page", time.perf_counter() - start, "s")
    downloads = folder / "downloads"
    downloads.mkdir(exist_ok=True)
    # As large as a picture of two by two pixels needs.
    with Browser((1700, 1300), downloads=downloads) as page:
        check_open(page, path)
        review_load.check(page, path, measure)
        page.wait(SETTLED)
        check_seeks(page, path, options.seeks)
        check_playing(page, path)
        check_boxes(page, path)
        review_commands.check(page, path, expect)
        review_plots.check(page, folder / "plots", program, expect)
        review_paper.check(page, folder / "plots/out/review.html", expect)
        check_remarks(page, path, program, folder, downloads)
        check_access(page, path)
        errors = page.errors()
        expect(not errors, f"the console has no error {errors[:5] if errors else ''}")
        check_spoiled(page, path)


if __name__ == "__main__":
    sys.exit(main())
