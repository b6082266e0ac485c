"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/** From a moment to the page on which something is hidden by hand there: `pick` at that clip and frame, with what was found. */
annotateReview.hiding = {
    /** A file beside this page, as a shell takes it: by its whole path, so that it doesn't matter where the command is run. */
    path(address) {
        const url = new URL(address, location.href);
        const path = url.protocol === "file:" ? decodeURIComponent(url.pathname) : decodeURIComponent(address);
        return /^[\w./+@%:,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
    },

    /** The name of the page that the command makes, beside this one. */
    page: (job) => `${job.id}.pick.html`,

    /** The command; null where the job's source isn't there. */
    command(job, frame) {
        const { source, tracks } = job.videos ?? {};
        if (!source || !tracks) return null;
        const page = encodeURIComponent(this.page(job));
        return `annotate-batch pick ${this.path(source)} --tracks ${this.path(tracks)} --frame ${frame} -o ${this.path(page)}`;
    },

    /** Shows the command and the page that it makes, and copies it. */
    async tell(job, frame, place) {
        const { element } = annotatePage;
        const command = this.command(job, frame);
        place.hidden = false;
        if (!command) {
            place.textContent = "The source isn't beside this page, so nothing can be hidden in it from here.";
            return;
        }
        const page = this.page(job);
        const link = element("a", { href: `${encodeURIComponent(page)}#frame=${frame}` }, page);
        const said = element("span", {}, "Run this");
        place.replaceChildren(said, ": ", element("code", { dir: "ltr" }, command), ", then open ", link,
            ". What it saves goes into the manifest: “cover”.");
        try {
            await navigator.clipboard.writeText(command);
            said.textContent = "Copied; run this";
        } catch {
            // Not every browser lets a page from a file write to the clipboard: it stands there.
        }
    },
};
