#!/usr/bin/env python3
"""Which tests past commits of a project concern, measured by running them: the truth that `tests_score.py` reads.

    tests_truth.py python CHECKOUT SOURCE OUT --last N [--until REV] [--testmon]
    tests_truth.py vitest CHECKOUT SOURCE OUT --last N [--until REV] --modules NODE_MODULES [--project NAME]... [--drop GLOB]

Takes the last N commits up to REV (HEAD), newest first and none left out by hand, that are no merge, change at most eight
files below SOURCE (tests aside), change at least one function there in more than comments and layout, and whose tests run
at least one such function. Each is checked out in a scratch worktree, its tests run, and every line (Python: dynamic
contexts of coverage.py) or function (JavaScript: a counter put into each function; `tests_truth.mjs`) is put down to the
test that was running, fixtures and hooks included. What runs while modules are loaded or tests are collected belongs to no
test. In Python the whole suite runs. In JavaScript it runs at the newest commit; at the others the tests run that load a
changed file by vitest's own module graph (`vitest related`), and the others count as they were at the newest.

A changed function is the innermost one around a changed line of the newer side. The document of a commit says
`commit`, `parent`, `changed`, `functions`, `all_tests`, `truth.func`, and with --testmon `testmon`: what pytest-testmon
selects at the commit after it recorded all tests at the parent. A test is `path::Class::name[parameters]` in Python,
`path:line` in JavaScript. The environment (this interpreter with pytest, pytest-cov and pytest-testmon; NODE_MODULES)
is one for all commits. Commits that are already in OUT are not run again. Needs `git`, and `node` for vitest.
"""

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MOST_FILES = 8
TIMEOUT = 1500
HERE = Path(__file__).resolve().parent


def git(checkout, *arguments):
    return subprocess.run(["git", "-C", checkout, *arguments], check=True, capture_output=True, text=True).stdout


def candidates(checkout, source, until, is_source):
    """Commits, newest first, with the changed lines of the newer side by path."""
    for commit in git(checkout, "log", until, "--no-merges", "--format=%H", "--", source).split():
        parents = git(checkout, "rev-list", "--parents", "-n1", commit).split()[1:]
        if len(parents) != 1:
            continue
        diff = git(checkout, "diff", "-U0", "--no-color", "--no-ext-diff", "-M", parents[0], commit, "--", source)
        lines, path = {}, None
        for line in diff.splitlines():
            if line.startswith("+++ "):
                path = line[6:] if line.startswith("+++ b/") else None
            elif (hunk := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line)) and path and is_source(path):
                first, count = int(hunk[1]), int(hunk[2] or 1)
                # What was only deleted stood behind the line that is named.
                lines.setdefault(path, set()).update(range(first, first + count) if count else (first, first + 1))
        if 0 < len(lines) <= MOST_FILES:
            yield commit, parents[0], lines


