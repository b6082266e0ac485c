#!/usr/bin/env python3
"""What people do with the pages of `review` and `pick` and has gone wrong before, in Debian's Chromium.

usage: check-faults.py [--program PATH] [--keep DIR]

In `review`: a click on a box and on a label chooses the track, also where its detection lies; the sheet's keys; one number for what is to be looked at; the
moment at which an expectation failed; a page that was mailed alone shows its pictures of moments; remarks on another batch
aren't taken; Esc lets go of a remark; paper upright shows the whole of lanes and plots; a folder that is handed out gets no
page. In `pick`: a second shape is a second entry, also where the first is away; the help begins at its top.

Installs selenium (pip) in a folder of its own; needs chromium, chromium-driver and ffmpeg. Exit status 1 where something
doesn't hold.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from browser import ActionChains, Browser, Keys
import pick_page

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SIZE = (320, 240)
CUP, PLATE = (40, 40, 80, 60), (200, 120, 80, 60)
failures = 0
VIEW = "annotateReview.app.jobView"
SETTLED = f"({VIEW}.results !== null && (!{VIEW}.picture.player || {VIEW}.picture.player.isSettled))"


def expect(holds, what):
    global failures
    failures += not holds
    print("PASS " if holds else "FAIL ", what, flush=True)


def run(program, *words, status=0):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    if status is not None and done.returncode != status:
        sys.exit(f"check-faults: {words} ended with {done.returncode}: {done.stderr}")
    return done


def batch(folder, program):
    """A clip with a cup that goes away for a while and a plate that stays; an expectation that doesn't hold."""
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc2=s={SIZE[0]}x{SIZE[1]}:r=25", "-frames:v", "60",
                    "-pix_fmt", "yuv420p", folder / "a.mp4"], check=True)
    rows = ["frame,track,label,left,top,width,height,confidence"]
    for frame in range(60):
        if not 20 <= frame < 32:
            rows.append(f"{frame},1,cup,{','.join(map(str, CUP))},{0.3 if 40 <= frame < 44 else 0.9}")
        rows.append(f"{frame},2,plate,{','.join(map(str, PLATE))},0.9")
    (folder / "a.csv").write_text("\n".join(rows) + "\n")
    # What found the cup, without a track.
    (folder / "b.csv").write_text("\n".join(["frame,label,left,top,width,height,confidence"] + [
        f"{frame},cup,{CUP[0] + 2},{CUP[1] + 1},{CUP[2] - 4},{CUP[3] - 2},0.9" for frame in range(20)]) + "\n")
    (folder / "m.json").write_text(json.dumps({
        "version": 1, "output": {"directory": "out"},
        "graphs": {"g": {"stages": [
            {"id": "seen", "type": "import", "format": "csv", "file": "b.csv"},
            {"id": "found", "type": "import", "format": "csv", "file": "a.csv"}]}},
        "jobs": [{"input": "a.mp4", "graph": "g", "expect": [{"stage": "found", "label": "cup", "longestGap": {"max": 0.1}}]}]}))
    run(program, "run", folder / "m.json", status=2)
    return folder / "out"


def open_job(page, path, frame=0):
    page.open(path, f"#job=a&frame={frame}")
    page.wait(SETTLED, what="the job doesn't open")


def click(page, x, y):
    """A click on a place of the picture, its pixels."""
    left, top, width, height = page.run("const r = document.getElementById('overlay').getBoundingClientRect();"
                                        "return [r.left, r.top, r.width, r.height]")
    page.run("document.getElementById('picture').dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: arguments[0], "
             "clientY: arguments[1]}))", left + x / SIZE[0] * width, top + y / SIZE[1] * height)


def check_clicks(page, path):
    open_job(page, path)
    chosen = f"return {VIEW}.selected === null ? null : {VIEW}.results.things[{VIEW}.selected].track"
    click(page, CUP[0] + 10, CUP[1] + 10)
    expect(page.run(chosen) == 1, "a click on a box chooses its track")
    click(page, PLATE[0] + 40, PLATE[1] - 5)
    expect(page.run(chosen) == 2, "a click on a label chooses its track")
    page.run(f"{VIEW}.select(null); {VIEW}.set('hasTexts', false)")
    name = f"const thing = {VIEW}.results.things[{VIEW}.selected]; return thing ? [thing.stage, thing.track ?? null] : null"
    said = []
    for _ in range(4):
        click(page, CUP[0] + 40, CUP[1] + 30)
        said.append(page.run(name))
    expect(said == [["found", 1], ["seen", None], None, ["found", 1]],
           f"where a detection and its track lie the track is taken, then the detection, then nothing: {said}")
    page.run(f"{VIEW}.set('hasTexts', true)")
    click(page, 5, SIZE[1] - 5)
    expect(page.run(chosen) is None, "a click beside everything lets go")


