// Shows each change of a brand at once, in the pages beside the form, with what is wrong with it, and has it be what is
// written; without it, "Preview" does all of that.
"use strict";

const form = document.getElementById("preview");
const keeping = document.getElementById("write") ?? document.getElementById("download");
const pagesShown = document.querySelectorAll(".previews iframe");
const swatches = new Map();
let waiting;
let asked = 0;
let pressed = Promise.resolve();
// What the server has written is told already.
let told = newsOf([...form.querySelectorAll(".error-message .sentence")].map(({ textContent }) => textContent));
const refusal = told ? document.querySelector(".banner") : null;
const wayOn = document.createElement("div");

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

// What is seen there nobody has filled in: that is the field beside it.
function show(color, swatch) {
  swatch.value = swatch.defaultValue = color.toLowerCase();
}

// Beside each colour, to see it and to pick another.
function addSwatches() {
  for (const field of form.querySelectorAll("input[name^='colors']")) {
    const swatch = document.createElement("input");
    swatch.type = "color";
    swatch.setAttribute("aria-label", `${field.labels[0].textContent}: pick`);
    field.after(swatch);
    swatches.set(field.name, swatch);
    const isColor = () => /^#[0-9a-f]{6}$/i.test(field.value);
    show(isColor() ? field.value : "#000000", swatch);
    field.addEventListener("input", () => isColor() && show(field.value, swatch));
    swatch.addEventListener("input", () => (field.value = swatch.value));
  }
}

// The same in whichever order, and at however many fields, it is told.
function newsOf(sentences) {
  return [...new Set(sentences)].sort().join(". ");
}

// The banner of a refusal stands no longer than something is wrong. Its page has no button that keeps the brand: the
// next preview has.
function goOn(isGood) {
  if (!refusal) return;
  wayOn.hidden = !isGood;
  if (!isGood) return;
  refusal.replaceWith(wayOn);
  status.textContent = wayOn.textContent;
}

// What is wrong, and each colour, also of those that are made of others: only the server knows.
async function ask() {
  const number = ++asked;
  try {
    const answer = await fetch(`/backstage/brand/preview.json?${valuesTyped()}`, { cache: "no-store" });
    const { colors, problems } = await answer.json();
    await pressed;
    // What has been typed since is asked for by itself.
    if (number !== asked) return;
    for (const [name, swatch] of swatches) show(colors[name], swatch);
    const sentences = problems.map(({ words }) => words);
    if (newsOf(sentences) === told) return;
    told = newsOf(sentences);
    status.textContent = sentences.join(". ");
    for (const box of form.querySelectorAll("[data-field]")) {
      tell(problems.filter(({ keys }) => keys.includes(box.dataset.field)).map(({ words }) => words), box);
    }
    goOn(problems.length === 0);
  } catch {
    // The program has ended; it may be started anew.
  }
}

function preview() {
  for (const frame of pagesShown) {
    const address = frame.getAttribute("src").split("?")[0];
    // In place of what was shown: Back is to leave this page, not to undo a letter.
    frame.contentWindow.location.replace(`${address}?${valuesTyped()}`);
  }
}

// To press a button is to leave the field, which asks: the answer waits for the press to end, lest its words move the
// button from under it.
document.addEventListener("pointerdown", () => {
  const press = new AbortController();
  pressed = new Promise((end) => {
    const release = () => {
      press.abort();
      // The click comes within the same task.
      setTimeout(end);
    };
    for (const name of ["pointerup", "pointercancel"]) {
      document.addEventListener(name, release, { signal: press.signal });
    }
  });
});

keeping?.addEventListener("submit", () => keep(valuesTyped()));

form.addEventListener("input", () => {
  asked += 1;
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    preview();
    // Half a colour is no mistake yet.
    waiting = setTimeout(ask, 500);
  }, 250);
});
form.addEventListener("change", ask);

wayOn.className = "notices";
wayOn.append(document.createElement("p"));
wayOn.firstChild.textContent = "Nothing is wrong any more. Press Preview once more, and it can be kept.";
addSwatches();
ask();
