"""Annotates clips on a Dask cluster: dask_batch.py SCHEDULER MANIFEST CLIP…"""
import json
import subprocess
import sys

from dask.distributed import Client, as_completed, get_worker


def annotate(manifest, job):
    mine = get_worker().__dict__  # one program a Dask worker, kept from job to job
    if "annotate" not in mine or mine["annotate"].poll() is not None:
        mine["annotate"] = subprocess.Popen(["annotate-batch", "work", manifest, "--jobs", "1"], text=True,
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    print(json.dumps(job), file=mine["annotate"].stdin, flush=True)
    result = json.loads(mine["annotate"].stdout.readline())
    if result.get("mayPass"):
        raise RuntimeError(result["error"])  # Dask tries it again
    return result


if __name__ == "__main__":
    client = Client(sys.argv[1])
    jobs = [{"input": clip} for clip in sys.argv[3:]]
    for future in as_completed(client.map(annotate, [sys.argv[2]] * len(jobs), jobs, retries=5, pure=False)):
        print(json.dumps(future.result()), flush=True)
