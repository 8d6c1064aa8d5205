"""Counts what a SARIF validator found: `sarif_errors.py LOG`. Errors fail; the rest is printed."""

import collections
import json
import sys


def main(path: str) -> int:
    with open(path, encoding="utf-8-sig") as file:
        log = json.load(file)
    results = [result for run in log["runs"] for result in run.get("results", [])]
    found = collections.Counter((it.get("level", "warning"), it.get("ruleId", "?")) for it in results)
    for (level, rule), count in sorted(found.items()):
        print(f"{level} {rule}: {count}")
    for result in results:
        if result.get("level") == "error":
            print(result.get("ruleId"), json.dumps(result.get("message")), json.dumps(result.get("locations"))[:400])
    crashed = [
        note
        for run in log["runs"]
        for invocation in run.get("invocations", [])
        for note in invocation.get("toolExecutionNotifications", [])
        if note.get("level") == "error"
    ]
    print(f"{len(results)} remarks, {len(crashed)} failures of the validator")
    return 1 if crashed or any(level == "error" for level, _ in found) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
