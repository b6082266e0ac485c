"use strict";
/** Puts the page together: the clip, what is drawn, what is seen of both, buttons and keys. */
annotatePick.main = async function () {
    const get = (id) => document.getElementById(id);
    const read = (id) => JSON.parse(get(id).textContent);
    const facts = read("clip");
    annotatePick.addLists(facts.lists ?? []);
    const [times, tracks] = [await annotatePick.unpacked("times"), await annotatePick.unpacked("tracks") ?? []];
    const tracked = annotatePick.tracked(tracks);
    const found = annotatePick.found(await annotatePick.unpacked("things") ?? []);
    const asked = new URLSearchParams(location.hash.slice(1)).get("frame");
    if (/^\d{1,9}$/.test(asked ?? "")) facts.frame = Math.min(Number(asked), times.pts.length - 1);
    const COLORS = ["#ffb000", "#41b6ff", "#ff6f91", "#5fd068", "#c792ff", "#ff8a3d", "#2fd6c6", "#e6e04a"];

    const page = {
        tool: "box", tracked, found,
        /** The found thing that is chosen, by its track; null where none is. */
        thing: null,
        get frame() { return Math.max(page.clip.index, 0); },
        say(sentence) { get("hint").textContent = sentence; },
        notice(sentence) {
            get("notice").textContent = sentence;
            get("notice").hidden = sentence === "";
        },
        colorOf: (item) => COLORS[(item.number - 1) % COLORS.length],
        go: (frame) => page.clip.show(frame),
        refresh: () => {
            page.view.refresh();
            get("scale").textContent = `${Math.round(page.view.scale * 100)} %`;
            get("pointer").textContent = page.view.pointer ? `x ${Math.floor(page.view.pointer[0])}, y ${Math.floor(page.view.pointer[1])}` : "";
        },
        shapes: () => annotatePick.seen(page),
        /** Where an entry is on the frame, if it is a place that can be drawn anew. */
        placeOf: (item) => page.shapes().find((shape) => shape.item && shape.item === item && !shape.isFixed),
        choose(thing) {
            page.thing = thing;
            const item = page.drawing.items.find((one) => one.list === "cover" && one.track !== null && one.track === thing);
            page.drawing.select(item ?? null);
        },
        /** Hides the chosen found thing, or leaves it visible. */
        settle(isException) {
            if (page.thing === null) return page.say("Choose something that was found first: click it, or its name.");
            page.drawing.follow(page.thing, isException);
        },
        /** A new shape: a keyframe of what is chosen, where it goes on, or something new. */
        commit(kind, points) {
            const { drawing, frame } = page;
            const item = page.continued(kind);
            if (item) drawing.place(item, frame, kind, points); else drawing.add(kind, points, frame);
            page.hint();
        },
        /** The entry that a shape of a kind would be a keyframe of; null where it would be a new one. */
        continued(kind) {
            const { list, hasKeyframes } = annotatePick.KINDS[kind];
            const { selected: item, isChosen } = page.drawing;
            if (!isChosen || !hasKeyframes || item?.list !== list || page.frame <= item.keys[0].frame) return null;
            if (list === "cover" && item.keys[0].kind !== kind) return null;
            // Where it is said to go away it isn't drawn: that is another thing.
            return item.keys.some((key) => key.frame === page.frame && key.absent) ? null : item;
        },
        edit: (item, kind, points, name = null) => page.drawing.place(item, page.frame, kind, points, name),
        keyHere() {
            const shape = page.placeOf(page.drawing.selected);
            if (!shape) return page.say("It is nowhere on this frame: draw it.");
            if (annotatePick.KINDS[shape.kind].hasKeyframes) page.edit(shape.item, shape.kind, shape.points);
        },
        leaveHere() {
            const item = page.drawing.selected;
            if (item && page.frame > item.keys[0].frame && annotatePick.KINDS[item.keys[0].kind].hasKeyframes) page.drawing.leave(item, page.frame);
        },
        endHere() {
            const item = page.drawing.selected;
            if (!item || annotatePick.KINDS[item.keys[0].kind].isStill) return;
            if (page.frame > item.keys[0].frame) page.drawing.finish(item, page.frame);
        },
        /** What drawing does now. */
        hint() {
            if (page.tool === "select") return page.say("Click what is to be changed; drag it, or its handles. Elsewhere the picture moves.");
            if (page.tool === "found") return page.say("Click what was found, then “Hide it” (H) or “Leave it visible” (N). Elsewhere the picture moves.");
            const kind = annotatePick.KINDS[page.tool];
            const item = page.continued(page.tool);
            const what = item ? `A keyframe of “${item.id}”` : `A new ${kind.word}`;
            page.say(`${what}: ${kind.hint}.${item ? " Esc lets go of it, for a new one." : ""}`);
        },
        setTool(tool) {
            page.pointer.cancel();
            page.tool = tool;
            for (const button of get("tools").children) button.setAttribute("aria-pressed", String(button.value === tool));
            get("canvas").classList.toggle("select", tool === "select" || tool === "found");
            page.hint();
            page.refresh();
        },
    };

    page.clip = new annotatePick.Clip(facts, times, get("video"), {
        onFrame: () => page.changed(),
        onState: (isPlaying) => { get("play").textContent = isPlaying ? "Pause" : "Play"; },
        onError: (sentence) => page.notice(`${sentence} A page with pictures in it is made by `
            + `“annotate-batch pick ${facts.name} --embed”.`),
    });
    page.drawing = new annotatePick.Drawing(page.clip, () => page.changed());
    page.view = new annotatePick.View(get("canvas"), page.clip, () => page.shapes().map((shape) => ({
        ...shape, color: shape.item ? page.colorOf(shape.item) : "#d0d0d0", name: shape.name ?? shape.item.id,
        isSelected: shape.item ? shape.item === page.drawing.selected : shape.thing !== undefined && shape.thing === page.thing,
    })));
    page.pointer = new annotatePick.Pointer(get("canvas"), page);
    page.timeline = new annotatePick.Timeline(get("timeline"), page);
    page.panel = new annotatePick.Panel(page);
    page.store = annotatePick.store(page, facts);
    /** Everything that depends on the frame or on what is drawn. */
    page.changed = () => {
        const { clip, drawing, frame } = page;
        for (const id of ["frame", "scrub"]) if (get(id) !== document.activeElement || id === "scrub") get(id).value = frame;
        if (get("time") !== document.activeElement) get("time").value = Number(clip.seconds(frame).toFixed(6));
        get("scrub").setAttribute("aria-valuetext", `frame ${frame}, ${clip.seconds(frame).toFixed(3)} s`);
        get("undo").disabled = !drawing.canUndo;
        get("redo").disabled = !drawing.canRedo;
        get("manifest").textContent = annotatePick.manifestWords(drawing, facts.file);
        page.panel.refresh();
        page.timeline.draw();
        if (!page.pointer.isBusy) page.hint();
        page.store.keep();
        page.refresh();
    };

    document.title = `${facts.name} – annotate-batch pick`;
    get("clip-name").textContent = facts.name;
    get("clip-facts").textContent = `${page.clip.width}×${page.clip.height}, ${page.clip.count === 1 ? "a photo" : `${page.clip.count} frames`}`;
    for (const id of ["frame", "scrub"]) get(id).max = page.clip.count - 1;
    annotatePick.wire(page);
    // Who comes with what a run has found, and no region, is about to hide something.
    page.setTool(found.size > 0 && tracked.size === 0 ? "found" : "box");
    page.store.begin(get("seeds").textContent);
    if (facts.pictures && page.clip.count > 1) {
        const lack = facts.lack ? `${facts.lack[0].toUpperCase()}${facts.lack.slice(1)}: this` : "This";
        page.notice(`${lack} page holds pictures of ${facts.pictures.length} of the clip's ${page.clip.count} frames, and shows the `
            + "nearest one that it has. “--frames 0,50,100-120” makes a page with others.");
    }
    get("play").disabled = !page.clip.isVideo;
    // Tests ask it what it shows.
    annotatePick.page = page;
    page.changed();
    page.view.fit();
    if (!page.clip.isVideo) page.clip.show(facts.frame ?? 0);
    get("canvas").focus();
};

