"use strict";
/**
 * The kinds of shapes that can be drawn. A kind more is a row more.
 *
 * Here all places are on the edge convention of a canvas: the picture's left edge is 0, the middle of its first pixel 0.5. A
 * manifest has the edges of a box, a line and a zone like that, and the middles of pixels as whole numbers everywhere else.
 *
 *   list      of the file, that it goes into
 *   key       of the entry, that its place stands under
 *   word      for people
 *   letter    the key that chooses the tool, if there is one
 *   end       of a line: what its second point stands under
 *   isChosen  isn't drawn, but chosen or taken over
 *   points    how many: [left top, right bottom] of a box, the corners of the others; the most, where there may be fewer
 *   least     how many at the least, where their number isn't fixed
 *   isEdged   whole numbers are the edges of pixels in the manifest, too
 *   isStill   holds for the whole clip
 *   isDragged drawn by dragging from corner to corner, not point by point
 *   isClosed  has an inside
 *   hasKeyframes  can be given anew on later frames
 *   text      the field for people: its name and what it is called
 *   hint      what to do, for the line of state
 *   members   those that an entry may have, of a list that a program has beside these; all where there are none
 */
annotatePick.KINDS = {
    box: {
        list: "regions", key: "box", word: "box", letter: "b", points: 2, isDragged: true, isClosed: true, isEdged: true,
        hasKeyframes: true, text: ["label", "Label"], hint: "drag from corner to corner, or press Enter for one to move",
    },
    quad: {
        list: "regions", key: "polygon", word: "four corners", letter: "q", points: 4, isClosed: true,
        hasKeyframes: true, text: ["label", "Label"], hint: "click the four corners in order; Backspace takes one back",
    },
    spot: {
        list: "regions", key: "point", word: "spot", letter: "s", points: 1, hasKeyframes: true,
        text: ["label", "Label"], hint: "click the middle of what is to be followed",
    },
    point: {
        list: "points", key: "point", word: "point", letter: "p", points: 1, text: ["text", "Text"],
        hint: "click the place that is to be labelled",
    },
    line: {
        list: "lines", key: "from", end: "to", word: "line", letter: "i", points: 2, isEdged: true, isStill: true,
        hint: "click where its arrow begins and where it ends; the stroke in its middle shows what counts as forward",
    },
    zone: {
        list: "zones", key: "polygon", word: "zone", letter: "z", points: 64, least: 3, isEdged: true, isStill: true, isClosed: true,
        hint: "click its corners in order, and the first one again, or press Enter; Backspace takes one back",
    },
    cover: {
        list: "cover", key: "box", word: "cover", letter: "c", points: 2, isDragged: true, isClosed: true, isEdged: true, hasKeyframes: true,
        hint: "drag from corner to corner over what is to be hidden",
    },
    patch: {
        list: "cover", key: "polygon", word: "cover with corners", letter: "x", points: 64, least: 3, isClosed: true, hasKeyframes: true,
        hint: "click the corners around what is to be hidden, and the first one again, or press Enter; Backspace takes one back",
    },
    follow: { list: "cover", key: "track", word: "found thing", points: 0, isChosen: true },
    kept: { list: "cover", key: "kept", word: "cover", points: 0, isChosen: true },
};

/** The shapes that a tool of the program draws. */
annotatePick.TOOLS = { region: ["box", "quad", "spot"], point: ["point"], line: ["line"], zone: ["zone"] };

/**
 * Adds the lists of a program's own kinds, each drawn as one of those above.
 *
 * lists: [{list, tool, members: [the names that an entry may have]}]
 */
annotatePick.addLists = function (lists) {
    for (const { list, tool, members } of lists) {
        const known = (annotatePick.TOOLS[tool] ?? []).filter((name) => {
            const { key, end } = annotatePick.KINDS[name];
            return members.includes(key) && (!end || members.includes(end));
        });
        if (known.length > 0) annotatePick.LISTS.push(list);
        for (const name of known) {
            const { word, text, isStill, hasKeyframes, ...kind } = annotatePick.KINDS[name];
            const noun = list.replace(/s$/, "");
            annotatePick.KINDS[`${list} ${name}`] = {
                ...kind, list, members, letter: null, word: known.length > 1 ? `${noun}, ${word}` : noun,
                text: text && members.includes(text[0]) ? text : undefined,
                // What says nothing of a moment holds for the whole clip.
                isStill: isStill || !members.includes("frame"),
                hasKeyframes: hasKeyframes && members.includes("keyframes") && members.includes("frame"),
            };
        }
    }
};