class Python:
    """Functions by name: lines of their own, and what they say without docstrings."""

    is_source = staticmethod(lambda path: path.endswith(".py") and "test" not in path.rsplit("/", 1)[-1])

    def __init__(self, options):
        self.options = options

    def functions(self, texts):
        return {path: self.of_text(text) for path, text in texts.items()}

    @staticmethod
    def of_text(text):
        found = {}

        def visit(node, names):
            for child in ast.iter_child_nodes(node):
                if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    name, count = ".".join([*names, child.name]), 2
                    while name in found:
                        name, count = f"{'.'.join([*names, child.name])}~{count}", count + 1
                    body = child.body
                    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and len(body) > 1:
                        child.body = body = body[1:]
                    first = min([child.lineno, *(it.lineno for it in child.decorator_list)])
                    found[name] = [set(range(first, child.end_lineno + 1)), body[0].lineno, ast.dump(child)]
                    visit(child, [*names, child.name])
                    for inner, (lines, _, _) in found.items():
                        if inner.startswith(name + "."):
                            found[name][0] -= lines
                else:
                    visit(child, [*names, child.name] if isinstance(child, ast.ClassDef) else names)

        visit(ast.parse(text), [])
        return found

    def environment(self, tree):
        folder = tree / self.options.source
        return {**os.environ, "PYTHONPATH": str(folder.parent), "PYTHONDONTWRITEBYTECODE": "1"}

    def pytest(self, tree, *arguments):
        command = [sys.executable, "-m", "pytest", "-q", "-W", "ignore", "-o", "addopts="]
        command += ["--rootdir=.", "--continue-on-collection-errors", *arguments]
        return subprocess.run(
            command, cwd=tree, env=self.environment(tree), capture_output=True, text=True, timeout=TIMEOUT, check=False
        ).stdout

    def run(self, tree, functions):
        """All tests, and for each function by path the tests that ran a line of its body."""
        from coverage import CoverageData

        output = self.pytest(tree, "-p", "no:testmon", f"--cov={self.options.source}", "--cov-context=test", "--cov-report=")
        data = CoverageData(str(tree / ".coverage"))
        data.read()
        ran = {}
        for path, inside in functions.items():
            contexts = data.contexts_by_lineno(str((tree / path).resolve()))
            for name, (lines, body, _) in inside.items():
                tests = {it for line in lines if line >= body for it in contexts.get(line, [])}
                ran[path, name] = {it.rsplit("|", 1)[0] for it in tests if it}
        collected = self.pytest(tree, "-p", "no:testmon", "-p", "no:cov", "--collect-only")
        every = [it for it in collected.splitlines() if "::" in it and not it.startswith(("ERROR", " "))]
        return every, ran, output.strip().splitlines()[-1:]

    def testmon(self, tree, commit, parent):
        """What testmon selects at the commit after it ran everything at the parent."""
        git(tree, "checkout", "-q", "--force", parent)
        self.pytest(tree, "-p", "no:cov", "--testmon-noselect")
        git(tree, "checkout", "-q", "--force", commit)
        listed = self.pytest(tree, "-p", "no:cov", "--testmon", "--collect-only")
        return [it for it in listed.splitlines() if "::" in it and not it.startswith(("ERROR", " "))]


class Vitest:
    is_source = staticmethod(lambda path: bool(re.search(r"(?<!\.d)\.[cm]?[jt]sx?$", path)) and "test" not in path)

    def __init__(self, options):
        self.options = options

    def node(self, *arguments, **more):
        environment = {**os.environ, "NODE_PATH": self.options.modules}
        command = ["node", str(HERE / "tests_truth.mjs"), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True, env=environment, **more).stdout

    def functions(self, texts):
        answer = json.loads(self.node("functions", input=json.dumps(texts)))
        return {
            path: {name: [set(it["lines"]), it["number"], it["words"]] for name, it in inside.items()}
            for path, inside in answer.items()
        }

    def run(self, tree, functions):
        (tree / "node_modules").symlink_to(self.options.modules)
        hits = tree / "hits.txt"
        files = [it for it in git(tree, "ls-files", self.options.source).split("\n") if it and self.is_source(it)]
        self.node("instrument", str(tree), str(hits), input=json.dumps(files))
        for it in tree.glob(self.options.drop) if self.options.drop else []:
            it.unlink()
        everything = self.options.out / "every.list"
        scope = ["related", *functions] if everything.exists() else ["run"]
        command = ["node_modules/.bin/vitest", *scope, "--run", "--includeTaskLocation", "--coverage.enabled=false"]
        command += ["--reporter=json", "--outputFile=report.json", "--maxWorkers=2"]
        command += [f"--project={it}" for it in self.options.project]
        subprocess.run(command, cwd=tree, capture_output=True, timeout=TIMEOUT, check=False)
        report = json.loads((tree / "report.json").read_text())
        root = str(tree.resolve()) + "/"
        every = [
            f"{suite['name'].removeprefix(root)}:{it['location']['line']}"
            for suite in report["testResults"]
            for it in suite["assertionResults"]
            if it.get("location")
        ]
        if not everything.exists():
            everything.write_text("\n".join(every))
        ran_files = {it.rsplit(":", 1)[0] for it in every}
        newest = everything.read_text().split("\n")
        every += [it for it in newest if it.rsplit(":", 1)[0] not in ran_files and (tree / it.rsplit(":", 1)[0]).exists()]
        numbers = {(path, it[1]): name for path, inside in functions.items() for name, it in inside.items()}
        ran = {}
        for line in hits.read_text().splitlines():
            test, path, number = line.split("\t")
            name = numbers.get((path, int(number)))
            if name is not None:
                ran.setdefault((path, name), set()).add(test.removeprefix(root))
        summary = f"{report['numPassedTests']} passed, {report['numFailedTests']} failed of {report['numTotalTests']}"
        return every, ran, [summary]


