/**
 * Masks as pictures: COCO's column runs, compressed as the track file has them.
 */
annotateReview.masks = (() => {
    /** Pictures made lately, by what they are of: a frame is drawn many times. */
    const made = new Map();
    const MOST = 64;

    /** Runs outside and inside, in turns, down the columns from the left; null for a text that is none. */
    function runs(counts) {
        const found = [];
        let [number, bits] = [0, 0];
        for (const sign of counts) {
            const group = sign.charCodeAt(0) - 48;
            if (group < 0 || group > 63 || bits > 25) return null;
            number |= (group & 0x1f) << bits;
            bits += 5;
            if (group & 0x20) continue;
            if (group & 0x10) number |= -1 << bits;
            if (found.length > 2) number += found[found.length - 2];
            found.push(number);
            [number, bits] = [0, 0];
        }
        return found;
    }

    /** A canvas of the mask's box, its pixels in a colour, the others clear; null for a code that isn't right. */
    function picture(counts, width, height, color) {
        const key = `${width} ${height} ${color} ${counts}`;
        if (made.has(key)) return made.get(key);
        const all = runs(counts);
        if (!all || width * height === 0 || all.reduce((sum, run) => sum + run, 0) !== width * height) return null;
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [width, height];
        const context = canvas.getContext("2d");
        const pixels = context.createImageData(width, height);
        const [red, green, blue] = [1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16));
        let place = 0;
        all.forEach((run, index) => {
            if (index % 2) {
                for (let each = place; each < place + run; each++) {
                    const at = 4 * ((each % height) * width + Math.floor(each / height));
                    pixels.data.set([red, green, blue, 255], at);
                }
            }
            place += run;
        });
        context.putImageData(pixels, 0, 0);
        if (made.size >= MOST) made.delete(made.keys().next().value);
        made.set(key, canvas);
        return canvas;
    }

    return { picture, runs };
})();
