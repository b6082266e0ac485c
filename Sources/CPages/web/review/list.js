"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/** The table of all jobs. */
annotateReview.JobList = class JobList {
    #rows;
    #order = { column: null, isUp: true };
    #filters = { stage: "", label: "", state: "", status: "", review: "", search: "" };

    /** Lines of what is wrong with a job; its own view has all. */
    static #MOST_PROBLEMS = 8;

    static #COLUMNS = [
        { name: "Job", value: (job) => job.id, isText: true },
        { name: "Status", value: (job) => job.status ?? "", isText: true },
        { name: "Duration", value: (job) => job.duration },
        { name: "Frames", value: (job) => job.frames },
        { name: "Tracks", value: (job) => job.tracks },
        { name: "In sight", value: (job) => job.seen },
        { name: "Losses", value: (job) => job.losses },
        { name: "Doubtful", value: (job) => job.doubtful },
        { name: "To look at", value: (job) => job.moments ? annotateReview.moments.count(job) : undefined },
        { name: "Expectations", value: (job) => job.expectations?.length
            ? -job.expectations.filter((each) => !each.holds).length : undefined },
        { name: "Remarks", value: (job) => annotateReview.remarks.ofJob(job.id).length },
        { name: "Reviewed", value: (job) => annotateReview.remarks.isReviewed(job.id) ? 1 : 0 },
    ];

    constructor() {
        const { element, find } = annotatePage;
        const { batch } = annotateReview;
        this.#rows = batch.jobs.map((job, number) => ({ job, number, row: null, text: JobList.#text(job) }));
        find("#jobs thead tr").append(...JobList.#COLUMNS.map((column, number) => element("th", { scope: "col",
            className: column.isText ? "" : "number" },
        element("button", { type: "button", className: "sort", onclick: () => this.#sortBy(number) }, column.name))));
        this.#fillFilters();
        find("#jobs tbody").addEventListener("change", (event) => {
            const { job } = event.target.dataset;
            if (job !== undefined) annotateReview.remarks.setReviewed(job, event.target.checked);
        });
        find("#jobs tbody").addEventListener("click", (event) => {
            if (event.target.closest("a, input, button, label")) return;
            const link = event.target.closest("tr")?.querySelector("a");
            if (link) location.hash = link.hash;
        });
        for (const each of this.#rows) each.row = this.#row(each.job);
        annotateReview.remarks.onChange(() => this.#showRemarks());
        find("#job-search").addEventListener("input", (event) => {
            this.#filters.search = event.target.value.trim().toLowerCase();
            this.#fill();
        });
        this.#fill();
    }

    static #text(job) {
        return [job.id, job.input, job.error, job.found, job.unreadable, ...(job.labels ?? []), ...(job.notes ?? [])]
            .filter(Boolean).join("\n").toLowerCase();
    }

    #fillFilters() {
        const { element, find } = annotatePage;
        const jobs = annotateReview.batch.jobs;
        const values = {
            stage: (job) => (job.stages ?? []).map((stage) => stage.id), label: (job) => job.labels ?? [],
            state: (job) => job.states ?? [], status: (job) => [job.status ?? "unknown"],
        };
        for (const [name, of] of Object.entries(values)) {
            const counts = new Map();
            for (const job of jobs) for (const value of new Set(of(job))) counts.set(value, (counts.get(value) ?? 0) + 1);
            const select = find(`#filter-${name}`);
            select.replaceChildren(element("option", { value: "" }, "all"), ...[...counts].sort().slice(0, 500).map(
                ([value, count]) => element("option", { value }, `${annotateReview.format.short(value, 40)} (${count})`)));
            this.#filters[`of-${name}`] = of;
        }
        for (const name of [...Object.keys(values), "review"]) {
            find(`#filter-${name}`).addEventListener("change", (event) => {
                this.#filters[name] = event.target.value;
                this.#fill();
            });
        }
    }

    /** Takes all filters away. */
    reset() {
        for (const name of ["stage", "label", "state", "status", "review"]) {
            this.#filters[name] = "";
            annotatePage.find(`#filter-${name}`).value = "";
        }
        this.#filters.search = "";
        annotatePage.find("#job-search").value = "";
        this.#fill();
    }

    #isShown({ job, text }) {
        const filters = this.#filters;
        if (filters.search && !text.includes(filters.search)) return false;
        if (filters.review && (filters.review === "done") !== annotateReview.remarks.isReviewed(job.id)) return false;
        return ["stage", "label", "state", "status"].every(
            (name) => !filters[name] || filters[`of-${name}`](job).includes(filters[name]));
    }

    #sortBy(column) {
        this.#order = { column, isUp: this.#order.column === column ? !this.#order.isUp : true };
        this.#fill();
    }

    /** The jobs in the order that is shown. */
    get shown() { return this.#sorted().filter((each) => this.#isShown(each)).map((each) => each.job); }

    #sorted() {
        const { column, isUp } = this.#order;
        if (column === null) return this.#rows;
        const { value, isText } = JobList.#COLUMNS[column];
        const order = new Intl.Collator("en", { numeric: true });
        return this.#rows.map((each) => [value(each.job), each]).sort(([a, first], [b, second]) => {
            // What has no value is last, whichever way it goes.
            if (a === undefined || b === undefined) return (a === undefined) - (b === undefined) || first.number - second.number;
            const difference = isText ? order.compare(a, b) : a - b;
            return (isUp ? difference : -difference) || first.number - second.number;
        }).map(([, each]) => each);
    }

    #fill() {
        const { find } = annotatePage;
        const heads = document.querySelectorAll("#jobs thead th");
        heads.forEach((head, number) => {
            const { column, isUp } = this.#order;
            if (number === column) head.setAttribute("aria-sort", isUp ? "ascending" : "descending");
            else head.removeAttribute("aria-sort");
        });
        const rows = this.#sorted();
        const shown = rows.filter((each) => this.#isShown(each));
        find("#jobs tbody").replaceChildren(...shown.map((each) => each.row));
        this.#showRemarks();
        find("#jobs-none").textContent = rows.length === 0 ? "There are no jobs in this folder's report."
            : shown.length === 0 ? "No job is like this: take a filter away." : "";
        this.#showTotals(shown.map((each) => each.job), rows.length);
    }

    #showTotals(jobs, all) {
        const { format } = annotateReview;
        const sum = (value) => jobs.reduce((total, job) => total + (value(job) ?? 0), 0);
        const failed = jobs.filter((job) => job.status === "failed").length;
        const parts = [
            jobs.length === all ? format.counted(all, "job") : `${jobs.length} of ${format.counted(all, "job")}`,
            failed ? `${failed} failed` : null, format.counted(sum((job) => job.frames), "frame"),
            format.time(sum((job) => job.duration), 0), format.counted(sum((job) => job.tracks), "track"),
            format.counted(sum((job) => job.losses), "loss", "losses"),
            `${format.count(sum((job) => job.doubtful))} doubtful`,
            `${format.counted(sum((job) => job.moments ? annotateReview.moments.count(job) : 0), "moment")} to look at`,
            `${annotateReview.remarks.reviewedCount} of ${all} reviewed`,
        ];
        annotatePage.find("#totals").textContent = parts.filter(Boolean).join(" · ");
    }

    #row(job) {
        const { element } = annotatePage;
        const { format } = annotateReview;
        const number = (value, text = format.count) => element("td", { className: "number" },
            value === undefined ? "–" : text(value));
        const failing = (job.expectations ?? []).filter((each) => !each.holds);
        const thumbnail = job.thumbnail
            ? element("img", { src: job.thumbnail, alt: "", loading: "lazy", width: 96, className: "thumbnail" }) : null;
        const problems = [
            job.error, job.unreadable, ...failing.flatMap((each) => annotateReview.head.failures(each))].filter(Boolean)
            .map((each) => typeof each === "string" ? { text: each } : { ...each, text: `✗ ${each.text}` });
        return element("tr", {},
            element("th", { scope: "row" }, element("div", { className: "job-cell" }, thumbnail, element("div", {},
                element("a", { href: `#job=${encodeURIComponent(job.id)}`, title: job.id, dir: "auto" },
                    format.short(job.id, 48)),
                element("div", { className: "faint", title: job.input ?? "", dir: "auto" }, format.short(job.input ?? "", 60)),
                ...problems.slice(0, JobList.#MOST_PROBLEMS).map((each) => element("div", { className: "bad", title: each.text },
                    format.short(each.text, 200), " ", annotateReview.head.link(job, each))),
                problems.length > JobList.#MOST_PROBLEMS ? element("div", { className: "bad" },
                    `and ${problems.length - JobList.#MOST_PROBLEMS} more`) : null,
                ...(job.notes ?? []).slice(0, 3).map((text) => element("div", { className: "faint note", title: text },
                    format.short(text, 140)))))),
            element("td", {}, annotateReview.statusBadge(job)),
            number(job.duration, (seconds) => format.time(seconds, 1)), number(job.frames), number(job.tracks),
            number(job.seen, format.percent), number(job.losses), number(job.doubtful),
            number(job.moments ? annotateReview.moments.count(job) : undefined),
            element("td", { className: `number ${failing.length ? "bad" : ""}` }, job.expectations?.length
                ? `${job.expectations.length - failing.length} of ${job.expectations.length}` : "–"),
            element("td", { className: "number remarks" }),
            element("td", { className: "number" }, element("input", { type: "checkbox", data: { job: job.id },
                "aria-label": `${format.short(job.id, 48)} is reviewed` })));
    }

    #showRemarks() {
        const counts = new Map();
        for (const { job } of this.#rows) counts.set(job.id, annotateReview.remarks.ofJob(job.id).length);
        for (const { job, row } of this.#rows) {
            row.querySelector(".remarks").textContent = counts.get(job.id) || "–";
            row.querySelector("input").checked = annotateReview.remarks.isReviewed(job.id);
        }
    }
};
