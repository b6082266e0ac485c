"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/** The contact sheet: every moment to look at of all jobs with its picture, for people who have to be sure. */
annotateReview.Sheet = class Sheet {
    /** Cards made at a time. */
    static #PAGE = 120;

    #all = [];
    #limit = Sheet.#PAGE;
    #isFilled = false;
    #watcher;
    #orders = new Map();
    /** Whether pictures are wanted of all cards, as for paper, and not only of those in sight. */
    #wantsAll = false;
    /** Asks whether printing can begin; 0 where none is waited for. */
    #timer = 0;

    constructor() {
        const { element, find } = annotatePage;
        const kinds = new Map();
        const jobs = [];
        for (const job of annotateReview.batch.jobs) {
            if (job.moments?.length || annotateReview.moments.expected(job).length) jobs.push(job);
            for (const moment of [...job.moments ?? [], ...annotateReview.moments.expected(job)].sort((a, b) => a.index - b.index)) {
                this.#all.push({ job, moment });
                kinds.set(moment.what, (kinds.get(moment.what) ?? 0) + 1);
            }
        }
        find("#sheet-kind").append(...[...kinds].map(([what, count]) => element("option", { value: what },
            `${annotateReview.moments.name(what)} (${count})`)));
        find("#sheet-job").append(...jobs.map((job) => element("option", { value: job.id },
            `${annotateReview.format.short(job.id, 40)} (${(job.moments?.length ?? 0) + annotateReview.moments.expected(job).length})`)));
        for (const name of ["kind", "job", "open", "order"]) {
            find(`#sheet-${name}`).addEventListener("change", () => {
                this.#limit = Sheet.#PAGE;
                this.#fill();
            });
        }
        find("#sheet-more").addEventListener("click", () => {
            this.#limit += Sheet.#PAGE;
            this.#fill();
        });
        this.#watcher = new IntersectionObserver((entries) => {
            for (const { target, isIntersecting } of entries) {
                const order = this.#orders.get(target);
                if (!order) continue;
                order.isSeen = isIntersecting;
                if (isIntersecting && !order.isAsked) this.#ask(order);
            }
        }, { rootMargin: "200px" });
        annotateReview.remarks.onChange(() => this.#showMarks());
        window.addEventListener("beforeprint", () => this.#preparePrint());
        document.addEventListener("keydown", (event) => {
            const isPrint = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
                && event.key.toLowerCase() === "p";
            if (!isPrint || annotateReview.app.viewName !== "sheet" || !this.#undrawn.length) return;
            event.preventDefault();
            this.print();
        });
    }

    get count() { return this.#all.length; }

    /** How many there are with those that the page leaves out. */
    get total() { return annotateReview.batch.jobs.reduce((sum, job) => sum + annotateReview.moments.count(job), 0); }

    /** The card that keys are about: the one that has the focus, or the first. */
    #current() {
        const cards = [...document.querySelectorAll("#cards .card")];
        const focused = document.activeElement?.closest("#cards .card");
        return { cards, card: focused ?? null, index: focused ? cards.indexOf(focused) : -1 };
    }

    /** Goes on by cards, or by rows of them. */
    go(columns, rows) {
        const { cards, index } = this.#current();
        if (!cards.length) return;
        // As many as lie beside the first one.
        const wide = Math.max(cards.filter((card) => card.offsetTop === cards[0].offsetTop).length, 1);
        const next = index < 0 ? 0 : index + columns + rows * wide;
        const card = cards[Math.min(Math.max(next, 0), cards.length - 1)];
        card.querySelector("a").focus();
        card.scrollIntoView({ block: "nearest" });
    }

    /** Marks the card that has the focus. */
    mark(kind) {
        const { card } = this.#current();
        if (!card) annotateReview.app.say("Choose a moment first: with the arrow keys, or Tab.");
        else this.#toggle(card.annotateMoment.job, card.annotateMoment.moment, kind);
    }

    show() {
        if (!this.#isFilled) this.#fill();
        this.#isFilled = true;
    }

    hide() {
        this.#stopWaiting();
        annotateReview.cardPainter.close();
    }

    #shown() {
        const value = (name) => annotatePage.find(`#sheet-${name}`).value;
        const [kind, job, isOpen] = [value("kind"), value("job"), annotatePage.find("#sheet-open").checked];
        const chosen = this.#all.filter((each) => (!kind || each.moment.what === kind) && (!job || each.job.id === job)
            && (!isOpen || !(this.#remark(each) ?? this.#remarkOfFrame(each))));
        if (value("order") === "confidence") {
            chosen.sort((a, b) => (a.moment.confidence ?? 2) - (b.moment.confidence ?? 2));
        }
        return chosen;
    }

    /** What is said of a card: of its track where it has one, else of its frame. */
    #remark({ job, moment }) { return annotateReview.remarks.get(job.id, moment.frame, moment.track); }

    /** What is said of the whole frame of a card that is about a track; undefined for nothing. */
    #remarkOfFrame({ job, moment }) {
        return moment.track === undefined ? undefined : annotateReview.remarks.get(job.id, moment.frame, undefined);
    }

    #fill() {
        const { element, find } = annotatePage;
        const shown = this.#shown();
        this.#watcher.disconnect();
        this.#orders.clear();
        find("#cards").replaceChildren(...shown.slice(0, this.#limit).map((each) => this.#card(each)));
        const more = shown.length - this.#limit;
        find("#sheet-more").hidden = more <= 0;
        find("#sheet-more").textContent = `Show ${Math.min(more, Sheet.#PAGE)} of ${more} more`;
        const leftOut = annotateReview.batch.jobs.reduce((sum, job) => sum + (job.momentsLeftOut ?? 0), 0);
        const { format } = annotateReview;
        find("#sheet-totals").textContent = (shown.length === this.count ? format.counted(this.count, "moment")
            : `${shown.length} of ${format.counted(this.count, "moment")}`)
            + `: doubtful (a confidence under ${format.confidence(annotateReview.batch.doubtful)}), lost things, gaps, handovers, `
            + "expectations that don't hold"
            + (leftOut ? `. ${format.counted(leftOut, "moment")} more than the page holds: a lower --doubtful finds fewer.`
                : ".");
        if (!this.count) {
            find("#cards").append(element("p", {}, "There is nothing to look at: nothing was lost, and no confidence is under "
                + `${format.confidence(annotateReview.batch.doubtful)}.`));
        }
        this.#showMarks();
    }

    #card({ job, moment }) {
        const { element } = annotatePage;
        const { format } = annotateReview;
        const best = moment.frame + (moment.best ?? moment.index) - moment.index;
        const address = annotateReview.head.address(job, { frame: best, track: moment.track, figure: moment.figure });
        const [width, height] = annotateReview.cardPainter.SIZE;
        const picture = moment.picture
            ? element("img", { src: moment.picture, alt: "", loading: "lazy", className: "shot" })
            : element("canvas", { width, height, className: "shot", "aria-hidden": "true" });
        const name = format.short(moment.text, 100);
        const frames = `frame ${moment.frame}`
            + (moment.last > moment.index ? ` to ${moment.frame + moment.last - moment.index}` : "");
        const mark = (kind, sign) => element("button", { type: "button", data: { mark: kind }, "aria-pressed": "false",
            title: kind, "aria-label": `${kind}: ${name}`,
            onclick: () => this.#toggle(job, moment, kind) }, sign);
        const card = element("li", { className: "card" },
            element("a", { href: address, "aria-label": `${format.short(job.id)} at ${format.time(moment.time, 2)}: ${name}` },
                picture, moment.picture ? null : element("span", { className: "undrawn", "aria-hidden": "true" },
                    "No picture was drawn of this yet: the sheet's own Print draws all of them first.")),
            element("p", { className: "card-text", title: moment.text },
                element("span", { className: `kind ${moment.what}` }, annotateReview.moments.name(moment.what)), ` ${name}`),
            element("p", { className: "faint" },
                `${format.short(job.id, 32)} · ${format.time(moment.time, 2)} · ${frames}`),
            element("p", { className: "marks" },
                mark("right", "✓ right"), mark("wrong", "✗ wrong"), mark("unsure", "? unsure")),
            element("p", { className: "said faint" }));
        card.annotateMoment = { job, moment };
        if (!moment.picture) {
            const order = { canvas: picture, job, moment, isSeen: false, isAsked: false };
            this.#orders.set(picture, order);
            this.#watcher.observe(picture);
        }
        return card;
    }

    #ask(order) {
        order.isAsked = true;
        annotateReview.cardPainter.ask({
            ...order,
            isWanted: () => {
                // Not any more; it is asked for anew when it is seen again.
                const isWanted = order.isSeen || this.#wantsAll;
                if (!isWanted) order.isAsked = false;
                return isWanted && order.canvas.isConnected && annotateReview.app.viewName === "sheet";
            },
            fail: (sentence) => order.canvas.replaceWith(annotatePage.element("p", { className: "faint shot" }, sentence)),
        });
    }

    /** Asks again for what was left when another view was opened. */
    resume() {
        for (const order of this.#orders.values()) {
            if (!order.canvas.dataset.done && order.isSeen) this.#ask(order);
        }
    }

    // MARK: Paper

    /** The cards whose pictures are still to be drawn. */
    get #undrawn() {
        return [...this.#orders.values()].filter(({ canvas }) => canvas.isConnected && !canvas.dataset.done);
    }

    #askAll() {
        this.#wantsAll = true;
        for (const order of this.#undrawn) if (!order.isAsked) this.#ask(order);
    }

    /** Prints when every card has its picture; asked for once more, without those that are still missing. */
    print() {
        const missing = this.#undrawn.length;
        if (!missing || this.#timer) {
            this.#stopWaiting();
            window.print();
            return;
        }
        annotateReview.app.say(`Drawing ${annotateReview.format.counted(missing, "picture")} first. `
            + "Print once more to go on without them.");
        this.#askAll();
        this.#timer = setInterval(() => {
            // Other cards may be shown by now.
            if (this.#undrawn.length) this.#askAll(); else this.print();
        }, 100);
    }

    #stopWaiting() {
        clearInterval(this.#timer);
        [this.#timer, this.#wantsAll] = [0, false];
    }

    /** The browser's own menu waits for nothing: cards without a picture say so, and the next print has them. */
    #preparePrint() {
        if (annotateReview.app.viewName === "sheet") this.#askAll();
    }

    #toggle(job, moment, mark) {
        const before = this.#remark({ job, moment });
        annotateReview.remarks.set({
            text: "", ...before, job: job.id, frame: moment.frame, time: moment.time,
            ...(moment.track === undefined ? {} : { track: moment.track }),
            mark: before?.mark === mark ? undefined : mark });
    }

    #showMarks() {
        for (const card of document.querySelectorAll("#cards .card")) {
            const remark = this.#remark(card.annotateMoment);
            for (const button of card.querySelectorAll("button[data-mark]")) {
                button.setAttribute("aria-pressed", String(remark?.mark === button.dataset.mark));
            }
            const whole = this.#remarkOfFrame(card.annotateMoment);
            const said = [remark?.text];
            if (whole) said.push(`the frame: ${[whole.mark, whole.text].filter(Boolean).join(", ")}`);
            card.querySelector(".said").textContent = annotateReview.format.short(said.filter(Boolean).join("; "), 120);
        }
    }
};
