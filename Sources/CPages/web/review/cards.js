"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/**
 * Draws moments' pictures from the jobs' videos, one after the other: one video is open at a time, whatever is asked for.
 */
annotateReview.cardPainter = (() => {
    /** CSS pixels of a card's picture. */
    const SIZE = [320, 200];
    /** The part of the picture's height that is shown at least: things are recognised by what is around them. */
    const LEAST = 0.35;
    /** Seconds that a picture may take. */
    const PATIENCE = 20;

    const waiting = [];
    let isBusy = false;
    let open = null;

    function close() {
        open?.player?.close();
        open = null;
    }

    /** Opens a job's video unless it is the one that is open. */
    async function opened(job) {
        if (open?.job === job) return open;
        close();
        const results = await annotateReview.batch.open(job);
        const way = ["source", "annotated"].find((each) => job.videos?.[each]);
        open = { job, results, way, shows: null, player: null, shown: null, failure: null };
        if (!way) return open;
        if (annotateReview.Picture.isPhoto(job.videos[way])) {
            open.shows = annotatePage.element("img", { src: job.videos[way] });
            return open;
        }
        const video = annotatePage.element("video", { muted: true, playsInline: true });
        const mine = open;
        mine.shows = video;
        mine.player = new annotatePage.FramePlayer(video, {
            onFrame: (index) => mine.shown?.(index),
            onError: (sentence) => {
                mine.failure = sentence;
                mine.shown?.(-1);
            },
        });
        mine.player.load(job.videos[way], results.table(way), 0);
        return mine;
    }

    /** True when the frame is there to be drawn. */
    function framed(one, index) {
        if (one.shows && !one.player) return one.shows.decode().then(() => true, () => false);
        return new Promise((resolve) => {
            if (!one.player || one.failure) return resolve(false);
            const timer = setTimeout(() => one.shown?.(-1), PATIENCE * 1000);
            one.shown = (shown) => {
                if (shown !== index && shown !== -1) return;
                clearTimeout(timer);
                one.shown = null;
                resolve(shown === index);
            };
            one.player.show(index);
        });
    }

    /** The part of the picture around things, px: [left, top, width, height], in the card's shape. */
    function crop(size, areas) {
        const [width, height] = size;
        const shape = SIZE[0] / SIZE[1];
        const whole = width / height > shape ? [height * shape, height] : [width, width / shape];
        if (!areas.length) return [0, 0, width, height];
        const [left, top, right, bottom] = [0, 1, 2, 3].map((side) =>
            Math[side < 2 ? "min" : "max"](...areas.map((area) => area[side])));
        let tall = Math.max((bottom - top) * 1.8, (right - left) * 1.8 / shape, height * LEAST);
        if (tall > whole[1]) {
            if ((right - left) > whole[0] || (bottom - top) > whole[1]) return [0, 0, width, height];
            tall = whole[1];
        }
        const wide = tall * shape;
        const place = (middle, span, most) => Math.min(Math.max(middle - span / 2, 0), Math.max(most - span, 0));
        return [place((left + right) / 2, wide, width), place((top + bottom) / 2, tall, height), wide, tall];
    }

    async function paint({ canvas, job, moment }) {
        const one = await opened(job);
        const { results } = one;
        const best = moment.best ?? moment.index;
        const observations = await results.read(best);
        // Of an expectation the track is known, and not the thing.
        const things = moment.things ?? [results.thingOf(moment.track)?.index].filter((index) => index !== undefined);
        const about = observations.filter((each) => things.includes(each.thing));
        const areas = about.map(annotateReview.overlay.bounds).filter(Boolean);
        for (const number of things) {
            const middle = results.things[number]?.middle(best) ?? results.things[number]?.middle(best - 1);
            if (middle && !about.some((each) => each.thing === number && annotateReview.overlay.bounds(each))) {
                areas.push([middle[0] - 20, middle[1] - 20, middle[0] + 20, middle[1] + 20]);
            }
        }
        const size = job.size ?? [1280, 720];
        const [left, top, width, height] = crop(size, areas);
        const hasPicture = await framed(one, best);
        const density = window.devicePixelRatio || 1;
        const scale = Math.min(SIZE[0] / width, SIZE[1] / height) * density;
        [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
        const context = canvas.getContext("2d");
        if (hasPicture) {
            // The video's own pixels needn't be those of the picture as shown.
            const { shows } = one;
            const [x, y] = [(shows.videoWidth ?? shows.naturalWidth) / size[0],
                (shows.videoHeight ?? shows.naturalHeight) / size[1]];
            context.drawImage(shows, left * x, top * y, width * x, height * y, 0, 0, canvas.width, canvas.height);
        }
        context.translate(-left * scale, -top * scale);
        annotateReview.overlay.draw(context, one.way === "annotated" && hasPicture ? [] : about, {
            things: results.things, scale, density, hasTexts: false, isShown: () => true, selected: null,
            size: { width: size[0] * scale, height: size[1] * scale } });
        annotateReview.overlay.drawLost(
            context, results.things.filter((thing) => things.includes(thing.index)), best, scale);
        canvas.dataset.done = hasPicture ? "picture" : "boxes";
    }

    async function work() {
        if (isBusy) return;
        isBusy = true;
        while (waiting.length) {
            // Of the job that is open first: opening costs most.
            const near = waiting.findIndex((each) => each.job === open?.job);
            const [next] = waiting.splice(Math.max(near, 0), 1);
            // Scrolled past, or filtered out.
            if (!next.isWanted()) continue;
            try {
                await paint(next);
            } catch (error) {
                next.canvas.dataset.done = "failed";
                next.fail(error.message);
            }
        }
        isBusy = false;
    }

    return {
        SIZE,
        /** @param {Object} order canvas, job, moment; isWanted(): false where it needn't be drawn any more; fail(sentence). */
        ask(order) {
            waiting.push(order);
            work();
        },
        close,
    };
})();
