#!/usr/bin/env python3
"""Runs the tests, ends them where one hangs, and says how they went.

    scripts/test.py [--case-limit 120] [--log FILE] [--without FILE] BUNDLE [--skip NAME]…

FILE of `--without` has names of suites and tests that aren't to be run, one a line; a name that no test has is an error.
BUNDLE is what `swift build --build-tests` made; it is run itself, since `swift test` puts it where no signal reaches it.
Swift Testing's own `.timeLimit` never fires here: it waits on the threads that the tests block. This looks from outside, at
the events that the runner writes. Where one case of a test takes longer than the limit, or nothing at all comes to an end
for so long, and nothing is at work any more, the test is named, all is aborted (the threads' stacks go to the log), and the
status is 124, as that of timeout(1). While something is at work there is four times the limit: a machine may be slow. The
runner doesn't tell when a test without arguments gets its turn: one that hangs is known when the others are done.

The tests' own output, libraries' notes among it, goes to the log. Told here are skipped tests with the reason, issues, how
far it is, the slowest tests with arguments, and the runner's last line.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

# Tests may run at once as the machine has cores. More would only wait for each other, and no case's time would be its own.
WIDTH = "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"


class Watch:
    """What the runner's events say."""

    def __init__(self):
        self.lock = threading.Lock()
        self.names, self.running, self.seconds = {}, {}, collections.Counter()
        self.begun, self.last_end = set(), time.monotonic()
        self.tests, self.ended, self.issues = 0, False, 0

    def read(self, pipe):
        with open(pipe, encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                with self.lock:
                    if record["kind"] == "test":
                        self.name(record["payload"])
                    else:
                        self.note(record["payload"])

    def name(self, test):
        # Module.Suite/function(labels:)/File.swift:1:2 without the place.
        if test["kind"] == "function":
            self.names[test["id"]] = test["id"].rsplit("/", 1)[0]

    def note(self, event):
        kind, test = event["kind"], self.names.get(event.get("testID"))
        case = event.get("_testCase", {})
        key = (test, case.get("id"))
        if kind in ("testCaseEnded", "testEnded"):
            self.last_end = time.monotonic()
        if kind == "testStarted" and test:
            self.begun.add(test)
        elif kind == "testEnded" and test:
            self.begun.discard(test)
            self.tests += 1
        elif kind == "testCaseStarted":
            self.running[key] = (time.monotonic(), case.get("displayName", ""))
        elif kind == "testCaseEnded":
            self.seconds[test] += time.monotonic() - self.running.pop(key, (time.monotonic(),))[0]
        elif kind == "issueRecorded":
            known = event.get("issue", {}).get("isKnown")
            self.issues += not known
            text = "\n".join(message["text"] for message in event["messages"])
            tell(f"{'known ' if known else 'FAILED'}  {test or ''} {case.get('displayName', '')[:200]}\n{text}")
        elif kind == "testSkipped":
            reasons = ": ".join(message["text"] for message in event["messages"])
            tell(f"skipped {reasons}")
        elif kind == "runEnded":
            self.ended = True

    def at_work(self):
        """The tests that have begun and not ended: cases by name, and others, which may be waiting for their turn."""
        with self.lock:
            cases = [f"{test} {name[:200]}" for (test, _), (_, name) in self.running.items()]
            others = sorted(self.begun - {test for test, _ in self.running})
        more = [f"… and {len(others) - 5} more that had begun or waited"] if len(others) > 5 else []
        return cases + others[:5] + more

    def hangs(self, limit):
        now = time.monotonic()
        with self.lock:
            begun = [begun for begun, _ in self.running.values()]
        return now - min(begun + [self.last_end]) > limit


def tell(text):
    print(text, flush=True)


def left_out(file):
    """The names of suites and tests in a file, each of which the sources have."""
    with open(file, encoding="utf-8") as lines:
        names = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    folder = os.path.dirname(os.path.abspath(file))
    for name in names:
        module, _, rest = name.partition(".")
        suite, _, test = rest.partition("/")
        sources = pathlib.Path(folder, module).rglob("*.swift")
        texts = [text for text in (source.read_text(encoding="utf-8") for source in sources) if re.search(rf"\b{suite}\b", text)]
        if not any(re.search(rf"\b(?:struct|class) {suite}\b", text) for text in texts):
            sys.exit(f"{file}: {module} has no suite {suite}")
        if test and not any(re.search(rf"\bfunc {test}\(", text) for text in texts):
            sys.exit(f"{file}: {suite} has no test {test}")
    return names


def last_lines(log, count):
    with open(log, encoding="utf-8", errors="replace") as file:
        return [line.rstrip("\n") for line in collections.deque(file, count)]


def crash(log):
    """What the log says of the thread that crashed, or its last lines."""
    lines = last_lines(log, 2000)
    found = next((index for index, line in enumerate(lines) if line.endswith(" crashed:")), None)
    return lines[-40:] if found is None else lines[found:found + 30]


def offspring(process):
    """The numbers of all processes that one has started, and those have."""
    parents = {}
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                parents[int(entry)] = int(file.read().rsplit(")", 1)[1].split()[1])
        except (OSError, ValueError):
            continue
    found = [process]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found[1:]


def processor_seconds(process):
    """What the tests and the programs that they have started took of processors, seconds; those that have ended among it."""
    ticks = 0
    for one in [process] + offspring(process):
        try:
            with open(f"/proc/{one}/stat", encoding="utf-8", errors="replace") as file:
                ticks += sum(int(number) for number in file.read().rsplit(")", 1)[1].split()[11:15])
        except OSError:
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


def works(process, seconds=5):
    """Whether the tests, or what they have started, take a tenth of a processor or more."""
    begun = processor_seconds(process)
    time.sleep(seconds)
    return processor_seconds(process) - begun > 0.1 * seconds


def place(process, address):
    """The file that an address of a process's code lies in, and where in it."""
    with open(f"/proc/{process}/maps", encoding="utf-8", errors="replace") as maps:
        for line in maps:
            words = line.split()
            begin, end_ = (int(number, 16) for number in words[0].split("-"))
            if begin <= address < end_:
                return f"{os.path.basename(words[-1])}+{address - begin + int(words[2], 16):x}"
    return f"{address:x}"


def stances(process):
    """What each thread of a process is at, a line each: its state, its processor time, and where it is, in which system call."""
    with open(f"/proc/{process}/cmdline", "rb") as file:
        yield f"process {process}: " + file.read().replace(b"\0", b" ").decode("utf-8", "replace")[:160]
    for thread in sorted(os.listdir(f"/proc/{process}/task"), key=int):
        folder = f"/proc/{process}/task/{thread}"
        with open(f"{folder}/stat", encoding="utf-8", errors="replace") as file:
            name, rest = file.read().split("(", 1)[1].rsplit(")", 1)
        call = read_call(folder)
        # Of one that runs the kernel says where it is when it is stopped. Some looks show a loop.
        looks = 4 if call == ["running"] else 1
        for _ in range(looks):
            if looks > 1:
                os.kill(process, signal.SIGSTOP)
                time.sleep(0.05)
                call = read_call(folder)
                os.kill(process, signal.SIGCONT)
                time.sleep(0.05)
            words = [" ".join(call[:3])] + ([place(process, int(call[-1], 16))] if len(call) > 2 else [])
            seconds = sum(int(ticks) for ticks in rest.split()[11:13]) / os.sysconf("SC_CLK_TCK")
            yield f"  thread {thread} {name}: {rest.split()[0]}, {seconds:.2f} s, call " + " at ".join(words)


def read_call(folder):
    with open(f"{folder}/syscall", encoding="utf-8") as file:
        return file.read().split()


def tell_of_programs(process):
    """Tells what the programs that a hanging test has started are at: whoever looks later finds none of them."""
    for one in offspring(process):
        try:
            tell("\n".join(stances(one)))
        except OSError as error:
            tell(f"process {one}: {error}")


def end(process, log):
    """Ends the tests with all that they have started. An abort writes the threads' stacks to the log first."""
    try:
        os.killpg(process.pid, signal.SIGABRT)
        for _ in range(100):
            time.sleep(0.2)
            if process.poll() is not None or any("Backtrace took" in line for line in last_lines(log, 20)):
                break
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--case-limit", type=float, default=120,
        help="seconds that one case may take, four times that while it works (default 120)")
    parser.add_argument("--log", default=".build/test.log", help="the tests' output (default .build/test.log)")
    parser.add_argument("--without", metavar="FILE", help="names of suites and tests that aren't run, one a line")
    parser.add_argument("bundle")
    options, arguments = parser.parse_known_args()
    without = left_out(options.without) if options.without else []
    for name in without:
        arguments += ["--skip", name]

    folder = tempfile.mkdtemp(prefix="annotate-test-")
    pipe = os.path.join(folder, "events")
    os.mkfifo(pipe)
    watch = Watch()
    reader = threading.Thread(target=watch.read, args=(pipe,), daemon=True)
    reader.start()
    command = [os.path.abspath(options.bundle), "--testing-library", "swift-testing", "--event-stream-version", "0",
               "--event-stream-output-path", pipe] + arguments
    environment = {WIDTH: str(os.cpu_count() or 1), **os.environ}
    with open(options.log, "wb") as log:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                   start_new_session=True)
    status, hanging = None, []
    begun = told = time.monotonic()

    def ended_from_outside(number, _):
        tell(f"ended by signal {number}; at work: " + ", ".join(watch.at_work()))
        end(process, options.log)
        sys.exit(128 + number)

    signal.signal(signal.SIGTERM, ended_from_outside)
    signal.signal(signal.SIGINT, ended_from_outside)
    while status is None:
        try:
            status = process.wait(0.5)
        except subprocess.TimeoutExpired:
            if watch.hangs(options.case_limit) and (watch.hangs(4 * options.case_limit) or not works(process.pid)):
                hanging = [f"HANGS   {name}, or takes over {options.case_limit:g} s" for name in watch.at_work()]
                tell("\n".join(hanging))
                tell_of_programs(process.pid)
                end(process, options.log)
                status = 124
            elif time.monotonic() - told > 20:
                told = time.monotonic()
                tell(f"… {watch.tests} tests in {told - begun:.0f} s")
    reader.join(5)
    os.remove(pipe)
    os.rmdir(folder)

    if status not in (0, 124) and not watch.issues and watch.at_work():
        tell("\n".join(crash(options.log)))
        tell("CRASHED while at work on " + ", ".join(watch.at_work()))
    slowest = [f"{seconds:.1f} s {name}" for name, seconds in watch.seconds.most_common(5)]
    if slowest:
        tell("slowest: " + "; ".join(slowest))
    # Once more: of a long run people may have the last lines alone.
    if hanging:
        tell("\n".join(hanging))
    tell(next((line for line in reversed(last_lines(options.log, 200)) if "Test run with" in line),
              "The run did not come to its end."))
    if status == 0 and not watch.ended:
        tell("No test was run: is Swift Testing's event stream gone?")
        status = 1
    if without:
        tell(f"Left out: {len(without)} suites and tests that take seconds each, as {options.without} has them; make test-all runs all.")
    tell(f"The tests' output is in {options.log}.")
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
