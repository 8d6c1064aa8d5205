#!/usr/bin/env python3
"""How often the graph is right, measured against a SCIP index of the same tree.

    graph_score.py PROGRAM CHECKOUT [INDEX] [--wrong N] [--missed N] [--json]

The index must be fresh; without INDEX it is CHECKOUT/index.scip. What is judged is what names and imports say alone. The truth is every occurrence of a global symbol that is no definition and whose
definition lies in another document of the index. Parameters are left out (some indexers refer to them from keyword
arguments). A place is right when one of its targets is the place of the definition, or its file where the definition
is a whole module. For each resolution: places judged, the share of them that is right; for each language the share of
the truth that is found by edges that are no weak guess, and by all.
"""

import argparse
import collections
import json
import os
import subprocess
import sys

DEFINITION = 1


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def fields(data):
    at, end = 0, len(data)
    while at < end:
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        elif kind == 1:
            value, at = data[at:at + 8], at + 8
        else:
            value, at = data[at:at + 4], at + 4
        yield key >> 3, value


def numbers(data):
    at, out = 0, []
    while at < len(data):
        value, at = varint(data, at)
        out.append(value)
    return out


def documents(path):
    """Of each document: path, encoding of columns, occurrences as (line, column, symbol, roles, length)."""
    with open(path, "rb") as file:
        data = memoryview(file.read())
    for number, value in fields(data):
        if number != 2:
            continue
        name, encoding, found = "", 0, []
        for inner, part in fields(value):
            if inner == 1:
                name = bytes(part).decode()
            elif inner == 6:
                encoding = part
            elif inner == 2:
                span, symbol, roles = [], "", 0
                for field, it in fields(part):
                    if field == 1:
                        span += numbers(it) if isinstance(it, memoryview) else [it]
                    elif field == 2:
                        symbol = bytes(it).decode()
                    elif field == 3:
                        roles = it
                    elif field in (8, 9):
                        # A record of its numbers; one that is 0 is left out.
                        typed = dict(fields(it))
                        places = range(1, 4) if field == 8 else range(1, 5)
                        span = [typed.get(place, 0) for place in places]
                empty = len(span) == 3 and span[1] == span[2]
                found.append((span[0], span[1], symbol, roles, empty))
        yield name, encoding, found


def points(checkout, name, encoding, found):
    """Turns columns into code points, from 1."""
    try:
        with open(os.path.join(checkout, name), encoding="utf-8-sig", newline="") as file:
            lines = file.read().split("\n")
    except (OSError, UnicodeDecodeError):
        return
    for line, column, symbol, roles, empty in found:
        text = lines[line] if line < len(lines) else ""
        if not text.isascii():
            if encoding == 2 or encoding == 0:
                column = len(text.encode("utf-16-le")[: 2 * column].decode("utf-16-le", "replace"))
            elif encoding == 1:
                column = len(text.encode()[:column].decode(errors="replace"))
        yield line + 1, column + 1, symbol, roles, empty


def truth(checkout, index):
    """Definitions by symbol, and the symbols at every place of every document."""
    defined, at = collections.defaultdict(set), {}
    for name, encoding, found in documents(index):
        if name.startswith("../"):
            # What a build made elsewhere.
            continue
        here = at.setdefault(name, collections.defaultdict(set))
        for line, column, symbol, roles, empty in points(checkout, name, encoding, found):
            if not symbol:
                continue
            is_local = symbol.startswith("local ")
            key = (name, symbol) if is_local else symbol
            if roles & DEFINITION:
                defined[key].add((name, 0, 0) if empty else (name, line, column))
            here[(line, column)].add((key, bool(roles & DEFINITION), is_local))
    return defined, at


LANGUAGES = {"py": "python", "pyi": "python", "rs": "rust", "go": "go", "java": "java", "kt": "kotlin", "cs": "csharp"}


def language(path):
    ending = path.rsplit(".", 1)[-1]
    return LANGUAGES.get(ending, "script" if ending in ("ts", "tsx", "js", "jsx", "mts", "cts", "mjs", "cjs", "vue") else ending)


def is_parameter(symbol):
    return isinstance(symbol, str) and symbol.endswith(")") and not symbol.endswith("().")


def is_module(symbol):
    return isinstance(symbol, str) and symbol.endswith(("/", "/__init__:"))


def holders(symbol):
    """The class of a constructor: some indexers refer to one, some to the other."""
    for ending in ("`<constructor>`().", "__init__().", "`<constructor>`(+1)."):
        if isinstance(symbol, str) and symbol.endswith(ending):
            yield symbol[: -len(ending)]


