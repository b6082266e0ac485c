"use strict";
/**
 * A manifest's `cover`: places that are hidden for a time, and found things that are hidden, or left visible, wherever they are.
 *
 * An entry of theirs has no id in the file. It has a `style`; one that follows a found thing has that one's number as `track`, and
 * `isException` where the thing stays visible. What this page can't draw (a zone, sound, what follows a region) is kept as it is.
 * A cover begins and ends by time, seconds; its keyframes are by frame, unless all of them were by time.
 */
annotatePick.Covers = {
    /** What else may stand in place of a box or polygon. */
    OTHERS: ["zone", "region", "audio"],
    /** How pixels are taken away; the first is what a manifest means that doesn't say. */
    STYLES: ["fill", "blur", "pixelate"],
    /** Seconds by which a time that was written with few decimals may miss the time of its frame. */
    SLACK: 0.001,

    /** The members of a new entry that others haven't: nothing shows through what is filled. */
    fresh: (track = null, isException = false) => ({ style: "fill", saysStyle: true, track, isException }),

    /**
     * An entry's members from the file's; what can't be read throws a sentence.
     * key(node): reads a place with its moment, for a keyframe.
     */
    read(node, index, clip, place, key) {
        const { start, end, style, units, track, except, box, polygon, keyframes, ...rest } = node;
        const kind = annotatePick.Shapes.kindOf("cover", { ...(box && { box }), ...(polygon && { polygon }) });
        if (![start ?? 0, end ?? 0].every(Number.isFinite)) throw new Error(`${place}: its start or end is no number.`);
        const begin = { frame: clip.frameShownAt((start ?? 0) + this.SLACK), by: "time", at: start ?? 0 };
        const item = {
            list: "cover", id: `cover-${index + 1}`, text: "", normalized: units === "normalized", isFilled: false, rest,
            style: style ?? this.STYLES[0], saysStyle: style !== undefined, track: null, isException: false, isKept: false,
            end: end === undefined ? null : { frame: clip.frameShownAt(end + this.SLACK) + 1, by: "time", at: end },
        };
        const follows = Number.isInteger(track) && !kind;
        if (this.OTHERS.some((word) => word in node) || track !== undefined && !follows) {
            return { ...item, isKept: true, rest: node, keys: [{ ...begin, kind: "kept", points: [] }] };
        }
        if (follows) {
            return { ...item, track, isException: except === true, keys: [{ ...begin, kind: "follow", points: [] }] };
        }
        if (!kind) throw new Error(`${place}: it has no place.`);
        const first = key(node, kind, place);
        const later = (keyframes ?? []).map((one, number) => {
            const at = key(one, kind, `${place}, keyframe ${number + 1}`);
            if (at.by === "time") at.frame = clip.frameAtOrAfter(at.at - this.SLACK);
            return at;
        });
        // A place that is there again is covered in the picture that is seen then.
        for (const [number, at] of later.entries()) {
            if (at.by === "time" && !at.absent && later[number - 1]?.absent) at.frame = clip.frameShownAt(at.at + this.SLACK);
        }
        const isAfter = (one) => one.frame > begin.frame;
        return { ...item, keys: [{ ...begin, kind, points: first.points }, ...later.filter(isAfter).sort((a, b) => a.frame - b.frame)] };
    },

    /** What an entry is in the file. place(key): its place's members. */
    node(item, clip, place) {
        if (item.isKept) return { ...item.rest };
        const [first, ...later] = item.keys;
        const seconds = (frame) => Math.round(clip.seconds(frame) * 1e6) / 1e6;
        const node = item.track === null ? place(first) : { track: item.track };
        if (item.isException) node.except = true;
        const start = first.by === "time" ? first.at : first.frame > 0 ? seconds(first.frame) : 0;
        if (start > 0) node.start = start;
        if (item.end) node.end = item.end.by === "time" ? item.end.at : this.endBefore(item.end.frame, clip);
        if (item.normalized) node.units = "normalized";
        if (!item.isException && (item.saysStyle || item.style !== this.STYLES[0])) node.style = item.style;
        Object.assign(node, item.rest);
        if (later.length > 0) {
            const isByTime = later.every((key) => key.by === "time");
            node.keyframes = later.map((key) => ({ ...(isByTime ? { time: key.at } : { frame: key.frame }), ...place(key) }));
        }
        return node;
    },

    /** The end of what isn't hidden any more in a frame: in a manifest the last picture is the one that is seen at the end. */
    endBefore: (frame, clip) => Math.round((clip.seconds(frame - 1) + clip.seconds(frame)) / 2 * 1e4) / 1e4,

    /** What a manifest would find wrong with one, in a sentence; null where nothing is. */
    complaint(item) {
        const [first] = item.keys;
        const other = item.keys.find((key) => !key.absent && (key.kind !== first.kind || key.points.length !== first.points.length));
        return other ? `On frame ${other.frame} it has another form: a box stays one, and corners stay as many.` : null;
    },

    /** For people. */
    describe(item, page) {
        if (item.isKept) return `${item.id}: kept as the file has it`;
        const style = { blur: "blurred", pixelate: "pixelated", fill: "filled" }[item.style] ?? item.style;
        if (item.track === null) return `${item.id}: ${annotatePick.KINDS[item.keys[0].kind].word}, ${style}`;
        const name = page.found.get(item.track)?.name ?? `track ${item.track}`;
        return item.isException ? `${name}: stays visible` : `${name}: hidden, ${style}`;
    },

    /** What is seen of one on a frame: a list of shapes, with one or none. */
    seen(item, { drawing, found, frame }) {
        const key = drawing.at(item, frame);
        if (!key || key.absent || item.isKept) return [];
        if (item.track !== null) {
            const thing = found.get(item.track);
            const points = thing?.at(frame)?.points;
            const name = `${thing?.name}, ${item.isException ? "visible" : "hidden"}`;
            return points ? [{ item, name, kind: "box", points, look: "found", from: frame, isFixed: true, thing: item.track }] : [];
        }
        if (key.frame === frame) return [{ item, kind: key.kind, points: key.points, look: "key", from: frame }];
        const next = item.keys.find((one) => one.frame > frame);
        if (!next || next.absent || next.points.length !== key.points.length) {
            return [{ item, kind: key.kind, points: key.points, look: "last", from: key.frame }];
        }
        // Between two places it moves evenly, as the program has it.
        const share = (frame - key.frame) / (next.frame - key.frame);
        const points = key.points.map((point, index) => point.map((at, axis) => at + (next.points[index][axis] - at) * share));
        return [{ item, kind: key.kind, points, look: "between", from: key.frame }];
    },

    /** All that was found on the frame and isn't among the covers. */
    others({ drawing, found, frame }) {
        const taken = new Set(drawing.items.filter((item) => item.list === "cover" && drawing.at(item, frame)).map((item) => item.track));
        return [...found].flatMap(([thing, { name, at }]) => {
            const points = taken.has(thing) ? null : at(frame)?.points;
            return points ? [{ item: null, thing, name, kind: "box", points, look: "found", from: frame, isFixed: true }] : [];
        });
    },
};
