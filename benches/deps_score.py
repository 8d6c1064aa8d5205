"""Scores `cortex deps FILE --json` against what other readers of the same files are known to say.

    deps_score.py PROGRAM FOLDER [--format PART]... [--wrong]

FOLDER holds `corpus/<peer>/<format>/<case>/{input/, expected.json}` and `cases/<case>/{input/, expected.json}`. For each
format it prints how many of the stated facts are right; `--wrong` names those that are not. A fact that a peer states by
a habit of its own, and not by a rule of the format, stands in DIFFERENCES with the reason and is counted apart.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import time

FACTS = ["names", "versions", "constraints", "positions", "errors"]

# (peer, format, package, "*" or "case NAME"): why what the peer states of it is no rule.
OWN = "reports a package of the project itself, which depends on nothing but itself"
AS_WRITTEN = "the tag of a repository as if it were a constraint; the constraint as written is the whole address"
UNUSED = "the entry of a catalog that nothing uses, taken for a settled version"
SUMS = "lists what go.sum has checksums of, which is more than the build takes"
LIBRARY = "makes a package of the version of the language"
FOLDER = "takes the folder that replaces a module for the name of one"
TOOL = "a tool that a wrapper or an extension fetches, no dependency of the project"
IMAGE = "the image of a container, no package of Maven"
ELSEWHERE = "of a module: asked for one file, what that file states is listed"
BROKEN = "the pom's `build` holds another `build`, which Maven refuses"
STRANGER = "Maven does not take a parent of another name than the pom names; the properties stay open"
MARKER = "the name of a plugin is not that of the package that leads to it"
ANY_CALL = "three texts of any function: only those of a configuration in `dependencies` are coordinates"
NAMELESS = "an entry that lacks a part of its name or its version is a diagnostic, no package"
NO_FILE = "the file that states it is not part of the case"
DIFFERENCES = {
    ("trivy", "node-package.json", "*"): OWN,
    ("syft", "node-package.json", "*"): OWN,
    ("osv-scalibr", "node-package.json", "*"): OWN,
    ("osv-scalibr", "rust-Cargo.toml", "hello_world"): OWN,
    ("osv-scalibr", "rust-Cargo.lock", "local-rust-pkg"): OWN,
    ("syft", "rust-Cargo.lock", "hello_world"): OWN,
    ("syft", "rust-Cargo.lock", "app"): OWN,
    ("trivy", "rust-Cargo.lock", "app"): OWN,
    ("trivy", "rust-Cargo.lock", "normal"): OWN,
    ("syft", "node-package-lock.json", "npm"): OWN,
    ("syft", "node-package-lock.json", "alias-check"): OWN,
    ("syft", "node-package-lock.json", "lock-v3-fixture"): OWN,
    ("trivy", "node-package-lock.json", "testapp"): OWN,
    ("renovate", "node-yarn.lock", "yarn2"): OWN,
    ("syft", "node-yarn.lock", "c0n-fab_u.laTION"): OWN,
    ("trivy", "node-yarn.lock", "yarn-3-licenses"): OWN,
    ("trivy", "node-yarn.lock", "work"): OWN,
    ("syft", "node-yarn.lock", "something-i-made-up"): "takes the name from the address instead of the key",
    ("dependabot-core", "node-package.json+yarn.lock", "is-number"): "the commit; the lockfile states version 5.0.0",
    ("dependabot-core", "node-bun.lock", "case bun-parse-when-dealing-with-bun.lock-when-the-lockfile-version-is-newe"): "version 2, which bun 1.4 writes",
    ("renovate", "node-bun.lock", "dep1"): "the case stores the text of package.json as bun.lockb, which is binary",
    **{("dependabot-core", "node-package.json", it): UNUSED for it in ("react-icons", "prettier", "express", "is-even", "react", "react-dom")},
    **{("dependabot-core", "python-environment.yml", it): "the bound of a range as a settled version" for it in ("numpy", "pydantic-settings", "r-base", "six")},
    ("dependabot-core", "python-environment.yml", "conda"): "a check of the peer's own registry of names, not of the file",
    ("trivy", "python-requirements.txt", "Jinja2"): "to pip `3.0.0#comment` is no version: a comment begins behind a space",
    ("syft", "python-requirements.txt", "githubsampleproject"): "a version and an address in one requirement, which pip refuses; ours is a diagnostic",
    ("dependabot-core", "python-requirements.txt", "psycopg2[bar,foo]"): "the extras as a part of the name",
    **{("renovate", "python-requirements.txt", it): "the name of a repository as that of the package that it holds" for it in (
        "git@github.com:rwxd/python-pip-setup-test.git", "git@github.com:rwxd/test_package", "git@gitlab.company.com:rwxd/python-package.git",
        "python-pip-setup-test", "test_package", "python-package")},
    **{("dependabot-core", "python-requirements.in", it): "the pins of a compiled file as if someone asked for them" for it in ("apipkg", "attrs")},
    ("dependabot-core", "python-pyproject+poetry.lock", ""): "the version of poetry that the project wants, which is no fault of the file",
    ("renovate", "python-pyproject-poetry", "fastapi"): "the branch of a repository as if it were a constraint",
    ("renovate", "python-pyproject.toml", "python"): "the interpreter, which is no package of the index",
    ("renovate", "python-pyproject.toml", "dep1"): "the tag of a repository as if it were a constraint",
    ("renovate", "python-pyproject.toml", "dep7"): "what a source of uv overrides",
    ("osv-scalibr", "node-deno.json", "std1/path1"): "drops the `@` of a scope, so that the name is none of JSR",
    ("renovate", "node-package.json", "enabled"): "the entry is `false`, which is no constraint; ours is a diagnostic",
    ("renovate", "node-package.json", "express>cookie"): "the key of an override; the package is `cookie`",
    ("trivy", "go-go.sum", "*"): SUMS,
    ("osv-scalibr", "go-go.mod", "case test-extractor-for-go-1.16-2"): SUMS + ", which is not in the input",
    ("osv-scalibr", "go-go.mod", "stdlib"): LIBRARY,
    ("trivy", "go-go.mod", "stdlib"): LIBRARY,
    ("osv-scalibr", "go-go.mod", "./fork/net"): FOLDER,
    ("renovate", "go-go.mod", "../errors"): FOLDER,
    ("trivy", "go-go.mod", "case no-replace"): "leaves replacements out, by a setting of the peer",
    ("dependabot-core", "dotnet-csproj", "case nuget-missingpackageiscorrectlyreported-versionnotfound"): "asks a registry",
    ("dependabot-core", "dotnet-csproj", "case nuget-wildcardversionnumberisresolved"): "asks a registry",
    ("dependabot-core", "dotnet-global.json", "dotnet-sdk"): "the SDK is no package",
    ("dependabot-core", "jvm-pom.xml", "com.dependabot:basic-pom"): OWN,
    ("dependabot-core", "jvm-pom.xml", "com.eclipsesource.minimal-json:minimal-json"): BROKEN,
    ("dependabot-core", "jvm-pom.xml", "org.ow2.asm:asm"): BROKEN,
    ("dependabot-core", "jvm-pom.xml", "org.example:maven-test-no-parent-artifact"): "of a file that no pom leads to and that has no pom's name",
    ("dependabot-core", "jvm-pom.xml", "org.apache.maven:apache-maven"): TOOL,
    ("dependabot-core", "jvm-pom.xml", "org.apache.maven.wrapper:maven-wrapper"): TOOL,
    ("dependabot-core", "jvm-pom.xml", "maven-when-dealing-with-dependencymanagement-dependencies/com.google.guava:guava"): "a managed version settles nothing while nothing depends on it",
    **{
        ("renovate", "jvm-pom.xml", it): IMAGE
        for it in (
            "paketobuildpacks/builder-jammy-base", "paketobuildpacks/run-noble-full", "paketo-buildpacks/nodejs",
            "gcr.io/paketo-buildpacks/nodejs", "docker.io/paketobuildpacks/python",
            "docker.io/paketobuildpacks/ruby", "paketobuildpacks/java",
        )
    },
    ("renovate", "jvm-pom.xml", "org.example:quux"): STRANGER,
    ("renovate", "jvm-pom.xml", "org.example:${artifact-id-placeholder}"): "a name that stays open is a diagnostic, no package",
    ("renovate", "jvm-pom.xml", "${group-id-placeholder}:baz"): "a name that stays open is a diagnostic, no package",
    ("syft", "jvm-pom.xml", "org.apache.commons:commons-text"): OWN,
    ("syft", "jvm-pom.xml", "org.anchore:example-java-app-maven"): OWN,
    ("trivy", "jvm-pom.xml", "infinity-loop-for-modules/org.example:module-1"): ELSEWHERE,
    ("trivy", "jvm-pom.xml", "nested-modules/org.example:example-api"): ELSEWHERE,
    ("osv-scalibr", "jvm-verification-metadata.xml", ":pdfbox"): NAMELESS,
    ("osv-scalibr", "jvm-verification-metadata.xml", "org.apache.pdfbox:"): NAMELESS,
    ("osv-scalibr", "jvm-verification-metadata.xml", "missing-attribute/org.apache.pdfbox:pdfbox"): NAMELESS,
    **{
        ("renovate", "jvm-ant-build.xml", f"{it}/junit:junit"): NO_FILE
        for it in (
            "ant-follows-import-file-references", "ant-shares-properties-across-imported-files",
            "ant-handles-properties-file-in-subdirectory", "ant-skips-duplicate-property-file-references",
        )
    },
    ("renovate", "jvm-build.sbt", "sbt/sbt"): TOOL,
    **{
        ("renovate", "jvm-build.sbt", f"sbt-extracts-proxy-repositories/{it}"): "of a file `repositories`, which sbt does not compile"
        for it in (
            "org.scala-lang:scala-library", "com.example:foo_2.13.0-RC5", "com.abc:abc", "com.abc:abc-a", "com.abc:abc-b",
            "com.abc:abc-c",
        )
    },
    ("dependabot-core", "jvm-build.gradle", "gradle-wrapper"): TOOL,
    ("dependabot-core", "jvm-build.gradle", "jvm"): MARKER,
    **{
        ("renovate", "jvm-build.gradle", it): TOOL
        for it in (
            "codenarc", "composeOptions", "findbugs", "googleJavaFormat", "jacoco", "jmh", "lombok", "micronaut", "pmd",
            "useJUnitJupiter", "useSpock", "useTestNG",
        )
    },
    ("renovate", "jvm-build.gradle", "gradle-somemethod-foo-bar-1.2.3/foo:bar"): ANY_CALL,
    ("renovate", "jvm-build.gradle", "gradle-foo-bar-1.2.3-6/foo:bar"): ANY_CALL,
    ("renovate", "jvm-build.gradle", "com.h2database:h2"): NO_FILE,
    ("renovate", "jvm-build.gradle", "com.squareup.retrofit2:retrofit"): "a constraint makes no dependency, and nothing else names it",
    **{("renovate", "node-package.json", it): AS_WRITTEN for it in "cfmnopqrst"},
    **{("renovate", "rust-Cargo.toml", f"{it}-tag"): AS_WRITTEN for it in ("github", "gitlab", "other")},
}

# (peer, format): why a version that the peer states without a lockfile is no resolved one.
UNSETTLED = {
    ("dependabot-core", "jvm-build.gradle"): "repeats what is asked for, which Gradle takes as the least version",
    ("dependabot-core", "jvm-build.sbt"): "repeats what is asked for, of which sbt takes the latest",
}


# Marks of things that a manifest names beside its dependencies: tools, the language and its own library.
NO_PACKAGES = ("engines", "volta", "packageManager", "devEngines", "golang", "toolchain", "dotnet-sdk")


def normal(name: str) -> str:
    """A name as it is compared: the spellings of PEP 503 are one."""
    return name.lower().replace("_", "-").replace(".", "-")


class Answer:
    """What the program says of one input."""

    def __init__(self, program: str, path: pathlib.Path):
        start = time.monotonic()
        run = subprocess.run([program, "deps", str(path), "--json"], capture_output=True, text=True, timeout=60)
        self.seconds = time.monotonic() - start
        self.status, self.words = run.returncode, run.stderr.strip()
        # 2 is the refusal of a file of no known format.
        self.unknown = run.returncode == 2 and "dependency_format_unknown" in run.stderr
        self.crashed = run.returncode not in (0, 2, 3)
        found = json.loads(run.stdout) if run.stdout else {"dependencies": [], "diagnostics": []}
        self.diagnostics = found["diagnostics"]
        self.names = [it["name"] for it in found["dependencies"]]
        # By name and by the name that the project gives it.
        self.declared, self.resolved = collections.defaultdict(list), collections.defaultdict(list)
        self.relation, self.golang = {}, set()
        for it in found["dependencies"]:
            names = {it["name"], *(entry["raw_name"] for entry in it["declared"])}
            for name in names:
                self.declared[normal(name)] += it["declared"]
                self.resolved[normal(name)] += it["resolved"]
                self.relation[normal(name)] = it["relation"]
                if it["ecosystem"] == "golang":
                    self.golang.add(normal(name))

    def has(self, name: str) -> bool:
        return normal(name) in self.declared or normal(name) in self.resolved

    def versions(self, name: str) -> set:
        """The versions, those of Go also without the `v` that some peers leave out."""
        found = {it["version"] for it in self.resolved[normal(name)]}
        return found | {it[1:] for it in found if it.startswith("v") and normal(name) in self.golang}

    def is_minimum(self, name: str, version: str) -> bool:
        """Whether a version is what a module asks for at least, of which it does not say what the build takes."""
        asked = {str(it).removeprefix("v") for it in self.constraints(name)}
        return not self.resolved[normal(name)] and version.removeprefix("v") in asked

    def constraints(self, name: str) -> set:
        """As written, and what that comes to: a peer can state either."""
        entries = self.declared[normal(name)]
        return {it["constraint"] for it in entries} | {it["evaluated"] for it in entries if "evaluated" in it}


class Score:
    def __init__(self):
        self.cases, self.slowest, self.slowest_case, self.unknown, self.crashed = 0, 0.0, "", 0, 0
        self.right, self.stated, self.habits = (collections.Counter() for _ in range(3))
        self.wrong = []

    def judge(self, key, fact, package, right, said, stated):
        peer, form, case = key
        # A package that a peer gives a suffix of its own, `:workspace`, is a member's and stated there.
        habit = (peer, form, "*") in DIFFERENCES and ":" not in package or (peer, form, package) in DIFFERENCES
        habit = habit or (peer, form, f"case {case}") in DIFFERENCES
        habit = habit or fact == "versions" and (peer, form) in UNSETTLED
        # What is a habit in one case only.
        habit = habit or (peer, form, f"{case}/{package}") in DIFFERENCES
        # A right fact counts in any case: only a difference needs an argument.
        if not right and (habit or package.endswith(":workspace")):
            self.habits[fact] += 1
            return
        self.stated[fact] += 1
        self.right[fact] += bool(right)
        if not right:
            self.wrong.append(f"{peer}/{form}/{case} {fact}: stated {stated}, said {said}")


def entry_of(case: pathlib.Path, expected) -> pathlib.Path:
    return case / (expected.get("entry") or "input")


def ends(packages) -> dict:
    """For the first line of each entry of a lockfile, the last line that can belong to it."""
    starts = sorted({it["line"] for it in packages if it.get("line")})
    return {line: after - 1 for line, after in zip(starts, starts[1:] + [1 << 30])}


def element_ends(case, expected, packages) -> dict:
    """For the first line of each element of a pom, the line that closes it: the version stands in between."""
    lines = entry_of(case, expected).read_text(encoding="utf-8").splitlines()
    close = lambda start: next((at for at, it in enumerate(lines[start - 1 :], start) if "</dependency>" in it), start)
    return {it["line"]: close(it["line"]) for it in packages if it.get("line")}


def name_of(package) -> str:
    """Of a package of Maven a peer can leave the group to the package URL."""
    purl = package.get("purl") or ""
    if purl.startswith("pkg:maven/") and ":" not in package["name"]:
        return purl.removeprefix("pkg:maven/").split("@")[0].split("?")[0].replace("/", ":")
    return package["name"]


def judge_packages(score, key, expected, answer, case):
    packages = expected.get("packages") or []
    is_lock = expected["kind"] == "lock"
    last = element_ends(case, expected, packages) if key[1] == "jvm-pom.xml" and expected.get("entry") else ends(packages)
    for it in packages:
        name = name_of(it)
        # The project itself and the members of its workspace.
        if it.get("relationship") in ("root", "workspace") and not answer.has(name):
            score.habits["names"] += 1
            continue
        # Of poms, what a dependency brings is written in the local repository only.
        if key[1] == "jvm-pom.xml" and it.get("relationship") == "indirect" and not answer.has(name):
            score.habits["names"] += 1
            continue
        score.judge(key, "names", name, answer.has(name), "nothing of that name", name)
        version = it.get("version")
        if key[1] == "go-go.mod" and version and answer.is_minimum(name, version):
            # Before Go 1.17: the peer takes the minimum for the version.
            score.habits["versions"] += 1
        elif is_lock and version:
            score.judge(key, "versions", name, version in answer.versions(name), sorted(answer.versions(name)), f"{name} {version}")
        if requirement := it.get("requirement"):
            judge_constraint(score, key, answer, name, requirement)
        if line := it.get("line"):
            # A `go.mod` is both.
            both = answer.resolved[normal(name)] + answer.declared[normal(name)]
            entries = answer.resolved[normal(name)] if is_lock else answer.declared[normal(name)]
            entries = both if key[1] == "go-go.mod" else entries
            lines = sorted({entry["line"] for entry in entries})
            end = it.get("end_line") or (last[line] if is_lock or key[1] == "jvm-pom.xml" else line)
            score.judge(key, "positions", name, any(line <= at <= end for at in lines), lines, f"{name} at {line}")


def bare(constraint) -> str:
    """A constraint without the spaces that some peers normalise."""
    return "".join(str(constraint).split())


def judge_constraint(score, key, answer, name, constraint):
    said = answer.constraints(name)
    # The whole requirement as one peer has it: name, extras, constraint, marker.
    if whole := re.match(rf"{re.escape(name)}\s*(\[[^]]*\])?([^;]*)", constraint):
        constraint = whole[2] or None
    right = bare(constraint) in {bare(it) for it in said}
    score.judge(key, "constraints", name, right, sorted(map(str, said)), f"{name} {constraint!r}")


def judge_deps(score, key, deps, answer):
    for it in deps:
        name = it.get("packageName") or it.get("depName")
        if not name:
            if version := it.get("lockedVersion"):
                every = {row["version"] for rows in answer.resolved.values() for row in rows}
                score.judge(key, "versions", "", version in every, sorted(every)[:5], version)
            continue
        # Tools that a manifest names beside its dependencies are none.
        if it.get("depType") in NO_PACKAGES:
            continue
        alias = it.get("depName")
        known = answer.has(name) or bool(alias) and answer.has(alias)
        score.judge(key, "names", name, known, "nothing of that name", name)
        name = name if answer.has(name) else alias or name
        if it.get("currentValue") is not None and not it.get("skipReason"):
            judge_constraint(score, key, answer, name, it["currentValue"])
        if version := it.get("lockedVersion"):
            score.judge(key, "versions", name, version in answer.versions(name), sorted(answer.versions(name)), f"{name} {version}")
        if (line := it.get("line0")) is not None:
            lines = sorted({entry["line"] for entry in answer.declared[normal(name)]})
            score.judge(key, "positions", name, line + 1 in lines, lines, f"{name} at {line + 1}")


def judge_facts(score, key, facts, answer):
    for it in facts:
        name = it["name"]
        if "version" not in it and "requirements" not in it:
            continue
        score.judge(key, "names", name, answer.has(name), "nothing of that name", name)
        version = it.get("version")
        if version and key[1] == "go-go.mod" and answer.is_minimum(name, version):
            score.habits["versions"] += 1
        elif version:
            score.judge(key, "versions", name, version in answer.versions(name), sorted(answer.versions(name)), f"{name} {version}")
        for requirement in it.get("requirements") or []:
            if text := requirement.get("requirement"):
                judge_constraint(score, key, answer, name, text)


def judge_projects(score, key, projects, answer):
    """What MSBuild evaluates; only a restore knows what is not at the top."""
    for it in (dependency for project in projects for dependency in project["dependencies"]):
        if it.get("IsTopLevel") is False or "name" not in it:
            continue
        name = it["name"]
        score.judge(key, "names", name, answer.has(name), "nothing of that name", name)
        if version := it.get("version"):
            judge_constraint(score, key, answer, name, version)


def judge_locked(score, key, locked, answer):
    """`name@constraint` or `name` to the version that it leads to."""
    for wanted, version in locked.items():
        if not isinstance(version, str):
            continue
        at = wanted.find("@", 1)
        name = wanted[:at] if at > 0 else wanted
        score.judge(key, "names", name, answer.has(name), "nothing of that name", name)
        score.judge(key, "versions", name, version in answer.versions(name), sorted(answer.versions(name)), f"{name} {version}")


def judge(score, key, expected, answer, case):
    texts = [it.read_text(encoding="utf-8", errors="replace") for it in (case / "input").rglob("*") if it.is_file()]
    text = "\n".join(texts)
    if expected["outcome"] == "error":
        # A package is invented when its name stands nowhere in the input.
        invented = sorted(it for it in answer.names if normal(it) not in normal(text))
        right = bool(answer.diagnostics) and not answer.crashed and not invented
        said = f"status {answer.status}, {len(answer.diagnostics)} diagnostics, invented {invented}"
        score.judge(key, "errors", "", right, said, expected.get("error_contains") or "an error")
        return
    judge_packages(score, key, expected, answer, case)
    judge_deps(score, key, expected.get("deps") or [], answer)
    for file in expected.get("files") or []:
        judge_deps(score, key, file.get("deps") or [], answer)
    judge_facts(score, key, expected.get("facts") or [], answer)
    judge_projects(score, key, expected.get("projects") or [], answer)
    judge_projects(score, key, [it for it in [expected.get("GlobalJson"), expected.get("DotNetToolsJson")] if it], answer)
    judge_locked(score, key, expected.get("locked_versions") or {}, answer)
    for it in expected.get("requirements") or []:
        score.judge(key, "names", it["name"], answer.has(it["name"]), "nothing of that name", it["name"])
        if it.get("requirement"):
            judge_constraint(score, key, answer, it["name"], it["requirement"])


def run_corpus(program, folder, wanted):
    scores = collections.defaultdict(Score)
    for path in sorted((folder / "corpus").glob("*/*/*/expected.json")):
        case = path.parent
        peer, form, name = case.parts[-3:]
        if wanted and not any(it in form for it in wanted):
            continue
        expected = json.loads(path.read_text(encoding="utf-8"))
        score = scores[form]
        score.cases += 1
        answer = Answer(program, entry_of(case, expected))
        score.unknown += answer.unknown
        score.crashed += answer.crashed
        if answer.seconds > score.slowest:
            score.slowest, score.slowest_case = answer.seconds, f"{peer}/{name}"
        if not answer.unknown:
            judge(score, (peer, form, name), expected, answer, case)
    return scores


def run_cases(program, folder):
    wrong = []
    paths = sorted((folder / "cases").glob("*/expected.json"))
    for path in paths:
        expected = json.loads(path.read_text(encoding="utf-8"))
        answer = Answer(program, path.parent / "input")
        faults = []
        for it in expected.get("deps") or []:
            name = it["name"]
            if not answer.has(name):
                faults.append(f"{name} is missing")
                continue
            asked, has = answer.constraints(name), answer.versions(name)
            # `cargo metadata` writes the caret that a bare version of Cargo.toml means.
            asked |= {f"^{text}" for text in asked if text and text[0].isdigit() and "cargo" in path.parent.name}
            # pip drops the spaces of a specifier.
            asked |= {text.replace(" ", "") for text in asked if text and expected.get("truth", "").startswith("pip")}
            if it.get("constraint") and it["constraint"] not in asked:
                faults.append(f"{name}: stated {it['constraint']!r}, said {sorted(map(str, asked))}")
            if it.get("resolved") and it["resolved"] not in has:
                faults.append(f"{name}: stated {it['resolved']}, said {sorted(has)}")
            if it.get("line") and it["line"] not in {row["line"] for row in answer.declared[normal(name)]}:
                faults.append(f"{name}: stated line {it['line']}, said {[row['line'] for row in answer.declared[normal(name)]]}")
            if "direct" in it and (answer.relation[normal(name)] == "direct") != it["direct"]:
                faults.append(f"{name}: {answer.relation[normal(name)]}")
        for text in expected.get("not_dependencies") or []:
            if answer.has(text.split(" ")[0]):
                faults.append(f"{text} is listed")
        if answer.crashed or answer.seconds > 1:
            faults.append(f"status {answer.status} after {answer.seconds:.1f} s")
        print(f"{'right' if not faults else 'WRONG'}  {path.parent.name}  {answer.seconds:.2f} s")
        for fault in faults:
            print(f"       {fault}")
        wrong += faults
    print(f"{len(paths)} cases, {len(wrong)} facts wrong")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--format", action="append", help="only formats with this in their name")
    parser.add_argument("--wrong", action="store_true", help="name the facts that are wrong")
    arguments = parser.parse_args()
    scores = run_corpus(arguments.program, arguments.folder, arguments.format)
    head = f"{'format':32}{'cases':>6}" + "".join(f"{it:>14}" for it in FACTS) + f"{'share':>8}{'habits':>8}{'slowest':>9}"
    print(head)
    for form, score in sorted(scores.items()):
        cells = "".join(f"{f'{score.right[it]}/{score.stated[it]}' if score.stated[it] else '-':>14}" for it in FACTS)
        right, stated = sum(score.right.values()), sum(score.stated.values())
        share = f"{100 * right / stated:.1f} %" if stated else "-"
        unread = f"  {score.unknown} of no known format" if score.unknown else ""
        crashed = f"  {score.crashed} CRASHED" if score.crashed else ""
        habits = sum(score.habits.values())
        print(f"{form:32}{score.cases:>6}{cells}{share:>8}{habits:>8}{score.slowest:>7.2f} s  {score.slowest_case}{unread}{crashed}")
        if arguments.wrong:
            for line in score.wrong:
                print(f"    {line}")
    print()
    run_cases(arguments.program, arguments.folder)
    print("\nwhat peers state and no rule asks for (members and roots that trivy marks as such are left out too):")
    for (peer, form, package), why in sorted(DIFFERENCES.items()):
        print(f"  {peer} {form} {package}: {why}")


if __name__ == "__main__":
    sys.exit(main())
