"use strict";
/** What is drawn, kept by the browser against loss, and on its way to files and from them. */
annotatePick.store = function (page, facts) {
    const get = (id) => document.getElementById(id);
    const { drawing, clip } = page;
    /** The file that the page came with, as this page writes it; null until it has been read. */
    let original = null;
    /** What is kept is of one clip and of what one began with: with another file it would be old. */
    let key = "";
    const sum = (text) => {
        let hash = 0;
        for (const letter of text) hash = (Math.imul(hash, 31) + letter.codePointAt(0)) >>> 0;
        return hash.toString(16);
    };

    const stored = (action) => {
        // A browser may forbid pages to keep anything; the file is what counts.
        try { return action(localStorage); } catch { return null; }
    };

    const take = (text, name) => {
        try {
            drawing.read(text);
            page.notice("");
        } catch (error) {
            page.notice(`${name} can't be taken over: ${error.message}`);
        }
    };

    const store = {
        /** Begins with what was kept, or else with what the page came with. */
        begin(seeds) {
            take(seeds, "What came with the page");
            const text = drawing.text;
            drawing.forgetSteps();
            key = `annotate-pick:${facts.name}:${clip.width}x${clip.height}:${clip.count}:${clip.end}:${sum(text)}`;
            original = text;
            const kept = stored((storage) => storage.getItem(key));
            if (kept === null || kept === original) return;
            take(kept, "What this browser kept");
            page.notice("Here again is what was drawn in this browser before. “Start over” goes back to what the page came with.");
        },
        keep() {
            if (original === null) return;
            const text = drawing.text;
            stored((storage) => (text === original ? storage.removeItem(key) : storage.setItem(key, text)));
        },
        save() {
            const address = URL.createObjectURL(new Blob([drawing.text], { type: "application/json" }));
            const link = document.createElement("a");
            Object.assign(link, { href: address, download: facts.file });
            link.click();
            setTimeout(() => URL.revokeObjectURL(address), 10000);
            page.notice(`Saved as ${facts.file} where this browser puts its downloads. Put it beside the manifest, which names it: `
                + annotatePick.manifestWords(drawing, facts.file));
        },
        async copy() {
            try {
                await navigator.clipboard.writeText(drawing.text);
                page.say("Copied.");
            } catch {
                // Not every browser lets a page from a file write to the clipboard by itself.
                get("json").focus();
                get("json").select();
                page.say(document.execCommand("copy") ? "Copied." : "The text is selected: Ctrl+C copies it.");
            }
        },
    };

    get("save").addEventListener("click", () => store.save());
    get("copy").addEventListener("click", () => store.copy());
    get("open").addEventListener("click", () => get("file").click());
    get("restart").addEventListener("click", () => take(get("seeds").textContent, "What came with the page"));
    get("file").addEventListener("change", async (event) => {
        const [file] = event.target.files;
        if (!file) return;
        take(await file.text(), file.name);
        // The same file may be opened once more.
        event.target.value = "";
    });
    return store;
};
