"""Covers in the page of `pick`: drawn, moved, chosen of what was found, saved and run; and the way there from `review`."""
import json
import shlex

from browser import Keys
from pick_page import Page, boxes, decoded, run

SIZE = (1280, 720)


def is_filled(picture, box):
    """Whether a place has one colour, but for what an encoder makes of it."""
    left, top, width, height = (round(number) for number in box)
    place = picture[top + 4:top + height - 4, left + 4:left + width - 4].astype(int)
    return place.max() - place.min() < 16


def release(program, folder, clip, name, stages, more=None):
    """Runs the saved file as a job's cover. Returns (pictures, track file)."""
    manifest = folder / f"{name}.json"
    manifest.write_text(json.dumps({
        "version": 1, "output": {"directory": f"out-{name}"}, "graphs": {"g": {"stages": stages}},
        "jobs": [{"id": "desk", "input": clip.name, "graph": "g", "cover": "desk.regions.json", **(more or {})}]}))
    run(program, "validate", manifest)
    run(program, "run", manifest, "--progress", "none")
    run(program, "verify", folder / f"out-{name}")
    return decoded(folder / f"out-{name}/desk.mp4", SIZE), folder / f"out-{name}/desk.tracks.jsonl"


def check_covers(window, page, program, folder, clip, expect, save):
    check_drawn(window, page, program, folder, clip, expect, save)
    check_kept(window, page, folder, expect)
    check_found(window, page, program, folder, clip, expect, save)
    page.restart()


def check_drawn(window, page, program, folder, clip, expect, save):
    page.restart()
    page.go(10)
    page.press("c")
    page.drag((40, 520), (160, 600))
    cover = {"box": [40, 520, 120, 80], "start": 0.4, "style": "fill"}
    expect(page.file == {"cover": [cover]}, f"a cover drawn with the mouse: {page.file}")
    named = [window.find(f"#{identifier}").is_displayed() for identifier in ("item-id", "item-text", "item-style")]
    expect(named == [False, False, True], f"it has a style, and neither id nor label: {named}")
    window.find("#list button").click()
    page.go(30)
    page.tool("cover")
    page.drag((240, 560), (360, 640))
    cover["keyframes"] = [{"frame": 30, "box": [240, 560, 120, 80]}]
    expect(page.file == {"cover": [cover]}, f"drawn again it has a keyframe: {page.file}")
    page.go(20)
    shape = page.run("return page.shapes()[0]")
    expect(shape["look"] == "between" and shape["points"] == [[140, 540], [260, 620]], f"between two it moves evenly: {shape}")
    page.go(40)
    page.press("a")
    page.go(50)
    page.press("k")
    expect("50" not in json.dumps(page.file), "where it is away there is nothing to keep")
    page.drag((300, 500), (420, 580))
    page.go(60)
    page.press("e")
    cover["keyframes"] += [{"frame": 40, "absent": True}, {"frame": 50, "box": [300, 500, 120, 80]}]
    cover["end"] = 2.38
    expect(page.file == {"cover": [cover]}, f"away, there again, ended: {page.file}")
    page.press(Keys.ESCAPE)
    page.go(0)
    page.press("x")
    corners = [(900, 560), (1040, 560), (1040, 680)]
    for corner in [*corners, corners[0]]:
        page.tap((corner[0] + 0.5, corner[1] + 0.5))
    window.run("const field = document.getElementById('item-style'); field.value = 'pixelate';"
               "field.dispatchEvent(new Event('change'))")
    patch = {"polygon": [list(corner) for corner in corners], "style": "pixelate"}
    expect(page.file == {"cover": [cover, patch]}, f"corners, in another style: {page.file}")
    words = page.run("return document.getElementById('manifest').textContent")
    expect(words == '"cover": "desk.regions.json"', f"what a manifest says: {words}")
    before = page.file
    page.__init__(window, page.path)
    expect(page.file == before, f"a reload keeps them: {page.file}")
    save(window, page, folder)
    source = decoded(clip, SIZE)
    pictures, _ = release(program, folder, clip, "drawn", [])
    wanted = {9: None, 10: [40, 520], 20: [140, 540], 30: [240, 560], 39: [240, 560], 40: None, 49: None, 50: [300, 500],
              59: [300, 500], 60: None}
    wrong = [frame for frame, place in wanted.items() if place and not is_filled(pictures[frame], [*place, 120, 80])
             or not place and abs(pictures[frame].astype(int) - source[frame])[480:660, :500].mean() > 4]
    expect(not wrong, f"a run hides what was drawn, there and then: wrong on {wrong}")