/** What a track file has of each region: its runs of states, and its box on a frame. */
annotatePick.tracked = function (tracks) {
    const byRegion = new Map();
    for (const { region, label, runs, boxes } of tracks) {
        // Several stages may follow one region: the first is shown.
        if (!byRegion.has(region)) byRegion.set(region, { label, runs, at: annotatePick.placeAt(runs, boxes) });
    }
    return byRegion;
};

/** What else a track file has a track of, by its number. */
annotatePick.found = (things) => new Map(things.map(({ track, kind, label, runs, boxes }) => [
    track, { name: `${label ?? kind} ${track}`, runs, at: annotatePick.placeAt(runs, boxes) },
]));

/** Says where something is on a frame, by its runs of states and the boxes of their frames. */
annotatePick.placeAt = function (runs, boxes) {
    let before = 0;
    const starts = runs.map(([first, last]) => (before += last - first + 1) - (last - first + 1));
    return (frame) => {
        const index = runs.findIndex(([first, last]) => first <= frame && frame <= last);
        if (index < 0) return null;
        const box = boxes[starts[index] + frame - runs[index][0]];
        return { state: runs[index][2], points: box && [[box[0], box[1]], [box[0] + box[2], box[1] + box[3]]] };
    };
};

/** What is seen on the frame: of each entry what is said of it, or where it is tracked, or where it was said to be before. */
annotatePick.seen = function (page) {
    const { drawing, tracked, frame } = page;
    const shapes = [];
    for (const item of drawing.items) {
        if (item.list === "cover") {
            shapes.push(...annotatePick.Covers.seen(item, page));
            continue;
        }
        const key = drawing.at(item, frame);
        if (!key) continue;
        if (annotatePick.KINDS[item.keys[0].kind].isStill) {
            shapes.push({ item, kind: key.kind, points: key.points, look: "key", from: frame });
            continue;
        }
        const track = tracked.get(item.id)?.at(frame);
        if (key.frame === frame) {
            if (!key.absent) shapes.push({ item, kind: key.kind, points: key.points, look: "key", from: frame });
        } else if (track?.points) {
            shapes.push({ item, kind: "box", points: track.points, look: "tracked", from: frame });
        } else if (!key.absent && track?.state !== "lost") {
            shapes.push({ item, kind: key.kind, points: key.points, look: "last", from: key.frame });
        }
    }
    if (page.tool === "found") shapes.push(...annotatePick.Covers.others(page));
    for (const [region, one] of tracked) {
        const points = one.at(frame)?.points;
        if (points && !drawing.items.some((item) => item.list === "regions" && item.id === region)) {
            shapes.push({ item: null, name: region, kind: "box", points, look: "tracked", from: frame });
        }
    }
    return shapes;
};

/** What a manifest's job says, to have what is drawn. */
annotatePick.manifestWords = function (drawing, file) {
    const lists = annotatePick.LISTS.filter((list) => drawing.items.some((item) => item.list === list));
    return (lists.length > 0 ? lists : ["regions"]).map((list) => `"${list}": ${JSON.stringify(file)}`).join(", ");
};

annotatePick.main();