def check_sheet(page, path):
    page.run("localStorage.clear()")
    page.open(path, "#sheet")
    page.wait("document.querySelectorAll('#cards .card').length >= 3", what="the sheet has no cards")
    focus = "const card = document.activeElement.closest('#cards .card');" \
            "return card ? [...document.querySelectorAll('#cards .card')].indexOf(card) : null"
    page.press(Keys.ARROW_RIGHT)
    page.press(Keys.ARROW_RIGHT)
    expect(page.run(focus) == 1, "the sheet's arrow keys go from card to card")
    page.press("2")
    page.wait("annotateReview.remarks.count === 1", seconds=3, what="2 marks nothing")
    expect(page.run("return JSON.parse(annotateReview.remarks.exported()).remarks[0].mark") == "wrong", "2 marks a card as wrong")
    page.press(Keys.ARROW_RIGHT)
    page.press("3")
    expect(page.run(focus) == 2 and page.run("return annotateReview.remarks.count") == 2, "3 marks the next one")
    page.press(Keys.ARROW_LEFT)
    expect(page.run(focus) == 1, "and back")
    page.run("localStorage.clear()")


def check_counts(page, path):
    page.open(path)
    page.wait("document.querySelectorAll('#jobs tbody tr').length === 1")
    heads = page.run("return [...document.querySelectorAll('#jobs thead th')].map((each) => each.textContent)")
    row = page.run("return [...document.querySelector('#jobs tbody tr').children].map((each) => each.textContent)")
    table = dict(zip(heads, row))
    badge = page.run("return document.getElementById('sheet-count').textContent")
    page.open(path, "#sheet")
    cards = page.run("return document.querySelectorAll('#cards .card').length")
    expect(table["To look at"] == badge == str(cards), f"list, badge and sheet have one number: {table['To look at']}, {badge}, {cards}")
    expect(table["Losses"] == "1" and table["Doubtful"] == "1" and badge == "3",
           f"a gap is a loss, a low confidence is doubtful, an expectation is one more: {table}")


def check_expectation(page, path):
    open_job(page, path)
    moments = page.run(f"return {VIEW}.results.moments.filter((each) => each.what === 'expectation').map((each) => each.index)")
    expect(moments == [20], f"the moment that failed an expectation is one: {moments}")
    page.press("q")
    page.wait("document.body.dataset.frame === '20'", seconds=4, what="q doesn't go there")
    expect(True, "q goes to it")


def check_mailed(page, folder, program):
    alone = folder / "mailed"
    alone.mkdir(exist_ok=True)
    run(program, "review", folder / "out", "-o", alone / "page.html", "--embed")
    moved = folder / "elsewhere" / "deep" / "page.html"
    moved.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(alone / "page.html", moved)
    page.open(moved, "#job=a&frame=0")
    page.wait(f"{VIEW}.results !== null && {VIEW}.way === null", what="the page doesn't see that there is no video")
    page.run(f"{VIEW}.goTo({VIEW}.results.moments.find((each) => each.what === 'doubtful'))")
    time.sleep(1)
    colours = page.run("""const canvas = document.getElementById('overlay'), context = canvas.getContext('2d');
        const data = context.getImageData(0, 0, canvas.width, canvas.height).data;
        let painted = 0;
        for (let at = 3; at < data.length; at += 4) painted += data[at] > 250;
        return painted / (data.length / 4)""")
    expect(colours > 0.08, f"a page alone shows its picture of the moment: {colours:.0%} of the picture")
    page.run(f"{VIEW}.goTo({VIEW}.results.moments.find((each) => each.what === 'expectation'))")
    time.sleep(1)
    shot = page.run(f"return {VIEW}.picture.shotOf({VIEW}.index)?.image?.naturalWidth ?? 0")
    page.open(moved, "#sheet")
    page.wait("document.querySelectorAll('#cards .card').length >= 3")
    cards = page.run("return document.querySelectorAll('#cards .card img').length")
    expect(shot > 0 and cards == 3, f"and of that at which an expectation fails; all 3 cards have pictures: {cards}")


