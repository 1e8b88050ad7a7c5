// Adds to backstage, which is complete without it: messages and codes that appear by themselves, a world from a file,
// and a question before what was filled in is lost.
"use strict";

const marked = { "X-Vestibule-Backstage": "1" };

// As the server writes it: the words above the field, which is described by them.
function tell(words, box) {
  const field = box.querySelector("input:not([type=color])");
  const [id, hint] = [`${field.id}-error`, `${field.id}-hint`];
  document.getElementById(id)?.remove();
  box.classList.toggle("field-in-error", words.length > 0);
  const describing = document.getElementById(hint) ? [hint] : [];
  if (words.length > 0) {
    const message = document.createElement("p");
    message.id = id;
    message.className = "error-message";
    const kind = document.createElement("span");
    kind.className = "visually-hidden";
    kind.textContent = "Error:";
    const sentences = words.map((text) => {
      const sentence = document.createElement("span");
      sentence.className = "sentence";
      sentence.textContent = text;
      return sentence;
    });
    message.append(kind, ...sentences);
    box.querySelector(".control").before(message);
    describing.unshift(id);
    field.setAttribute("aria-invalid", "true");
  } else {
    field.removeAttribute("aria-invalid");
  }
  if (describing.length > 0) field.setAttribute("aria-describedby", describing.join(" "));
  else field.removeAttribute("aria-describedby");
}

// The whole file goes to the call that programs use; a form of ours could not carry so much.
function prepareImport() {
  const form = document.querySelector("form[data-import]");
  if (!form) return;
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const input = form.querySelector("input[type=file]");
    const [file] = input.files;
    const status = form.querySelector("[role=status]");
    if (!file) return;
    tell([], input.closest(".field"));
    status.textContent = "Importing…";
    const headers = { ...marked, "Content-Type": "application/json" };
    const answer = await fetch(form.dataset.import, { method: "POST", headers, body: file });
    if (answer.ok) return location.assign("/backstage/users");
    const refusal = await answer.json().catch(() => null);
    const words = refusal?.errors?.[0]?.message ?? `Not imported: status ${answer.status}`;
    const sentence = `${words[0].toUpperCase()}${words.slice(1).replace(/\.$/, "")}.`;
    const wayOn = answer.status === 422 ? " Choose a file that Export has written." : "";
    status.textContent = "";
    tell([sentence + wayOn], input.closest(".field"));
    input.focus();
  });
}

// What another copy of this page has at a place takes the place of what is here; tells whether it does.
function renew(place, fresh) {
  const [old, young] = [document.querySelector(place), fresh.querySelector(place)];
  const marks = getSelection();
  // What somebody has opened, is about to press, or has marked, is not taken away.
  const isUsed = () => old.contains(document.activeElement) || old.querySelector("details[open]")
    || (!marks.isCollapsed && marks.containsNode(old, true));
  if (!old || !young || isUsed()) return false;
  old.replaceWith(young);
  return true;
}

// What the parts of the inbox are known by in any copy: a message by its address, the rest by its words or its kind.
function nameOf(part) {
  const link = part.querySelector(":scope > a");
  return link?.matches(".row") ? link.getAttribute("href") : link?.textContent ?? part.className;
}

// Makes a list what another copy of it is. What both have stays, and with it the focus, and the place of whoever reads.
function merge(old, young) {
  const here = new Map([...old.children].map((part) => [nameOf(part), part]));
  const parts = [...young.children].map((part) => {
    const known = here.get(nameOf(part));
    if (!known) return part;
    if (known.matches(".things")) merge(known, part);
    const [link, fresh] = [known, part].map((one) => one.querySelector(":scope > a"));
    link?.setAttribute("href", fresh.getAttribute("href"));
    return known;
  });
  for (const part of [...old.children]) {
    if (parts.includes(part)) continue;
    const neighbour = part.nextElementSibling ?? part.previousElementSibling;
    // Whoever is there goes on at what follows, or else at what comes before.
    if (part.contains(document.activeElement)) neighbour?.querySelector("a, summary")?.focus();
    part.remove();
  }
  let next = null;
  for (const part of parts.reverse()) {
    if (part.parentNode !== old || part.nextElementSibling !== next) old.insertBefore(part, next);
    next = part;
  }
}

// This page as it is now, also when what it has opened is gone; nothing where it cannot be had.
async function anotherCopy() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
  return answer.ok || answer.status === 404 ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
}

const nowOf = (page) => Date.parse(page.querySelector("main").dataset.now);

