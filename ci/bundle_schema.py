"""Holds every document of a bundle against its schema: `bundle_schema.py SCHEMAS BUNDLE`."""

import json
import pathlib
import sys

from jsonschema import Draft202012Validator

# The document, and the schema where that has another name.
DOCUMENTS = ["bundle", "dependencies", "impact", "validation", "volatile", "preview"]
LINES = {"evidence": "evidence", "findings": "finding", "skipped": "skipped"}


def main(schemas: pathlib.Path, bundle: pathlib.Path) -> int:
    checked, wrong = 0, 0
    work = [(bundle / f"{name}.json", name, False) for name in DOCUMENTS]
    work += [(bundle / f"{name}.jsonl", schema, True) for name, schema in LINES.items()]
    for path, name, by_line in work:
        if name == "preview" and not path.exists():
            continue
        schema = json.loads((schemas / f"{name}.schema.json").read_text(encoding="utf-8"))
        Draft202012Validator.check_schema(schema)
        validator = Draft202012Validator(schema)
        text = path.read_text(encoding="utf-8")
        for document in text.splitlines() if by_line else [text]:
            checked += 1
            for error in validator.iter_errors(json.loads(document)):
                wrong += 1
                print(f"{path.name}: {error.json_path}: {error.message}")
    print(f"{checked} documents, {wrong} errors")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
