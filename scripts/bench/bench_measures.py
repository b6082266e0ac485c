"""Times commands in turn, and keeps what is found for docs/benchmarks.md."""
import os
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(ROOT, ".build/release/annotate-batch")


def run(command):
    """Runs a command to its end and returns (CPU seconds, wall seconds, peak MiB)."""
    start = time.monotonic()
    with open(os.devnull, "w") as null:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=null, stderr=subprocess.PIPE)
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"bench: {' '.join(command)}\nended with {process.returncode}: {errors.decode()[-800:]}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / 1024


class Board:
    """What was measured, a row each, with the bounds that it is held against."""

    def __init__(self, runs):
        self.runs, self.sections, self.missed = runs, [], []

    def section(self, title, columns=("what", "figure", "lowest–highest", "ours / theirs", "bound")):
        self.sections.append((title, columns, []))
        print(title)

    def row(self, what, figure, spread="", middle="", bound="", is_met=True):
        """Adds a row; `bound` says it in words, `is_met` whether it holds."""
        verdict = f"{bound}: {'met' if is_met else '**missed**'}" if bound else ""
        if bound and not is_met:
            self.missed.append(f"{what}: {figure}, {bound}")
        self.sections[-1][2].append((what, figure, spread, middle, verdict))
        print("  " + "  ".join(word for word in (f"{what:44}", figure, spread, middle, verdict) if word))

    def pair(self, name, ours, theirs, bounds=None):
        """Times two commands in turn (A B A B …) and notes the ratios ours / theirs; returns all figures."""
        run(ours), run(theirs)
        figures = [(run(ours), run(theirs)) for _ in range(self.runs)]
        for index, label in ((0, "CPU"), (1, "wall")):
            ratios = sorted(a[index] / b[index] for a, b in figures)
            ratio, bound = statistics.median(ratios), (bounds or {}).get(label)
            middle = [statistics.median(side[index] for side in sides) for sides in zip(*figures)]
            self.row(f"{name}, {label}", f"{ratio:.2f} ×", f"{ratios[0]:.2f}–{ratios[-1]:.2f}",
                     f"{middle[0]:.2f} s / {middle[1]:.2f} s", "" if bound is None else f"≤ {bound}",
                     bound is None or ratio <= bound)
        return figures

    def over(self, name, ours, less, unit, divisor=1.0, bound=None, index=0):
        """Times two commands in turn and notes how much more the first takes: milliseconds for each of `divisor`."""
        run(ours), run(less)
        more = sorted(1000 * (run(ours)[index] - run(less)[index]) / divisor for _ in range(self.runs))
        middle = statistics.median(more)
        self.row(name, f"{middle:.1f} ms{unit}", f"{more[0]:.1f}–{more[-1]:.1f}", "",
                 "" if bound is None else f"≤ {bound} ms", bound is None or middle <= bound)

    def first(self, name, one, many, nothing, count, bound):
        """Notes what comes before a job's first picture: what one picture takes over no stage, less what each more takes."""
        for command in (one, many, nothing):
            run(command)
        figures = sorted(
            1000 * (a - c - (b - a) / (count - 1))
            for a, b, c in ([run(command)[0] for command in (one, many, nothing)] for _ in range(self.runs)))
        middle = statistics.median(figures)
        self.row(name, f"{middle:.0f} ms", f"{figures[0]:.0f}–{figures[-1]:.0f}", "", f"≤ {bound} ms", middle <= bound)

    def alone(self, name, command, bound=None, index=0):
        """Times a command and notes its milliseconds."""
        run(command)
        times = sorted(1000 * run(command)[index] for _ in range(max(5, self.runs)))
        middle = statistics.median(times)
        self.row(name, f"{middle:.0f} ms", f"{times[0]:.0f}–{times[-1]:.0f}", "",
                 "" if bound is None else f"≤ {bound} ms", bound is None or middle <= bound)

    def write(self, path, head):
        """Writes the page, a table a section."""
        lines = [head]
        for title, columns, rows in self.sections:
            lines += [f"## {title}", "", "| " + " | ".join(columns) + " |", "| " + " | ".join("---" for _ in columns) + " |"]
            lines += ["| " + " | ".join(row) + " |" for row in rows] + [""]
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
