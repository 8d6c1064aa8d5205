#!/usr/bin/env python3
"""How often changes of a score had to be fixed, measured on histories of real repositories.

    risk_backtest.py REPOSITORY... [--last N] [--json] [--write FILE]

Each REPOSITORY is a git folder with its blobs. The truth is SZZ-like: a fix is a commit whose subject says so (the words
of src/history/fixes.json, which the program reads too) and that changes at most 30 files; a commit is fault-inducing
when a later fix deletes a line of a source file that it wrote, empty lines and comment lines left out. Lines are traced
forward through the patches of `git log`, renames included; a line of a merge is that of the commit that added the same
text to the file last.

Judged are those of N commits that are no merges and touch a source file. They are the last ones before the last 180
days, whose own fixes may still come. Features are causal: what a commit shows itself, and fixes before it.

The formula is that of the program: its points and caps are read from src/impact/risk_formula.json, which the program
reads too, and --write keeps some commits with their scores, which a unit test of the program computes again.

The score counts source files only: nobody looks for faults in a lockfile or a change log.

For each repository: AUC of the score, of added lines alone and of added lines of source files alone, AUC of weights that are fitted on the other repositories
(logistic regression), and the share of inducing commits that is met when the commits with the highest score, and with
the highest score for each changed line, are read until a fifth of all changed lines is read. For all together: the
share that is inducing by fifths of the score. --write keeps these as the data file of the program.
"""

import argparse
import array
import collections
import json
import math
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
WORDS = json.load(open(os.path.join(HERE, "../src/history/fixes.json")))
FORMULA = json.load(open(os.path.join(HERE, "../src/impact/risk_formula.json")))
YEAR = 365 * 86400
CENSORED = 180 * 86400
MOST_FIX_FILES = 30
# Languages with an outline: what the program weighs.
SOURCE = {
    ".bazel", ".bzl", ".cjs", ".cs", ".cts", ".go", ".java", ".js", ".jsx", ".kt", ".ktm", ".kts", ".mjs", ".mts", ".py",
    ".py3", ".pyi", ".rs", ".ts", ".tsx",
}
# Commits of each repository that are kept with their scores.
EXAMPLES = 4
COMMENT = ("//", "#", "*", "/*", '"""', "'''")
NAMES = list(FORMULA)
WEIGHTS = [FORMULA[it]["points"] for it in NAMES]
TYPE = re.compile(r"([a-z]+)(\([^)]*\))?!?:")


def is_fix(subject):
    subject = subject.lower()
    words = set(re.findall(r"[a-z0-9]+", subject))
    if words & set(WORDS["trivial"]):
        return False
    kind = TYPE.match(subject)
    if kind and kind[1] in WORDS["fix_types"]:
        return True
    if kind and kind[1] in WORDS["other_types"]:
        return False
    return bool(words & set(WORDS["words"]))


def git(repository, *arguments):
    command = ["git", "-C", repository, "-c", "core.quotePath=false", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=1 << 20)


class Commit:
    def __init__(self, header):
        self.id, parents, time, self.subject = header.split("\x1f", 3)
        self.is_merge = len(parents.split()) > 1
        self.time = int(time)
        self.fix = not self.is_merge and is_fix(self.subject)
        self.lines = {}
        self.fixes = 0
        self.inducing = False


def fixes_before(repository):
    """For each commit of the whole history, how many fixes its files had in the twelve months before."""
    log = git(repository, "log", "--topo-order", "--reverse", "--no-merges", "--raw", "--no-abbrev", "-M100%",
              "--format=%x1e%H%x1f%P%x1f%ct%x1f%s", "HEAD")
    fixes = collections.defaultdict(list)
    counts = {}

    def close(commit, paths):
        known = set()
        for old, new in paths:
            if not is_source(new):
                continue
            if old != new:
                fixes[new] = fixes[new] + fixes.pop(old, [])
            known.update(it[1] for it in fixes[new] if commit.time - YEAR <= it[0] <= commit.time)
        counts[commit.id] = len(known)
        if commit.fix:
            for _, new in paths:
                fixes[new].append((commit.time, commit.id))

    commit, paths = None, []
    for line in log.stdout:
        line = line.decode("utf-8", "replace").rstrip("\n")
        if line.startswith("\x1e"):
            if commit:
                close(commit, paths)
            commit, paths = Commit(line[1:]), []
        elif line.startswith(":"):
            names = line.split("\t")[1:]
            paths.append((names[0], names[-1]))
    if commit:
        close(commit, paths)
    return counts


class Lines:
    """Who wrote each line of each blob, by the number of the commit; 0 for before the window."""

    def __init__(self):
        self.of = {}
        self.last = {}

    def old(self, blob):
        return self.of.get(blob, array.array("I"))


