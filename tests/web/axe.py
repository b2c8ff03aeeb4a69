"""axe-core in the page: what it finds wrong for people who see little or use no mouse."""

from functools import cache

from playwright.sync_api import Page

from tests.support.paths import ROOT

SCRIPT = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# An element that still fades in has no colour of its own.
RUN = """async rules => {
    await Promise.all(document.getAnimations().map(animation => animation.finished));
    const found = await axe.run(document, {runOnly: rules, resultTypes: ["violations"]});
    return found.violations.flatMap(({id, nodes}) => nodes.map(({html, failureSummary}) =>
        `${id}: ${html.slice(0, 120)} ${failureSummary.split("\\n").slice(1).join(" ")}`));
}"""


@cache
def _script() -> str:
    return SCRIPT.read_text(encoding="utf-8")


def violations(page: Page) -> list[str]:
    """Returns the violations that axe-core finds in the current page, by rule and element."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(_script())
    found: list[str] = page.evaluate(RUN, RULES)
    return found
