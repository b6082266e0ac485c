"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/** The view of one job: its state, and what the parts tell each other. */
annotateReview.JobView = class JobView {
    job = null;
    results = null;
    index = 0;
    way = null;
    zoom = "fit";
    hasOverlay = true;
    hasTexts = true;
    /** The index of the chosen thing; null where none is. */
    selected = null;
    /** The figure of an expectation whose plots are marked; null for none. */
    figure = null;
    /** This job's, as they are drawn. */
    remarks = [];

    #failed = new Set();
    /** What the link asked for and the job hasn't; null for nothing. */
    #missing = null;
    #timeline = new annotateReview.Timeline();
    #settled;

    constructor() {
        this.choices = new annotateReview.Choices(this);
        this.picture = new annotateReview.Picture(this);
        this.lanes = new annotateReview.Lanes(this, this.#timeline);
        this.plots = new annotateReview.Plots(this, this.#timeline);
        this.observations = new annotateReview.Observations(this);
        this.moments = new annotateReview.MomentPanel(this);
        this.remarkPanel = new annotateReview.RemarkPanel(this);
        this.#settled = annotatePage.throttled(250, () => this.#showSettled());
        annotateReview.remarks.onChange(() => this.remarksChanged());
        annotatePage.find("#seek").addEventListener("input", (event) => this.picture.show(Number(event.target.value)));
        annotatePage.find("#frame-number").addEventListener("change", (event) => {
            if (this.results?.count) this.picture.show(Number(event.target.value) - this.results.first);
        });
        window.addEventListener("beforeprint", () => this.#preparePrint());
    }

    get timeline() { return this.#timeline; }

    /**
     * Opens a job.
     * @param {number|null} frame The track file's number of the frame to show.
     * @param {number|null} track A track to choose.
     * @param {string|null} figure A figure whose plots are marked.
     */
    async open(job, frame, track, figure = null) {
        if (this.job === job && this.results) {
            if (figure !== null) this.markFigure(figure);
            if (track !== null) this.select(this.#thingOf(track));
            if (frame !== null && frame !== this.results.first + this.index) this.picture.show(frame - this.results.first);
            this.#tellMissing(frame, track);
            return;
        }
        this.close();
        this.job = job;
        annotateReview.head.show(job);
        const body = annotatePage.find("#job-body");
        body.hidden = true;
        const problem = annotatePage.find("#job-problem");
        problem.textContent = job.data ? "Reading the results …" : "";
        let results;
        try {
            results = await annotateReview.batch.open(job);
        } catch (error) {
            if (this.job === job) problem.textContent = error.message;
            return;
        }
        if (this.job !== job) return;
        problem.textContent = results.count ? "" : "The track file of this job has no frames.";
        if (!results.count) return;
        this.results = results;
        this.figure = figure;
        body.hidden = false;
        this.remarks = annotateReview.remarks.ofJob(job.id);
        this.selected = track === null ? null : this.#thingOf(track);
        this.#failed.clear();
        for (const part of [this.choices, this.#timeline, this.lanes, this.plots, this.moments]) part.open(results);
        this.remarkPanel.fill();
        const seek = annotatePage.find("#seek");
        seek.max = results.count - 1;
        const number = annotatePage.find("#frame-number");
        [number.min, number.max] = [results.first, results.first + results.count - 1];
        annotatePage.find("#frame-count").textContent = `of ${results.first} to ${results.first + results.count - 1}`;
        const start = Math.min(Math.max((frame ?? results.first) - results.first, 0), results.count - 1);
        this.index = start;
        // Before a release the covered video is what counts.
        const ways = annotateReview.batch.release ? ["annotated", "source"] : ["source", "annotated"];
        this.#openVideo(ways.find((way) => job.videos?.[way]) ?? null, start);
        this.#tellMissing(frame, track);
    }

    /** Says what a link asks for and the job hasn't: what is shown in its place isn't what was meant. */
    #tellMissing(frame, track) {
        const { first, count } = this.results;
        const last = first + count - 1;
        const said = [];
        this.#missing = null;
        if (frame !== null && (frame < first || frame > last)) {
            said.push(`There is no frame ${frame} in this job, which has ${first} to ${last}.`);
        }
        if (track !== null && this.#thingOf(track) === null) said.push(`There is no track ${track} in this job.`);
        if (!said.length) return;
        this.#missing = said.join(" ");
        annotateReview.app.say(this.#missing);
        // Where the nearest frame was shown already, no other is: the address says all the same which one it is.
        this.#settled();
    }

    #thingOf(track) { return this.results.thingOf(track)?.index ?? null; }

    /** Marks the plots of a figure. */
    markFigure(figure) {
        this.figure = figure;
        this.plots.redraw();
    }

    close() {
        this.picture.close();
        this.lanes.close();
        this.plots.close();
        [this.job, this.results, this.selected, this.figure, this.#missing] = [null, null, null, null, null];
    }

    /** What is burned in isn't drawn twice. */
    #openVideo(way, index) {
        this.way = way;
        this.hasOverlay = way !== "annotated";
        this.picture.open(this.results, way, index);
        if (!way) {
            this.picture.tell(this.#failed.size ? [...this.#failed.values()].at(-1).sentence
                : "Neither the annotated video nor the source is beside this page: what was found is shown without them.");
        }
        this.showControls();
    }

    /** Goes on with the other video where one can't be shown. */
    videoFailed(way, sentence) {
        this.#failed.add({ way, sentence });
        const failed = new Set([...this.#failed].map((each) => each.way));
        const other = ["source", "annotated"].find((each) => this.job.videos?.[each] && !failed.has(each));
        // It comes a moment after a link was opened, and what was said of that still holds.
        annotateReview.app.say([this.#missing, sentence].filter(Boolean).join(" "));
        this.#openVideo(other ?? null, this.index);
        if (other) this.picture.tell("");
    }

    switchVideo() {
        const other = this.way === "source" ? "annotated" : "source";
        if (!this.job.videos?.[other]) {
            annotateReview.app.say(`This job has no ${other} video beside the page.`);
            return;
        }
        this.#failed.clear();
        this.#openVideo(other, this.index);
    }

    isShown(thing) { return this.choices.isShown(thing); }

    // MARK: What the parts tell

    /** The picture of this frame is on the screen. */
    frameShown(index) {
        this.index = index;
        const time = this.results.times[index];
        this.#timeline.follow(time);
        this.lanes.drawCursor();
        this.plots.drawCursor();
        annotatePage.find("#seek").value = index;
        annotatePage.find("#seek").setAttribute("aria-valuetext",
            `frame ${this.results.first + index}, ${annotateReview.format.time(time)}`);
        const number = annotatePage.find("#frame-number");
        if (document.activeElement !== number) number.value = this.results.first + index;
        annotatePage.find("#frame-time").textContent =
            `${annotateReview.format.time(time)} / ${annotateReview.format.time(this.results.end, 1)}`;
        document.body.dataset.frame = this.results.first + index;
        this.#settled();
    }

    /** What is too much for every picture of a video that plays. */
    #showSettled() {
        if (!this.results) return;
        const { results, index } = this;
        this.remarkPanel.show();
        const said = this.moments.mark(index);
        results.read(index).then((observations) => {
            if (this.results === results && this.index === index) this.observations.show(observations, results, index);
        }).catch(() => annotateReview.app.say("The results of this frame can't be read: make the page anew."));
        if (this.picture.isPlaying) return;
        annotateReview.app.settle(this);
        annotateReview.app.announce([`Frame ${results.first + index}`, annotateReview.format.time(results.times[index]), ...said]
            .join(", "));
    }

    playChanged() { this.showControls(); }

    choicesChanged() {
        for (const part of [this.picture, this.lanes, this.plots]) part.redraw();
        this.#settled();
    }

    remarksChanged() {
        if (!this.results) return;
        this.remarks = annotateReview.remarks.ofJob(this.job.id);
        this.remarkPanel.fill();
        this.lanes.redraw();
        annotateReview.head.show(this.job);
    }

    // MARK: What is asked of it

    select(index) {
        this.selected = index;
        if (index !== null) this.lanes.reveal(index);
        this.choices.mark();
        this.choicesChanged();
        this.remarkPanel.show();
    }

    /** Chooses the next or previous thing; behind the last none. */
    selectNext(direction) {
        const count = this.results.things.length;
        const next = this.selected === null ? (direction > 0 ? 0 : count - 1) : this.selected + direction;
        this.select(next >= 0 && next < count ? next : null);
    }

    seekTime(time) { this.picture.show(this.results.indexAt(time)); }

    /** @param {boolean} isChosen Whether this very moment was asked for, and not the next one. */
    goTo(moment, isChosen = false) {
        const thing = moment.things?.length === 1 ? this.results.things[moment.things[0]] : undefined;
        const isMeant = this.selected !== null || (isChosen && moment.what === "expectation");
        if (thing && isMeant && this.selected !== thing.index) this.select(thing.index);
        if (moment.figure !== undefined) this.markFigure(moment.figure);
        // Without a video the page has the picture of one frame of the moment.
        const best = moment.best ?? moment.index;
        this.picture.show(moment.picture && this.picture.shotOf(best) ? best : moment.index);
        annotateReview.app.say(`${annotateReview.format.time(moment.time, 2)}: ${moment.text}`);
    }

    goToRemark(frame, track) {
        this.select(track === undefined ? null : this.#thingOf(track));
        this.picture.show(frame - this.results.first);
    }

    jump(what, direction) {
        // Where one thing is chosen, its moments are meant.
        const isWanted = (moment) => (what === null ? this.moments.isWanted(moment) : moment.what === what)
            && (this.selected === null || moment.things === undefined || moment.things.includes(this.selected));
        const found = annotateReview.moments.next(this.results.moments, this.index, direction, isWanted);
        if (found) this.goTo(found);
        else {
            annotateReview.app.say(`No ${what === null ? "moment" : `moment “${annotateReview.moments.name(what)}”`} `
                + `${direction > 0 ? "after" : "before"} this frame${this.selected === null ? "" : " of the chosen thing"}.`);
        }
    }

    set(property, value) {
        this[property] = value;
        this.picture.layout();
        this.picture.redraw();
        this.showControls();
    }

    /** Shows on the buttons what is on. */
    showControls() {
        const press = (command, isOn) =>
            annotatePage.find(`#view-job [data-command="${command}"]`).setAttribute("aria-pressed", String(isOn));
        const find = annotatePage.find;
        const play = find('[data-command="play"]');
        play.textContent = this.picture.isPlaying ? "Pause" : "Play";
        play.disabled = !this.picture.canPlay;
        press("overlay", this.hasOverlay);
        press("texts", this.hasTexts);
        const video = find('[data-command="video"]');
        video.textContent = { source: "Video: source", annotated: "Video: annotated" }[this.way] ?? "No video";
        video.disabled = !(this.job?.videos?.source && this.job?.videos?.annotated);
        find('[data-command="zoom"]').textContent = { fit: "Zoom: fit", 1: "Zoom: 1:1", 2: "Zoom: 2:1" }[this.zoom];
        find("#rate").textContent = `${this.picture.player?.rate ?? 1}×`;
    }

    #preparePrint() {
        const place = annotatePage.find("#print-picture");
        const time = annotatePage.find("#print-time");
        place.replaceChildren();
        time.replaceChildren();
        if (!this.results) return;
        place.append(this.picture.snapshot());
        time.append(...this.lanes.paper(), ...this.plots.paper());
    }
};
