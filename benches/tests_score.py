#!/usr/bin/env python3
"""How well the tests that `cortex tests` selects cover what past commits broke or could have broken.

    tests_score.py PROGRAM CHECKOUT SOURCE TRUTH...

Each TRUTH is a JSON document of one commit as `tests_truth.py` writes it; SOURCE is the folder of the sources below
CHECKOUT. Truth are the tests that executed a function that the commit changed. Parameters in brackets are left out of ids
on both sides. Selectors: ours; all tests; tests whose file imports a changed file by its own statements; and what
pytest-testmon chose, where the document has it. Those without an order of their own are ranked by name.

Per selector the mean over commits: recall (share of the truth selected), precision (share of the selection in the truth),
share of all tests selected, average precision of the ranked list, and recall in its first tenth and third of all tests; and
the commits where nothing is missed. `--each` prints our row for every commit and what was missed.
"""

import argparse
import ast
import functools
import json
import posixpath
import re
import subprocess
import time

COLUMNS = ["recall", "precision", "share", "MAP", "at 10 %", "at 30 %"]


def bare(test):
    return test.split("[", 1)[0]


@functools.cache
def show(checkout, commit, path):
    answer = subprocess.run(["git", "-C", checkout, "show", f"{commit}:{path}"], capture_output=True, check=False)
    return answer.stdout.decode(errors="replace")


def file_of(test):
    return test.split("::", 1)[0] if "::" in test else test.rsplit(":", 1)[0]


def python_imports(text, path, parent):
    """Files, without knowing which exist, that the statements name."""
    for node in ast.walk(ast.parse(text)):
        names = []
        if isinstance(node, ast.Import):
            names = [it.name for it in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{it.name}" for it in node.names)]
        for name in names:
            base = posixpath.join(parent, name.replace(".", "/"))
            yield from (f"{base}.py", f"{base}/__init__.py")


def script_imports(text, path, parent):
    for name in re.findall(r"""(?:from|import|require\(|import\()\s*['"](\.[^'"]*)['"]""", text):
        base = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        yield base
        for end in ("ts", "tsx", "js", "jsx", "mjs"):
            yield from (f"{base}.{end}", f"{base}/index.{end}")


def direct_imports(options, commit, every):
    changed, chosen = set(commit["functions"]), []
    for path in sorted({file_of(it) for it in every}):
        imports = python_imports if path.endswith(".py") else script_imports
        text = show(options.checkout, commit["commit"], path)
        if changed & set(imports(text, path, posixpath.dirname(options.source.rstrip("/")))):
            chosen += [it for it in every if file_of(it) == path]
    return chosen


def ours(options, commit, every):
    revision = f"{commit['parent']}..{commit['commit']}"
    command = [options.program, "tests", "-C", options.checkout, "--base", revision, "--json"]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    chosen, known = [], set(every)
    for it in answer["tests"]:
        if it["name"] is None:
            chosen += [test for test in every if file_of(test) == it["path"]]
            continue
        name = f"{it['path']}::{it['name'].replace('.', '::')}"
        line = f"{it['path']}:{it.get('line')}"
        chosen.append(line if line in known else name)
    return list(dict.fromkeys(chosen))


def at_call(options, commit, test):
    """The id with the line where a test of JavaScript begins: vitest names that of the last call in `it.each(…)(…)`."""
    path, _, line = test.rpartition(":")
    lines = show(options.checkout, commit["commit"], path).splitlines()
    at = int(line) - 1
    if "::" in test or not 0 <= at < len(lines) or not lines[at].lstrip().startswith((")", "]")):
        return test
    while at > 0 and not re.search(r"\.(each|for)\b", lines[at]):
        at -= 1
    return f"{path}:{at + 1}"


def measures(chosen, truth, count):
    hits = [it in truth for it in chosen]
    found = sum(hits)
    average = sum(sum(hits[: at + 1]) / (at + 1) for at, hit in enumerate(hits) if hit) / len(truth)

    def at(share):
        return sum(hits[: max(1, int(count * share))]) / len(truth)

    precision = found / len(chosen) if chosen else 0.0
    return [found / len(truth), precision, len(chosen) / count, average, at(0.1), at(0.3)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("checkout")
    parser.add_argument("source")
    parser.add_argument("truth", nargs="+")
    parser.add_argument("--each", action="store_true")
    options = parser.parse_args()
    rows, seconds = {}, []
    for document in sorted(options.truth):
        with open(document) as file:
            commit = json.load(file)
        truth = {bare(it) for it in commit["truth"]["func"]}
        if not truth:
            continue
        every = {bare(it) for it in commit["all_tests"]} | truth
        if not any("::" in it for it in truth):
            truth = {at_call(options, commit, it) for it in truth}
            files = {file_of(it) for it in truth}
            every = {at_call(options, commit, it) if file_of(it) in files else it for it in every}
        every = sorted(every)
        started = time.monotonic()
        selections = {"cortex tests": ours(options, commit, every)}
        seconds.append(time.monotonic() - started)
        selections["run everything"] = every
        selections["direct imports"] = direct_imports(options, commit, every)
        if "testmon" in commit:
            selections["pytest-testmon"] = sorted({bare(it) for it in commit["testmon"]})
        for selector, chosen in selections.items():
            rows.setdefault(selector, []).append(measures(chosen, truth, len(every)))
        if options.each:
            row, missed = rows["cortex tests"][-1], sorted(truth - set(selections["cortex tests"]))
            figures = " ".join(f"{it:.2f}" for it in row)
            print(f"{commit['commit'][:10]} {len(truth):5} of {len(every):5}  {figures}  {len(missed)} {' '.join(missed[:2])}")
    print(f"{'':16} " + " ".join(f"{it:>9}" for it in COLUMNS) + "  nothing missed")
    for selector, all_rows in rows.items():
        mean = [sum(column) / len(all_rows) for column in zip(*all_rows)]
        safe = sum(it[0] == 1 for it in all_rows)
        print(f"{selector:16} " + " ".join(f"{it:9.3f}" for it in mean) + f"  {safe} of {len(all_rows)}")
    print(f"seconds per commit: median {sorted(seconds)[len(seconds) // 2]:.2f}, most {max(seconds):.2f}")


if __name__ == "__main__":
    main()
