// Shows each change of a brand at once, in the pages beside the form; without it, "Preview" does.
"use strict";

const form = document.getElementById("preview");
let waiting;

form.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const values = new URLSearchParams(new FormData(form));
    for (const name of ["form_token", "action"]) values.delete(name);
    for (const frame of document.querySelectorAll(".previews iframe")) {
      const address = frame.getAttribute("src").split("?")[0];
      // In place of what was shown: Back is to leave this page, not to undo a letter.
      frame.contentWindow.location.replace(`${address}?${values}`);
    }
  }, 250);
});
