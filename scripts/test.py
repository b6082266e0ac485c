#!/usr/bin/env python3
"""Runs the tests, ends them where one hangs, and says how they went.

    scripts/test.py [--case-limit 120] [--log FILE] -- swift test --skip-build …

The command is `swift test` with its arguments. Swift Testing's own `.timeLimit` never fires here: it waits on the threads
that the tests block. This looks from outside, at the events that the runner writes. Where a test case takes longer than
the limit, the test's name is told, the tests are aborted (their threads' stacks go to the log), and the status is 124, as
that of timeout(1). A crash names the cases that were at work.

The tests' own output, libraries' notes among it, goes to the log. Told here are skipped tests with the reason, issues, how
far it is, the slowest tests, and the runner's last line.
"""

import argparse
import collections
import json
import os
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
        self.cases, self.ended, self.issues = 0, False, 0

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
        self.names[test["id"]] = test["id"].rsplit("/", 1)[0] if test["kind"] == "function" else test["id"]

    def note(self, event):
        kind, test = event["kind"], self.names.get(event.get("testID"), "")
        case = event.get("_testCase", {})
        key = (test, case.get("id"))
        if kind == "testCaseStarted":
            self.running[key] = (time.monotonic(), case.get("displayName", ""))
        elif kind == "testCaseEnded":
            self.seconds[test] += time.monotonic() - self.running.pop(key, (time.monotonic(),))[0]
            self.cases += 1
        elif kind == "issueRecorded" and not event.get("issue", {}).get("isKnown"):
            self.issues += 1
            text = "\n".join(message["text"] for message in event["messages"])
            tell(f"FAILED  {test} {case.get('displayName', '')[:200]}\n{text}")
        elif kind == "testSkipped":
            reasons = ": ".join(message["text"] for message in event["messages"])
            tell(f"skipped {reasons}")
        elif kind == "runEnded":
            self.ended = True

    def at_work(self, longer_than=0.0):
        """The cases at work, with their seconds."""
        now = time.monotonic()
        with self.lock:
            found = [(now - begun, f"{test} {name[:200]}") for (test, _), (begun, name) in self.running.items()]
        return [(seconds, name) for seconds, name in found if seconds > longer_than]


def tell(text):
    print(text, flush=True)


def last_lines(log, count):
    with open(log, encoding="utf-8", errors="replace") as file:
        return [line.rstrip("\n") for line in collections.deque(file, count)]


def end(process):
    """Aborts the tests with all that they have started; the abort writes the threads' stacks to the log."""
    try:
        os.killpg(process.pid, signal.SIGABRT)
        for _ in range(100):
            process.poll()
            os.killpg(process.pid, 0)
            time.sleep(0.2)
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case-limit", type=float, default=120, help="seconds that one case may take (default 120)")
    parser.add_argument("--log", default=".build/test.log", help="the tests' output (default .build/test.log)")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()

    folder = tempfile.mkdtemp(prefix="annotate-test-")
    pipe = os.path.join(folder, "events")
    os.mkfifo(pipe)
    watch = Watch()
    reader = threading.Thread(target=watch.read, args=(pipe,), daemon=True)
    reader.start()
    command = options.command + ["--event-stream-version", "0", "--event-stream-output-path", pipe]
    environment = {WIDTH: str(os.cpu_count() or 1), **os.environ}
    with open(options.log, "wb") as log:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                   start_new_session=True)
    status = None
    begun = told = time.monotonic()

    def ended_from_outside(number, _):
        tell(f"ended by signal {number}; at work: " + ", ".join(name for _, name in watch.at_work()))
        end(process)
        sys.exit(128 + number)

    signal.signal(signal.SIGTERM, ended_from_outside)
    signal.signal(signal.SIGINT, ended_from_outside)
    while status is None:
        try:
            status = process.wait(0.5)
        except subprocess.TimeoutExpired:
            hanging = watch.at_work(options.case_limit)
            if hanging:
                for seconds, name in hanging:
                    tell(f"HANGS   {name}: {seconds:.0f} s and no end, {options.case_limit:g} s are the limit")
                end(process)
                status = 124
            elif time.monotonic() - told > 20:
                told = time.monotonic()
                tell(f"… {watch.cases} cases in {told - begun:.0f} s")
    reader.join(5)
    os.remove(pipe)
    os.rmdir(folder)

    if status not in (0, 124) and not watch.issues:
        tell("\n".join(last_lines(options.log, 60)))
        for _, name in watch.at_work():
            tell(f"CRASHED at work on {name}")
    slowest = [f"{seconds:.1f} s {name}" for name, seconds in watch.seconds.most_common(5)]
    tell(f"{watch.cases} cases; slowest: " + "; ".join(slowest))
    tell(next((line for line in reversed(last_lines(options.log, 200)) if "Test run with" in line),
              "The run did not come to its end."))
    if status == 0 and not watch.ended:
        tell("No test was run: is Swift Testing's event stream gone?")
        status = 1
    tell(f"The tests' output is in {options.log}.")
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
