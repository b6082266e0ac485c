"""Every key and button of the review page, and what each has to do."""
import time

from browser import ActionChains, By, Keys, TimeoutException

SETTLED = "(annotateReview.app.jobView.results !== null && annotateReview.app.jobView.picture.player.isSettled)"
STATE = """const view = annotateReview.app.jobView, player = view.picture.player;
return {
    view: document.body.dataset.view, job: view.job?.id, frame: view.index, playing: player?.isPlaying ?? false,
    rate: player?.rate, way: view.way, overlay: view.hasOverlay, texts: view.hasTexts, zoom: view.zoom, selected: view.selected,
    shown: view.results?.things.filter((thing) => view.isShown(thing)).length, hash: location.hash,
    span: view.timeline.to - view.timeline.from, focus: document.activeElement.id,
    mark: view.results ? view.remarkPanel.current?.mark ?? null : null, message: document.getElementById('message').textContent,
    hiding: document.getElementById('hide-command').textContent,
    reviewed: view.job ? annotateReview.remarks.isReviewed(view.job.id) : null };"""
FRAME = 45
# Frames of the clips' moments (review_clips.rows): the next and the one before frame 45.
MOMENTS = {"doubtful": (None, 20), "lost": (None, 30), "recovered": (None, 40), "gap": (61, None), "handover": (92, None),
           "collision": (50, None), "event": (76, 12),
           "expectation": (None, None), "first": (50, 0), "last": (58, None)}
SELECT = "annotateReview.app.jobView.select(0);"
ZOOM = "annotateReview.app.jobView.timeline.zoom(4, 2);"


def moment(kind, direction):
    wanted = MOMENTS[kind][0 if direction > 0 else 1]
    if wanted is None:
        return lambda before, after: after["frame"] == before["frame"] and after["message"].startswith("No moment")
    return lambda before, after: after["frame"] == wanted


def checks():
    """By command: what has to be so before it, as JavaScript, and what of the state before and after must hold."""
    def frame(number):
        return "", lambda before, after: after["frame"] == number

    def changed(key, value, setup=""):
        return setup, lambda before, after: before[key] != value and after[key] == value

    def view(name):
        return "", lambda before, after: after["view"] == name

    found = {
        "play": changed("playing", True), "forward": frame(46), "back": frame(44), "forward-ten": frame(55),
        "back-ten": frame(35), "begin": frame(0), "end": frame(119), "faster": changed("rate", 1.5),
        "slower": changed("rate", 0.5),
        "next-moment": frame(50), "previous-moment": frame(40), "video": changed("way", "annotated"),
        "overlay": changed("overlay", False), "texts": changed("texts", False), "zoom": changed("zoom", 1),
        "next-thing": changed("selected", 0), "previous-thing": changed("selected", 3), "only": changed("shown", 1, SELECT),
        "all-things": changed("shown", 4, SELECT + "annotateReview.app.jobView.choices.only(0);"),
        "time-in": ("", lambda before, after: abs(after["span"] - before["span"] / 2) < 0.01),
        "time-out": (ZOOM, lambda before, after: abs(after["span"] - before["span"] * 2) < 0.01),
        "time-all": (ZOOM, lambda before, after: after["span"] > before["span"] * 3.9),
        **{f"mark-{mark}": changed("mark", mark) for mark in ("right", "wrong", "unsure")},
        "remark": changed("focus", "remark-text"), "reviewed": changed("reviewed", True),
        "next-open": changed("job", "job-00"), "next-job": changed("job", "job-00"), "previous-job": changed("job", "broken"),
        "link": ("", lambda before, after: after["hash"] == f"#job=constant&frame={FRAME}" and "link" in after["message"]),
        "search": ("", lambda before, after: after["view"] == "list" and after["focus"] == "job-search"),
        "list": view("list"), "sheet": view("sheet"), "help": view("help"),
        "export": ("", lambda before, after: "exported" in after["message"]),
        "leave": changed("selected", None, SELECT),
        "hide": ("", lambda before, after: "annotate-batch pick" in after["hiding"] and f"--frame {FRAME}" in after["hiding"]),
    }
    for kind in MOMENTS:
        found[f"next-{kind}"] = ("", moment(kind, 1))
        found[f"previous-{kind}"] = ("", moment(kind, -1))
    return found


def press(page, key):
    if key.startswith("Shift+"):
        ActionChains(page.driver).key_down(Keys.SHIFT).send_keys(getattr(Keys, named(key[6:]))).key_up(Keys.SHIFT).perform()
    elif len(key) > 1:
        page.press(getattr(Keys, named(key)))
    else:
        page.press(key)


def named(key):
    return {"ArrowLeft": "ARROW_LEFT", "ArrowRight": "ARROW_RIGHT"}.get(key, key.upper())


def does(page, path, setup, act, holds, job="constant"):
    """Opens a job, acts, and waits until what was wanted is so; gives the state that isn't."""
    page.run("localStorage.clear()")
    page.open(path, f"#job={job}&frame={FRAME}")
    page.wait(f"{SETTLED} && document.body.dataset.frame === '{FRAME}'")
    if setup:
        page.run(setup)
    before = page.run(STATE)
    act()
    end = time.time() + 4
    while True:
        after = page.run(STATE)
        if holds(before, after):
            return None
        if time.time() > end:
            return after
        time.sleep(0.05)


