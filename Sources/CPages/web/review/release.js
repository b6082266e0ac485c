"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/** The sheet for a release: every clip with its covered video, the moments to look at, and what is decided of it. */
annotateReview.ReleaseSheet = class ReleaseSheet {
    static DECISIONS = [
        { word: "release", name: "Release", doc: "it is handed out" },
        { word: "again", name: "Again", doc: "it is covered anew first" },
        { word: "withhold", name: "Withhold", doc: "it isn't handed out" },
    ];

    #isFilled = false;
    #sections = new Map();

    get isWanted() { return annotateReview.batch.release === true; }

    show() {
        if (!this.#isFilled) this.#fill();
        this.#isFilled = true;
        this.#tell();
    }

    #fill() {
        const list = annotatePage.find("#release-jobs");
        for (const job of annotateReview.batch.jobs) list.append(this.#section(job));
        annotateReview.remarks.onChange(() => this.#tell());
    }

    #section(job) {
        const { element } = annotatePage;
        const { format, remarks } = annotateReview;
        const section = element("section", { className: "release-job" });
        const heading = element("h2", { dir: "auto" });
        heading.append(element("a", { href: `#job=${encodeURIComponent(job.id)}` }, format.short(job.id, 80)));
        const group = element("fieldset", { className: "decision" });
        group.append(element("legend", {}, "Decision"));
        const name = `decision-${this.#sections.size}`;
        const radios = ReleaseSheet.DECISIONS.map(({ word, name: title, doc }) => {
            const radio = element("input", { type: "radio", name, value: word });
            radio.addEventListener("change", () => remarks.decide(job.id, word, text.value));
            const label = element("label", { title: doc });
            label.append(radio, title);
            group.append(label);
            return radio;
        });
        const text = element("input", { type: "text", maxLength: 1000, placeholder: "why", "aria-label": "why" });
        text.addEventListener("change", () => {
            const known = remarks.decision(job.id);
            if (known) remarks.decide(job.id, known.decision, text.value);
        });
        group.append(text);
        section.append(heading, group);
        const notes = [...job.notes ?? [], ...(job.error ? [job.error] : [])];
        if (notes.length) {
            const list = element("ul");
            list.append(...notes.map((note) => element("li", { dir: "auto" }, format.short(note, 400))));
            section.append(list);
        }
        const video = job.videos?.annotated;
        if (!video) section.append(element("p", {}, "There is no annotated video beside this page."));
        else if (annotateReview.Picture.isPhoto(video)) section.append(element("img", { src: video, alt: "the covered photo", loading: "lazy" }));
        else section.append(element("video", { src: video, controls: true, preload: "none", muted: true, playsInline: true }));
        const moments = element("ol", { className: "release-moments" });
        for (const moment of job.release ?? []) {
            const item = element("li");
            const link = element("a", { href: `#job=${encodeURIComponent(job.id)}&frame=${moment.frame}` });
            if (moment.picture) link.append(element("img", { src: moment.picture, alt: "", loading: "lazy" }));
            link.append(element("span", { dir: "auto" }, format.short(moment.text, 300)));
            item.dataset.what = moment.what;
            item.append(link);
            if (video && job.videos.tracks) {
                const said = element("p", { role: "status", hidden: true });
                const button = element("button", { type: "button", "aria-label": `Hide by hand at frame ${moment.frame}` }, "Hide by hand");
                button.addEventListener("click", () => annotateReview.hiding.tell(job, moment.frame, said));
                item.append(button, said);
            }
            moments.append(item);
        }
        section.append(moments);
        this.#sections.set(job.id, { radios, text });
        return section;
    }

    #tell() {
        let open = 0;
        for (const [id, { radios, text }] of this.#sections) {
            const known = annotateReview.remarks.decision(id);
            if (!known) open += 1;
            for (const radio of radios) radio.checked = radio.value === known?.decision;
            if (known && document.activeElement !== text) text.value = known.text ?? "";
        }
        const count = this.#sections.size;
        annotatePage.find("#release-open").textContent = open === 0
            ? `All ${count} clips are decided: export, and “annotate-batch review --release --remarks FILE” writes release.csv.`
            : `${open} of ${count} clips aren't decided yet.`;
    }
};