def check_kept(window, page, folder, expect):
    page.restart()
    entries = [
        {"audio": "bleep", "start": 1, "end": 2}, {"zone": "z"}, {"track": 3, "box": [1, 2, 30, 40], "start": 1},
        {"box": [0.1, 0.2, 0.3, 0.4], "units": "normalized", "start": 1.01, "end": 2.5,
         "keyframes": [{"time": 1.5, "box": [0.2, 0.2, 0.3, 0.4]}, {"time": 2, "absent": True}]},
        {"polygon": [[1, 2], [30, 2.5], [30, 40]], "style": "fill", "color": "#112233"}, {"track": 7, "except": True, "end": 4}]
    source = folder / "covers.json"
    source.write_text(json.dumps({"cover": entries}))
    window.find("#file").send_keys(str(source))
    window.wait("annotatePick.page.drawing.items.length === 6")
    expect(page.file == {"cover": entries}, f"covers of a file that is opened come out as they were: {page.file}")
    frames = page.run("return page.drawing.items.map((item) => [item.keys[0].frame, item.end?.frame ?? null])")
    expect(frames[3] == [25, 63], f"they begin with the picture that is seen then: {frames}")
    flawed = window.all("#list li.flawed")
    expect(not flawed, "and nothing is wrong with them")
    for text, said in [('{"cover": [{"style": "fill"}]}', "no place"), ('{"cover": [7]}', "no place"),
                       ('{"cover": [{"box": [1, 2, 3, 4], "start": "x"}]}', "no number"),
                       ('{"cover": [{"box": [1, 2, 3, 4], "keyframes": [{"frame": 3, "polygon": [[1, 2], [3, 4], [5, 7]]}]}]}', "no box")]:
        source.write_text(text)
        window.find("#file").send_keys(str(source))
        window.wait("document.getElementById('notice').textContent.includes(arguments[0])", said, what=f"{text}: not told")
    errors = window.errors()
    expect(not errors, f"nothing in the console {errors or ''}")


def check_found(window, page, program, folder, clip, expect, save):
    """From a run to its review, from there to the page, and back to a run."""
    # What the page of the same clip has kept would be there again.
    page.restart()
    star = boxes(clip.with_name("desk.tracks.jsonl"), "region", "star")
    box = [round(number) for number in star[0]]
    stage = {"id": "objects", "type": "track"}
    manifest = folder / "look.json"
    manifest.write_text(json.dumps({
        "version": 1, "output": {"directory": "out-look"}, "graphs": {"g": {"stages": [stage]}},
        "jobs": [{"id": "desk", "input": clip.name, "graph": "g", "encode": {"codec": "none"},
                  "regions": [{"id": "star", "frame": 0, "box": box}]}]}))
    run(program, "run", manifest, "--progress", "none")
    run(program, "review", folder / "out-look")
    window.open(folder / "out-look/review.html", "#job=desk&frame=30")
    window.wait("annotateReview.app.jobView.results && annotateReview.app.jobView.index === 30")
    window.find("[data-command=hide]").click()
    window.wait("document.querySelector('#hide-command code')")
    command = shlex.split(window.run("return document.querySelector('#hide-command code').textContent"))
    made = folder / "out-look/desk.pick.html"
    expect(command == ["annotate-batch", "pick", str(clip), "--tracks", str(folder / "out-look/desk.tracks.jsonl"),
                       "--frame", "30", "-o", str(made)], f"review tells the command: {command}")
    window.errors()
    run(program, *command[1:])
    link = window.run("return document.querySelector('#hide-command a').href")
    expect(link == made.as_uri() + "#frame=30", f"and links to the page: {link}")
    found = Page(window, made)
    found.settle(30)
    expect(True, "which opens on that frame")
    found.tool("found")
    middle = (star[30][0] + star[30][2] / 2, star[30][1] + star[30][3] / 2)
    found.tap(middle)
    number = found.run("return page.thing")
    expect(number is not None, "what was found is chosen by a click")
    found.press("h")
    expect(found.file == {"cover": [{"track": number, "style": "fill"}]}, f"and hidden: {found.file}")
    found.tap((5, 5))
    window.find("#found-list button").click()
    window.find("#leave").click()
    expect(found.file == {"cover": [{"track": number, "except": True}]}, f"or left visible, by its name: {found.file}")
    regions = {"regions": [{"id": "star", "frame": 0, "box": box}]}
    for is_left in (True, False):
        save(window, found, folder)
        # Nothing is drawn over what is hidden.
        draw = {"draw": {"cover": "fill"} if is_left else False}
        name = "left" if is_left else "hidden"
        pictures, tracks = release(program, folder, clip, name, [{**stage, **draw}], regions)
        places = boxes(tracks, "region", "star")
        filled = [frame for frame in range(0, 200, 25) if frame in places and is_filled(pictures[frame], places[frame])]
        expect(len(filled) == (0 if is_left else 8), f"a run leaves it so: {name}, filled on {filled}")
        found.press("f")
        found.tap(middle)
        found.press("h")
    window.find("#found-list button").click()
    found.press("n")
    errors = window.errors()
    expect(not errors, f"nothing in the console {errors or ''}")
    passes = window.axe()
    expect(not passes[0], f"axe-core finds nothing: {passes[0] or ''}")
