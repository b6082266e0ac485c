"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/** How states look in lanes: each a colour and a pattern, as not everybody tells colours apart. */
annotateReview.states = (() => {
    const KINDS = [
        { state: "seen", doc: "seen" },
        { state: "seeded", doc: "seeded by hand" },
        { state: "tracked", doc: "tracked" },
        { state: "recovered", doc: "found again" },
        { state: "predicted", doc: "supposed" },
        { state: "held", doc: "carried over" },
        { state: "lost", doc: "lost" },
    ];
    const COLORS = { tracked: "state-seen", ended: "faint" };

    const colorName = (state) => COLORS[state] ?? (KINDS.some((kind) => kind.state === state) ? `state-${state}` : "state-seen");

    /** Draws one run from x to x + width. */
    function draw(context, state, x, y, width, height, colors) {
        const color = colors[colorName(state)];
        context.fillStyle = color;
        context.strokeStyle = color;
        context.lineWidth = 1;
        if (state === "lost") {
            // Hollow, with a line through it.
            context.strokeRect(x + 0.5, y + 0.5, Math.max(width - 1, 0.5), height - 1);
            context.fillRect(x, y + height / 2 - 1, width, 2);
        } else if (state === "predicted" || state === "held" || state === "ended") {
            context.globalAlpha *= 0.35;
            context.fillRect(x, y, width, height);
            context.globalAlpha /= 0.35;
            hatch(context, x, y, width, height, state === "predicted" ? 5 : 0);
        } else {
            context.fillRect(x, y, width, height);
            // Where it was seeded or found again, a tall bar begins it.
            if (state === "seeded" || state === "recovered") context.fillRect(x, y - 3, 2, height + 6);
        }
    }

    /** Slanted lines; upright dots for a slant of nothing. */
    function hatch(context, x, y, width, height, slant) {
        context.save();
        context.beginPath();
        context.rect(x, y, width, height);
        context.clip();
        context.beginPath();
        // From a common origin, so that runs side by side look as one.
        for (let place = Math.floor((x - height) / 5) * 5; place < x + width + height; place += 5) {
            context.moveTo(place, y + height);
            context.lineTo(place + slant, slant ? y : y + height / 2);
        }
        context.stroke();
        context.restore();
    }

    return { KINDS, draw };
})();
