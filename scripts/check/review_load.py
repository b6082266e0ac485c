"""What the review page costs: time, size, memory, pictures a second."""
import re
import time

import numpy


def check(page, path, measure):
    """Opens a batch of 50 jobs, and one of ten minutes in it."""
    size = path.stat().st_size
    text = path.read_text()
    own = len(re.sub(r'<script type="application/json".*?</script>', "", text, flags=re.DOTALL).encode())
    measure("page", size / 1e6, "MB")
    measure("page's own code", own / 1e3, "kB", 400)
    times = []
    for _ in range(5):
        start = time.perf_counter()
        page.open(path)
        page.wait("document.querySelectorAll('#jobs tbody tr').length === 50")
        times.append((time.perf_counter() - start, page.run("return performance.getEntriesByType('navigation')[0].duration")))
    measure("opening, as the driver sees it (median of 5)", sorted(times)[2][0], "s", 3)
    measure("opening, navigation to load (median of 5)", sorted(each[1] for each in times)[2] / 1000, "s", 3)
    page.run("gc()")
    measure("JavaScript heap, list", page.run("return performance.memory.usedJSHeapSize") / 1e6, "MB", 300)
    first = page.driver.execute_async_script("""
        const done = arguments[0], start = performance.now();
        [...document.querySelectorAll('#jobs a')].find((link) => link.hash === '#job=long-1').click();
        const look = () => {
            const canvas = document.getElementById('overlay');
            const view = annotateReview.app.jobView;
            if (view.results && view.picture.player?.isSettled && canvas.width > 1
                && canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value)) {
                done(performance.now() - start);
            } else requestAnimationFrame(look);
        };
        look();""")
    measure("from the click on a ten-minute job to its boxes", first / 1000, "s", 3)
    page.run("gc()")
    measure("JavaScript heap, ten-minute job", page.run("return performance.memory.usedJSHeapSize") / 1e6, "MB", 400)
    for name, action in (
            ("scrubbing", "seek.value = (seek.value * 1 + 37) % 15000; seek.dispatchEvent(new Event('input', {bubbles: true}));"),
            ("zooming the lanes", "view.timeline.zoom(count % 40 < 20 ? 1.2 : 1 / 1.2, 300);")):
        gaps, shown = page.driver.execute_async_script(f"""
            const done = arguments[0], gaps = [], seek = document.getElementById('seek'), view = annotateReview.app.jobView;
            const frames = new Set();
            let last = performance.now(), count = 0;
            const end = last + 4000;
            const turn = (now) => {{
                gaps.push(now - last);
                last = now;
                count += 1;
                frames.add(view.picture.index);
                {action}
                if (now < end) requestAnimationFrame(turn); else done([gaps.slice(2), frames.size]);
            }};
            requestAnimationFrame(turn);""")
        measure(f"{name}: pictures of the screen a second", 1000 / numpy.mean(gaps), "1/s")
        measure(f"{name}: longest between two of 95 of 100", float(numpy.percentile(gaps, 95)), "ms", 150)
        if name == "scrubbing":
            measure("scrubbing: frames of the video shown a second", shown / 4, "1/s")
