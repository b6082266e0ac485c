"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/**
 * Everything that can be done by a key: buttons name a command by `data-command`, and the help is this list.
 *
 * keys: as KeyboardEvent.key has them; view: where it acts, everywhere where there is none.
 */
annotateReview.commands = (() => {
    const app = () => annotateReview.app;
    const job = () => annotateReview.app.jobView;
    const RATES = [0.1, 0.25, 0.5, 1, 1.5, 2, 4];

    function changeRate(direction) {
        const player = job().picture.player;
        if (!player) return;
        const next = RATES.indexOf(player.rate) + direction;
        player.rate = RATES[Math.min(Math.max(next, 0), RATES.length - 1)];
        job().showControls();
    }

    const step = (frames) => () => job().picture.step(frames);
    const command = (id, keys, doc, view, run) => ({ id, keys, doc, view, run });

    return [
        command("play", [" ", "k"], "plays, or pauses", "job", () => {
            if (job().picture.canPlay) job().picture.player.toggle();
        }),
        command("forward", ["ArrowRight"], "the next frame", "job", step(1)),
        command("back", ["ArrowLeft"], "the frame before", "job", step(-1)),
        command("forward-ten", ["Shift+ArrowRight"], "ten frames on", "job", step(10)),
        command("back-ten", ["Shift+ArrowLeft"], "ten frames back", "job", step(-10)),
        command("begin", ["Home"], "the first frame", "job", () => job().picture.show(0)),
        command("end", ["End"], "the last frame", "job", () => job().picture.show(job().results.count - 1)),
        command("faster", [">"], "plays faster", "job", () => changeRate(1)),
        command("slower", ["<"], "plays slower", "job", () => changeRate(-1)),
        ...annotateReview.moments.kinds.flatMap(({ what, key, doc }) => [
            command(`next-${what}`, [key], `the next moment where ${doc}`, "job", () => job().jump(what, 1)),
            command(`previous-${what}`, [key.toUpperCase()], `the moment before where ${doc}`, "job", () => job().jump(what, -1)),
        ]),
        command("next-moment", ["m"], "the next moment of the kind that the list shows", "job", () => job().jump(null, 1)),
        command("previous-moment", ["M"], "the moment before of that kind", "job", () => job().jump(null, -1)),
        command("video", ["v"], "the other video: annotated or source", "job", () => job().switchVideo()),
        command("overlay", ["b"], "boxes on or off", "job", () => job().set("hasOverlay", !job().hasOverlay)),
        command("texts", ["t"], "their texts on or off", "job", () => job().set("hasTexts", !job().hasTexts)),
        command("zoom", ["z"], "picture: fit, 1:1, 2:1", "job", () =>
            job().set("zoom", { fit: 1, 1: 2, 2: "fit" }[job().zoom])),
        command("next-thing", ["."], "chooses the next thing", "job", () => job().selectNext(1)),
        command("previous-thing", [","], "chooses the thing before", "job", () => job().selectNext(-1)),
        command("only", ["i"], "shows the chosen thing alone, or all again", "job", () => {
            if (job().selected === null) app().say("Choose a thing first: click on its lane, box row or name.");
            else {
                job().choices.only(job().selected);
                job().choicesChanged();
            }
        }),
        command("all-things", ["0"], "switches every stage, label and track on", "job", () => {
            job().choices.reset();
            job().choicesChanged();
        }),
        command("time-in", ["+", "="], "a shorter time in lanes and plots", "job", () =>
            job().timeline.zoom(2, job().results.times[job().index])),
        command("time-out", ["-"], "a longer time in them", "job", () =>
            job().timeline.zoom(0.5, job().results.times[job().index])),
        command("time-all", ["_"], "the whole time in them", "job", () => job().timeline.showAll()),
        command("mark-right", ["1"], "marks the frame, or the chosen track in it, as right", "job", () =>
            job().remarkPanel.toggle("right")),
        command("mark-wrong", ["2"], "marks it as wrong", "job", () => job().remarkPanel.toggle("wrong")),
        command("mark-unsure", ["3"], "marks it as unsure", "job", () => job().remarkPanel.toggle("unsure")),
        command("remark", ["w"], "writes a remark; Enter keeps it", "job", () => annotatePage.find("#remark-text").focus()),
        command("card-right", ["1"], "marks the moment as right", "sheet", () => app().sheet.mark("right")),
        command("card-wrong", ["2"], "marks it as wrong", "sheet", () => app().sheet.mark("wrong")),
        command("card-unsure", ["3"], "marks it as unsure", "sheet", () => app().sheet.mark("unsure")),
        command("card-on", ["ArrowRight"], "the next moment", "sheet", () => app().sheet.go(1, 0)),
        command("card-back", ["ArrowLeft"], "the moment before", "sheet", () => app().sheet.go(-1, 0)),
        command("card-down", ["ArrowDown"], "the moment below", "sheet", () => app().sheet.go(0, 1)),
        command("card-up", ["ArrowUp"], "the moment above", "sheet", () => app().sheet.go(0, -1)),
        command("print", ["P"], "prints the sheet, with every card's picture", "sheet", () => app().sheet.print()),
        command("reviewed", ["d"], "the job is reviewed, or isn't", "job", () => app().toggleReviewed()),
        command("next-open", ["u"], "the next job that isn't reviewed", null, () => app().openNextUnreviewed()),
        command("next-job", ["]"], "the next job", "job", () => app().openNeighbour(1)),
        command("previous-job", ["["], "the job before", "job", () => app().openNeighbour(-1)),
        command("link", ["y"], "copies a link to this job and frame", "job", () => app().copyLink()),
        command("hide", ["p"], "how what is seen in the frame is hidden by hand: copies the command", "job", () =>
            app().hideByHand(job().job, job().results?.first + job().index)),
        command("search", ["/"], "searches the jobs", null, () => app().search()),
        command("list", ["a"], "all jobs", null, () => { location.hash = "#"; }),
        command("sheet", ["s"], "the contact sheet of moments to look at", null, () => { location.hash = "#sheet"; }),
        command("export", ["x"], "exports marks and remarks", null, () => app().exportRemarks()),
        command("help", ["?"], "this help", null, () => { location.hash = "#help"; }),
        command("leave", ["Escape"], "chooses nothing; then goes back to all jobs", null, () => app().leave()),
    ];
})();

/** Keys as people name them. */
annotateReview.keyName = (key) => ({ " ": "Space", ArrowRight: "→", ArrowLeft: "←", "Shift+ArrowRight": "Shift →",
    "Shift+ArrowLeft": "Shift ←", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc" })[key] ?? key;