def check(page, path, expect):
    page.open(path)
    all_ = page.run("return annotateReview.commands.map(({id, keys, doc, view}) => ({id, keys, doc, view}))")
    # Those of the sheet have a check of their own: check-faults.py.
    commands = [command for command in all_ if command["view"] != "sheet"]
    wanted = checks()
    expect({command["id"] for command in commands} == set(wanted), f"{len(commands)} commands, a check for each")
    helped = page.run("return [...document.querySelectorAll('#keys tbody tr')].map((row) => row.cells[1].textContent)")
    expect(helped == [command["doc"] for command in all_], "the help lists every one")
    keys = buttons = 0
    for command in commands:
        setup, holds = wanted[command["id"]]
        job = "zz-counted" if command["id"].endswith("-event") else "constant"
        for key in command["keys"]:
            after = does(page, path, setup, lambda: press(page, key), holds, job)
            keys += after is None
            if after is not None:
                expect(False, f"key {key!r} ({command['doc']}): {after}")
        page.open(path, f"#job={job}&frame={FRAME}")
        page.wait(SETTLED)
        for index in range(len(page.all(f"button[data-command='{command['id']}']"))):
            selector = f"button[data-command='{command['id']}']"
            if not page.all(selector)[index].is_displayed():
                continue
            after = does(page, path, setup, lambda: page.all(selector)[index].click(), holds, job)
            buttons += after is None
            if after is not None:
                expect(False, f"button {command['id']}: {after}")
    expect(keys >= sum(len(command["keys"]) for command in commands), f"{keys} keys do what the help says")
    expect(buttons >= 30, f"{buttons} buttons do what the help says")
    check_typing(page, path, expect)
    check_switches(page, path, expect)
    page.run("localStorage.clear()")


def check_typing(page, path, expect):
    """Letters that are typed into a field are letters; with letters off, only other keys act."""
    after = does(page, path, "document.getElementById('remark-text').focus();", lambda: page.press("nbv 1"),
                 lambda before, after: False)
    text = page.run("return document.getElementById('remark-text').value")
    expect(text == "nbv 1" and after["overlay"] and after["mark"] is None and after["way"] == "source", "typing is no command")
    page.open(path, "#help")
    page.find("#use-keys").click()
    page.open(path, f"#job=constant&frame={FRAME}")
    page.wait(SETTLED)
    page.press("b")
    page.press(Keys.ARROW_RIGHT)
    page.wait(f"document.body.dataset.frame === '{FRAME + 1}'")
    expect(page.run(STATE)["overlay"], "letters that are switched off do nothing; arrows still act")
    page.run("localStorage.clear()")


def check_switches(page, path, expect):
    """What isn't a command: switches, lanes, tables, filters."""
    def try_(name, setup, act, holds):
        after = does(page, path, setup, act, holds)
        expect(after is None, name if after is None else f"{name}: {after}")

    shown = lambda count: lambda before, after: before["shown"] == 4 and after["shown"] == count
    try_("a stage's switch", "", lambda: page.find("#choices-stage input").click(), shown(0))
    try_("a label's switch", "", lambda: page.find("#choices-label input").click(), shown(3))
    try_("a track's switch", "", lambda: page.find("#choices-thing input[type=checkbox]").click(), shown(3))
    chosen = lambda before, after: after["selected"] == 0
    try_("a track's name", "", lambda: page.find("#choices-thing button.link").click(), chosen)
    try_("a row of the table", "", lambda: page.wait("document.querySelector('#observations button')").click(),
         chosen)
    try_("a row of the moments", "", lambda: page.find("#moment-list button").click(), lambda before, after: after["frame"] == 20)
    try_("the frame's number", "", lambda: page.find("#frame-number").send_keys(Keys.CONTROL, "a", Keys.NULL, "77", Keys.ENTER),
         lambda before, after: after["frame"] == 77)

    def click_lane():
        lanes = page.find("#lanes-cursor")
        ActionChains(page.driver).scroll_to_element(lanes).perform()
        width = lanes.size["width"]
        ActionChains(page.driver).move_to_element_with_offset(lanes, 168 + (width - 178) // 2 - width // 2,
                                                              10 - lanes.size["height"] // 2).click().perform()
    try_("a click on a lane", "", click_lane, lambda before, after: 58 <= after["frame"] <= 62)
    page.open(path)
    # Not those to the frames in which expectations fail.
    rows = lambda: [link.text for link in page.all("#jobs tbody a:not([href*='frame='])")]
    whole = rows()
    heads = page.all("#jobs thead button")
    heads[0].click()
    up = rows()
    heads[0].click()
    order = page.run("return document.querySelector('th[aria-sort]').getAttribute('aria-sort')")
    expect(up == sorted(whole) and rows() == up[::-1] and order == "descending", "a column sorts, both ways")
    page.find("#job-search").send_keys("variable")
    expect(rows() == ["variable"], "the search finds a job")
    page.find("#reset").click()
    page.find("#filter-status").find_element(By.CSS_SELECTOR, "option[value=failed]").click()
    expect(rows() == ["broken"], "the filter shows what failed")
    page.find("#reset").click()
    expect(len(rows()) == len(whole), "the filters are taken away")
    page.open(path, "#sheet")
    try:
        page.find("#cards button[data-mark=wrong]").click()
        page.wait("annotateReview.remarks.count === 1", seconds=3)
        expect(True, "a card of the sheet is marked")
    except TimeoutException:
        expect(False, "a card of the sheet is marked")
