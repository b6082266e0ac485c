"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/** What is known of the whole batch, and the jobs' own data when they are opened. */
annotateReview.batch = (() => {
    /** Data that a script beside the page has handed over. */
    const taken = new Map();
    const opened = new Map();
    /** Jobs whose data are held at a time: the one that is looked at, and those of the contact sheet around it. */
    const MOST_OPEN = 3;

    const document_ = (() => {
        const element = document.getElementById("batch");
        // The page as it stands in the sources, without data.
        if (!element) return { jobs: [], kinds: {}, name: "", generator: "", key: "none", doubtful: 0.5 };
        const read = JSON.parse(element.textContent);
        return { kinds: {}, doubtful: 0.5, ...read, jobs: read.jobs ?? [] };
    })();
    const byId = new Map(document_.jobs.map((job) => [job.id, job]));

    function loadScript(source) {
        return new Promise((resolve, reject) => {
            const script = document.createElement("script");
            script.src = source;
            script.onload = () => resolve();
            script.onerror = () => reject(new Error(
                `${decodeURI(source)} isn't there: it has to lie beside this page, as it did when the page was made.`));
            document.head.append(script);
            script.remove();
        });
    }

    async function load(job) {
        if (!job.data) throw new Error(job.unreadable ?? "This job has no track file: there is nothing to show of its frames.");
        if (job.data.element) {
            const element = document.getElementById(job.data.element);
            if (!element) throw new Error(`The page lacks the data of ${job.id}: make it anew.`);
            return JSON.parse(element.textContent);
        }
        const before = new Set(taken.keys());
        await loadScript(job.data.src);
        const key = [...taken.keys()].find((key) => !before.has(key));
        if (key === undefined) throw new Error(`${decodeURI(job.data.src)} holds no job's data: make the page anew.`);
        const packed = taken.get(key);
        taken.delete(key);
        return packed;
    }

    // One after the other: a script beside the page doesn't say whose it is.
    let queue = Promise.resolve();

    return {
        ...document_,

        job: (id) => byId.get(id),

        /** Called by the scripts beside the page. */
        take(key, packed) { taken.set(key, packed); },

        /** The job's results; rejects with a sentence where they can't be read. */
        open(job) {
            let promise = opened.get(job.id);
            if (!promise) {
                promise = queue.then(() => load(job)).then((packed) => annotateReview.Results.unpacked(job, packed));
                queue = promise.catch(() => {});
                promise.catch(() => opened.delete(job.id));
            }
            // The one asked for last is at the end.
            opened.delete(job.id);
            opened.set(job.id, promise);
            while (opened.size > MOST_OPEN) opened.delete(opened.keys().next().value);
            return promise;
        },
    };
})();

annotateReview.take = annotateReview.batch.take;