def changed_functions(checkout, language, commit, parent, lines):
    """By path, the names of the functions that say something else than before; and all functions after."""

    def text(revision, path):
        try:
            return git(checkout, "show", f"{revision}:{path}")
        except subprocess.CalledProcessError:
            return ""

    after = language.functions({it: text(commit, it) for it in lines})
    before = language.functions({it: text(parent, it) for it in lines})
    changed = {}
    for path, inside in after.items():
        for name, (own, _, says) in inside.items():
            is_same = name in before[path] and before[path][name][2] == says
            if own & lines[path] and not is_same:
                changed.setdefault(path, []).append(name)
    return changed, after


def measure(options, language, commit, parent, changed, functions):
    tree = Path(tempfile.mkdtemp(prefix="truth-")) / "tree"
    git(options.checkout, "worktree", "add", "-q", "--force", "--detach", str(tree), commit)
    started = time.monotonic()
    try:
        every, ran, summary = language.run(tree, functions)
        func = set().union(*(ran.get((path, name), set()) for path, names in changed.items() for name in names))
        document = {
            "commit": commit,
            "parent": parent,
            "suite": summary,
            "functions": changed,
            "all_tests": sorted(set(every) | func),
            "truth": {"func": sorted(func)},
        }
        if func and options.testmon:
            document["testmon"] = language.testmon(tree, commit, parent)
    finally:
        git(options.checkout, "worktree", "remove", "--force", str(tree))
        shutil.rmtree(tree.parent, ignore_errors=True)
    document["seconds"] = round(time.monotonic() - started, 1)
    return document


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kind", choices=["python", "vitest"])
    parser.add_argument("checkout")
    parser.add_argument("source")
    parser.add_argument("out", type=Path)
    parser.add_argument("--last", type=int, required=True)
    parser.add_argument("--testmon", action="store_true")
    parser.add_argument("--modules")
    parser.add_argument("--project", action="append", default=[])
    parser.add_argument("--drop", help="files to delete before the tests run, such as configurations of other projects")
    parser.add_argument("--until", default="HEAD")
    parser.add_argument("--commit", action="append", help="this commit instead of the last ones")
    options = parser.parse_args()
    language = Python(options) if options.kind == "python" else Vitest(options)
    options.out.mkdir(parents=True, exist_ok=True)
    count = 0
    for commit, parent, lines in candidates(options.checkout, options.source, options.until, language.is_source):
        if options.commit and not any(commit.startswith(it) for it in options.commit):
            continue
        if count == options.last:
            break
        file = options.out / f"{commit[:10]}.json"
        if not file.exists():
            changed, functions = changed_functions(options.checkout, language, commit, parent, lines)
            if not changed:
                continue
            document = measure(options, language, commit, parent, changed, functions)
            file.write_text(json.dumps(document, indent=1))
        document = json.loads(file.read_text())
        count += bool(document["truth"]["func"])
        chosen = len(document.get("testmon", []))
        print(commit[:10], document["suite"], len(document["truth"]["func"]), "testmon", chosen, document["seconds"], flush=True)


if __name__ == "__main__":
    main()
