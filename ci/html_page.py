"""Checks the HTML report as a browser shows it: `html_page.py DOM NETLOG`.

The page has its headings, and neither names nor asks for anything outside itself.
"""

import html.parser
import json
import sys

HEADINGS = ["How far the evidence can be trusted", "Findings"]
# What makes a browser ask for more.
LOADING = {"src", "srcset", "data", "poster", "background", "action", "formaction", "ping"}
# What the browser itself asks for, whatever page it shows.
OF_THE_BROWSER = "not an origin"


class Page(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.headings: list[str] = []
        self.faults: list[str] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("h1", "h2"):
            self.headings.append("")
            self.inside = True
        if tag in ("script", "link", "iframe", "object", "embed", "base"):
            self.faults.append(f"<{tag}>")
        self.faults += [f"<{tag} {name}>" for name, _ in attrs if name in LOADING or name.startswith("on")]

    def handle_endtag(self, tag: str) -> None:
        if tag in ("h1", "h2"):
            self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.headings[-1] += data


def requests(path: str) -> list[str]:
    with open(path, encoding="utf-8") as file:
        events = json.load(file)["events"]
    parameters = (it.get("params", {}) for it in events)
    return [it["url"] for it in parameters if "url" in it and it.get("initiator", OF_THE_BROWSER) != OF_THE_BROWSER]


def main(dom: str, netlog: str) -> int:
    page = Page()
    with open(dom, encoding="utf-8") as file:
        page.feed(file.read())
    headings = [" ".join(it.split()) for it in page.headings]
    faults = page.faults + [f"requests {url}" for url in requests(netlog)]
    faults += [f"no heading `{it}`" for it in HEADINGS if it not in headings]
    for fault in faults:
        print(fault)
    print(f"{len(headings)} headings: {'; '.join(headings)}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
