#!/usr/bin/env python3
"""How often a question gets the right definition and the lines that answer it, against `rg`.

    query_score.py PROGRAM CHECKOUTS [--budget TOKENS] [--repository NAME] [--held | --tuned] [--wrong]

CHECKOUTS is a folder that holds a checkout of each repository of `query_questions.json` under its name, at the commit
that is named there. `rg` must be on the search path. The questions were written before anything was tuned; one
repository was held out.

Judged for each question: whether the first and whether one of the first five definitions that the program shows is a
right one, and whether a line that bears the answer is within the budget (a token is four bytes of what is printed).
`rg` gets what a person would give it: the words of the question that are no fillers, as parts of words, without
regard to case, and where the question holds a name of code, that name alone. It is judged twice: whole files, those
with the most of the words first; and matching lines with two lines around each, in the same order of files.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys

FILLERS = set("""a about after all an and any are as at be before being between by called calls can change class code
decide decided decides defined do does for from function get gets give gives happens has have how i if in into is it
its like made makes many me method much of off on one or out over show shows so some than that the their them then there
they this thrown to too up use used user uses using was way what when where which while who why with without work
would""".split())


def shown(program, root, question, budget):
    """The items of the program's answer, and its route."""
    command = [program, "query", "-C", root, "--budget", str(budget), "--json", question]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    answer = json.loads(run.stdout)
    assert answer["tokens"] <= budget, (question, answer["tokens"])
    return answer


def definitions(answer):
    """The places of the definitions that are shown, each once, in that order."""
    found = []
    places = {it["id"]: it for it in answer["evidence"]}
    for item in answer["items"]:
        for evidence in item["evidence"]:
            record = places.get(evidence)
            if record and record["kind"] in ("definition", "implementation"):
                place = (record["path"], record["start_line"])
                if place not in found:
                    found.append(place)
    return found


def lines(answer):
    return {(item["path"], line["line"]) for item in answer["items"] for line in item["lines"]}


def keywords(question):
    names = re.findall(r"[A-Za-z_][\w.:]*", question)
    code = [it for it in names if re.search(r"[a-z][A-Z]|_|::|\w\.\w", it)]
    if code:
        return [re.split(r"[.:]+", it.strip(".:"))[-1] for it in code]
    words = re.findall(r"[A-Za-z0-9]+", question)
    return [it for it in words if it.lower() not in FILLERS and len(it) > 1]


def matches(root, words):
    """The matching lines of each file, the files with most of the words first."""
    pattern = "|".join(re.escape(it) for it in words)
    command = ["rg", "--no-heading", "-n", "-i", "--sort", "path", "-e", pattern, "."]
    run = subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=root)
    files = collections.defaultdict(list)
    for row in run.stdout.splitlines():
        # `rg` also says which files are binary.
        match = re.match(r"(?:\./)?(.+?):(\d+):(.*)", row)
        if match:
            files[match[1]].append((int(match[2]), match[3].lower()))
    def rank(path):
        said = sum(any(it.lower() in text for _, text in files[path]) for it in words)
        return (-said, -len(files[path]), path)
    return [(path, files[path]) for path in sorted(files, key=rank)]


def by_rg(root, question, budget):
    """The lines that fit, of whole files and around matches."""
    found = matches(root, keywords(question))
    whole, around = set(), set()
    room = budget * 4
    for path, _ in found:
        with open(os.path.join(root, path), errors="replace") as file:
            text = file.read().split("\n")
        for number, line in enumerate(text, 1):
            room -= len(line.encode()) + 7
            if room < 0:
                break
            whole.add((path, number))
        if room < 0:
            break
    room = budget * 4
    for path, hits in found:
        with open(os.path.join(root, path), errors="replace") as file:
            text = file.read().split("\n")
        room -= len(path) + 1
        for hit, _ in hits:
            for number in range(max(1, hit - 2), min(len(text), hit + 2) + 1):
                if (path, number) in around:
                    continue
                room -= len(text[number - 1].encode()) + 7
                if room < 0:
                    break
                around.add((path, number))
            if room < 0:
                break
        if room < 0:
            break
    return whole, around


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("checkouts")
    parser.add_argument("--budget", type=int, default=2000)
    parser.add_argument("--repository")
    parser.add_argument("--held", action="store_true", help="only the repository that was held out")
    parser.add_argument("--tuned", action="store_true", help="only the others")
    parser.add_argument("--wrong", action="store_true", help="list the questions that are not answered")
    options = parser.parse_args()
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "query_questions.json")) as file:
        data = json.load(file)
    sums = collections.defaultdict(lambda: collections.Counter())
    for it in data["questions"]:
        name = it["repository"]
        repository = data["repositories"][name]
        if options.repository not in (None, name):
            continue
        if options.held and not repository["held"] or options.tuned and repository["held"]:
            continue
        root = os.path.join(options.checkouts, name)
        head = subprocess.run(["git", "-C", root, "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()
        if head != repository["commit"]:
            sys.exit(f"{root} is at {head}, not at {repository['commit']}")
        answer = shown(options.program, root, it["question"], options.budget)
        found = definitions(answer)
        right = {(answer["path"], answer["line"]) for answer in it["answers"]}
        bearing = {tuple(line) for line in it["lines"]}
        whole, around = by_rg(root, it["question"], options.budget)
        judged = {
            "first": bool(right & set(found[:1])),
            "five": bool(right & set(found[:5])),
            "lines": bool(bearing & lines(answer)),
            "rg, files": bool(bearing & whole),
            "rg, matches": bool(bearing & around),
        }
        kind = "named" if it["names_it"] else "in words"
        for row in (name, kind, f"{name}, {kind}", "all"):
            sums[row]["n"] += 1
            sums[row].update({key: int(value) for key, value in judged.items()})
        if options.wrong and not all(judged[key] for key in ("first", "five", "lines")):
            missed = " ".join(key for key in ("first", "five", "lines") if not judged[key])
            print(f"{name}: {it['question']} ({kind}): not {missed}; shows {found[:5]}")
    columns = ["first", "five", "lines", "rg, files", "rg, matches"]
    print(f"{'':<20}{'n':>4}" + "".join(f"{it:>13}" for it in columns))
    for row in sorted(sums):
        count = sums[row]["n"]
        print(f"{row:<20}{count:>4}" + "".join(f"{sums[row][it] / count:>13.2f}" for it in columns))


if __name__ == "__main__":
    main()
