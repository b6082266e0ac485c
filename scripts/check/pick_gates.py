"""Lines and zones in the page of `pick`, and the lists that a program has of its own."""
import json

from browser import Keys
from pick_page import Page

# As the page gets them of a program with three kinds of its own: drawn as a line, as a zone, and as a region that says of no moment.
OWN = [
    {"list": "lanes", "tool": "line", "members": ["id", "from", "to"]},
    {"list": "fields", "tool": "zone", "members": ["id", "polygon", "of", "crop"]},
    {"list": "signs", "tool": "region", "members": ["id", "label", "box"]},
    {"list": "spots", "tool": "point", "members": ["id", "frame", "point"]},
    {"list": "nothing", "tool": "line", "members": ["id"]},
]


def check_gates(window, page, expect):
    """Lines and zones, which hold for the whole clip."""
    page.restart()
    page.go(10)
    page.press("i")
    page.tap((40, 400))
    page.tap((40, 400))
    page.tap((800, 410))
    line = {"id": "line-1", "from": [40, 400], "to": [800, 410], "of": [1280, 720]}
    expect(page.file == {"lines": [line]}, f"a line, which doesn't end where it begins: {page.file}")
    page.type("item-id", "gate")
    line["id"] = "gate"
    page.press(Keys.ARROW_DOWN)
    line.update({"from": [40, 401], "to": [800, 411]})
    expect(page.file == {"lines": [line]}, f"arrows move it: {page.file}")
    page.drag((800, 411), (790, 300))
    line["to"] = [790, 300]
    expect(page.file == {"lines": [line]}, f"its end is dragged: {page.file}")
    page.press(Keys.ESCAPE)
    page.press("z")
    corners = [(900, 300), (1000, 300), (1270, 710), (950, 600), (850, 500)]
    for corner in corners:
        page.tap(corner)
    page.press(Keys.BACKSPACE)
    page.tap((900, 300))
    zone = {"id": "zone-1", "polygon": [list(corner) for corner in corners[:-1]], "of": [1280, 720]}
    expect(page.file.get("zones") == [zone], f"a zone, ended at its first corner: {page.file}")
    page.press(Keys.ESCAPE)
    page.press("z")
    for corner in [(100, 500), (200, 500), (150, 600)]:
        page.tap(corner)
    page.press(Keys.ENTER)
    expect([len(one["polygon"]) for one in page.file["zones"]] == [4, 3], f"another, ended by Enter: {page.file}")
    page.go(60)
    expect(page.run("return page.shapes().length") == 3, "they are there on every frame")
    words = page.run("return document.getElementById('manifest').textContent")
    expect('"lines": "desk.regions.json"' in words and '"zones": "desk.regions.json"' in words, f"what a manifest says: {words}")
    expect(not window.find("#item-start").is_displayed(), "they have no beginning")
    before = page.file
    page.__init__(window, page.path)
    expect(page.file == before, f"a reload keeps them: {page.file}")
    page.click("restart")


def check_own(window, path, expect):
    """Lists that the page hasn't by itself; each entry has the members that its shape has, and no others."""
    text = path.read_text()
    start = text.index("{", text.index('id="clip"'))
    own = path.with_name("own.html")
    own.write_text(text[:start] + '{"lists": ' + json.dumps(OWN) + "," + text[start + 1:])
    page = Page(window, own)
    tools = page.run("return [...document.getElementById('tools').children].map((button) => button.textContent)")
    expect(tools[-4:] == ["Lane", "Field", "Sign", "Spot"], f"a tool for each: {tools}")

    def choose(name):
        page.press(Keys.ESCAPE)
        page.run("page.setTool(arguments[0])", name)
        page.focus()

    page.go(10)
    choose("lanes line")
    for place in [(40, 400), (40, 400), (800, 410)]:
        page.tap(place)
    choose("fields zone")
    for place in [(900, 300), (1000, 300), (950, 500), (900, 300)]:
        page.tap(place)
    choose("signs box")
    page.drag((455, 93), (595, 226))
    page.type("item-text", "stop")
    choose("spots point")
    page.tap((200.5, 300.5))
    wanted = {
        "lanes": [{"id": "lane-1", "from": [40, 400], "to": [800, 410]}],
        "fields": [{"id": "field-1", "polygon": [[900, 300], [1000, 300], [950, 500]], "of": [1280, 720]}],
        "signs": [{"id": "sign-1", "box": [455, 93, 140, 133]}],
        "spots": [{"id": "spot-1", "frame": 10, "point": [200, 300]}]}
    wanted["signs"][0]["label"] = "stop"
    expect(page.file == wanted, f"each as its tool draws it: {page.file}")
    words = page.run("return document.getElementById('manifest').textContent")
    expect('"lanes": "desk.regions.json"' in words and '"signs": "desk.regions.json"' in words, f"what a manifest says: {words}")
    wanted["fields"][0]["crop"] = "maize"
    source = path.with_name("own.json")
    source.write_text(json.dumps(wanted))
    window.find("#file").send_keys(str(source))
    window.wait("document.getElementById('json').value.includes('maize')")
    expect(page.file == wanted, f"a file with them comes out as it was: {page.file}")
    errors = window.errors()
    expect(not errors, f"nothing in the console {errors or ''}")
    page.restart()
