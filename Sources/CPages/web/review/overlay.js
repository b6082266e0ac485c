"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/**
 * Draws a frame's observations over its picture.
 *
 * Places are the track file's: points and polygons are pixel centres, half a pixel from the edges that a canvas counts from;
 * a box is edges already.
 */
annotateReview.overlay = (() => {
    /** Half a pixel: from a pixel's centre to the edges. */
    const CENTRE = 0.5;
    const FONT = 12;
    /** As the program itself draws, where nobody says anything. */
    const MASK_OPACITY = 0.35;
    const LEAST_CONFIDENCE = 0.3;

    /** What shows an observation; its outline where the data say nothing else. */
    function marksOf(observation) {
        if (observation.marks) return observation.marks;
        if (observation.polygon) return [["outline", observation.polygon]];
        return observation.box ? [["box", observation.box]] : [];
    }

    /** A joint: [x, y, confidence, visibility]. */
    const isFound = (joint) => joint[2] > 0;

    /** The edges around a mark, px: [left, top, right, bottom]; null where it has no place of its own. */
    function boundsOf(mark) {
        const [kind, ...values] = mark;
        if (kind === "box") return [values[0][0], values[0][1], values[0][0] + values[0][2], values[0][1] + values[0][3]];
        if (kind === "region") return [values[0][0], values[0][1], values[0][0] + values[0][2], values[0][1] + values[0][3]];
        if (kind === "joints") return boundsOf(["dots", values[0].filter(isFound)]);
        const points = kind === "outline" || kind === "dots" || kind === "path" ? values[0] : values;
        if (!points.length) return null;
        const [xs, ys] = [points.map((point) => point[0]), points.map((point) => point[1])];
        return [Math.min(...xs), Math.min(...ys), Math.max(...xs) + 1, Math.max(...ys) + 1];
    }

    /** The edges around an observation, px; null where it has no place. */
    function bounds(observation) {
        const all = marksOf(observation).map(boundsOf).filter(Boolean);
        if (!all.length) return null;
        return [0, 1, 2, 3].map((side) => Math[side < 2 ? "min" : "max"](...all.map((each) => each[side])));
    }

    /** Adds a mark's lines to the path; true where they are to be stroked. */
    function trace(context, mark, scale) {
        const [kind, ...values] = mark;
        const at = (point) => [(point[0] + CENTRE) * scale, (point[1] + CENTRE) * scale];
        const line = (points, isClosed) => {
            points.forEach((point, index) => index ? context.lineTo(...at(point)) : context.moveTo(...at(point)));
            if (isClosed) context.closePath();
        };
        if (kind === "box") context.rect(...values[0].map((value) => value * scale));
        else if (kind === "outline") line(values[0], true);
        else if (kind === "line") line(values, false);
        else if (kind === "path") line(values[0], values[1]);
        else return false;
        return true;
    }

    /** Fills a mask's pixels. */
    function drawRegion(context, [left, top, width, height], counts, color, scale) {
        const picture = annotateReview.masks.picture(counts, width, height, color);
        if (!picture) return;
        const alpha = context.globalAlpha;
        context.globalAlpha = alpha * MASK_OPACITY;
        context.drawImage(picture, left * scale, top * scale, width * scale, height * scale);
        context.globalAlpha = alpha;
    }

    /** Draws bones in the thing's colour and joints over them; what is hidden is fainter. */
    function drawJoints(context, joints, edges, color, scale, width) {
        const alpha = context.globalAlpha;
        const isDrawn = (joint) => joint && joint[2] >= LEAST_CONFIDENCE;
        const strength = (joint) => joint[3] >= 0.5 ? 1 : 0.5;
        for (const [first, second] of edges) {
            const [a, b] = [joints[first], joints[second]];
            if (!isDrawn(a) || !isDrawn(b)) continue;
            context.globalAlpha = alpha * Math.min(strength(a), strength(b));
            drawMark(context, ["line", a, b], color, scale, width);
        }
        for (const joint of joints.filter(isDrawn)) {
            context.globalAlpha = alpha * strength(joint);
            drawMark(context, ["dots", [joint]], color, scale, width * 1.2);
        }
        context.globalAlpha = alpha;
    }

    const AXES = ["#ff5050", "#3cdc46", "#508cff"];

    function drawMark(context, mark, color, scale, width) {
        const [kind, ...values] = mark;
        context.beginPath();
        if (trace(context, mark, scale)) {
            // A dark rim, so that a colour is seen on any ground.
            context.strokeStyle = "rgba(0, 0, 0, 0.55)";
            context.lineWidth = width * 2;
            context.stroke();
            context.strokeStyle = kind === "path" ? "#ffff00" : color;
            context.lineWidth = width;
            context.stroke();
            return;
        }
        if (kind === "region") return drawRegion(context, ...values, color, scale);
        if (kind === "joints") return drawJoints(context, ...values, color, scale, width);
        if (kind === "axes") {
            const [origin, ...ends] = values;
            ends.forEach((end, axis) => drawMark(context, ["line", origin, end], AXES[axis], scale, width));
            return;
        }
        const points = kind === "dots" ? values[0] : kind === "pin" ? [values[0]] : [];
        for (const [x, y] of points) {
            for (const [style, radius] of [["rgba(0, 0, 0, 0.55)", 1.5], [kind === "pin" ? color : "#ffff00", 1]]) {
                context.fillStyle = style;
                context.beginPath();
                context.arc((x + CENTRE) * scale, (y + CENTRE) * scale, radius * width * (kind === "pin" ? 2.5 : 1), 0, 7);
                context.fill();
            }
        }
    }

    /** Black or white, whichever is read more easily on a colour. */
    function inkOn(color) {
        const [red, green, blue] = [1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16));
        return 0.299 * red + 0.587 * green + 0.114 * blue > 130 ? "#000" : "#fff";
    }

    function lineOf(observation, thing, about) {
        const words = [observation.label === thing.label ? thing.name : observation.label ?? thing.name];
        if (observation.track !== undefined) words.push(`#${observation.track}`);
        if (typeof observation.confidence === "number") words.push(observation.confidence.toFixed(2));
        const best = about.get(observation.track)?.labels?.[0];
        if (best?.label) words.push(`· ${best.label}`);
        return annotateReview.format.short(words.join(" "), 48);
    }

    /** Puts a label above its thing, below or inside, where none is yet; always within the picture. */
    function drawLabel(context, text, color, [left, top, right, bottom], size, taken) {
        const height = Math.round(size.font * 1.45);
        const width = Math.ceil(context.measureText(text).width + size.font * 0.7);
        const x = Math.max(0, Math.min(left, size.width - width));
        const places = [top - height - 2, bottom + 2, top + 2, top - 2 * height - 3, bottom + height + 3];
        const fits = (y) => y >= 0 && y + height <= size.height
            && !taken.some((other) => x < other[2] && x + width > other[0] && y < other[3] && y + height > other[1]);
        const y = places.find(fits) ?? Math.max(0, Math.min(places[0], size.height - height));
        const covered = [x, y, x + width, y + height];
        taken.push(covered);
        context.fillStyle = color;
        context.fillRect(x, y, width, height);
        context.fillStyle = inkOn(color);
        context.fillText(text, x + size.font * 0.35, y + height / 2);
        return covered;
    }

    /**
     * @param {CanvasRenderingContext2D} context Its canvas' pixels are the screen's.
     * @param {Object[]} observations Of one frame.
     * @param {Object} how things: the job's; scale: canvas pixels for a pixel of the picture; density: canvas pixels for one
     *     of CSS; hasTexts; isShown(thing); selected: index of a thing; size: the drawn picture's, canvas pixels.
     * @returns {Object[]} What can be pointed at, the topmost first: {thing: its index, place: [left, top, right, bottom],
     *     canvas pixels}; labels, then things, the smaller first.
     */
    function draw(context, observations, how) {
        const { things, scale, density } = how;
        const width = Math.max(1.5, Math.min(2, scale / density * 2)) * density;
        const shown = observations.filter((each) => things[each.thing] && how.isShown(things[each.thing]));
        const about = new Map(shown.filter((each) => each.of !== undefined && each.labels).map((each) => [each.of, each]));
        context.lineJoin = "miter";
        const captions = [];
        const outlines = [];
        for (const observation of shown) {
            const thing = things[observation.thing];
            const isChosen = thing.index === how.selected;
            const isSupposed = observation.state === "predicted" || observation.held === true;
            context.setLineDash(isSupposed ? [6 * density, 4 * density] : []);
            context.globalAlpha = how.selected !== null && how.selected !== undefined && !isChosen ? 0.45 : 1;
            // Masks lie under the outlines.
            const marks = [...marksOf(observation)].sort((a, b) => (b[0] === "region") - (a[0] === "region"));
            for (const mark of marks) drawMark(context, mark, thing.color, scale, isChosen ? width * 1.6 : width);
            const place = marksOf(observation).filter((mark) => !["dots", "path", "axes"].includes(mark[0])).map(boundsOf)
                .find(Boolean);
            const around = bounds(observation);
            if (around) outlines.push({ thing: thing.index, place: around.map((value) => value * scale) });
            if (!how.hasTexts || !place) continue;
            captions.push([lineOf(observation, thing, about), thing.color, place, context.globalAlpha, thing.index]);
        }
        context.setLineDash([]);
        const size = { ...how.size, font: FONT * density };
        context.font = `600 ${size.font}px system-ui, sans-serif`;
        context.textBaseline = "middle";
        const taken = [];
        const labels = [];
        for (const [text, color, place, alpha, thing] of captions) {
            context.globalAlpha = alpha;
            labels.push({ thing, place: drawLabel(context, text, color, place.map((value) => value * scale), size, taken) });
        }
        context.globalAlpha = 1;
        const area = ({ place: [left, top, right, bottom] }) => (right - left) * (bottom - top);
        return [...labels.reverse(), ...outlines.sort((a, b) => area(a) - area(b))];
    }

    /** Where lost things were seen last: a small cross, as they have no place. */
    function drawLost(context, things, index, scale) {
        const reach = 5 * (window.devicePixelRatio || 1);
        for (const thing of things) {
            const middle = thing.state(index) === "lost" ? thing.middle(index) : null;
            if (!middle) continue;
            const [x, y] = middle.map((value) => value * scale);
            for (const [color, width] of [["rgba(0, 0, 0, 0.6)", 0.8], [thing.color, 0.4]]) {
                context.strokeStyle = color;
                context.lineWidth = reach * width;
                context.beginPath();
                context.moveTo(x - reach, y - reach);
                context.lineTo(x + reach, y + reach);
                context.moveTo(x + reach, y - reach);
                context.lineTo(x - reach, y + reach);
                context.stroke();
            }
        }
    }

    return { draw, drawLost, bounds };
})();