def ask(repository, *arguments):
    return git(repository, *arguments).communicate()[0].decode().strip()


def patches(repository, last):
    """Yields (commit, files), a file being (old path, new path, old blob, new blob, hunks)."""
    log = git(repository, "log", "--topo-order", "--reverse", "-n", str(last), "-p", "-U0", "--full-index", "-M", "-l400",
              "--no-color", "--no-ext-diff", "--no-textconv", "--diff-merges=first-parent",
              "--format=%x1e%H%x1f%P%x1f%ct%x1f%s", "HEAD")
    commit, files, file, old_left, new_left = None, [], None, 0, 0
    for raw in log.stdout:
        if old_left or new_left:
            if raw[:1] == b"-":
                file[4][-1][2].append(raw[1:])
                old_left -= 1
            elif raw[:1] == b"+":
                file[4][-1][3].append(raw[1:])
                new_left -= 1
            continue
        if raw[:1] == b"\x1e":
            if commit:
                yield commit, files
            commit, files, file = Commit(raw[1:].decode("utf-8", "replace").rstrip("\n")), [], None
        elif raw.startswith(b"diff --git "):
            # Both names are equal but for renames, which say so.
            text = raw[11:].decode("utf-8", "replace").rstrip("\n")
            path = text[2:(len(text) - 1) // 2]
            file = [path, path, "0" * 40, "0" * 40, []]
            files.append(file)
        elif file and raw.startswith(b"rename from "):
            file[0] = raw[12:].decode("utf-8", "replace").rstrip("\n")
        elif file and raw.startswith(b"rename to "):
            file[1] = raw[10:].decode("utf-8", "replace").rstrip("\n")
        elif file and raw.startswith(b"index "):
            file[2], file[3] = raw[6:].split()[0].decode().split("..")
        elif file and raw.startswith(b"@@ "):
            spans = [[int(it) for it in span[1:].split(b",")] for span in raw.split()[1:3]]
            (old, old_left), (new, new_left) = [(it + [1])[:2] for it in spans]
            file[4].append((old, new, [], []))
    if commit:
        yield commit, files
    if log.wait():
        sys.exit(f"{repository}: git log failed; are all blobs there?")


def is_source(path):
    return os.path.splitext(path)[1].lower() in SOURCE


def counts_as_code(text):
    text = text.strip()
    return bool(text) and not text.decode("utf-8", "replace").startswith(COMMENT)


def follow(lines, number, is_merge, file):
    """Makes the owners of the newer blob; gives the owners of the deleted lines of code."""
    _, path, old_blob, new_blob, hunks = file
    old = lines.old(old_blob)
    known = new_blob in lines.of
    deleted, made, at = [], array.array("I"), 0
    for start, _, gone, came in hunks:
        begin = start - 1 if gone else start
        made.extend(old[at:begin])
        made.extend([0] * (begin - max(at, len(old)) if begin > len(old) else 0))
        for offset, text in enumerate(gone):
            if counts_as_code(text) and begin + offset < len(old):
                deleted.append(old[begin + offset])
        for text in came:
            key = (path, text)
            if is_merge:
                made.append(lines.last.get(key, number))
            else:
                made.append(number)
                lines.last[key] = number
        at = begin + len(gone)
    made.extend(old[at:])
    if not known:
        lines.of[new_blob] = made
    return deleted


def history(repository, last):
    fixes = fixes_before(repository)
    lines, commits = Lines(), [None]
    end = int(ask(repository, "log", "-1", "--format=%ct", "HEAD")) - CENSORED
    late = int(ask(repository, "rev-list", "--count", f"--since={end}", "HEAD"))
    for commit, files in patches(repository, last + late):
        number = len(commits)
        commits.append(commit)
        culprits = set()
        for file in files:
            is_code = is_source(file[1])
            if not commit.is_merge:
                added, gone = (sum(len(hunk[at]) for hunk in file[4]) for at in (3, 2))
                commit.lines[file[1]] = (added, gone, is_code)
            if is_code:
                culprits.update(follow(lines, number, commit.is_merge, file))
        if commit.fix and len(files) <= MOST_FIX_FILES:
            for culprit in culprits:
                if culprit:
                    commits[culprit].inducing = True
        commit.fixes = fixes.get(commit.id, 0)
    judged = [it for it in commits[1:] if not it.is_merge and it.time < end]
    return [it for it in judged if any(code for _, _, code in it.lines.values())]


def grown(count, name):
    return min(1.0, math.log(1 + count) / math.log(FORMULA[name]["full"]))


def features(commit):
    source = [it for it in commit.lines.values() if it[2]]
    added = sum(it[0] for it in source)
    deleted = sum(it[1] for it in source)
    counts = [it[0] + it[1] for it in source if it[0] + it[1]]
    total, even = sum(counts), 0.0
    if len(counts) > 1:
        even = sum(-(it / total) * math.log(it / total) for it in counts) / math.log(len(counts))
    spread = min(1.0, math.log(len(source)) / math.log(FORMULA["files"]["full"]))
    all_added = sum(it[0] for it in commit.lines.values())
    parts = [grown(added, "lines_added"), grown(commit.fixes, "fixes_12mo"), spread, even, grown(deleted, "lines_deleted")]
    return parts, all_added, added, added + deleted


def example(commit):
    """A commit with its score, from which the program proves that it computes the same."""
    lines = [list(it[:2]) for it in commit.lines.values() if it[2]]
    score = sum(a * b for a, b in zip(features(commit)[0], WEIGHTS))
    return {"lines": lines, "fixes": commit.fixes, "score": round(score, 6)}


def auc(scores, truth):
    order = sorted(range(len(scores)), key=lambda it: scores[it])
    ranks, at = [0.0] * len(scores), 0
    while at < len(order):
        end = at
        while end < len(order) and scores[order[end]] == scores[order[at]]:
            end += 1
        for place in range(at, end):
            ranks[order[place]] = (at + end + 1) / 2
        at = end
    positives = sum(truth)
    negatives = len(truth) - positives
    above = sum(rank for rank, it in zip(ranks, truth) if it) - positives * (positives + 1) / 2
    return above / (positives * negatives) if positives and negatives else float("nan")


def recall(keys, efforts, truth):
    """The share of the inducing commits that is met within a fifth of all changed lines."""
    budget, met = sum(efforts) / 5, 0
    for at in sorted(range(len(keys)), key=lambda it: -keys[it]):
        budget -= efforts[at]
        if budget < 0:
            break
        met += truth[at]
    return met / max(1, sum(truth))


def solve(matrix, right):
    size = len(right)
    rows = [row[:] + [value] for row, value in zip(matrix, right)]
    for at in range(size):
        pivot = max(range(at, size), key=lambda it: abs(rows[it][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for other in range(size):
            if other != at:
                share = rows[other][at] / rows[at][at]
                rows[other] = [a - share * b for a, b in zip(rows[other], rows[at])]
    return [rows[at][size] / rows[at][at] for at in range(size)]


def fit(samples):
    """Weights of a logistic regression by Newton's method; each repository counts the same. Negative ones are left out."""
    kept = list(range(len(NAMES)))
    while True:
        weights = [0.0] * (len(kept) + 1)
        for _ in range(12):
            slope = [-1e-3 * it for it in weights]
            curve = [[1e-3 * (a == b) for b in range(len(weights))] for a in range(len(weights))]
            for rows in samples:
                for row, truth in rows:
                    x = [1.0] + [row[it] for it in kept]
                    guess = 1 / (1 + math.exp(-sum(a * b for a, b in zip(weights, x))))
                    error, weight = (truth - guess) / len(rows), guess * (1 - guess) / len(rows)
                    for a, value in enumerate(x):
                        slope[a] += error * value
                        for b in range(a + 1):
                            curve[a][b] += weight * value * x[b]
            for a in range(len(weights)):
                for b in range(a):
                    curve[b][a] = curve[a][b]
            weights = [a + b for a, b in zip(weights, solve(curve, slope))]
        negative = [kept[at] for at, it in enumerate(weights[1:]) if it < 0]
        if not negative:
            found = [0.0] * len(NAMES)
            for at, weight in zip(kept, weights[1:]):
                found[at] = weight
            return [100 * it / sum(found) for it in found]
        kept = [it for it in kept if it not in negative]


def name_of(repository):
    path = os.path.abspath(repository)
    parts = [it for it in path.split(os.sep) if it not in ("repo", ".git")]
    return parts[-1].split("+")[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", metavar="REPOSITORY")
    parser.add_argument("--last", type=int, default=4000)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", metavar="FILE")
    options = parser.parse_args()
    tables, examples = {}, []
    for repository in options.repositories:
        commits = history(repository, options.last)
        rows = [(*features(it), int(it.inducing)) for it in commits]
        examples += [example(it) for it in commits[::max(1, len(commits) // EXAMPLES)][:EXAMPLES]]
        tables[name_of(repository)] = rows
        print(f"{name_of(repository)}: {len(rows)} commits", file=sys.stderr)
    score = lambda row, weights: sum(a * b for a, b in zip(row, weights))
    results, buckets = {}, [[0, 0] for _ in range(5)]
    for name, rows in tables.items():
        truth = [it[4] for it in rows]
        scores = [score(it[0], WEIGHTS) for it in rows]
        efforts = [it[3] for it in rows]
        others = [[(it[0], it[4]) for it in held] for other, held in tables.items() if other != name]
        fitted = fit(others) if others else WEIGHTS
        own = [[0, 0] for _ in range(5)]
        for value, it in zip(scores, truth):
            for table in (own, buckets):
                table[min(4, int(value // 20))][0] += 1
                table[min(4, int(value // 20))][1] += it
        results[name] = {
            "commits": len(rows),
            "inducing": sum(truth),
            "auc": auc(scores, truth),
            "auc_lines_added": auc([it[1] for it in rows], truth),
            "auc_source_lines_added": auc([it[2] for it in rows], truth),
            "auc_fitted_on_others": auc([score(it[0], fitted) for it in rows], truth),
            "fitted": dict(zip(NAMES, (round(it, 1) for it in fitted))),
            "recall_at_fifth": recall(scores, efforts, truth),
            "recall_at_fifth_by_density": recall([a / (b + 1) for a, b in zip(scores, efforts)], efforts, truth),
            "buckets": own,
        }
    mean = lambda key: sum(it[key] for it in results.values()) / len(results)
    if options.write:
        keep(options.write, results, buckets, examples)
    if options.json:
        print(json.dumps({"repositories": results, "buckets": buckets}, indent=1))
        return
    print("repository       commits inducing   AUC  added source fitted  recall density  rate by fifth of the score")
    for name, it in results.items():
        rates = " ".join(f"{bad / count:.2f}" if count else "   -" for count, bad in it["buckets"])
        print(f"{name:16} {it['commits']:7} {it['inducing'] / it['commits']:8.3f}  {it['auc']:.3f} "
              f"{it['auc_lines_added']:.3f}  {it['auc_source_lines_added']:.3f}  {it['auc_fitted_on_others']:.3f}   {it['recall_at_fifth']:.3f}"
              f"   {it['recall_at_fifth_by_density']:.3f}  {rates}")
    rates = " ".join(f"{bad / count:.2f}" if count else "   -" for count, bad in buckets)
    print(f"{'mean, pooled':16} {sum(it['commits'] for it in results.values()):7}           {mean('auc'):.3f} "
          f"{mean('auc_lines_added'):.3f}  {mean('auc_source_lines_added'):.3f}  {mean('auc_fitted_on_others'):.3f}   {mean('recall_at_fifth'):.3f}"
          f"   {mean('recall_at_fifth_by_density'):.3f}  {rates}")
    print("fitted on all:", dict(zip(NAMES, (round(it, 1) for it in fit([[(it[0], it[4]) for it in rows] for rows in tables.values()])))))


def keep(path, results, buckets, examples):
    rates = [
        {
            "from": 20 * at,
            "to": 20 * at + 20,
            "commits": count,
            "rate": round(bad / count, 3) if count else None,
            "lowest": round(min(shares), 3) if shares else None,
            "highest": round(max(shares), 3) if shares else None,
        }
        for at, (count, bad) in enumerate(buckets)
        for shares in [[it["buckets"][at][1] / it["buckets"][at][0] for it in results.values() if it["buckets"][at][0] >= 30]]
    ]
    document = {
        "measured": "benches/risk_backtest.py: share of commits with a line that a later fix deletes; lowest and highest "
                    "are those of a repository with at least 30 commits in the bucket",
        "repositories": [{"name": name, "commits": it["commits"], "auc": round(it["auc"], 3),
                          "auc_lines_added": round(it["auc_lines_added"], 3),
                          "auc_source_lines_added": round(it["auc_source_lines_added"], 3),
                          "auc_fitted_on_others": round(it["auc_fitted_on_others"], 3),
                          "recall_at_fifth": round(it["recall_at_fifth"], 3),
                          "recall_at_fifth_by_density": round(it["recall_at_fifth_by_density"], 3),
                          "rates": [round(bad / count, 3) if count else None for count, bad in it["buckets"]],
                          } for name, it in results.items()],
        "buckets": rates,
        "examples": [it for it in examples if len(it["lines"]) <= 12],
    }
    parts = [f'  "measured": {json.dumps(document.pop("measured"))}']
    for name, rows in document.items():
        lines = ",\n".join(f"    {json.dumps(it)}" for it in rows)
        parts.append(f'  "{name}": [\n{lines}\n  ]')
    with open(path, "w") as file:
        file.write("{\n" + ",\n".join(parts) + "\n}\n")


if __name__ == "__main__":
    main()
