#!/usr/bin/env python3
"""How well the tests that `cortex tests` selects cover what past commits broke or could have broken.

    tests_score.py PROGRAM CHECKOUT TRUTH...

Each TRUTH is a JSON document of one commit: `commit`, `parent`, `truth.func` (the ids of the tests that executed a line of
a function that the commit changed) and `tests_collected`. Parameters in brackets are left out of ids on both sides. Per
commit and in the mean over commits: recall (share of the truth selected), precision (share of the selection in the
truth), share of all tests selected, mean average precision of the ranked list, and recall in its first tenth and third
of all tests. A commit counts as safe when nothing is missed.
"""

import json
import subprocess
import sys


def bare(test):
    return test.split("[", 1)[0]


def main():
    program, checkout, documents = sys.argv[1], sys.argv[2], sys.argv[3:]
    rows = []
    print(f"{'commit':10} {'truth':>5} {'chosen':>6} {'all':>5} {'recall':>6} {'prec':>5} {'share':>5} {'AP':>5} {'@10%':>5} {'@30%':>5}  missed")
    for document in documents:
        with open(document) as file:
            commit = json.load(file)
        truth = {bare(it) for it in commit["truth"]["func"]}
        if not truth:
            continue
        revision = f"{commit['parent']}..{commit['commit']}"
        command = [program, "tests", "-C", checkout, "--base", revision, "--json"]
        answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        every = {bare(it) for it in commit.get("all_tests", [])} or None
        count = len(every) if every else commit["tests_collected"]
        chosen, files = [], []
        for it in answer["tests"]:
            if it["name"] is None:
                files.append(it["path"])
            else:
                chosen.append(f"{it['path']}::{it['name'].replace('.', '::')}")
        in_files = sorted(it for it in truth if it.split("::", 1)[0] in files and it not in chosen)
        chosen = list(dict.fromkeys(chosen + in_files))
        hits = [it in truth for it in chosen]
        found = sum(hits)
        average = sum(sum(hits[: at + 1]) / (at + 1) for at, hit in enumerate(hits) if hit) / len(truth)
        at = lambda share: sum(hits[: max(1, int(count * share))]) / len(truth)
        row = (found / len(truth), found / len(chosen) if chosen else 0, len(chosen) / count, average, at(0.1), at(0.3))
        rows.append(row)
        missed = sorted(truth - set(chosen))
        print(
            f"{commit['commit'][:10]} {len(truth):5} {len(chosen):6} {count:5}"
            + "".join(f" {it:{6 if i == 0 else 5}.2f}" for i, it in enumerate(row))
            + f"  {len(missed)} {' '.join(missed[:2])}"
        )
    mean = [sum(row[i] for row in rows) / len(rows) for i in range(6)]
    safe = sum(row[0] == 1 for row in rows)
    print(
        f"mean of {len(rows)}: recall {mean[0]:.3f}, precision {mean[1]:.3f}, share {mean[2]:.3f}, MAP {mean[3]:.3f},"
        f" recall in 10 % {mean[4]:.3f}, in 30 % {mean[5]:.3f}; safe {safe} of {len(rows)}"
    )


if __name__ == "__main__":
    main()