def check_remarks(page, path, folder, program):
    remark = {"job": "a", "frame": 3, "time": 0.12, "mark": "wrong", "text": "no"}
    other = folder / "other.json"
    other.write_text(json.dumps({"format": "annotate-review", "version": 1, "batch": "elsewhere", "reviewed": [], "remarks": [remark]}))
    done = run(program, "review", path.parent, "-o", folder / "again.html", "--remarks", other, status=None)
    expect(done.returncode == 1 and "elsewhere" in done.stderr, f"the command refuses remarks on another batch: {done.stderr.strip()}")
    strange = folder / "strange.json"
    strange.write_text(json.dumps({"format": "annotate-review", "version": 1, "batch": "out", "reviewed": [],
                                   "remarks": [dict(remark, job="b")]}))
    done = run(program, "review", path.parent, "-o", folder / "again.html", "--remarks", strange, status=None)
    expect(done.returncode == 1 and "“b”" in done.stderr, "and on a job that this one hasn't")
    page.run("localStorage.clear()")
    open_job(page, path)
    for file in (other, strange):
        page.find("#import").send_keys(str(file))
        time.sleep(0.5)
        said = page.run("return document.getElementById('message').textContent")
        expect(page.run("return annotateReview.remarks.count") == 0, f"the page takes none of {file.name}: {said}")
    page.press("w")
    page.press("a thought")
    page.press(Keys.ESCAPE)
    time.sleep(0.3)
    expect(page.run("return annotateReview.remarks.count") == 0
           and page.run("return document.getElementById('remark-text').value") == "", "Esc lets go of what is typed")
    page.press("w")
    page.press("kept", Keys.ENTER)
    time.sleep(0.3)
    expect(page.run("return annotateReview.remarks.count") == 1, "Enter keeps it")
    page.run("localStorage.clear()")


def check_print(page, path):
    open_job(page, path)
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                {"width": 720, "height": 1020, "deviceScaleFactor": 1, "mobile": False})
    page.run("window.dispatchEvent(new Event('beforeprint'))")
    count, cut = page.run(
        "const all = [...document.querySelectorAll('.job-lanes canvas')].map((each) => each.getBoundingClientRect())"
        ".filter((each) => each.width > 0);"
        "return [all.length, all.filter((each) => each.right > document.documentElement.clientWidth + 1).length]")
    # The ruler, the lanes, and seven plots.
    expect(count == 9 and cut == 0, f"upright paper has all of lanes and plots, and cuts nothing: {count}, {cut} are cut")
    page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def check_release(folder, program):
    manifest = json.loads((folder / "m.json").read_text())
    manifest["output"] = {"directory": "release", "tracks": "tracks"}
    (folder / "r.json").write_text(json.dumps(manifest))
    run(program, "run", folder / "r.json", status=2)
    said = run(program, "review", folder / "release").stdout.strip()
    expect(not (folder / "release/review.html").exists() and (folder / "tracks/review.html").exists(),
           f"a folder that is handed out gets no page: {said}")


def check_pick(window, folder, program):
    page = folder / "pick.html"
    run(program, "pick", folder / "a.mp4", "-o", page)
    picked = pick_page.Page(window, page)
    picked.tool("box")
    picked.drag((40, 40), (120, 100))
    picked.go(10)
    picked.drag((200, 120), (280, 180))
    regions = picked.file["regions"]
    expect(len(regions) == 2 and "keyframes" not in regions[0], f"a second shape is a second entry: {regions}")
    # Away from a frame on, and another thing drawn there.
    picked.run("page.drawing.select(page.drawing.items[0]); page.leaveHere()")
    picked.drag((150, 20), (190, 60))
    regions = picked.file["regions"]
    expect(len(regions) == 3 and regions[0].get("keyframes") == [{"frame": 10, "absent": True}],
           f"what is away stays away when another is drawn: {regions}")
    picked.run("page.drawing.select(page.drawing.items[0])")
    picked.go(20)
    picked.drag((60, 60), (140, 120))
    keys = picked.file["regions"][0].get("keyframes", [])
    expect([key["frame"] for key in keys] == [10, 20], f"one that is chosen gets a keyframe: {keys}")
    window.find("#open-help").click()
    top = picked.run("const help = document.getElementById('help'); return [help.scrollTop, help.contains(document.activeElement)]")
    expect(top == [0, True], f"the help begins at its top: {top}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / ".build/release/annotate-batch")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for all that is made")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.keep or pathlib.Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        program = options.program.resolve()
        path = batch(folder, program) / "review.html"
        run(program, "review", path.parent, "-o", path)
        with Browser((1500, 1100)) as page:
            for check in (check_clicks, check_sheet, check_counts, check_expectation, check_print):
                check(page, path)
            check_mailed(page, folder, program)
            check_remarks(page, path, folder, program)
        check_release(folder, program)
        with Browser((1000, 500)) as window:
            check_pick(window, folder, program)
    print(f"{failures} failed" if failures else "all hold")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
