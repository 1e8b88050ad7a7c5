"""Every state of every page, as the atlas shows it: in light, in dark, on a narrow phone and from right to left."""

import re
import urllib.request

import pytest

from conftest import COLOURS, LOOKS, LOOKS_OF_MANY, Tab, dark, examine, examined_context

# So that the last of the tests is a short one, wherever it runs.
PARTS = 6


def states(program, part=0, parts=1):
    with urllib.request.urlopen(f"http://localhost:{program.port}/backstage/atlas") as answer:
        found = re.findall(r'href="(/backstage/atlas/[^"]+)"', answer.read().decode())
    assert len(found) > 100
    return found[part::parts]


@pytest.fixture(scope="module", params=LOOKS_OF_MANY)
def look(request, chromium, program):
    """One tab for all states in one look: a new one each would take the most time."""
    context = examined_context(chromium, request.param)
    tab = Tab(context, f"http://localhost:{program.port}")
    # A picture of the atlas is the same for every browser: its address says the language.
    language = LOOKS[request.param].get("locale")
    tab.query = f"?language={language}" if language else ""
    tab.direction = "rtl" if language == "ar" else "ltr"
    # The others have the colours of light.
    tab.shows_colours = request.param == "light"
    yield tab
    context.close()


ENHANCED = """async () => {
  const { violations } = await axe.run({ runOnly: { type: "rule", values: ["color-contrast-enhanced"] } });
  return violations.flatMap(({ nodes }) =>
    nodes.map(({ html, any }) => `asked for more contrast: ${html.slice(0, 80)}: ${any[0].message}`));
}"""


def wrong_with_more_contrast(page):
    """What has less contrast than 7:1 when more contrast is asked for."""
    page.emulate_media(contrast="more")
    found = page.evaluate(ENHANCED)
    page.emulate_media(contrast="null")
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_states_are_accessible_and_stay_in_their_place(look, program, part):
    wrong = []
    for path in states(program, part, PARTS):
        look.page.goto(look.origin + path + look.query)
        found, direction = examine(look.page)
        if direction != look.direction:
            found.append("runs in the wrong direction")
        if look.shows_colours:
            found += wrong_with_more_contrast(look.page)
            with dark(look.page):
                of_colours = examine(look.page, only=COLOURS)[0] + wrong_with_more_contrast(look.page)
                found += [f"dark: {fault}" for fault in of_colours]
        wrong += [f"{path}: {fault}" for fault in found + look.told]
        look.told.clear()
    assert not wrong, "\n" + "\n".join(wrong)