// Moments are counted from when this page came, by a clock that only runs: by how much another copy's is behind it. The
// world's may have been moved, or stand still.
let behind = 0;

// Shifts the moments of this page, and of another copy, to where both are counted from when this page came.
function countFromHere(fresh) {
  const fallen = serverNow + passed() - nowOf(fresh);
  const shift = (element, by) => {
    element.dataset.moment = new Date(Date.parse(element.dataset.moment) + by).toISOString();
  };
  for (const young of fresh.querySelectorAll("main [data-moment]")) shift(young, fallen);
  renew(".bar time", fresh);
  // What the way of a copy takes is no move.
  if (Math.abs(fallen - behind) < 2000) return;
  for (const old of document.querySelectorAll("main [data-moment]")) {
    shift(old, fallen - behind);
    if (old.dataset.form !== "left") old.textContent = distanceOf(Math.ceil(millisecondsTo(old.dataset.moment) / 1000));
  }
  behind = fallen;
}

// The links to the tools stay, with the counts that another copy has.
function showCounts(fresh) {
  for (const young of fresh.querySelectorAll(".rail [data-tool]")) {
    const old = document.querySelector(`.rail [data-tool="${young.dataset.tool}"]`);
    if (old && old.innerHTML !== young.innerHTML) old.replaceChildren(...young.childNodes);
  }
}

const openedIn = (page) => page.querySelector(".pane-list [aria-current]")?.getAttribute("href");

async function showNewMessages(panes, message, signal) {
  const fresh = await anotherCopy();
  if (!fresh || signal.aborted) return;
  countFromHere(fresh);
  showApps(fresh);
  waitForApps();
  showCounts(fresh);
  let [opened, newest] = [document, fresh].map(openedIn);
  // What somebody reads stays where it is.
  if (opened !== newest && !panes.classList.contains("is-chosen") && renew(".pane", fresh)) opened = newest;
  merge(document.querySelector(".pane-list"), fresh.querySelector(".pane-list"));
  for (const row of document.querySelectorAll(".pane-list .row")) {
    if (row.getAttribute("href") === opened) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
  panes.dataset.latest = fresh.querySelector(".panes").dataset.latest;
  prepareCopying();
  status.textContent = `New message to ${message.to}`;
}

// The messages can be kept from coming by themselves, as long as this tab is open (WCAG 2.2.2).
function preparePause(button, changed) {
  const key = "inbox-paused";
  const show = (isPaused) => button.setAttribute("aria-pressed", isPaused);
  try {
    show(sessionStorage.getItem(key) === "true");
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
  button.hidden = false;
  button.addEventListener("click", () => {
    const isPaused = button.getAttribute("aria-pressed") !== "true";
    show(isPaused);
    try {
      sessionStorage.setItem(key, isPaused);
    } catch {
      // As above.
    }
    changed();
  });
}

// Asks for the next message and waits for it there; nothing is asked while nobody looks, or while it is paused.
function watchInbox() {
  const panes = document.querySelector(".panes[data-latest]");
  if (!panes) return;
  const button = document.querySelector("[data-pause]");
  let waiting = null;
  async function watch() {
    if (waiting || document.hidden || button?.getAttribute("aria-pressed") === "true") return;
    waiting = new AbortController();
    const { signal } = waiting;
    let pause = 2000;
    try {
      const query = new URLSearchParams({ after: panes.dataset.latest, wait: "25" });
      const address = `/backstage/api/messages/latest?${query}`;
      const answer = await fetch(address, { headers: marked, cache: "no-store", signal });
      if (answer.ok) await showNewMessages(panes, await answer.json(), signal);
      if (answer.ok || answer.status === 404) pause = 100;
    } catch {
      // The program has ended, and may be started anew; or the wait was paused.
    }
    waiting = null;
    setTimeout(watch, signal.aborted ? 0 : pause);
  }
  document.addEventListener("visibilitychange", watch);
  if (button) {
    preparePause(button, () => {
      waiting?.abort();
      watch();
    });
  }
  watch();
}

// When the first of the codes of apps is over, and what waits for that.
let appsDue = Infinity;
let waitForApps = () => {};

function expectApps(page) {
  const ends = [...page.querySelectorAll("[data-app] [data-moment]")].map((end) => millisecondsTo(end.dataset.moment));
  appsDue = performance.now() + Math.max(Math.min(...ends), 0);
}

// The codes that another copy has, whose moments are counted from here.
function showApps(fresh) {
  expectApps(fresh);
  for (const young of fresh.querySelectorAll("[data-app]")) {
    const old = document.getElementById(young.querySelector(".code").id)?.closest("[data-app]");
    if (!old) continue;
    // The button between them stays, and with it the focus.
    old.querySelector(".code").textContent = young.querySelector(".code").textContent;
    old.querySelector(".about").replaceWith(young.querySelector(".about"));
  }
}

// An authenticator app shows another code before long, which takes the place of the one that is over.
function watchApps() {
  if (!document.querySelector("[data-app]")) return;
  expectApps(document);
  let timer;

  async function watch() {
    clearTimeout(timer);
    if (document.hidden || !Number.isFinite(appsDue)) return;
    const wait = appsDue - performance.now();
    if (wait > 0) {
      timer = setTimeout(watch, wait);
      return;
    }
    appsDue = performance.now() + 2000;
    try {
      const fresh = await anotherCopy();
      if (fresh) {
        countFromHere(fresh);
        showApps(fresh);
        appsDue = Math.max(appsDue, performance.now() + 1000);
      }
    } catch {
      // The program has ended; it may be started anew.
    }
    watch();
  }
  waitForApps = watch;
  document.addEventListener("visibilitychange", watch);
  watch();
}

// Copies a text as it stands, with its lines and its spaces.
function prepareTexts() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll("[data-copy-text]")) {
    const source = document.getElementById(button.dataset.copyText);
    if (!source) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(source.textContent).then(
        () => (button.textContent = status.textContent = "Copied"),
        () => (status.textContent = "The browser does not let this page copy."),
      );
      setTimeout(() => (button.textContent = "Copy"), 4000);
    });
  }
}

