"""What the review page prints: a job's lanes and plots, whole and upright, and the sheet's pictures; whose a card's mark is."""
import base64
import json

import numpy
import pymupdf

VIEW = "annotateReview.app.jobView"
UNDRAWN = "document.querySelectorAll('#cards canvas.shot:not([data-done])').length"
A4 = {"paperWidth": 8.27, "paperHeight": 11.69}
STUB = "window.printed = 0; window.print = () => { window.printed += 1; };"


def printed(page):
    """The pages that come out upright, [y, x, RGB] each, and their text."""
    found = page.driver.execute_cdp_cmd("Page.printToPDF", {**A4, "printBackground": True})
    with pymupdf.open(stream=base64.b64decode(found["data"]), filetype="pdf") as document:
        pictures = []
        for sheet in document:
            drawn = sheet.get_pixmap(dpi=110)
            pictures.append(numpy.frombuffer(drawn.samples, numpy.uint8).reshape(drawn.height, drawn.width, 3).astype(int))
        return pictures, "".join(sheet.get_text() for sheet in document)


def lines(picture, color):
    """How many lines of a colour go through a picture from left to right: a few rows without it end one."""
    is_ink = numpy.abs(picture - color).max(axis=2) < 40
    rows = numpy.flatnonzero(is_ink.sum(axis=1) > 3)
    parts = numpy.split(rows, numpy.flatnonzero(numpy.diff(rows) > 8) + 1)
    return sum(len(part) > 0 and is_ink[part].any(axis=0).mean() > 0.4 for part in parts)


def check_plots(page, path, expect, dark):
    """Every plot of a thing has its line on paper."""
    page.prefer(dark)
    page.open(path, "#job=posed&frame=20&track=1")
    page.wait(f"{VIEW}.results !== null && {VIEW}.picture.player.isSettled")
    page.driver.execute_async_script("setTimeout(arguments[0], 900)")
    pictures, _ = printed(page)
    names, color = page.run(
        f"const view = {VIEW}, color = view.results.things[view.selected].color;"
        "return [document.getElementById('plots').getAttribute('aria-label').split(': ')[1].split(';')[0].split(', '),"
        "[1, 3, 5].map((start) => Math.round(parseInt(color.slice(start, start + 2), 16) * 0.68))]")
    found = sum(lines(picture, color) for picture in pictures)
    # All but the one of how many are in sight, which has a colour of its own.
    wanted = len(names) - 1
    expect(wanted == 9 and found == wanted,
           f"upright paper has the lines of {wanted} plots, from a {'dark' if dark else 'light'} screen: {found}")
    edge = max((numpy.abs(picture - color).max(axis=2) < 40).any(axis=0).nonzero()[0].max(initial=0) / picture.shape[1]
               for picture in pictures)
    expect(edge < 0.97, f"and cuts none: the last ink is at {edge:.0%} of the width")
    page.prefer()


def check_sheet(page, path, expect):
    """What has no picture yet says so; the page's own command, and the browser's key, wait for all."""
    page.open(path, "#sheet")
    page.wait("document.querySelectorAll('#cards .card').length >= 4", what="the sheet has no cards")
    # As where it was never scrolled to.
    page.run("for (const canvas of document.querySelectorAll('#cards canvas.shot')) {"
             "const other = canvas.cloneNode(); delete other.dataset.done; canvas.replaceWith(other); }")
    cards = page.run(f"return {UNDRAWN}")
    pictures, text = printed(page)
    black = max((picture.max(axis=2) < 16).mean() for picture in pictures)
    told = " ".join(text.split()).count("No picture was drawn of this yet")
    expect(told == cards and black < 0.02, f"{told} of {cards} cards without a picture say so on paper, and none is black")
    page.open(path, "#sheet")
    page.wait("document.querySelectorAll('#cards .card').length >= 4")
    page.run(STUB + "document.querySelector('[data-command=print]').click()")
    page.wait("window.printed === 1", seconds=60, what="the sheet's Print doesn't print")
    left, drawn = page.run(f"return [{UNDRAWN}, document.querySelectorAll('#cards canvas[data-done=picture]').length]")
    expect(left == 0 and drawn == cards, f"the sheet's own Print waits for all pictures: {drawn} of {cards}")
    _, text = printed(page)
    expect("No picture" not in text, "and paper has them")


def check_marks(page, path, expect):
    """Two cards of one frame have marks of their own, and what is said of the whole frame stays that."""
    page.open(path)
    page.run("localStorage.clear()")
    page.open(path, "#sheet")
    page.wait("document.querySelectorAll('#cards .card').length >= 4")
    # A second thing at the first card's frame.
    state = """const cards = [...document.querySelectorAll('#cards .card')].filter((each) => each.annotateMoment.moment.track);
        const [first, second] = cards;
        second.annotateMoment.moment.frame = first.annotateMoment.moment.frame;
        second.annotateMoment.moment.track = first.annotateMoment.moment.track + 1;
        const press = (card, mark) => card.querySelector(`[data-mark=${mark}]`).click();
        const pressed = (card) => card.querySelector('[aria-pressed=true]')?.dataset.mark ?? null;
        const { job, moment } = first.annotateMoment;"""
    marks = page.run(state + "press(first, 'right'); press(second, 'wrong'); return [pressed(first), pressed(second)]")
    expect(marks == ["right", "wrong"], f"two cards of one frame have marks of their own: {marks}")
    said = page.run(state + """annotateReview.remarks.set({ job: job.id, frame: moment.frame, mark: 'unsure', text: '' });
        return [pressed(first), pressed(second), first.querySelector('.said').textContent,
            JSON.parse(annotateReview.remarks.exported()).remarks.map((each) => each.track ?? null)];""")
    expect(said[:3] == ["right", "wrong", "the frame: unsure"] and said[3][0] is None and len(set(said[3])) == 3,
           f"what is said of the whole frame is told beside them: {json.dumps(said)}")
    page.run("localStorage.clear()")


def check_links(page, path, expect):
    """What a link asks for and isn't there is told."""
    for fragment, wanted in (("frame=9999", "There is no frame 9999"), ("frame=3&track=77", "There is no track 77"),
                             ("frame=x", "“x” is no frame's number"), ("frame=3&track=1", "")):
        page.open(path, f"#job=posed&{fragment}")
        page.wait(f"{VIEW}.results !== null && {VIEW}.picture.player.isSettled")
        said = page.run("return document.getElementById('message').textContent")
        expect(said.startswith(wanted) and bool(said) == bool(wanted), f"#job=posed&{fragment}: {said or 'nothing to say'}")


def check(page, path, expect):
    """path: the page of review_plots.batch."""
    for dark in (False, True):
        check_plots(page, path, expect, dark)
    check_sheet(page, path, expect)
    check_marks(page, path, expect)
    check_links(page, path, expect)
