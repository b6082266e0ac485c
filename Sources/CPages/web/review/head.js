"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/** What is said of a job as a whole, above its picture. */
annotateReview.head = {
    /**
     * What doesn't hold of an expectation, figure by figure.
     * @returns {Object[]} { text, figure, frame, time, track }: the sentence, the figure's name, and the moment at which it is
     *     worst, each left out where there is none.
     */
    failures(expected) {
        const { frame, time, evidence } = expected;
        if (expected.holds) return [];
        // Reports of earlier versions say one moment for all.
        if (!evidence?.length) return [{ text: expected.complaints?.join("; ") || expected.text, frame, time }];
        const all = evidence.map(({ complaint, ...each }) => ({ ...each, text: complaint }));
        // Where none has a moment of its own there may be one to look at all the same: where it was seen last, say.
        if (all.every((each) => each.frame === undefined)) Object.assign(all[0], { frame, time });
        return all;
    },

    /** The address of a failure's moment, with its track and its figure. */
    address(job, { frame, track, figure }) {
        return `#job=${encodeURIComponent(job.id)}&frame=${frame}${track === undefined ? "" : `&track=${track}`}`
            + (figure === undefined ? "" : `&figure=${encodeURIComponent(figure)}`);
    },

    /** A link to a failure's moment; null where there is none. */
    link(job, failure) {
        if (failure.frame === undefined) return null;
        return annotatePage.element("a", { href: annotateReview.head.address(job, failure) },
            `frame ${failure.frame}${failure.track === undefined ? "" : `, track ${failure.track}`}`);
    },

    show(job) {
        const { element, find } = annotatePage;
        const { format } = annotateReview;
        const name = find("#job-title");
        name.textContent = format.short(job.id, 80);
        name.title = job.id;
        const facts = [
            job.input === undefined ? null : format.short(job.input, 80),
            job.size ? `${job.size[0]} × ${job.size[1]}` : null,
            job.rate ? `${Math.round(job.rate[0] / job.rate[1] * 1000) / 1000} frames/s` : null,
            job.frames === undefined ? null : format.counted(job.frames, "frame"),
            job.duration === undefined ? null : format.time(job.duration, 1),
            job.tracks === undefined ? null : format.counted(job.tracks, "track"),
            job.seen === undefined ? null : `in sight ${format.percent(job.seen)}`,
        ].filter(Boolean);
        find("#job-facts").replaceChildren(annotateReview.statusBadge(job), ` ${facts.join(" · ")}`);
        const said = [];
        if (job.error) said.push(["bad", job.error]);
        if (job.unreadable) said.push(["bad", job.unreadable]);
        for (const expected of job.expectations ?? []) {
            const failures = annotateReview.head.failures(expected);
            if (expected.holds) said.push(["good", `✓ ${expected.text}`]);
            else if (failures.length === 1) {
                const [{ text }] = failures;
                said.push(["bad", text === expected.text ? `✗ ${text}` : `✗ ${expected.text}: ${text}`, failures[0]]);
            } else {
                said.push(["bad", `✗ ${expected.text}`]);
                for (const failure of failures) said.push(["bad failure", failure.text, failure]);
            }
        }
        for (const { stage, id, tracks, seen, longestGap, spans } of (job.ids ?? []).slice(0, 20)) {
            const text = `${stage}, id ${id}: seen in ${format.counted(seen, "frame")} under ${format.counted(tracks.length, "track")}`
                + (longestGap > 0 ? `, longest gap ${format.time(longestGap, 2)}` : "");
            said.push(["", text, spans.length > 1 ? { frame: spans[0][1] + 1 } : undefined]);
        }
        for (const note of job.notes ?? []) said.push(["", note]);
        find("#job-notes").replaceChildren(...said.map(([className, text, place]) =>
            element("li", { className, title: text }, format.short(text, 400), place ? " " : null,
                place ? annotateReview.head.link(job, place) : null)));
        find("#reviewed").checked = annotateReview.remarks.isReviewed(job.id);
    },
};

/** A job's status: a word in a colour. */
annotateReview.statusBadge = (job) => annotatePage.element(
    "span", { className: `badge ${job.status}` }, String(job.status ?? "unknown").replaceAll("-", " "));
