// Adds to backstage, which is complete without it: messages that appear by themselves, a world from a file.
"use strict";

const marked = { "X-Vestibule-Backstage": "1" };

// The whole file goes to the call that programs use; a form of ours could not carry so much.
function prepareImport() {
  const form = document.querySelector("form[data-import]");
  if (!form) return;
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const [file] = form.querySelector("input[type=file]").files;
    const status = form.querySelector("[role=status]");
    if (!file) return;
    status.textContent = "Importing…";
    const headers = { ...marked, "Content-Type": "application/json" };
    const answer = await fetch(form.dataset.import, { method: "POST", headers, body: file });
    if (answer.ok) return location.assign("/backstage/users");
    const refusal = await answer.json().catch(() => null);
    status.textContent = refusal?.errors?.[0]?.message ?? `Not imported: status ${answer.status}`;
  });
}

// What another copy of this page has at a place takes the place of what is here.
function renew(place, fresh) {
  const [old, young] = [document.querySelector(place), fresh.querySelector(place)];
  if (!old || !young) return;
  const isWithin = old.contains(document.activeElement);
  const focused = isWithin ? document.activeElement.getAttribute("href") : null;
  // What somebody has opened, or is about to press, is not taken away.
  if ((isWithin && !focused) || old.querySelector("details[open]")) return;
  old.replaceWith(young);
  if (focused) [...young.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus();
}

async function showNewMessages(panes, message) {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  renew(".rail ul", fresh);
  renew(document.querySelector(".pane-list .things") ? ".pane-list .things" : ".pane-list", fresh);
  // What somebody reads stays where it is.
  if (!panes.classList.contains("is-chosen")) renew(".pane", fresh);
  panes.dataset.latest = fresh.querySelector(".panes").dataset.latest;
  prepareCopying();
  status.textContent = `New message to ${message.to}`;
}

// Asks for the next message and waits for it there; nothing is asked while nobody looks.
function watchInbox() {
  const panes = document.querySelector(".panes[data-latest]");
  if (!panes) return;
  let isWaiting = false;
  async function watch() {
    if (isWaiting || document.hidden) return;
    isWaiting = true;
    let pause = 2000;
    try {
      const query = new URLSearchParams({ after: panes.dataset.latest, wait: "25" });
      const answer = await fetch(`/backstage/api/messages/latest?${query}`, { headers: marked, cache: "no-store" });
      if (answer.ok) await showNewMessages(panes, await answer.json());
      if (answer.ok || answer.status === 404) pause = 100;
    } catch {
      // The program has ended; it may be started anew.
    }
    isWaiting = false;
    setTimeout(watch, pause);
  }
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

prepareTexts();
prepareMenus();
watchInbox();
prepareImport();