annotatePick.Shapes = {
    /** The kind that an entry of a list is of; undefined where it has no place. */
    kindOf(list, node) {
        return Object.keys(annotatePick.KINDS).find((name) => {
            const kind = annotatePick.KINDS[name];
            return kind.list === list && kind.key in node;
        });
    },

    /** What an entry has for its place, as `fromManifest` takes it. */
    valueOf(name, node) {
        const { key, end } = annotatePick.KINDS[name];
        return end ? [node[key], node[end]] : node[key];
    },

    /** The members that its place stands under. */
    members(name, points, scale) {
        const { key, end } = annotatePick.KINDS[name];
        const value = this.toManifest(name, points, scale);
        return end ? { [key]: value[0], [end]: value[1] } : { [key]: value };
    },

    /** Whether it has as many points as it has to. */
    isWhole(name, points) {
        const { points: most, least = most } = annotatePick.KINDS[name];
        return points.length >= least && points.length <= most;
    },

    /** Places from what a manifest has. scale: [1, 1], or the picture's size for normalized coordinates. */
    fromManifest(name, value, scale) {
        const [sx, sy] = scale;
        const kind = annotatePick.KINDS[name];
        if (kind.key === "box") {
            const [x, y, width, height] = value;
            return [[x * sx, y * sy], [(x + width) * sx, (y + height) * sy]];
        }
        // Normalized coordinates run over the picture's area.
        const half = sx === 1 && sy === 1 && !kind.isEdged ? 0.5 : 0;
        return (kind.points === 1 ? [value] : value).map(([x, y]) => [x * sx + half, y * sy + half]);
    },

    toManifest(name, points, scale) {
        const [sx, sy] = scale;
        const isNormalized = sx !== 1 || sy !== 1;
        const digits = isNormalized ? 1e6 : 100;
        const round = (number) => Math.round(number * digits) / digits + 0;
        const kind = annotatePick.KINDS[name];
        if (kind.key === "box") {
            const [[left, top], [right, bottom]] = points;
            return [left / sx, top / sy, (right - left) / sx, (bottom - top) / sy].map(round);
        }
        const half = isNormalized || kind.isEdged ? 0 : 0.5;
        const places = points.map(([x, y]) => [round(x / sx - half), round(y / sy - half)]);
        return kind.points === 1 ? places[0] : places;
    },

    isBox: (name) => annotatePick.KINDS[name].key === "box",

    /** The corners of its outline. */
    corners(name, points) {
        if (!this.isBox(name)) return points;
        const [[left, top], [right, bottom]] = points;
        return [[left, top], [right, top], [right, bottom], [left, bottom]];
    },

    /** Where it can be taken hold of: the place, and which of the points' coordinates go along (1 x, 2 y, 3 both). */
    handles(name, points) {
        if (!this.isBox(name)) return points.map((at, index) => ({ at, moves: [[index, 3]] }));
        const [[left, top], [right, bottom]] = points;
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        return [
            { at: [left, top], moves: [[0, 3]] }, { at: [right, bottom], moves: [[1, 3]] },
            { at: [right, top], moves: [[1, 1], [0, 2]] }, { at: [left, bottom], moves: [[0, 1], [1, 2]] },
            { at: [x, top], moves: [[0, 2]] }, { at: [x, bottom], moves: [[1, 2]] },
            { at: [left, y], moves: [[0, 1]] }, { at: [right, y], moves: [[1, 1]] },
        ];
    },

    /** To whole pixels: their edges for a box, a line and a zone, the middle of a pixel for the others. */
    snapped(name, [x, y]) {
        return annotatePick.KINDS[name].isEdged ? [Math.round(x), Math.round(y)] : [Math.floor(x) + 0.5, Math.floor(y) + 0.5];
    },

    /** The nearest place within the picture. */
    inside(name, [x, y], [width, height]) {
        const margin = annotatePick.KINDS[name].isEdged ? 0 : 0.5;
        return [Math.min(Math.max(x, margin), width - margin), Math.min(Math.max(y, margin), height - margin)];
    },

    /** With one handle's coordinates at another place; a box stays one, however it is turned over. */
    withHandle(name, points, handle, to) {
        const moved = points.map((point) => [...point]);
        for (const [index, axes] of handle.moves) {
            if (axes & 1) moved[index][0] = to[0];
            if (axes & 2) moved[index][1] = to[1];
        }
        return this.isBox(name) ? this.ordered(moved) : moved;
    },

    /** A box's points as left top and right bottom, one pixel large at the least. */
    ordered([[ax, ay], [bx, by]]) {
        const [left, top] = [Math.min(ax, bx), Math.min(ay, by)];
        return [[left, top], [Math.max(ax, bx, left + 1), Math.max(ay, by, top + 1)]];
    },

    /** Moved as a whole, as far as the picture goes. */
    moved(name, points, dx, dy, size) {
        const limit = (axis, by) => {
            const margin = annotatePick.KINDS[name].isEdged ? 0 : 0.5;
            const all = points.map((point) => point[axis]);
            // What reaches over an edge already isn't drawn in.
            const [least, most] = [Math.min(0, margin - Math.min(...all)), Math.max(0, size[axis] - margin - Math.max(...all))];
            return Math.min(Math.max(by, least), most);
        };
        const [x, y] = [limit(0, dx), limit(1, dy)];
        return points.map((point) => [point[0] + x, point[1] + y]);
    },

    area(name, points) {
        const corners = this.corners(name, points);
        let sum = 0;
        corners.forEach(([x, y], index) => {
            const [nextX, nextY] = corners[(index + 1) % corners.length];
            sum += x * nextY - nextX * y;
        });
        return Math.abs(sum) / 2;
    },

    /** What makes a line of two points an arrow: its head's strokes, and one in its middle towards its right; pairs of places. */
    arrow([from, to], size) {
        const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
        const length = Math.hypot(dx, dy) || 1;
        const [ax, ay] = [dx / length * size, dy / length * size];
        const middle = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
        return [
            [to, [to[0] - ax * 0.85 - ay * 0.5, to[1] - ay * 0.85 + ax * 0.5]],
            [to, [to[0] - ax * 0.85 + ay * 0.5, to[1] - ay * 0.85 - ax * 0.5]],
            [middle, [middle[0] - ay, middle[1] + ax]],
        ];
    },

    /** Whether a place lies in it, or as near to it as `reach` pixels. */
    isHit(name, points, [x, y], reach) {
        const corners = this.corners(name, points);
        if (corners.length === 1) return Math.hypot(corners[0][0] - x, corners[0][1] - y) <= reach;
        let isInside = false;
        corners.forEach(([ax, ay], index) => {
            const [bx, by] = corners[(index + 1) % corners.length];
            if (ay > y !== by > y && x < (bx - ax) * (y - ay) / (by - ay) + ax) isInside = !isInside;
        });
        return isInside || corners.some((corner, index) => {
            const [[ax, ay], [bx, by]] = [corner, corners[(index + 1) % corners.length]];
            const length = (bx - ax) ** 2 + (by - ay) ** 2;
            const along = length ? Math.min(Math.max(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length, 0), 1) : 0;
            return Math.hypot(ax + along * (bx - ax) - x, ay + along * (by - ay) - y) <= reach;
        });
    },

    /** In the manifest's numbers, for people. */
    text(name, points) {
        const value = this.toManifest(name, points, [1, 1]);
        if (annotatePick.KINDS[name].key === "box") return `[${value.join(", ")}]`;
        return annotatePick.KINDS[name].points === 1 ? `[${value.join(", ")}]` : value.map((at) => `[${at.join(", ")}]`).join(" ");
    },
};
