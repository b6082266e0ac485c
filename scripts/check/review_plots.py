"""The plots of the review page: what they say against the track file, gaps, predictions, clicks, the cursor."""
import json
import re
import subprocess

import numpy

import review_clips

VIEW = "annotateReview.app.jobView"
SETTLED = f"({VIEW}.results !== null && (!{VIEW}.picture.player || {VIEW}.picture.player.isSettled))"
POSE = ["x (m)", "y (m)", "z (m)", "Roll (°)", "Pitch (°)", "Yaw (°)", "Reprojection error (px)"]
BOX = ["Centre x (px)", "Centre y (px)", "Width (px)", "Height (px)"]
STRIP = 62
GAP = range(30, 40)
# Chromium warns of canvases that are drawn by a graphics card and read back.
COPY = """const copy = (canvas) => {
    const context = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    return context;
};"""


def batch(folder, program):
    """A marker with a pose, seen for three seconds, and boxes with a gap and predicted ones; gives the output folder."""
    folder.mkdir(exist_ok=True)
    scene = {"version": 1, "size": [640, 480], "frames": 75, "background": {"kind": "structured"}, "objects": [
        {"kind": "marker", "name": "near", "dictionary": "aruco-4x4-50", "id": 7, "size": 0.09, "position": [-0.05, 0.02, 0.6],
         "rotation": [10, 8, 5], "sway": {"position": [0.05, 0.03, 0.1], "rotation": [10, 12, 20], "period": 2}}]}
    (folder / "posed.scene.json").write_text(json.dumps(scene))
    subprocess.run([program, "synth", folder / "posed.scene.json", "-o", folder / "posed.mp4"], check=True, capture_output=True)
    review_clips.write_boxes(folder / "posed.csv", (
        (frame, 1, "box", 0.9, "predicted" if 50 <= frame < 60 else "tracked", (100.0 + 2 * frame, 200.0, 40.0, 30.0))
        for frame in range(75) if frame not in GAP))
    manifest = {
        "version": 1, "output": {"directory": "out"}, "graphs": {
            "markers": {"stages": [{"id": "markers", "type": "markers", "dictionary": "aruco-4x4-50", "size": 0.09}]},
            "boxes": {"stages": [{"id": "boxes", "type": "import", "format": "csv", "file": "{name}.csv"}]}},
        "jobs": [
            {"id": "posed", "input": "posed.mp4", "camera": "posed.camera.json", "graph": "markers",
             "expect": [{"stage": "markers", "frames": {"min": 1000}, "reprojectionError": {"max": 0}, "positionJitter": {"max": 0.00001},
                         "positionJump": {"max": 0}, "rotationJump": {"max": 0}}]},
            {"id": "boxes", "input": "posed.mp4", "graph": "boxes"}]}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    result = subprocess.run([program, "run", folder / "manifest.json", "--progress", "none"], capture_output=True, text=True)
    # 2: nothing that moves fulfils the expectation.
    if result.returncode != 2:
        raise SystemExit(f"run ended with {result.returncode}: {result.stdout[-2000:]}{result.stderr[-2000:]}")
    subprocess.run([program, "review", folder / "out"], check=True, capture_output=True)
    return folder / "out"


def frames_of(path):
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [line for line in lines if "frame" in line]


def open_job(page, path, fragment):
    page.open(path, f"#job={fragment}")
    page.wait(SETTLED)
    # Numbers are read after the first picture.
    page.run("document.getElementById('plots').scrollIntoView()")
    page.driver.execute_async_script("setTimeout(arguments[0], 900)")


def point(page, index, strip, kind="mouseMoved"):
    """Moves the pointer over a frame in a plot, or presses there."""
    x, y = page.run(
        f"const view = {VIEW}, box = document.getElementById('plots-cursor').getBoundingClientRect(), times = view.results.times;"
        "const end = times[arguments[0] + 1] ?? view.results.end;"
        "return [box.left + view.timeline.x((times[arguments[0]] + end) / 2, box.width), box.top + (arguments[1] + 0.5) * arguments[2]]",
        index, strip, STRIP)
    for each in ["mousePressed", "mouseReleased"] if kind == "click" else [kind]:
        page.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
            "type": each, "x": x, "y": y, "button": "left" if kind == "click" else "none", "clickCount": 1 if kind == "click" else 0})
    return page.run("const tip = document.getElementById('tip'); return tip.hidden ? '' : tip.textContent")


