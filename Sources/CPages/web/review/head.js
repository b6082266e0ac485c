"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/** What is said of a job as a whole, above its picture. */
annotateReview.head = {
    /** What doesn't hold of an expectation. */
    complaint: (expected) => expected.complaints?.length ? `${expected.text}: ${expected.complaints.join("; ")}` : expected.text,

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
            const text = expected.holds ? `✓ ${expected.text}` : `✗ ${annotateReview.head.complaint(expected)}`;
            said.push([expected.holds ? "good" : "bad", text, expected.frame]);
        }
        for (const { stage, id, tracks, seen, longestGap, spans } of (job.ids ?? []).slice(0, 20)) {
            const text = `${stage}, id ${id}: seen in ${format.counted(seen, "frame")} under ${format.counted(tracks.length, "track")}`
                + (longestGap > 0 ? `, longest gap ${format.time(longestGap, 2)}` : "");
            said.push(["", text, spans.length > 1 ? spans[0][1] + 1 : undefined]);
        }
        for (const note of job.notes ?? []) said.push(["", note]);
        find("#job-notes").replaceChildren(...said.map(([className, text, frame]) =>
            element("li", { className, title: text }, format.short(text, 400), frame === undefined ? null : " ",
                frame === undefined ? null : element("a", { href: `#job=${encodeURIComponent(job.id)}&frame=${frame}` },
                    `frame ${frame}`))));
        find("#reviewed").checked = annotateReview.remarks.isReviewed(job.id);
    },
};

/** A job's status: a word in a colour. */
annotateReview.statusBadge = (job) => annotatePage.element(
    "span", { className: `badge ${job.status}` }, String(job.status ?? "unknown").replaceAll("-", " "));
