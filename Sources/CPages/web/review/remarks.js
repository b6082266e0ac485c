"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/**
 * What the reviewer says: kept in the browser under the batch's key, with what the page was given.
 *
 * There is one remark for each frame and track: who marks it again changes it.
 */
annotateReview.remarks = (() => {
    const batch = annotateReview.batch;
    const STORE = `annotate-review:${batch.key}`;
    const MARKS = ["right", "wrong", "unsure"];
    const LONGEST = 10000;

    let all = new Map();
    let reviewed = new Set();
    /** What is decided of jobs before a release. */
    const decisions = new Map();
    const DECISIONS = ["release", "again", "withhold"];
    /** What was taken back of what the page was given: it would come back with the next opening. */
    let gone = new Set();
    let storageProblem = null;
    const listeners = [];

    const keyOf = (remark) => JSON.stringify([remark.job, remark.frame, remark.track ?? null]);

    /** A remark of a file or of the store as it should be; null for what isn't one. */
    function sound(remark) {
        if (remark === null || typeof remark !== "object" || typeof remark.job !== "string") return null;
        if (!Number.isSafeInteger(remark.frame) || remark.frame < 0) return null;
        const text = typeof remark.text === "string" ? remark.text.slice(0, LONGEST) : "";
        const mark = MARKS.includes(remark.mark) ? remark.mark : undefined;
        if (!mark && !text) return null;
        return {
            job: remark.job, frame: remark.frame, time: Number.isFinite(remark.time) ? remark.time : 0,
            ...(Number.isSafeInteger(remark.track) ? { track: remark.track } : {}), ...(mark ? { mark } : {}), text,
        };
    }

    const contentsOf = (file) => (file.contents !== null && typeof file.contents === "object" ? file.contents : {});

    /** Ids of the jobs of whose videos a file and this page know what they hold. */
    const sameJobs = (file) => Object.keys(contentsOf(file)).filter((job) => Object.hasOwn(batch.contents, job)).sort();

    /** Those of them whose videos are others: what the file says of them is left out. */
    const strangers = (file) => sameJobs(file).filter((job) => contentsOf(file)[job] !== batch.contents[job]);

    /** Why a file of remarks is of another batch; null for one of this batch. The command line judges alike. */
    function whyOther(file) {
        const short = (text) => text.slice(0, 80);
        const [known, others] = [sameJobs(file), strangers(file)];
        if (known.length > 0) {
            return others.length < known.length
                ? null : `is of another batch: the video of its job “${short(others[0])}” isn't this one's`;
        }
        if (typeof file.manifest === "string" && batch.manifest && file.manifest !== batch.manifest) {
            return `is of the manifest “${short(file.manifest)}”, and this page is of “${batch.manifest}”`;
        }
        if (typeof file.batch === "string" && file.batch !== batch.name) {
            return `is of the batch “${short(file.batch)}”, and this page is of “${batch.name}”`;
        }
        return null;
    }

    const isJob = (id) => batch.jobs.some((job) => job.id === id);

    function merge(given, isOurs, others = []) {
        const isMeant = (id) => isJob(id) && !others.includes(id);
        let count = 0;
        for (const remark of (Array.isArray(given?.remarks) ? given.remarks : []).map(sound)) {
            if (!remark || !isMeant(remark.job)) continue;
            const key = keyOf(remark);
            if (!isOurs && (all.has(key) || gone.has(key))) continue;
            all.set(key, remark);
            gone.delete(key);
            count += 1;
        }
        for (const id of Array.isArray(given?.reviewed) ? given.reviewed : []) {
            if (typeof id !== "string" || !isMeant(id) || (!isOurs && gone.has(`reviewed ${id}`))) continue;
            reviewed.add(id);
            gone.delete(`reviewed ${id}`);
        }
        for (const one of Array.isArray(given?.decisions) ? given.decisions : []) {
            if (typeof one?.job !== "string" || others.includes(one.job) || !DECISIONS.includes(one.decision)) continue;
            if (!isOurs && decisions.has(one.job)) continue;
            const text = typeof one.text === "string" ? one.text.slice(0, LONGEST) : "";
            decisions.set(one.job, { decision: one.decision, text, ...(typeof one.video === "string" ? { video: one.video } : {}) });
        }
        return count;
    }

    /** Each with the video that was looked at: another one may be there by the time that somebody reads it. */
    const decided = () => [...decisions]
        .map(([job, { decision, text, video }]) => ({ job, decision, ...(text ? { text } : {}), ...(video ? { video } : {}) }))
        .sort((a, b) => (a.job < b.job ? -1 : a.job > b.job ? 1 : 0));

    function load() {
        try {
            const kept = JSON.parse(localStorage.getItem(STORE) ?? "{}");
            gone = new Set(Array.isArray(kept.gone) ? kept.gone : []);
            merge(kept, true);
            gone = new Set(Array.isArray(kept.gone) ? kept.gone : []);
        } catch (error) {
            storageProblem = error instanceof SyntaxError
                ? "What this browser kept of your remarks can't be read: import the file that you exported."
                : "This browser keeps nothing for this page: export your remarks before you close it.";
        }
        merge(batch.remarks, false);
    }

    function changed() {
        try {
            localStorage.setItem(STORE, JSON.stringify({
                reviewed: [...reviewed], remarks: [...all.values()], gone: [...gone], decisions: decided() }));
            storageProblem = null;
        } catch {
            storageProblem = "This browser keeps nothing for this page: export your remarks before you close it.";
        }
        for (const listener of listeners) listener();
    }

    load();

    return {
        MARKS,
        /** A sentence where remarks aren't kept; null where all is well. */
        get problem() { return storageProblem; },
        onChange(listener) { listeners.push(listener); },

        get: (job, frame, track) => all.get(keyOf({ job, frame, track })),
        ofJob: (job) => [...all.values()].filter((remark) => remark.job === job).sort((a, b) => a.frame - b.frame),
        get count() { return all.size; },

        /** Says something of a frame, or of a track there; with neither mark nor text takes it back. */
        set(remark) {
            const key = keyOf(remark);
            const clean = sound(remark);
            if (clean) {
                all.set(key, clean);
                gone.delete(key);
            } else {
                all.delete(key);
                gone.add(key);
            }
            changed();
        },

        decision: (job) => decisions.get(job),
        decide(job, decision, text) {
            const video = batch.jobs.find((one) => one.id === job)?.videoHash;
            decisions.set(job, { decision, text: (text ?? "").slice(0, LONGEST), ...(video ? { video } : {}) });
            changed();
        },

        isReviewed: (job) => reviewed.has(job),
        get reviewedCount() { return batch.jobs.filter((job) => reviewed.has(job.id)).length; },
        setReviewed(job, value) {
            if (value) reviewed.add(job); else reviewed.delete(job);
            if (value) gone.delete(`reviewed ${job}`); else gone.add(`reviewed ${job}`);
            changed();
        },

        /** The file that `review --remarks` takes. */
        exported() {
            const order = new Map(batch.jobs.map((job, index) => [job.id, index]));
            const place = (remark) => order.get(remark.job) ?? order.size;
            const contents = Object.fromEntries(
                [...new Set([...[...all.values()].map((remark) => remark.job), ...reviewed, ...decisions.keys()])].sort()
                    .filter((job) => Object.hasOwn(batch.contents, job)).map((job) => [job, batch.contents[job]]));
            const remarks = [...all.values()].sort(
                (a, b) => place(a) - place(b) || a.frame - b.frame || (a.track ?? 0) - (b.track ?? 0));
            return JSON.stringify({
                format: "annotate-review", version: 1, generator: batch.generator, batch: batch.name,
                ...(batch.manifest ? { manifest: batch.manifest } : {}), contents,
                reviewed: [...reviewed].sort(), ...(decisions.size ? { decisions: decided() } : {}), remarks }, null, 1) + "\n";
        },

        /** Takes an exported file; gives a sentence about what came of it. */
        import(text, name) {
            let file;
            try {
                file = JSON.parse(text);
            } catch {
                return `${name} is no JSON: choose a file that this page exported.`;
            }
            if (file?.format !== "annotate-review") return `${name} holds no remarks: choose a file that this page exported.`;
            if (file.version !== 1) return `${name} has version ${file.version}, and this page reads 1: make the page anew.`;
            const other = whyOther(file);
            if (other) return `${name} ${other}: choose the file that this batch's page exported.`;
            const given = Array.isArray(file.remarks) ? file.remarks : [];
            const others = strangers(file);
            const count = merge(file, true, others);
            changed();
            const strange = given.filter((remark) => sound(remark) && !isJob(remark.job)).length;
            const foreign = given.filter((remark) => sound(remark) && others.includes(remark.job)).length;
            const left = given.length - count - strange - foreign;
            return `${count} of ${given.length} remarks of ${name} taken`
                + (strange ? `; ${strange} of jobs that this batch hasn't left out` : "")
                + (foreign ? `; ${foreign} of other videos than this batch's left out` : "")
                + (left ? `; ${left} say nothing that can be read.` : ".");
        },
    };
})();