def names(page):
    label = page.run("return document.getElementById('plots').getAttribute('aria-label')")
    return label.removeprefix("Plots over time: ").split(";")[0].split(", ")


def drawn(page, first, last, strip, canvas="plots-base"):
    """In how many of the columns between two frames a plot has a line, and how many there are."""
    return page.run(
        f"""{COPY} const view = {VIEW}, canvas = document.getElementById(arguments[3]), density = devicePixelRatio;
        const at = (index) => Math.round(view.timeline.x(view.results.times[index], canvas.clientWidth) * density);
        const [left, right] = [at(arguments[0]) + 3, at(arguments[1]) - 3];
        const [top, height] = [(arguments[2] * {STRIP} + 8) * density, {STRIP - 18} * density];
        const data = copy(canvas).getImageData(left, top, right - left, height).data;
        let columns = 0;
        for (let x = 0; x < right - left; x++) {{
            let most = 0, all = 0;
            for (let y = 0; y < height; y++) {{
                const alpha = data[4 * (y * (right - left) + x) + 3];
                most = Math.max(most, alpha);
                all += alpha > 60;
            }}
            // A line of time goes from top to bottom.
            columns += most > 100 && all < height * 0.9;
        }}
        return [columns, right - left]""", first, last, strip, canvas)


def check(page, folder, program, expect):
    output = folder / "out"
    if not (output / "review.html").exists():
        output = batch(folder, program)
    path = output / "review.html"
    check_poses(page, path, expect)
    check_boxes(page, path, expect)


def check_poses(page, path, expect):
    lines = frames_of(path.parent / "posed.tracks.jsonl")
    open_job(page, path, "posed&frame=10")
    found = names(page)
    expect(found[3:] == POSE, f"plots of a pose: {found}")
    wrong = []
    for index in (3, 31, 74):
        pose = lines[index]["observations"][0]["pose"]
        for strip, value in ((3, pose["translation"][0]), (5, pose["translation"][2]), (9, pose["reprojectionError"])):
            said = point(page, index, strip)
            match = re.search(r"#1 (−?[\d.]+) ", said)
            number = float(match[1].replace("−", "-")) if match else float("nan")
            if not abs(number - value) <= 0.002 or f"frame {index} " not in said:
                wrong.append((index, strip, value, said))
    expect(not wrong, f"a pointer over a plot tells the track file's values {wrong[:3]}")
    angles = [page.run("return Object.values(annotateReview.Series.angles(arguments[0]))", vector)
              for vector in ([3.14159265, 0, 0], [3.14159265 - 0.1, 0, 0])]
    expect(max(map(abs, angles[0])) < 1e-4 and abs(abs(angles[1][1]) - 5.7296) < 1e-3, f"what faces the camera has no angles: {angles}")
    point(page, 40, 4, "click")
    page.wait("document.body.dataset.frame === '40'", what="a click in a plot doesn't go there")
    expect(True, "a click in a plot goes to its frame")
    cursor, wanted = page.run(
        f"const view = {VIEW}, plots = document.getElementById('plots').getBoundingClientRect();"
        "return [document.getElementById('plots-line').getBoundingClientRect().left - plots.left,"
        "view.timeline.x(view.results.times[40], plots.width)]")
    expect(abs(cursor - wanted) < 1, f"a line stands at the frame that is shown: {cursor:.1f} of {wanted:.1f} px")
    check_evidence(page, path, lines, expect)


def worst_moments(lines):
    """The frames at which a pose's figures are worst, worked out anew."""
    poses = [line["observations"][0]["pose"] for line in lines]
    times = [line["time"] for line in lines]
    places = numpy.array([pose["translation"] for pose in poses])
    speeds = numpy.diff(places, axis=0) / numpy.diff(times)[:, None]
    # What is left of a step at the speed before it, or at the one behind, whichever is less.
    rests = numpy.linalg.norm(numpy.diff(speeds, axis=0), axis=1) * numpy.diff(times)[0]
    jumps = [min(rests[max(step - 1, 0):step + 1]) for step in range(len(speeds))]
    return {"reprojectionError": max(range(len(poses)), key=lambda index: poses[index]["reprojectionError"]),
            "positionJump": int(numpy.argmax(jumps)) + 1}


