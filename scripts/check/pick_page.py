"""The page of `pick` in a browser, and what check-pick.py holds it against."""
import json
import subprocess
import sys

from browser import ActionChains, Keys

import numpy
from selenium.webdriver.common.actions.action_builder import ActionBuilder

# Room for all of 1280×720 pixels.
LARGE = (1760, 1040)


def run(*command, status=0):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode != status:
        sys.exit(f"check-pick: {' '.join(map(str, command))}\nended with {result.returncode}: {result.stderr[-2000:]}")
    return result.stdout


def make(path, *words, source="testsrc2=s=320x240:r=25", frames=60):
    run("ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", source, "-frames:v", frames, *words, path)
    return path


class Page:
    """The page of one clip, in a browser."""

    def __init__(self, window, path):
        self.window, self.path = window, path
        window.open(path)
        window.wait("window.annotatePick?.page?.clip.isSettled", what=f"{path.name} shows no frame")
        # A pixel of the picture for each of the screen, so that the pointer hits them exactly.
        self.run("page.view.zoom(1); page.refresh()")

    def run(self, script, *values):
        return self.window.run(f"const page = annotatePick.page; {script}", *values)

    def settle(self, frame=None):
        self.window.wait("annotatePick.page.clip.isSettled")
        if frame is not None:
            self.window.wait("annotatePick.page.frame === arguments[0]", frame, what=f"not on frame {frame}")

    def go(self, frame):
        self.run("page.clip.show(arguments[0])", frame)
        self.settle(frame)

    @property
    def frame(self):
        return self.run("return page.frame")

    @property
    def file(self):
        return json.loads(self.run("return document.getElementById('json').value"))

    def click(self, identifier):
        self.window.find(f"#{identifier}").click()

    def tool(self, name):
        self.window.find(f"#tools [value={name}]").click()

    def at(self, place):
        """On the screen, whole CSS pixels."""
        return self.run("""
            const box = document.getElementById("canvas").getBoundingClientRect();
            const at = page.view.at(arguments[0]);
            return [Math.floor(Math.round(box.left) + at[0]), Math.floor(Math.round(box.top) + at[1])];""", list(place))

    def drag(self, start, end):
        actions = ActionBuilder(self.window.driver, duration=20)
        middle = [(a + b) / 2 for a, b in zip(start, end)]
        actions.pointer_action.move_to_location(*self.at(start)).pointer_down()
        actions.pointer_action.move_to_location(*self.at(middle)).move_to_location(*self.at(end)).pointer_up()
        actions.perform()

    def tap(self, place):
        actions = ActionBuilder(self.window.driver, duration=20)
        actions.pointer_action.move_to_location(*self.at(place)).pointer_down().pointer_up()
        actions.perform()

    def focus(self):
        self.run("document.getElementById('canvas').focus()")

    def press(self, *keys):
        self.focus()
        self.window.press(*keys)

    def chord(self, modifier, key):
        self.focus()
        ActionChains(self.window.driver).key_down(modifier).send_keys(key).key_up(modifier).perform()

    def type(self, identifier, text):
        field = self.window.find(f"#{identifier}")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(str(text), Keys.TAB)

    def pixels(self):
        """The frame as the page shows it, one device pixel for each: no other page can read a canvas of a video."""
        self.run("page.view.zoom(1); page.refresh()")
        self.window.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))")
        left, top = self.run("""
            const box = document.getElementById("canvas").getBoundingClientRect();
            const [x, y] = page.view.at([0, 0]);
            return [box.left + x, box.top + y];""")
        return self.window.screenshot(), left, top

    def restart(self):
        self.run("localStorage.clear()")
        self.__init__(self.window, self.path)


def decoded(clip, size):
    """All frames as ffmpeg shows them, grey."""
    width, height = size
    data = subprocess.run(["ffmpeg", "-v", "error", "-i", str(clip), "-fps_mode", "passthrough", "-pix_fmt", "gray", "-f",
                           "rawvideo", "-"], capture_output=True, check=True).stdout
    return numpy.frombuffer(data, numpy.uint8).reshape(-1, height, width)


def best(frames, shot, left, top):
    """The frame that looks most like what is seen, by its middle part."""
    height, width = frames.shape[1:]
    x, y = round(left), round(top)
    y0, y1, x0, x1 = height // 4, 3 * height // 4, width // 4, 3 * width // 4
    seen = (shot[y + y0:y + y1, x + x0:x + x1] @ numpy.array([0.299, 0.587, 0.114])).astype(numpy.int16)
    errors = numpy.abs(frames[:, y0:y1, x0:x1].astype(numpy.int16) - seen).mean(axis=(1, 2))
    return int(errors.argmin()), float(errors.min())


def overlap(a, b):
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    common = max(width, 0) * max(height, 0)
    return common / (a[2] * a[3] + b[2] * b[3] - common)


def boxes(tracks, name, label):
    """By frame, of one label."""
    found = {}
    for line in tracks.read_text().splitlines()[1:-1]:
        frame = json.loads(line)
        for one in frame["observations"]:
            if one.get(name) == label and one.get("state") not in ("lost", "ended"):
                if "box" in one:
                    found[frame["frame"]] = one["box"]
                elif "polygon" in one:
                    xs, ys = zip(*one["polygon"])
                    found[frame["frame"]] = [min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)]
    return found
