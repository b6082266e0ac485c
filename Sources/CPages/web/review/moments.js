"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/** The moments that a reviewer wants to see: what the program found, and what follows from the tracks' states. */
annotateReview.moments = {
    /** Kinds in the order of the buttons; lower-case key: the next one, upper-case: the one before. */
    kinds: [
        { what: "doubtful", name: "Doubtful", key: "n", doc: "the confidence is low" },
        { what: "lost", name: "Lost", key: "l", doc: "a track loses its thing" },
        { what: "recovered", name: "Recovered", key: "r", doc: "a lost thing is found again" },
        { what: "gap", name: "Gap", key: "g", doc: "a track isn't seen for a while" },
        { what: "handover", name: "Handover", key: "h", doc: "a track ends beside another's start" },
        { what: "collision", name: "Collision", key: "c", doc: "two things collide" },
        { what: "event", name: "Event", key: "o", doc: "something crosses a line, enters or leaves a zone" },
        { what: "expectation", name: "Expectation", key: "q", doc: "an expectation doesn't hold" },
        { what: "first", name: "First", key: "f", doc: "a track begins" },
        { what: "last", name: "Last", key: "e", doc: "a track ends" },
    ],

    name: (what) => annotateReview.moments.kinds.find((kind) => kind.what === what)?.name ?? what,

    /** The moments of figures that aren't as expected, where they say one. */
    expected(job) {
        return (job.expectations ?? []).flatMap((each) => annotateReview.head.failures(each))
            .filter(({ frame }) => frame !== undefined).map(({ text, frame, time, track, figure }) => {
                const index = Math.max(frame - (job.first ?? 0), 0);
                // Several figures may be worst at one moment: its picture is there once.
                const shot = job.shots?.find((each) => each.frame === frame && each.track === track);
                return { ...shot, what: "expectation", index, last: index, best: index, frame, time: time ?? 0, text, track,
                    figure };
            });
    },

    /** How many moments of a job there are to look at, with those that the page leaves out. */
    count(job) { return (job.moments?.length ?? 0) + (job.momentsLeftOut ?? 0) + annotateReview.moments.expected(job).length; },

    /** All moments of a job, in order. */
    of(results) {
        const expected = annotateReview.moments.expected(results.job).map((moment) => {
            const thing = results.thingOf(moment.track);
            return thing ? { ...moment, things: [thing.index] } : moment;
        });
        const given = [...results.job.moments ?? [], ...results.job.events ?? [], ...expected]
            .filter((moment) => moment.index < results.count);
        const isGiven = new Set(given.filter((moment) => moment.what === "lost")
            .map((moment) => `${moment.index} ${moment.things?.[0]}`));
        const derived = [];
        const add = (what, index, thing, text) => derived.push({
            what, index, last: index, frame: results.first + index, time: results.times[index], things: [thing.index],
            text: `${thing.title} ${text}`,
        });
        for (const thing of results.things) {
            // What has no track is no one thing: it neither begins nor ends.
            if (thing.track === undefined || thing.runs.length === 0) continue;
            add("first", thing.first, thing, "begins");
            let wasLost = false;
            for (const [first, , state] of thing.runs) {
                const isLost = state === "lost";
                if (isLost && !wasLost && !isGiven.has(`${first} ${thing.index}`)) add("lost", first, thing, "is lost");
                if (wasLost && !annotateReview.Thing.isGone(state)) add("recovered", first, thing, "is found again");
                wasLost = isLost || (wasLost && state === "ended");
            }
            add("last", thing.last, thing, "ends");
        }
        return [...given, ...derived].sort((a, b) => a.index - b.index);
    },

    /**
     * The next moment from a frame in a direction, 1 or -1; null where there is none.
     * @param {(moment: Object) => boolean} isWanted
     */
    next(moments, index, direction, isWanted) {
        const ahead = moments.filter((moment) => (moment.index - index) * direction > 0 && isWanted(moment));
        return (direction > 0 ? ahead[0] : ahead.at(-1)) ?? null;
    },
};