// A menu that is left, or from which somebody turns away, hides nothing any more.
function prepareMenus() {
  for (const menu of document.querySelectorAll(".menu")) {
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.querySelector("summary").focus();
    });
    menu.addEventListener("focusout", (event) => {
      if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
    });
  }
}

// Whether somebody has filled in what no form has sent yet; reload.js asks, too.
function isFilledIn(field) {
  if (["checkbox", "radio"].includes(field.type)) return field.checked !== field.defaultChecked;
  if (!field.options) return field.value !== field.defaultValue;
  // Of those among which none is chosen from the start, a browser shows the first.
  const first = [...field.options].findIndex((option) => option.defaultSelected);
  return field.selectedIndex !== Math.max(first, 0);
}

// What was filled in is not lost unasked, whichever link is followed, and whichever other form is sent.
function keepWork() {
  const main = document.querySelector("main");
  const fields = "input:not([type=hidden], [type=search], [type=file]), select, textarea";
  // A field called "id" takes the place of a form's own.
  const nameOf = (form) => form?.getAttribute("id");
  // What was refused, or only tried out, comes back as if it stood there from the start.
  const isLeft = (form) => nameOf(form) === main.dataset.unsent || [...form.querySelectorAll(fields)].some(isFilledIn);
  let sent = null;
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    sent = event.target;
    if (nameOf(sent) !== "download") return;
    // The page stays, and the file has all that stands in it.
    for (const field of document.querySelectorAll(`#preview :is(${fields})`)) field.defaultValue = field.value;
    delete main.dataset.unsent;
  });
  addEventListener("beforeunload", (event) => {
    // The button that keeps a brand has a form of its own, which sends what stands in the other.
    const goes = ["write", "download"].includes(nameOf(sent)) ? [sent, document.getElementById("preview")] : [sent];
    const forms = [...document.querySelectorAll("main form[method=post]")];
    if (forms.some((form) => !goes.includes(form) && isLeft(form))) event.preventDefault();
    sent = null;
  });
}

// Where the tools are one line, the one that is open is in view.
function showTool() {
  const [rail, tool] = [document.querySelector(".rail"), document.querySelector(".rail [aria-current]")];
  if (!rail || !tool) return;
  const [room, place] = [rail.getBoundingClientRect(), tool.getBoundingClientRect()];
  rail.scrollLeft += place.left + place.width / 2 - room.left - room.width / 2;
}

// A browser gives a notice the focus by itself, except where the address leads to another place of the page.
function focusNotice() {
  if (document.activeElement !== document.body) return;
  document.querySelector("#notice[autofocus]")?.focus({ preventScroll: true });
}

showTool();
prepareTexts();
prepareMenus();
keepWork();
watchInbox();
watchApps();
prepareImport();
// Once the browser has gone to a place of the page, which takes the focus away.
addEventListener("pageshow", () => requestAnimationFrame(() => requestAnimationFrame(focusNotice)));
