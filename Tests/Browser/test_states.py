"""Every state of every page, as the atlas shows it: in light, in dark and on a narrow phone."""

import re
import urllib.request

import pytest
from axe_playwright_python.sync_playwright import Axe

from conftest import LOOKS, Tab

# All of axe-core's rules, those included that it holds back by default.
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice", "experimental"]}


def states(program):
    with urllib.request.urlopen(f"http://localhost:{program.port}/backstage/atlas") as answer:
        found = re.findall(r'href="(/backstage/atlas/[^"]+)"', answer.read().decode())
    assert len(found) > 100
    return found


@pytest.fixture(scope="module", params=LOOKS)
def look(request, chromium, program):
    """One tab for all states in one look: a new one each would take the most time."""
    options = {"viewport": {"width": 1024, "height": 800}, **LOOKS[request.param]}
    context = chromium.new_context(**options)
    tab = Tab(context, f"http://localhost:{program.port}")
    yield tab
    context.close()


def test_states_are_accessible_and_stay_in_their_place(look, program):
    axe, wrong = Axe(), []
    for path in states(program):
        page = look.open(path)
        for violation in axe.run(page, options=RULES).response["violations"]:
            for node in violation["nodes"]:
                wrong.append(f"{path}: {violation['id']}: {node['html'][:120]}")
        if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            wrong.append(f"{path}: scrolls sideways")
        wrong += [f"{path}: {told}" for told in look.told]
        look.told.clear()
    assert not wrong, "\n" + "\n".join(wrong)


def test_states_keep_their_place_while_they_load(chromium, program):
    context = chromium.new_context()
    context.add_init_script(
        "window.shift = 0; new PerformanceObserver(list => {"
        "for (const entry of list.getEntries()) window.shift += entry.value"
        "}).observe({type: 'layout-shift', buffered: true})"
    )
    tab, moved = Tab(context, f"http://localhost:{program.port}"), []
    for path in states(program):
        if tab.open(path).evaluate("new Promise(done => requestAnimationFrame(() => done(window.shift)))"):
            moved.append(path)
    context.close()
    assert not moved
