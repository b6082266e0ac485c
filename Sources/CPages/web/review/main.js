"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/** The page as a whole: which view is shown, what keys and buttons do, what is said aloud. */
annotateReview.app = (() => {
    const { element, find } = annotatePage;
    const { batch, remarks, format } = annotateReview;
    const commands = new Map(annotateReview.commands.map((command) => [command.id, command]));
    const KEYS_STORE = "annotate-review:keys";

    const list = new annotateReview.JobList();
    const jobView = new annotateReview.JobView();
    const sheet = new annotateReview.Sheet();
    const release = new annotateReview.ReleaseSheet();
    let viewName = "";

    // MARK: Saying

    const speak = annotatePage.throttled(400, () => { find("#live").textContent = spoken; });
    let spoken = "";

    /** For screen readers alone: where the page is. */
    function announce(sentence) {
        spoken = sentence;
        speak();
    }

    let timer = 0;
    /** For everyone, for a while. */
    function say(sentence) {
        const message = find("#message");
        message.textContent = format.short(sentence, 400);
        message.hidden = false;
        clearTimeout(timer);
        timer = setTimeout(() => { message.hidden = true; }, 6000);
    }

    // MARK: Going

    /** The fragment that is shown. */
    let known = "";

    function route() {
        known = location.hash;
        const parts = new URLSearchParams(location.hash.slice(1));
        const job = batch.job(parts.get("job"));
        const name = parts.has("job") ? "job" : ["sheet", "help", "release"].find((each) => parts.has(each)) ?? "list";
        if (name === "job" && !job) {
            say(`There is no job ${format.short(parts.get("job"))} in this batch.`);
            history.replaceState(null, "", "#");
            route();
            return;
        }
        const isNew = name !== viewName;
        viewName = name;
        document.body.dataset.view = name;
        for (const view of document.querySelectorAll("main > section")) view.hidden = view.id !== `view-${name}`;
        for (const link of document.querySelectorAll("nav a")) {
            if (link.dataset.view === name) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
        }
        const title = { list: "jobs", sheet: "moments to look at", help: "help", release: "release", job: job?.id }[name];
        document.title = `${format.short(title ?? "", 60)} – ${format.short(batch.name || "annotate-batch review", 60)}`;
        if (name !== "job") jobView.close();
        if (name === "sheet") {
            sheet.show();
            sheet.resume();
        } else sheet.hide();
        if (name === "release") release.show();
        if (name === "job") {
            const number = (key) => /^\d{1,15}$/.test(parts.get(key) ?? "") ? Number(parts.get(key)) : null;
            const wrong = ["frame", "track"].filter((key) => parts.has(key) && number(key) === null);
            const words = wrong.map((key) => `“${format.short(parts.get(key), 40)}” is no ${key}'s number.`);
            if (words.length) say(words.join(" "));
            jobView.open(job, number("frame"), number("track"), parts.get("figure"));
        }
        if (isNew) {
            window.scrollTo(0, 0);
            const heading = find(`#view-${name} h1, #view-${name} h2`);
            // A screen reader goes on where the new view begins; the first view is where it is anyway.
            if (document.readyState === "complete") heading?.focus({ preventScroll: true });
        }
    }

    function address(view) {
        const track = view.selected === null ? undefined : view.results.things[view.selected].track;
        return `#job=${encodeURIComponent(view.job.id)}&frame=${view.results.first + view.index}`
            + (track === undefined ? "" : `&track=${track}`);
    }

    /** The address names the frame, without a step of "back" for each. */
    function settle(view) {
        // Another place was asked for a moment ago, and is about to be gone to: it isn't written over.
        if (viewName !== "job" || !view.results || location.hash !== known) return;
        history.replaceState(null, "", address(view));
        known = location.hash;
    }

    function openNeighbour(direction) {
        const jobs = list.shown.includes(jobView.job) ? list.shown : batch.jobs;
        const next = jobs[jobs.indexOf(jobView.job) + direction];
        if (next) location.hash = `#job=${encodeURIComponent(next.id)}`;
        else say(direction > 0 ? "This is the last job." : "This is the first job.");
    }

    function openNextUnreviewed() {
        const start = batch.jobs.indexOf(jobView.job) + 1;
        const order = [...batch.jobs.slice(start), ...batch.jobs.slice(0, start)];
        const next = order.find((job) => job !== jobView.job && !remarks.isReviewed(job.id));
        if (next) location.hash = `#job=${encodeURIComponent(next.id)}`;
        else say(batch.jobs.length ? "Every other job is reviewed." : "There are no jobs.");
    }

    async function copyLink() {
        settle(jobView);
        try {
            await navigator.clipboard.writeText(location.href);
            say("The link is copied.");
        } catch {
            say("This browser copies nothing for this page: the address bar has the link.");
        }
    }

    function hideByHand(job, frame) {
        if (job && Number.isInteger(frame)) annotateReview.hiding.tell(job, frame, find("#hide-command"));
    }

    function leave() {
        if (viewName === "job" && jobView.selected !== null) jobView.select(null);
        else if (viewName !== "list") location.hash = "#";
    }

    // MARK: Remarks in and out

    function exportRemarks() {
        const blob = new Blob([remarks.exported()], { type: "application/json" });
        const link = element("a", { href: URL.createObjectURL(blob),
            download: `${(batch.name || "batch").replace(/[^\w.-]+/g, "-").slice(0, 80)}.remarks.json` });
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10000);
        say(`${format.counted(remarks.count, "remark")} and ${format.counted(remarks.reviewedCount, "reviewed job")} exported.`);
    }

    async function importRemarks(event) {
        const [file] = event.target.files;
        event.target.value = "";
        if (file) say(remarks.import(await file.text(), file.name));
    }

    function showRemarks() {
        find("#remark-count").textContent = remarks.count ? String(remarks.count) : "";
        find("#storage").textContent = remarks.problem ?? "";
        find("#storage").hidden = !remarks.problem;
    }

    // MARK: Keys and buttons

    let hasKeys = true;
    try { hasKeys = localStorage.getItem(KEYS_STORE) !== "off"; } catch { /* What isn't kept is on. */ }

    function run(command) {
        if (command.view && command.view !== viewName) return false;
        if (command.view === "job" && !jobView.results && !["next-job", "previous-job", "reviewed"].includes(command.id)) {
            return false;
        }
        command.run();
        return true;
    }

    /** Whoever types into a field, or chooses in one, means no command. */
    function isTyping(target, key) {
        if (target.closest("input[type=checkbox]")) return key === " ";
        if (target.closest("input[type=range]")) return ["Home", "End"].includes(key) || key.includes("Arrow");
        if (target.closest("input, select, textarea")) return true;
        return key === " " && target.closest("button, a, summary") !== null;
    }

    document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
        if (event.key === "Escape" && event.target.closest("input, select, textarea")) {
            event.target.blur();
            return;
        }
        const key = event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key;
        // One letter may be what a speaking user says by chance: letters can be switched off.
        if (isTyping(event.target, key) || (!hasKeys && key.length === 1 && key !== " ")) return;
        const command = annotateReview.commands.find((each) => each.keys.includes(key) && (!each.view || each.view === viewName));
        if (command && run(command)) event.preventDefault();
    });

    document.addEventListener("click", (event) => {
        const button = event.target.closest("button[data-command]");
        if (button) run(commands.get(button.dataset.command));
    });

    function fillHelp() {
        const row = (command) => element("tr", {},
            element("th", { scope: "row" }, ...command.keys.flatMap((key, number) =>
                [number ? " or " : null, element("kbd", {}, annotateReview.keyName(key))])),
            element("td", {}, command.doc),
            element("td", { className: "faint" }, { job: "in a job", sheet: "on the sheet" }[command.view] ?? "everywhere"));
        find("#keys tbody").append(...annotateReview.commands.map(row));
        const states = find("#states");
        states.append(...annotateReview.states.KINDS.map(({ state, doc }) => {
            const canvas = element("canvas", { className: "sample", "aria-hidden": "true" });
            canvas.dataset.state = state;
            return element("li", {}, canvas, ` ${state}: ${doc}`);
        }));
        const box = find("#use-keys");
        box.checked = hasKeys;
        box.addEventListener("change", () => {
            hasKeys = box.checked;
            try { localStorage.setItem(KEYS_STORE, hasKeys ? "on" : "off"); } catch { /* It holds for now. */ }
        });
    }

    function drawSamples() {
        const colors = annotateReview.Timeline.colors();
        for (const canvas of document.querySelectorAll(".sample")) {
            const context = annotateReview.Timeline.context(canvas, 44, 18);
            annotateReview.states.draw(context, canvas.dataset.state, 2, 4, 40, 10, colors);
        }
    }

    function begin() {
        find("#batch-name").textContent = format.short(batch.name || "review", 60);
        find("#generator").textContent = batch.generator ?? "";
        find("#sheet-count").textContent = sheet.total ? String(sheet.total) : "";
        for (const button of document.querySelectorAll("button[data-command]:not([title])")) {
            const [key] = commands.get(button.dataset.command).keys;
            button.title = `${commands.get(button.dataset.command).doc} (${annotateReview.keyName(key)})`;
        }
        fillHelp();
        drawSamples();
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
            drawSamples();
            for (const part of [jobView.lanes, jobView.plots]) part.redraw();
        });
        find("#import").addEventListener("change", importRemarks);
        find("#reset").addEventListener("click", () => list.reset());
        find("#reviewed").addEventListener("change", (event) => {
            if (jobView.job) remarks.setReviewed(jobView.job.id, event.target.checked);
        });
        remarks.onChange(showRemarks);
        showRemarks();
        window.addEventListener("hashchange", route);
        // What was never scrolled to is on paper all the same.
        window.addEventListener("beforeprint", () => {
            const unseen = document.querySelectorAll("main > section:not([hidden]) img[loading=lazy]");
            for (const image of unseen) image.loading = "eager";
        });
        find("#release-link").hidden = !release.isWanted;
        if (release.isWanted && !location.hash) history.replaceState(null, "", "#release");
        route();
    }

    return {
        sheet, begin, say, announce, settle, openNeighbour, openNextUnreviewed, copyLink, hideByHand, leave, exportRemarks, jobView, list,
        get viewName() { return viewName; },
        search() {
            if (viewName !== "list") location.hash = "#";
            // The view is shown by the time that the hash has changed.
            setTimeout(() => find("#job-search").focus());
        },
        toggleReviewed() { remarks.setReviewed(jobView.job.id, !remarks.isReviewed(jobView.job.id)); },
    };
})();

annotateReview.app.begin();
