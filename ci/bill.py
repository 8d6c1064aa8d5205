"""Holds bills of materials against the official schema: `bill.py PROGRAM FOLDER...`, one bill for each folder."""

import subprocess
import sys

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator


def main(program: str, folders: list[str]) -> int:
    validator, wrong = JsonStrictValidator(SchemaVersion.V1_6), 0
    for folder in folders:
        run = subprocess.run([program, "deps", folder, "--cyclonedx"], capture_output=True, text=True, check=True)
        if error := validator.validate_str(run.stdout):
            wrong += 1
            print(f"{folder}: {error}")
    print(f"{len(folders)} bills, {wrong} wrong")
    return 1 if wrong or not folders else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
