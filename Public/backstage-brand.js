// Shows each change of a brand at once, in the pages beside the form, and has it be what is written; without it, "Preview" does both.
"use strict";

const form = document.getElementById("preview");
const keeping = document.getElementById("write") ?? document.getElementById("download");
let waiting;

function valuesTyped() {
  const values = new URLSearchParams(new FormData(form));
  for (const name of ["form_token", "action", "before"]) values.delete(name);
  return values;
}

// The button that keeps the brand has a form of its own, with the values of the last preview.
function keep(values) {
  for (const [name, value] of values) {
    let field = keeping.elements.namedItem(name);
    if (!field && value) {
      field = document.createElement("input");
      field.type = "hidden";
      field.name = name;
      keeping.append(field);
    }
    if (field) field.value = value;
  }
}

keeping?.addEventListener("submit", () => keep(valuesTyped()));

form.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    for (const frame of document.querySelectorAll(".previews iframe")) {
      const address = frame.getAttribute("src").split("?")[0];
      // In place of what was shown: Back is to leave this page, not to undo a letter.
      frame.contentWindow.location.replace(`${address}?${valuesTyped()}`);
    }
  }, 250);
});