def check_evidence(page, path, lines, expect):
    """Each figure that fails has its line, its link and its card."""
    report = json.loads((path.parent / "report.json").read_text())
    evidence = next(job for job in report["jobs"] if job["id"] == "posed")["expectations"][0]["evidence"]
    figures = [each["figure"] for each in evidence]
    expect(figures == ["frames", "reprojectionError", "positionJitter", "positionJump", "rotationJump"],
           f"each figure that fails has its evidence: {figures}")
    found = {each["figure"]: each.get("frame") for each in evidence}
    wanted = worst_moments(lines)
    expect({name: found[name] for name in wanted} == wanted, f"the moments are the track file's: {found}, worked out: {wanted}")
    expect(all(lines[each["frame"]]["time"] == each["time"] and each["track"] == 1 for each in evidence if "frame" in each),
           "with the track file's times and track")
    open_job(page, path, "posed&frame=0")
    shown = page.run("return [...document.querySelectorAll('#job-notes .failure')].map((each) => "
                     "[each.title, each.querySelector('a')?.textContent ?? null])")
    expect(shown == [[each["complaint"], f"frame {each['frame']}, track {each['track']}" if "frame" in each else None]
                     for each in evidence], f"each has a line, and a link where it has a moment: {shown}")
    plots = {"reprojectionError": ["Reprojection error"], "positionJitter": ["x", "y", "z"], "positionJump": ["x", "y", "z"],
             "rotationJump": ["Roll", "Pitch", "Yaw"]}
    for number, each in enumerate(entry for entry in evidence if "frame" in entry):
        page.run(f"{VIEW}.select(null); {VIEW}.picture.show(0)")
        page.wait("document.body.dataset.frame === '0'")
        page.run(f"document.querySelectorAll('#job-notes .failure a')[{number}].click()")
        page.wait(f"document.body.dataset.frame === '{each['frame']}' && {SETTLED}", what=f"{each['figure']} can't be gone to")
        track, marked = page.run(f"return [{VIEW}.results.things[{VIEW}.selected]?.track, {VIEW}.plots.marked]")
        expect(track == each["track"] and marked == plots[each["figure"]],
               f"{each['figure']}: its link goes to frame {each['frame']}, chooses track {track}, marks {', '.join(marked)}")
    page.open(path, "#sheet")
    page.wait("document.querySelectorAll('#cards .card .expectation').length >= 4", what="figures that fail have no cards")
    cards = page.run("return [...document.querySelectorAll('#cards .card')].filter((each) => each.querySelector('.expectation'))"
                     ".map((each) => each.querySelector('a').hash)")
    expect(sorted(cards) == sorted(f"#job=posed&frame={each['frame']}&track={each['track']}&figure={each['figure']}"
                                   for each in evidence if "frame" in each), f"and a card: {cards}")
    page.open(path, cards[-1])
    page.wait(f"{SETTLED} && document.body.dataset.frame === '{max(found[each] or 0 for each in found)}'", what="a card's link goes elsewhere")
    expect(page.run(f"return {VIEW}.results.things[{VIEW}.selected]?.track") == 1, "a card's link opens its frame and track")
    page.open(path)
    page.wait("document.querySelectorAll('#jobs tbody tr').length === 2")
    links = page.run("return [...document.querySelectorAll('#jobs tbody .bad a')].map((each) => each.textContent)")
    expect(links == [f"frame {each['frame']}, track 1" for each in evidence if "frame" in each], f"the list has the links too: {links}")


def check_boxes(page, path, expect):
    open_job(page, path, "boxes&frame=0&track=1")
    found = names(page)
    expect(found[3:] == BOX, f"plots of a box: {found}")
    said = point(page, 20, 3)
    expect("#1 160" in said and "frame 20" in said, f"a pointer over a box's middle tells it: {said}")
    expect("not seen" in point(page, 35, 3), "a pointer over a gap says so")
    expect("(predicted)" in point(page, 55, 3), "a predicted place is told as one")
    before, all_before = drawn(page, 1, 29, 3)
    gap, _ = drawn(page, 30, 39, 3)
    predicted, all_predicted = drawn(page, 50, 59, 3)
    expect(before >= 0.98 * all_before and gap == 0, f"a gap is a gap: {before} of {all_before} columns before it, {gap} in it")
    expect(0.3 < predicted / all_predicted < 0.8, f"predicted places are dashed: {predicted} of {all_predicted} columns")
