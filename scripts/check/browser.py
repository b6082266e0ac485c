"""Debian's Chromium, driven by Selenium: what scripts that check pages share.

Importing this goes on in a Python that has the packages (see environments.py).
"""
import io
import pathlib
import shutil
import sys

import environments

environments.enter("pages", ["selenium", "numpy", "pillow", "axe-playwright-python", "pymupdf"])

import numpy  # noqa: E402
from PIL import Image  # noqa: E402
from selenium import webdriver  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.common.exceptions import TimeoutException  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

__all__ = ["ActionChains", "Browser", "By", "Keys", "TimeoutException", "WebDriverWait"]


def found(program):
    path = shutil.which(program)
    if path is None:
        sys.exit(f"no {program} here, which checks of pages need: install Debian's chromium and chromium-driver")
    return path


class Browser:
    """A browser without a window.

    size: of what the page has, CSS pixels; scale: device pixels for one of them.
    dark: as a machine whose user wants dark pages; downloads: a folder that takes them.
    """

    def __init__(self, size=(1280, 800), scale=1, dark=False, downloads=None):
        options = webdriver.ChromeOptions()
        options.binary_location = found("chromium")
        # As root Chromium refuses to start with its sandbox. Precise memory: else the figures are rounded.
        for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--force-color-profile=srgb",
                     "--hide-scrollbars", "--mute-audio", "--enable-precise-memory-info", "--js-flags=--expose-gc",
                     "--autoplay-policy=no-user-gesture-required", f"--force-device-scale-factor={scale}"):
            options.add_argument(word)
        if dark:
            options.add_argument("--blink-settings=preferredColorScheme=0")
        if downloads:
            options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(found("chromedriver")))
        self.driver.set_script_timeout(120)
        self.resize(size)
        self.prefer(dark)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def resize(self, size):
        """Makes what the page has as large as this; a window's own frame doesn't count."""
        self.driver.set_window_size(*size)
        inner = self.run("return [innerWidth, innerHeight]")
        self.driver.set_window_size(*(2 * wanted - got for wanted, got in zip(size, inner)))

    def prefer(self, dark=False, still=False, media=""):
        """What the user wants: dark or light, nothing that moves; media: "print" shows how the page would be printed."""
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}]})

    def open(self, path, fragment=""):
        """Opens a file as a double click does: without a server, anew even where only the fragment differs."""
        self.driver.get("about:blank")
        self.driver.get(pathlib.Path(path).resolve().as_uri() + fragment)

    def run(self, script, *values):
        return self.driver.execute_script(script, *values)

    def wait(self, script, *values, seconds=20, what=None):
        """Waits until an expression is true of the page, and gives its value."""
        return WebDriverWait(self.driver, seconds, poll_frequency=0.02).until(
            lambda _: self.run(f"return {script}", *values), what or f"waited {seconds} s for: {script}")

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def press(self, *keys):
        """Types as a user does: into what has the focus."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def errors(self):
        """What the console has said since the last call that isn't plain information."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] not in ("INFO", "DEBUG")]

    def screenshot(self, path=None):
        """What is seen, [y, x, RGB], device pixels; also written where a path is given (JPEG by its suffix)."""
        picture = Image.open(io.BytesIO(self.driver.get_screenshot_as_png())).convert("RGB")
        if path:
            picture.save(path, quality=85)
        return numpy.asarray(picture)

    def axe(self):
        """What axe-core finds that is serious or worse: (rule, its help, the elements)."""
        import axe_playwright_python
        script = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
        self.run(f"{script}\nwindow.axe = axe;" if "window.axe" not in script else script)
        result = self.driver.execute_async_script(
            "const done = arguments[0]; axe.run().then(done, error => done({failure: String(error)}));")
        if "failure" in result:
            sys.exit(f"axe-core failed: {result['failure']}")
        return [(found["id"], found["help"], [" ".join(map(str, node["target"])) for node in found["nodes"]])
                for found in result["violations"] if found["impact"] in ("serious", "critical")], len(result["passes"])