def edges(program, checkout):
    command = [program, "graph", "edges", "--json", "--names-alone", checkout]
    text = subprocess.run(command, check=True, capture_output=True).stdout
    for line in text.splitlines():
        yield json.loads(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("checkout")
    parser.add_argument("index", nargs="?")
    parser.add_argument("--wrong", type=int, default=0, metavar="N", help="print N places that are wrong")
    parser.add_argument("--missed", type=int, default=0, metavar="N", help="print N places that are missed")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    index = given.index or os.path.join(given.checkout, "index.scip")
    defined, at = truth(given.checkout, index)

    def wanted(symbol):
        places = set(defined.get(symbol, ()))
        for holder in holders(symbol):
            places |= defined.get(holder, set())
        return places

    found = collections.defaultdict(list)
    for edge in edges(given.program, given.checkout):
        if edge["kind"] == "overrides":
            continue
        start = edge["from"]
        found[(start["path"], start["line"], start["column"])].append(edge)

    judged, right = collections.Counter(), collections.Counter()
    wrong = collections.defaultdict(list)
    for (path, line, column), several in found.items():
        here = at.get(path, {}).get((line, column))
        if not here or any(is_definition for _, is_definition, _ in here):
            continue
        if all(it["to"]["path"] == path for it in several):
            continue
        targets = {(it["to"]["path"], it["to"]["line"], it["to"]["column"]) for it in several}
        files = {it["to"]["path"] for it in several if it["to"]["line"] == 1 and it["to"]["column"] == 1}
        modules = [symbol for symbol, _, _ in here if is_module(symbol)]
        places = set().union(*(wanted(symbol) for symbol, _, _ in here))
        is_right = bool(places & targets) or any(place[1] == 0 and place[0] in files for place in places)
        is_right = is_right or any(place[0] in files for symbol in modules for place in wanted(symbol))
        if not places and any(is_local for _, _, is_local in here):
            # A local name without a definition says nothing.
            continue
        key = (language(path), several[0]["resolution"], several[0]["trust"])
        judged[key] += 1
        right[key] += is_right
        if not is_right:
            wrong[key].append((path, line, column, sorted(targets)[:3], sorted(str(it[0]) for it in here)[:2]))

    total, strong, every = collections.Counter(), collections.Counter(), collections.Counter()
    missed = []
    for path, here in at.items():
        for (line, column), several in here.items():
            if any(is_definition for _, is_definition, _ in several):
                continue
            symbols = [it[0] for it in several if not it[2] and not is_parameter(it[0])]
            places = set().union(*(wanted(it) for it in symbols)) if symbols else set()
            if not places or any(place[0] == path for place in places):
                continue
            edges_here = found.get((path, line, column), ())
            hits = [
                it for it in edges_here
                if (it["to"]["path"], it["to"]["line"], it["to"]["column"]) in places
                or (it["to"]["line"] == 1 and any(it["to"]["path"] == p[0] and p[1] <= 1 for p in places))
                or (it["to"]["line"] == 1 and any(is_module(one) and it["to"]["path"] == p[0] for one in symbols for p in places))
            ]
            lang = language(path)
            total[lang] += 1
            every[lang] += bool(hits)
            strong[lang] += any(it["trust"] not in ("weak", "inferred") for it in hits)
            if not hits or all(it["trust"] in ("weak", "inferred") for it in hits):
                missed.append((path, line, column, symbols[:1], bool(edges_here)))

    rows = [
        {"language": it[0], "resolution": it[1], "trust": it[2], "judged": judged[it], "precision": right[it] / judged[it]}
        for it in sorted(judged)
    ]
    recall = [
        {"language": it, "truth": total[it], "recall_strong": strong[it] / total[it], "recall_all": every[it] / total[it]}
        for it in sorted(total)
    ]
    for it in recall:
        sure = [key for key in judged if key[0] == it["language"] and key[2] not in ("weak", "inferred")]
        count = sum(judged[key] for key in sure)
        it["judged_strong"] = count
        it["precision_strong"] = sum(right[key] for key in sure) / count if count else None
        everything = [key for key in judged if key[0] == it["language"]]
        count = sum(judged[key] for key in everything)
        it["precision_all"] = sum(right[key] for key in everything) / count if count else None
    if given.json:
        json.dump({"resolutions": rows, "languages": recall}, sys.stdout, indent=1)
        print()
        return
    print(f"{'language':9} {'resolution':26} {'trust':14} {'judged':>7} {'right':>6}")
    for it in rows:
        print(f"{it['language']:9} {it['resolution']:26} {it['trust']:14} {it['judged']:7} {it['precision']:6.3f}")
    for it in recall:
        print(
            f"{it['language']}: strong edges: precision {it['precision_strong'] or 0:.3f} of {it['judged_strong']}, recall"
            f" {it['recall_strong']:.3f} of {it['truth']}; all edges: precision {it['precision_all'] or 0:.3f},"
            f" recall {it['recall_all']:.3f}"
        )
    for key in sorted(wrong):
        for it in wrong[key][:: max(1, len(wrong[key]) // given.wrong)][: given.wrong] if given.wrong else []:
            print("wrong", key[1], f"{it[0]}:{it[1]}:{it[2]}", "got", it[3], "is", it[4])
    step = max(1, len(missed) // given.missed) if given.missed else 1
    for it in missed[::step][: given.missed]:
        print("missed", f"{it[0]}:{it[1]}:{it[2]}", it[3], "other target" if it[4] else "no edge")


if __name__ == "__main__":
    main()
