#!/usr/bin/env python3
"""Compare `cortex-scan` with the ast-grep command line on checkouts: match sets, CPU seconds, peak memory.

    benches/compare.py --cortex target/release/cortex-scan --ast-grep PATH CHECKOUT...

Fetches nothing. Both run the same ten rules per language over the same tree, in turn, RUNS times after one warm-up: those
of benches/typical, the kind that a team writes, or with `--rules dense` those of benches/dense, which match every few
lines. The rules speak every language that the checkouts are mainly written in (.tsx is one of its own), so that both parse
the same files. The table shows medians of user + system seconds, and their ratio. The ast-grep version should be the one
that `cortex doctor` names. The match sets are compared by rule, path and range; what differs is listed with the reason
that `cortex-scan` recorded for the file, if any.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def run(argv, folder):
    """Exit code, output, CPU seconds and peak KiB of one run."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.chdir(folder)
        with open(os.devnull, "wb") as null, tempfile.TemporaryFile() as output:
            code = subprocess.run(argv, stdout=output, stderr=null, stdin=subprocess.DEVNULL).returncode
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            output.seek(0)
            text = output.read().decode("utf-8", "replace")
        with os.fdopen(writer, "w") as pipe:
            json.dump([code, text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss], pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        result = json.load(pipe)
    os.waitpid(child, 0)
    return result


def theirs(text):
    found = set()
    for line in text.splitlines():
        match = json.loads(line)
        start, end = match["range"]["start"], match["range"]["end"]
        path = os.path.normpath(match["file"])
        found.add((match["ruleId"], path, start["line"] + 1, start["column"] + 1, end["line"] + 1, end["column"] + 1))
    return found


def ours(bundle):
    keys = ("rule", "path", "start_line", "start_column", "end_line", "end_column")
    lines = (bundle / "findings.jsonl").read_text().splitlines()
    found = {tuple(json.loads(line)[key] for key in keys) for line in lines}
    skipped = {record["path"]: record["reason"] for record in map(json.loads, (bundle / "skipped.jsonl").read_text().splitlines())}
    return found, skipped


def reason(path, skipped):
    parts = pathlib.PurePosixPath(path)
    return next((skipped[str(it)] for it in [parts, *parts.parents] if str(it) in skipped), "none recorded")


def differences(left, right, skipped, label):
    for row in sorted(left - right)[:5]:
        print(f"  only {label}: {row} ({reason(row[1], skipped)})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cortex", required=True)
    parser.add_argument("--ast-grep", required=True)
    parser.add_argument("--rules", choices=["typical", "dense"], default="typical")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("checkouts", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    rules = HERE / arguments.rules
    cortex, peer = os.path.abspath(arguments.cortex), os.path.abspath(arguments.ast_grep)
    print(f"{'checkout':12} {'matches':>8} {'differ':>7} {'cortex s':>9} {'ast-grep s':>10} {'ratio':>6} {'cortex MiB':>11} {'ast-grep MiB':>13}")
    differ = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        config = scratch / "sgconfig.yml"
        config.write_text(f"ruleDirs: [{rules}]\n")
        for checkout in arguments.checkouts:
            bundle = scratch / checkout.name
            mine = [cortex, ".", "--rules", str(rules), "--fail-on", "none", "--out", str(bundle), "--format", "github"]
            other = [peer, "scan", "--config", str(config), "--json=stream", "."]
            costs = {"mine": [], "other": []}
            for turn in range(arguments.runs + 1):
                code, _, cpu, peak = run(mine, checkout)
                if code not in (0, 3):
                    sys.exit(f"cortex-scan ended with {code} on {checkout}")
                _, text, peer_cpu, peer_peak = run(other, checkout)
                if turn:
                    costs["mine"].append((cpu, peak))
                    costs["other"].append((peer_cpu, peer_peak))
            found, skipped = ours(bundle)
            expected = theirs(text)
            count = len(found ^ expected)
            differ += count
            seconds, megabytes = ({key: statistics.median(it[at] for it in rows) for key, rows in costs.items()} for at in (0, 1))
            print(f"{checkout.name:12} {len(found):8} {count:7} {seconds['mine']:9.2f} {seconds['other']:10.2f} "
                  f"{seconds['mine'] / seconds['other']:6.2f} {megabytes['mine'] / 1024:11.0f} {megabytes['other'] / 1024:13.0f}")
            differences(expected, found, skipped, "ast-grep")
            differences(found, expected, skipped, "cortex")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
