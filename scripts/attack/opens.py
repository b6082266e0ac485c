#!/usr/bin/env python3
"""Looks at every file that every command opens, and fails where one was looked for in the working directory.

usage: opens.py [--program PATH] [--keep DIR] [--only WORD]

All commands, over all example manifests, run under strace in a folder that has nothing to do with them, the manifest named
by an absolute path and by a relative one. Everything that a call of the kernel names by a path counts (open, stat, access,
readlink, execve …), also of workers and of threads. Wrong is

- a relative path that the command line didn't name, nor lead to: `libfoo.so`, `plugins.xml`, `tessdata/eng.traineddata`;
- anything in the working directory, however it is named.

The folder has traps in it: shared objects that leave a mark when they are loaded, settings of the libraries that the program
uses, and, in a second round, whatever was looked for anywhere in the first and not found. A mark is wrong, too.

Needs strace (Debian's package of that name) and the examples' clips (`make examples`); cc makes the traps that leave marks.
Exit status 1 where something was wrong.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIMIT = 900
# What libraries of this program look for somewhere, by name.
NAMES = """
libopenvino_auto_plugin.so libopenvino_auto_batch_plugin.so libopenvino_hetero_plugin.so libopenvino_intel_cpu_plugin.so
libopenvino_intel_gpu_plugin.so libopenvino_intel_npu_plugin.so libopenvino_template_plugin.so libopenvino.so
libopenvino_c.so libopenvino_ir_frontend.so libopenvino_onnx_frontend.so libopenvino_tensorflow_lite_frontend.so
libtbb.so.12 libtbbmalloc.so.2 libtbbbind.so.3 libtbbbind_2_0.so.3 libtbbbind_2_5.so.3 libhwloc.so.15 libirml.so.1
libiomp5.so libOpenCL.so libOpenCL.so.1 libopencv_core.so libopencv_highgui_gtk.so libopencv_videoio_ffmpeg.so
libopencv_core_parallel_tbb.so libopencv_core_parallel_openmp.so libopencv_core_parallel_onetbb.so frei0r.so
libpango-1.0.so.0 libgomp.so.1 libnss_files.so.2 libz.so.1 libc.so.6 libstdc++.so.6 libswiftCore.so
""".split()
SETTINGS = {
    "plugins.xml": '<ie><plugins><plugin name="CPU" location="libopenvino_auto_plugin.so"/></plugins></ie>',
    "fonts.conf": "<fontconfig><dir>.</dir></fontconfig>", "pangorc": "[Pango]\nModulesPath = .\n",
    "pango.modules": "x.so", "gconv-modules": "module X// Y// libpango-1.0.so.0 1", "charset.alias": "* hostile",
    "eng.traineddata": "hostile", "eng.user-words": "hostile", "tessdata/eng.traineddata": "hostile",
    "tessdata/configs/quiet": "hostile", "quiet": "hostile", "openssl.cnf": "hostile", "nsswitch.conf": "hosts: evil",
    "opencv.conf": "hostile", "ffmpeg/libx264-default.ffpreset": "vcodec=x", "libx264-default.ffpreset": "vcodec=x",
    ".ffmpeg/x": "hostile", "icudtl.dat": "hostile", "lab.schema.json": "{", ".annotate-batch": "hostile",
    "networks/faces/mesh.tflite": "hostile", ".deps/openvino/libopenvino_c.so": "hostile",
    "libopencv_ocl.conf": "hostile", "giomodule.cache": "hostile", "locale/C/LC_MESSAGES/libc.mo": "hostile",
}
CALL = re.compile(r"^(?:\[pid\s+\d+\] |\d+\s+)?(\w+)\((.*)$")
# What was opened, where a call opened something.
OPENED = re.compile(r" = \d+<([^>]*)>")
PATH = re.compile(r'(?:(AT_FDCWD|\d+)(?:<([^>]*)>(?:\(deleted\))?)?, )?"((?:[^"\\]|\\.)*)"')
# Calls of `%file` whose text isn't a path, or is one that nobody looks at.
IGNORED = {"getcwd"}


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / ".build/release/annotate-batch"))
    parser.add_argument("--keep", help="folder for traces")
    parser.add_argument("--only", default="", help="runs what has this word in it")
    return parser.parse_args()


def text(quoted):
    """A path as strace prints it."""
    return quoted.encode().decode("unicode_escape").encode("latin-1", "replace").decode("utf-8", "replace")


class Look:
    """One path that a call named."""

    def __init__(self, call, folder, path, line, cwd):
        self.call, self.path, self.line = call, path, line
        self.is_relative = not path.startswith("/") and not (path == "" and folder is not None)
        self.full = os.path.normpath(os.path.join(folder or cwd, path))
        # A path by a descriptor that is held open: what it led to counts.
        if self.full.startswith("/proc/self/fd/") and (opened := OPENED.search(line)):
            self.full = opened[1]
        # A path from a folder that is held open is that folder's.
        self.is_loose = self.is_relative and folder in (None, cwd)
        self.is_missing = "ENOENT" in line


def looks(trace, cwd):
    for line in trace.read_text(errors="replace").splitlines():
        found = CALL.match(line)
        if not found or found[1] in IGNORED or found[2].startswith("resumed"):
            continue
        call, rest = found[1], found[2].rsplit(" = ", 1)[0]
        if call == "execve":
            rest = rest.split(", [", 1)[0]
        if call.startswith("readlink"):  # The second text is what was found.
            rest = rest[:rest.find('"', rest.find('"') + 1) + 1]
        if call.startswith("symlink"):  # The first one is what the link says.
            rest = rest[rest.find('", ') + 3:]
        for descriptor, folder, path in PATH.findall(rest):
            folder = folder if descriptor and descriptor != "AT_FDCWD" else None
            yield Look(call, folder, text(path), line, cwd)


class Opens:
    def __init__(self, program, folder):
        self.program, self.folder = str(pathlib.Path(program).resolve()), folder
        self.cwd, self.project, self.home = folder / "elsewhere", folder / "project", folder / "home"
        self.marks, self.traces = folder / "marks", folder / "traces"
        for path in (self.cwd, self.project, self.home, self.marks, self.traces):
            path.mkdir()
        self.wrong, self.count, self.missing = [], 0, set()
        self.allowed = collections.Counter()
        self.statuses = []

    def make_project(self, only):
        """The examples, each of some frames of its clip."""
        shutil.copytree(ROOT / "manifests", self.project / "manifests")
        media = ROOT / "out/media"
        (self.project / "out").mkdir()
        (self.project / "out/media").symlink_to(media)
        for path in sorted((self.project / "manifests").glob("*.json")):
            if only not in path.stem:
                continue
            manifest = json.loads(path.read_text())
            for job in manifest["jobs"]:
                clip = media / pathlib.Path(job["input"]).name
                if not clip.exists():
                    sys.exit(f"opens: there is no {clip}; run `make examples demo` first")
                job["range"] = {"start": 0, "end": 0.3}
                job.pop("expect", None)
            path.write_text(json.dumps(manifest))

    def set_traps(self, names):
        library = self.folder / "trap.so"
        source = self.folder / "trap.c"
        source.write_text(
            "#include <fcntl.h>\n#include <unistd.h>\n__attribute__((constructor)) static void mark(void) {\n"
            f'    close(open("{self.marks}/loaded", O_CREAT | O_WRONLY, 0600));\n}}\n')
        made = shutil.which("cc") and subprocess.run(
            ["cc", "-shared", "-fPIC", "-o", library, source], check=False).returncode == 0
        for name in names:
            target = self.cwd / name
            if target.exists() or len(target.name) > 200:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            if ".so" in target.name and made:
                shutil.copy(library, target)
            else:
                target.write_text(SETTINGS.get(name, "hostile"))

    def run(self, *words, named=()):
        """A command in the foreign folder. `named` are relative paths that it is given, and may go on from."""
        self.count += 1
        trace = self.traces / f"{self.count:03}-{words[0]}.txt"
        # By its name, as a shell finds it: `argv[0]` alone then leads to the working directory.
        folder, name = os.path.split(self.program)
        environment = {"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(self.home), "LANG": "C.UTF-8"}
        try:
            outcome = subprocess.run(
                ["strace", "-f", "-y", "-s", "4096", "-e", "trace=%file", "-e", "signal=none", "-o", trace, name,
                 *map(str, words)], cwd=self.cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                text=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return self.complain(words, "took too long", "")
        status, said = outcome.returncode, outcome.stderr
        if status not in (0, 2):
            self.complain(words, f"ended with {status}", said.strip()[-600:])
        self.statuses.append(status)
        for look in looks(trace, str(self.cwd)):
            self.judge(words, look, [os.path.normpath(name) for name in named])
        if any(self.marks.iterdir()):
            self.complain(words, "loaded a library from the working directory", "")
            for mark in self.marks.iterdir():
                mark.unlink()
        return None

    def complain(self, words, what, detail):
        self.wrong.append(f"{' '.join(map(str, words))}: {what}" + (f"\n    {detail}" if detail else ""))

    def judge(self, words, look, named):
        if look.is_missing:
            self.missing.add(os.path.basename(look.path))
        cwd = str(self.cwd)
        is_inside = look.full.startswith(cwd + "/")
        if look.is_loose:
            path = os.path.normpath(look.path)
            # What was named, what lies below it or beside it, and the folders on the way there.
            if any(path == name or path.startswith(os.path.dirname(name) + "/") or
                   (name + "/").startswith(path + "/") for name in named if os.path.dirname(name)):
                self.allowed[f"relative, from what was named ({look.call})"] += 1
            else:
                self.complain(words, f"a relative path that nobody named: {look.path}", look.line[:300])
        elif is_inside:
            self.complain(words, f"a path in the working directory: {look.full}", look.line[:300])
        elif look.full == cwd:
            if look.call.startswith("open"):
                self.complain(words, "the working directory itself is opened", look.line[:300])
            else:
                self.allowed[f"the working directory's own path ({look.call})"] += 1
        else:
            self.allowed[self.place(look.full)] += 1

    def place(self, path):
        """A name for a table."""
        for name, top in (("the project", self.project), ("the program and what belongs to it", ROOT / ".build"),
                          ("the program and what belongs to it", ROOT / ".deps"), ("home", self.home),
                          ("the project", ROOT / "out"), ("results", self.folder / "results"), ("on the way", ROOT),
                          ("on the way", self.folder)):
            if path == str(top) or path.startswith(str(top) + "/") or (str(top) + "/").startswith(path.rstrip("/") + "/"):
                return name
        if not path.startswith("/"):
            return "pipes and the like"
        parts = path.split("/")
        return "/" + "/".join(parts[1:3] if parts[1] in ("usr", "etc", "var", "opt") else parts[1:2])

    def manifests(self, only):
        """Each example: validated and run, and what can be done with results."""
        for path in sorted((self.project / "manifests").glob("*.json")):
            if only not in path.stem:
                continue
            out = self.folder / "results" / path.stem
            for manifest in (path, pathlib.Path(os.path.relpath(path, self.cwd))):
                named = [] if manifest.is_absolute() else [str(manifest), os.path.relpath(self.project, self.cwd) + "/out/x"]
                self.run("validate", manifest, named=named)
                target = out if manifest.is_absolute() else os.path.relpath(f"{out}-relative", self.cwd)
                self.run("run", manifest, "--output", target, "--jobs", "2", "--progress", "plain",
                         named=named + ([] if manifest.is_absolute() else [f"{target}/x", str(target)]))
            self.run("run", path, "--output", f"{out}-one", "--isolation", "none", "--progress", "plain")
            # Under a root output folders are held, and files in them go by their descriptors.
            self.run("run", path, "--output", f"{out}-root", "--root", "/", "--progress", "plain")
            self.results(path, out)

    def results(self, manifest, out):
        self.run("verify", out)
        self.run("review", out)
        self.run("compare", out, f"{out}-one")
        if manifest.stem in ("demo", "text"):
            self.run("verify", out, "--again", "--junit", self.folder / "results/v.xml")
            self.run("review", out, "--embed", "--output", self.folder / "results/r.html")
            self.run("compare", out, f"{out}-one", "--html", self.folder / "results/c.html", "--junit",
                     self.folder / "results/c.xml")
            self.run("compare", out, "--truth", f"{out}-one", "--json")
            self.run("accept", out, "--to", self.folder / "results/accepted")
            self.run("export", out, "--format", "yolo", "--frames", "jpg", "--output", self.folder / "results/pictures")
            self.run("export", out, "--format", "coco", "--dataset", "--negatives", "--crops", "best", "--output",
                     self.folder / "results/set")
            self.run("export", out, "--format", "csv", "--output", self.folder / "results/all.csv")
        self.run("status", manifest, "--shards", "2", "--output", out)
        tracks = sorted(out.glob("*.tracks.jsonl"))
        # A form is the same whatever was seen.
        forms = ("csv", "vtt", "ass", "mot", "coco", "cvat", "yolo", "label-studio")
        for form in forms if manifest.stem in ("demo", "text") else forms[:1]:
            if tracks:
                self.run("export", tracks[0], "--format", form, "--output", self.folder / "results" / f"e-{form}")
                shutil.rmtree(self.folder / "results" / f"e-{form}", ignore_errors=True)
                (self.folder / "results" / f"e-{form}").unlink(missing_ok=True)
        job = json.loads(manifest.read_text())["jobs"][0]
        if tracks:
            clip = manifest.parent / job["input"]
            name = job.get("id", clip.stem)
            own = out / f"{name}.tracks.jsonl"
            if own.exists():
                self.run("render", own, "--input", clip, "--output", self.folder / "results/rendered.mp4",
                         "--progress", "plain")
        self.run("merge", out / "report.json", "--output", self.folder / "results/merged.json")

    def others(self, only):
        if only not in "others":
            return
        results = self.folder / "results"
        results.mkdir(exist_ok=True)
        clip = self.project / "out/media/desk.mp4"
        scene = self.project / "manifests/scenes/desk.scene.json"
        self.covers_all()
        for words in (
            ["doctor"], ["networks"], ["stages"], ["stages", "markers"], ["kinds"], ["schema", "manifest"], ["schema", "tracks"], ["--help"],
            ["--version"], ["probe", clip, "--json"], ["init", clip, "--output", results / "first.json"],
            ["frame", clip, "--frame", "3", "--grid", "--output", results / "f.png"],
            ["pick", clip, "--output", results / "pick.html"],
            ["pick", clip, "--embed", "--frames", "0,3", "--output", results / "embedded.html"],
            ["markers", "--ids", "0-3", "--output", results / "sheet.svg"],
            ["markers", "--ids", "0-3", "--output", results / "sheet.pdf"],
            ["synth", scene, "--frames", "4", "--output", results / "s.mp4"],
        ):
            self.run(*words)
        # There is no board in it, which is said after it was looked through.
        before = len(self.wrong)
        self.run("calibrate", clip, "--columns", "9", "--rows", "6", "--square", "0.025", "--output", results / "c.json")
        self.wrong[before:] = [line for line in self.wrong[before:] if ": ended with 1" not in line]

    # `networks get` fetches, `work` reads jobs from standard input: scripts/attack/calls.py and the tests have them.
    ELSEWHERE = {"work", "help"}

    def covers_all(self):
        """Every command that there is runs here, or is named above."""
        listed = subprocess.run([self.program, "--help"], capture_output=True, text=True, check=True).stdout
        names = re.findall(r"^  ([a-z]+)(?: \(default\))? {2,}\S", listed.split("SUBCOMMANDS:")[1], re.M)
        used = set(re.findall(r'(?:run\(|\[)"([a-z]+)"', pathlib.Path(__file__).read_text()))
        for name in sorted(set(names) - used - self.ELSEWHERE):
            self.wrong.append(f"no command line of “{name}” here")

    def table(self):
        print("what was looked at, and may be:")
        for name, count in sorted(self.allowed.items(), key=lambda entry: (-entry[1], entry[0])):
            print(f"  {count:8}  {name}")


def main():
    chosen = options()
    if not shutil.which("strace"):
        sys.exit("opens: strace is needed: apt install strace")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="opens-"))
    try:
        opens = Opens(chosen.program, folder)
        opens.make_project(chosen.only)
        opens.set_traps([*NAMES, *SETTINGS])
        opens.others(chosen.only)
        opens.manifests(chosen.only)
        # Whatever wasn't found is there now.
        planted = {name for name in opens.missing if name and name not in (".", "..") and "\x00" not in name}
        opens.set_traps(sorted(planted))
        shutil.rmtree(folder / "results")
        opens.others(chosen.only)
        for path in sorted((opens.project / "manifests").glob("*.json")):
            if chosen.only in path.stem:
                opens.run("validate", path)
                opens.run("run", path, "--output", folder / "results" / path.stem, "--progress", "plain")
        opens.table()
        kinds = collections.Counter(opens.wrong)
        for line, count in list(kinds.items())[:60]:
            print("WRONG", line, f"({count} times)" if count > 1 else "")
        print(f"{opens.count} commands, {sum(opens.allowed.values())} paths, {len(planted)} names planted, "
              f"{len(opens.wrong)} wrong")
        if chosen.keep:
            shutil.copytree(opens.traces, chosen.keep, dirs_exist_ok=True)
        return 1 if opens.wrong else 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
