#!/usr/bin/env python3
"""Measure the reader of precision indexes beside the protocol's own crate: CPU milliseconds and peak memory.

    benches/precision.py [INDEX] [--symbol NAME] [--copies N]

Builds what it runs. Without INDEX it makes an index of 600 documents; `--copies` multiplies the documents of the index
under other paths and symbols. Every figure is the median of RUNS processes on one thread, each measured from its start
to its end by the kernel: `load` reads the file and decodes every document, `one symbol` is `cortex symbol NAME` as a
user runs it, beside a full decode and a search by the `scip` crate. `freshness` is what one check of the 600 documents
that it makes costs, and the last row is `one symbol` in their sealed index. Memory is the peak of the process without
the size of the file.
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

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS, SYMBOLS, USES = 600, 20, 12
CHECKS = 50


def varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(number, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def fields(message):
    """Number, start and end of the value of each field that has a length; an index has no other at these levels."""
    at = 0
    while at < len(message):
        tag, at = number(message, at)
        value, at = number(message, at)
        if tag & 7 == 2:
            yield tag >> 3, at, at + value
            at += value


def number(message, at):
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def occurrence(line, start, end, symbol, role):
    return field(2, field(1, varint(line) + varint(start) + varint(end)) + field(2, symbol) + bytes([3 << 3, role]))


def project(folder, index):
    """Writes an index and the files that it describes: each defines some functions and calls those of the file before."""
    out = [field(1, field(2, field(1, "scip-typescript") + field(2, "0.4.0")))]
    for place in range(DOCUMENTS):
        path = f"src/part{place % 20}/file{place}.ts"
        other = (place - 1) % DOCUMENTS
        lines, parts = [], []
        for at in range(SYMBOLS):
            symbol = lambda file: f"scip-typescript npm synthetic 1.0.0 src/part{file % 20}/`file{file}.ts`/function{file}x{at}()."
            name, called = f"function{place}x{at}", f"function{other}x{at}"
            parts.append(occurrence(len(lines), 9, 9 + len(name), symbol(place), 1))
            parts.append(field(3, field(1, symbol(place)) + field(3, f"```ts\nfunction {name}(): void\n```") + field(6, name)))
            lines.append(f"function {name}() {{")
            for _ in range(USES):
                parts.append(occurrence(len(lines), 2, 2 + len(called), symbol(other), 8))
                lines.append(f"  {called}()")
            lines.append("}")
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines) + "\n")
        out.append(field(2, field(1, path) + b"".join(parts)))
    # The index must be younger than every file.
    time.sleep(0.05)
    index.write_bytes(b"".join(out))


def multiplied(index, copies, target):
    """Copies of every document below a folder of its own, with the name of the scheme changed in its symbols."""
    message = index.read_bytes()
    parts = [(kind, message[start:end]) for kind, start, end in fields(message)]
    documents = [record for kind, record in parts if kind == 2]
    tool = next(record for kind, record in parts if kind == 1)
    scheme = first_symbol(documents).split(b" ")[0] + b" "
    with open(target, "wb") as out:
        out.write(field(1, tool))
        for copy in range(copies):
            other = (b"%03d" % copy + scheme)[: len(scheme) - 1] + b" "
            for record in documents:
                start, end = next((start, end) for kind, start, end in fields(record) if kind == 1)
                path = field(1, b"copy%d/" % copy + record[start:end])
                rest = record[: start - 1 - len(varint(end - start))] + record[end:]
                out.write(field(2, path + rest.replace(scheme, other)))


def first_symbol(documents):
    for document in documents:
        for kind, start, end in fields(document):
            for inner, first, last in fields(document[start:end]) if kind == 2 else ():
                symbol = document[start + first : start + last]
                if inner == 2 and not symbol.startswith(b"local "):
                    return symbol
    sys.exit("the index has no global symbol to multiply")


def built():
    """Paths of the program and of the tasks beside it."""
    base = ["cargo", "--quiet"]
    subprocess.run([*base, "build", "--release", "--bin", "cortex"], cwd=ROOT, check=True)
    command = [*base, "bench", "--bench", "precision", "--no-run", "--message-format", "json"]
    lines = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    artifacts = [it for it in map(json.loads, lines) if it.get("target", {}).get("name") == "precision"]
    target = pathlib.Path(artifacts[-1]["executable"]).parents[1]
    return str(target / "cortex"), artifacts[-1]["executable"]


def apart(work, *arguments):
    """In a process of its own: what this one has held counts as the peak of every process that it starts."""
    child = os.fork()
    if child == 0:
        work(*arguments)
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0:
        sys.exit("the index was not made")


def measure(argv, folder, runs):
    """CPU milliseconds and peak bytes of a process, medians."""
    environment = {**os.environ, "RAYON_NUM_THREADS": "1"}
    os.chdir(folder)
    costs = []
    for turn in range(runs + 1):
        actions = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
        child = os.posix_spawn(argv[0], argv, environment, file_actions=actions)
        _, status, usage = os.wait4(child, 0)
        if os.waitstatus_to_exitcode(status) != 0:
            sys.exit(f"{' '.join(argv)} failed")
        if turn:
            costs.append(((usage.ru_utime + usage.ru_stime) * 1000, usage.ru_maxrss * 1024))
    return tuple(statistics.median(it[at] for it in costs) for at in (0, 1))


def row(label, size, mine, peer):
    memory = [f"{(it[1] - size) / 1e6:9.1f}" for it in (mine, peer) if it]
    ratio = f"{mine[0] / peer[0]:6.2f}" if peer else ""
    print(f"{label:26} {mine[0]:9.2f} {peer[0] if peer else float('nan'):9.2f} {ratio:>6} {' '.join(memory)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", nargs="?", type=pathlib.Path)
    parser.add_argument("--symbol", default="function7x7")
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument("--runs", type=int, default=15)
    arguments = parser.parse_args()
    given = arguments.index and arguments.index.resolve()
    cortex, tasks = built()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "project"
        made, many = folder / "index.scip", pathlib.Path(scratch) / "multiplied.scip"
        apart(project, folder, made)
        index = given or made
        if arguments.copies > 1:
            apart(multiplied, index, arguments.copies, many)
            index = many
        size = index.stat().st_size
        task = lambda *it: measure([tasks, *map(str, it)], folder, arguments.runs)
        print(f"{size / 1e6:.1f} MB{'':19} {'cortex ms':>9} {'scip ms':>9} {'ratio':>6} {'cortex MB':>9} {'scip MB':>9}")
        row("read the file", size, task("read", index), None)
        row("load", size, task("load", index), task("peer-load", index))
        # Beside another project's files the index would be stale, and names and imports be asked as well.
        beside = pathlib.Path(scratch) / "empty" if given or arguments.copies > 1 else folder
        beside.mkdir(exist_ok=True)
        one = measure([cortex, "symbol", arguments.symbol, "--index", str(index)], beside, arguments.runs)
        row("one symbol", size, one, task("peer-symbol", index, arguments.symbol))
        for label, seal in (("freshness by times", False), ("freshness by seal", True)):
            if seal:
                subprocess.run([cortex, "index", "seal", folder], check=True, stdout=subprocess.DEVNULL)
            often, once = (task("freshness", made, folder, it) for it in (CHECKS + 1, 1))
            print(f"{label:26} {(often[0] - once[0]) / CHECKS:9.2f}")
        row("one symbol, sealed", made.stat().st_size, measure([cortex, "symbol", "function7x7", "-C", str(folder)], folder, arguments.runs), None)


if __name__ == "__main__":
    main()
