"""Annotates clips on a Ray cluster: ray_batch.py ADDRESS MANIFEST CLIP…"""
import json
import subprocess
import sys

import ray
from ray.util import ActorPool


@ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=-1)
class Annotator:
    def __init__(self, manifest):
        self.words = ["annotate-batch", "work", manifest, "--jobs", "1"]
        self.program = None

    @ray.method(retry_exceptions=True)
    def annotate(self, job):
        if self.program is None or self.program.poll() is not None:
            self.program = subprocess.Popen(self.words, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        print(json.dumps(job), file=self.program.stdin, flush=True)
        result = json.loads(self.program.stdout.readline())
        if result.get("mayPass"):
            raise RuntimeError(result["error"])  # Ray tries it again
        return result


if __name__ == "__main__":
    ray.init(sys.argv[1])
    pool = ActorPool([Annotator.remote(sys.argv[2]) for _ in range(int(ray.cluster_resources()["CPU"]))])
    for result in pool.map_unordered(lambda actor, job: actor.annotate.remote(job), [{"input": c} for c in sys.argv[3:]]):
        print(json.dumps(result), flush=True)
