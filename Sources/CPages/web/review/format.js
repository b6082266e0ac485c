"use strict";
/**
 * The review page is under this one name.
 * @namespace
 */
globalThis.annotateReview = globalThis.annotateReview || {};

/** Numbers and texts as people read them. */
annotateReview.format = {
    /** Seconds as 1:02.345, or 1:02:03.345. */
    time(seconds, decimals = 3) {
        const sign = seconds < 0 ? "−" : "";
        const unit = 10 ** decimals;
        const ticks = Math.round(Math.abs(seconds) * unit);
        const whole = Math.floor(ticks / unit);
        const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
        const two = (number) => String(number).padStart(2, "0");
        const start = hours ? `${hours}:${two(minutes)}` : `${minutes}`;
        return `${sign}${start}:${two(rest)}${decimals ? "." + String(ticks % unit).padStart(decimals, "0") : ""}`;
    },

    /** A count with thin spaces between the thousands. */
    count: (number) => String(number).replace(/\B(?=(\d{3})+$)/g, "\u2009"),

    counted: (number, one, many = one + "s") => `${annotateReview.format.count(number)} ${number === 1 ? one : many}`,

    percent: (share) => `${Math.round(share * 1000) / 10} %`,

    /** A confidence, 0…1, as the track file has it but no longer than three decimals. */
    confidence: (value) => String(Math.round(value * 1000) / 1000),

    /** A text that is cut where it would push all else aside; its whole goes into a title. */
    short(text, most = 60) {
        const characters = Array.from(String(text).slice(0, most * 4));
        return characters.length > most ? characters.slice(0, most - 1).join("") + "…" : String(text);
    },

    /** Any value of a track file as one line. */
    value(value) {
        if (value === true) return "yes";
        if (value === false) return "no";
        if (Array.isArray(value)) return `[${value.map(annotateReview.format.value).join(", ")}]`;
        if (value !== null && typeof value === "object") {
            return Object.entries(value).map(([name, inner]) => `${name} ${annotateReview.format.value(inner)}`).join(", ");
        }
        return String(value);
    },
};
