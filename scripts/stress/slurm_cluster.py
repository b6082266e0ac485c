"""Slurm with three nodes on the loopback, in a folder; and the processes that it starts. For cluster-test.py."""
import os
import pathlib
import pwd
import re
import signal
import socket
import subprocess
import threading
import time

NODES = ("node1", "node2", "node3")
# Seconds until the controller gives a silent node up; it pings as often as it can then.
SILENCE = 6

CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/log/slurmctld
SlurmdLogFile={folder}/log/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=1,sched_interval=2
ReturnToService=2
SlurmdTimeout={silence}
SlurmctldTimeout=10
KillWait=3
MailProg=/bin/true
SlurmdParameters=config_overrides
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class Process:
    """One of the machine's processes, as /proc knows it."""

    def __init__(self, number):
        folder = pathlib.Path(f"/proc/{number}")
        words = (folder / "stat").read_text().rpartition(")")[2].split()
        self.number, self.state, self.parent = number, words[0], int(words[1])
        self.command = (folder / "cmdline").read_text(errors="replace").split("\0")[:-1]
        self.name = (folder / "comm").read_text().strip()
        pairs = (pair.partition("=") for pair in (folder / "environ").read_text(errors="replace").split("\0"))
        self.environment = {name: value for name, _, value in pairs}

    @property
    def node(self):
        return self.environment.get("SLURMD_NODENAME")

    @property
    def shard(self):
        """`3/20`, where it is the program with a shard."""
        if "run" in self.command and "--shard" in self.command:
            return self.command[self.command.index("--shard") + 1]
        return None

    def send(self, *signals):
        for sent in signals:
            try:
                os.kill(self.number, sent)
            except ProcessLookupError:
                pass


def started():
    """Every process that lives and that this one has started, itself or by others: orphans come to it."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                found[int(entry.name)] = Process(int(entry.name))
            except OSError:
                pass
    ours, fresh = {}, {os.getpid()}
    while fresh:
        ours.update({number: found[number] for number in fresh if number in found})
        fresh = {p.number for p in found.values() if p.parent in fresh and p.number not in ours}
    return [process for number, process in ours.items() if number != os.getpid() and process.state != "Z"]


def wait_for(what, test, limit=90.0):
    """The first true answer of `test`."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        answer = test()
        if answer:
            return answer
        time.sleep(0.02)
    raise TimeoutError(f"waited {limit:.0f} s for {what}")


class Cluster:
    def __init__(self, folder):
        self.folder, self.daemons, self.is_over = folder, {}, threading.Event()
        for name in ("munge", "state", "spool", "log"):
            (folder / name).mkdir()
        (folder / "munge/key").touch(mode=0o600)
        (folder / "munge/key").write_bytes(os.urandom(128))
        sockets = [socket.socket() for _ in range(len(NODES) + 1)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        ports = [one.getsockname()[1] for one in sockets]
        for one in sockets:
            one.close()
        host = socket.gethostname().partition(".")[0]
        nodes = "\n".join(
            f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=4 RealMemory=16000"
            for node, port in zip(NODES, ports[1:]))
        self.configuration = folder / "slurm.conf"
        self.configuration.write_text(CONFIGURATION.format(
            host=host, ports=ports, user=pwd.getpwuid(os.getuid()).pw_name, folder=folder, silence=SILENCE, nodes=nodes))
        self.environment = {**os.environ, "SLURM_CONF": str(self.configuration), "PATH": f"{folder}/bin:{os.environ['PATH']}"}

    def start(self, name):
        command = {
            "munged": ["munged", "--foreground", "--force", f"--socket={self.folder}/munge/socket",
                       f"--key-file={self.folder}/munge/key", f"--pid-file={self.folder}/munge/pid",
                       f"--log-file={self.folder}/munge/log", f"--seed-file={self.folder}/munge/seed"],
            "slurmctld": ["slurmctld", "-D", "-f", self.configuration],
        }.get(name) or ["slurmd", "-D", "-f", self.configuration, "-N", name]
        with open(self.folder / f"log/{name}.said", "ab") as said:
            self.daemons[name] = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, env=self.environment, start_new_session=True)

    def kill(self, name):
        self.daemons[name].kill()
        self.daemons[name].wait()

    def kill_node(self, node):
        """Everything that runs on a node, as when its plug is pulled."""
        self.kill(node)
        doomed = [process for process in started() if process.node == node]
        parents = {process.parent for process in doomed}
        for process in started():
            if process.node == node or process.number in parents and process.name.startswith("slurmstepd"):
                process.send(signal.SIGKILL)

    def ask(self, *command):
        """What one of Slurm's commands says; nothing where the controller doesn't answer."""
        asked = subprocess.run(command, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return asked.stdout if asked.returncode == 0 else None

    def set_up(self):
        self.start("munged")
        wait_for("munge", (self.folder / "munge/socket").exists)
        self.start("slurmctld")
        for node in NODES:
            self.start(node)
        wait_for("three nodes", lambda: (self.ask("sinfo", "-h", "-N", "-t", "idle", "-o", "%N") or "").split() == list(NODES))
        threading.Thread(target=self.administer, daemon=True).start()

    def is_down(self, node):
        return "down" in (self.ask("sinfo", "-h", "-n", node, "-o", "%t") or "")

    def end(self, array, shard):
        """How a task ended, and how often Slurm began it again by itself."""
        said = self.ask("scontrol", "--oneliner", "show", "job", f"{array}_{shard.partition('/')[0]}") or ""
        return re.findall(r"JobState=(\S+)", said)[:1], re.findall(r"Restarts=(\d+)", said)[:1]

    def administer(self):
        """What an administrator does: a controller that died between two savings of its state starts tasks that run already
        again, and then drains their nodes and holds the tasks."""
        while not self.is_over.wait(2):
            for node in NODES:
                if "drain" in (self.ask("sinfo", "-h", "-n", node, "-o", "%t") or ""):
                    self.ask("scontrol", "update", f"NodeName={node}", "State=RESUME")
            for line in (self.ask("squeue", "-h", "-r", "-t", "PD", "-o", "%i %r") or "").splitlines():
                if "held" in line:
                    self.ask("scontrol", "release", line.split()[0])

    def is_idle(self):
        return self.ask("squeue", "-h", "-o", "%i") == ""

    def tear_down(self):
        """Ends everything that was started, and what that has started."""
        self.is_over.set()
        end = time.monotonic() + 10
        while time.monotonic() < end:
            left = started()
            if not left:
                break
            for process in left:
                process.send(signal.SIGKILL, signal.SIGCONT)
            time.sleep(0.1)
        # The dead that came to this process are its to bury.
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass
