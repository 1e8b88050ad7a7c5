// Adds to pages that are complete without it: show password, fresh countdowns, focus on errors,
// one submit at a time, and the reader's time zone for the server. No dependencies.
"use strict";

// What is said here stands on the script's own element, in the language of the page.
const words = document.currentScript.dataset;

// The server computes all times; it only needs to know whose.
function rememberTimeZone() {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone || !/^[A-Za-z0-9_+\-/]{1,64}$/.test(zone)) return;
  document.cookie = `vestibule_time_zone=${zone}; path=/; max-age=31536000; SameSite=Lax`;
}

// Show password: never pressed by default, hidden again on submit and after the history cache.
function setVisible(button, isVisible) {
  const input = document.getElementById(button.getAttribute("aria-controls"));
  if (!input) return;
  input.type = isVisible ? "text" : "password";
  button.textContent = isVisible ? words.hide : words.show;
  button.setAttribute("aria-label", isVisible ? words.hideLabel : words.showLabel);
  return input;
}

function preparePasswords() {
  for (const button of document.querySelectorAll(".show-password")) {
    const status = button.closest(".field").querySelector("[data-password-status]");
    button.hidden = false;
    button.addEventListener("click", () => {
      const input = setVisible(button, button.textContent === words.show);
      if (!input || !status) return;
      status.textContent = input.type === "text" ? words.visible : words.hidden;
    });
  }
}

function hidePasswords() {
  for (const button of document.querySelectorAll(".show-password")) setVisible(button, false);
}

// An error takes the focus, or else news where nothing is filled in, if the browser did not give it by itself: whoever is
// elsewhere already, before the script was there, stays.
function focusMessage() {
  if (document.activeElement !== document.body) return;
  const places = ["error-summary", "banner", "outcome", "lead", "notices"].map((name) => `.${name}[data-focus]`);
  const place = places.map((place) => document.querySelector(place)).find((place) => place);
  place?.focus();
}

// A link to a field brings the label into view, too.
function prepareErrors() {
  for (const link of document.querySelectorAll(".error-summary a, .banner a[href^='#']")) {
    link.addEventListener("click", (event) => {
      const input = document.getElementById(link.hash.slice(1));
      if (!input) return;
      event.preventDefault();
      (document.querySelector(`label[for="${CSS.escape(input.id)}"]`) ?? input).scrollIntoView();
      input.focus({ preventScroll: true });
    });
  }
}

// Copy: the lines of a list, or a key without the spaces that only help reading.
function prepareCopying() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll(".copy[data-copy]")) {
    const source = document.getElementById(button.dataset.copy);
    if (!source || !button.hidden) continue;
    const label = button.getAttribute("aria-label");
    button.hidden = false;
    button.addEventListener("click", async () => {
      const lines = [...source.querySelectorAll("li")].map((line) => line.textContent.trim());
      const text = lines.length ? lines.join("\n") : source.textContent.replace(/\s/g, "");
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = words.copied;
        status.textContent = words.copied;
        // A name that lacks what is seen could not be spoken (WCAG 2.5.3).
        button.removeAttribute("aria-label");
        // It can be copied again: the button says so before long.
        setTimeout(() => {
          button.textContent = words.copy;
          if (label) button.setAttribute("aria-label", label);
        }, 4000);
      } catch {
        status.textContent = words.copyingRefused;
      }
    });
  }
}

// Moments are counted from when the page came: the server's clock may be moved. While a laptop sleeps this one stands
// still; what the clock on the wall is ahead by then is counted, too.
const came = performance.now();
let slept = 0;
const passed = () => performance.now() - came + slept;
const serverNow = Date.parse(document.querySelector("main")?.dataset.now);
const millisecondsTo = (moment) => Date.parse(moment) - serverNow - passed();

// In milliseconds; a longer wait would be over at once.
const longestWait = 2147483647;

// What is done when a moment has come.
const appointments = new Set();

function meet(appointment) {
  clearTimeout(appointment.timer);
  appointment.timer = setTimeout(() => {
    appointments.delete(appointment);
    appointment.act();
  }, Math.ceil(Math.min(Math.max(millisecondsTo(appointment.moment), 0), longestWait)));
}

function when(moment, act) {
  const appointment = { moment, act };
  appointments.add(appointment);
  meet(appointment);
}

// By how much the clock on the wall was ahead of this one when they were last compared, and when that was by this one.
let ahead = Date.now() - came;
let compared = came;

// Goes on from the time that it is, and tells whether the page has missed any. By the two clocks alone a sleep looks like
// a clock on the wall that is put right: it was a sleep where the page was out of sight, or stood still itself and is late
// for its second. A jump between two seconds that came in time is not counted, now or later.
function catchUp(isBack) {
  const now = performance.now();
  const missed = Date.now() - now - ahead;
  const isLate = now - compared > 1250;
  ahead += missed;
  compared = now;
  if (missed < 2000 || !(isBack || isLate || document.visibilityState === "hidden")) return false;
  slept += missed;
  appointments.forEach(meet);
  return true;
}

// A code that the demo bar knows goes into the page's field; its link leads to where it stands.
function prepareFilling() {
  const link = document.querySelector("[data-fill]");
  const input = document.querySelector("main [autocomplete=one-time-code]");
  if (!link || !input) return;
  link.addEventListener("click", (event) => {
    event.preventDefault();
    input.value = link.dataset.fill;
    input.focus();
  });
  // What is over would be refused: it is offered no longer.
  if (Number.isNaN(millisecondsTo(link.dataset.until))) return;
  when(link.dataset.until, () => {
    // Whoever is at it stands at the field then, not at the beginning of the page.
    if (document.activeElement === link) input.focus();
    (link.closest("li") ?? link).remove();
  });
}

// What is said politely. The region stands at the end of the layout, before its words are there, so that they
// are announced; a layout without it stays silent.
const status = document.getElementById("status") ?? document.createElement("p");

// A second submit of the same form within a second is ignored; no button is ever disabled.
function prepareForms() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    const button = form.querySelector("button[type=submit]");
    const now = performance.now();
    if (form.submittedAt !== undefined && now - form.submittedAt < 1000) {
      event.preventDefault();
      return;
    }
    form.submittedAt = now;
    hidePasswords();
    status.textContent = words.checking;
    if (button && !button.hasAttribute("data-available-at")) {
      button.setAttribute("aria-disabled", "true");
      setTimeout(() => button.removeAttribute("aria-disabled"), 1000);
    }
  });
}

// Relative times.
const locale = `${document.documentElement.lang}-u-nu-latn`;
const distances = new Intl.RelativeTimeFormat(locale);

function lengthOf(seconds) {
  return (
    seconds < 60 ? [seconds, "second"]
    : seconds < 3600 ? [Math.ceil(seconds / 60), "minute"]
    : seconds < 172800 ? [Math.round(seconds / 3600), "hour"]
    : [Math.round(seconds / 86400), "day"]
  );
}

// As the server writes it: no spaces in Japanese, and everywhere else ones that lines break at. The Arabic of some
// browsers has "seconds" without its ending, or with another one.
function written(text) {
  return text.replace(/\s/g, document.documentElement.lang === "ja" ? "" : " ")
    .replace(/\u062b\u0648\u0627\u0646\u0650?$/, "\u062b\u0648\u0627\u0646\u064d");
}

function remainingIn(seconds) {
  const [count, unit] = lengthOf(seconds);
  const length = new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" });
  return words.left.replace("{length}", written(length.format(count)));
}

function distanceOf(seconds) {
  if (seconds === 0) return words.now;
  const [count, unit] = lengthOf(Math.abs(seconds));
  const distance = distances.format(seconds > 0 ? count : -count, unit);
  // What is "within" in CLDR's Arabic is "after" in ours: a wait ends then, not by then.
  return written(distance.replace(/^\u062e\u0644\u0627\u0644/, "\u0628\u0639\u062f"));
}

// Whether that is a part of what a field is described by, which is read anew each time it changes.
function describes(element) {
  return [...document.querySelectorAll("[aria-describedby]")].some((field) =>
    field.getAttribute("aria-describedby").split(" ").some((id) => document.getElementById(id)?.contains(element)));
}

function prepareTimes() {
  if (Number.isNaN(serverNow)) return;
  const moments = () => [...document.querySelectorAll(".relative[data-moment]")];
  const secondsTo = (element) => Math.ceil(millisecondsTo(element.dataset.moment) / 1000);
  const ahead = new Set(moments().filter((element) => secondsTo(element) > 0));
  // Of what was announced as the page came the end is told, too, where no button tells it.
  const buttons = [...document.querySelectorAll("button[data-available-at]")].map(({ dataset }) => dataset.availableAt);
  const announced = moments().filter((element) =>
    element.closest("[role=alert], [role=status]") && !buttons.includes(element.dataset.moment));
  const step = document.querySelector("main").dataset.step;
  const pageEnd = document.querySelector("#page-ends .relative");

  // What is said as a code, a link or the page itself ends, wherever that stands (N3): what it was, and what to do.
  function endOf(element) {
    if (element.dataset.form !== "left") return "";
    if (element === pageEnd) return words.pageOver;
    // What would be asked for then is asked of an attempt that has ended.
    if (pageEnd && secondsTo(pageEnd) <= 0) return "";
    if (element.closest(".field")?.querySelector("[autocomplete=one-time-code]")) return words.codeOver;
    return step === "link" && element.closest("#lead") ? words.linkOver : "";
  }

  const shown = new WeakMap();
  const faces = new WeakMap();

  // What is seen of a moment that a field is described by: that counts, and is not read.
  function show(element, text, counts) {
    if (!counts) {
      faces.get(element)?.remove();
      element.classList.remove("visually-hidden");
      return;
    }
    if (!faces.has(element)) {
      const face = document.createElement("span");
      face.setAttribute("aria-hidden", "true");
      element.classList.add("visually-hidden");
      element.after(face);
      faces.set(element, face);
    }
    faces.get(element).textContent = text;
  }

  // An end that was far when the page came is shown in its last ten minutes, and while there is time to finish, what
  // comes of it is said once (N6).
  let isWarned = !pageEnd || secondsTo(pageEnd) <= 120;

  function warn() {
    if (!pageEnd) return;
    const seconds = secondsTo(pageEnd);
    if (seconds <= 600) pageEnd.closest("#page-ends").hidden = false;
    if (isWarned || seconds > 120) return;
    isWarned = true;
    if (seconds > 0) status.textContent = words.endsSoon;
  }

  // Once a minute, each second in the last minute of a moment that is still to come, and when it ends. What is read with
  // a field changes twice in that minute.
  function refresh() {
    const now = performance.now() + slept;
    for (const element of moments()) {
      const seconds = secondsTo(element);
      const ends = seconds <= 0 && ahead.delete(element);
      const isClose = seconds >= 0 && seconds <= 60;
      const isRead = describes(element);
      const text =
        element.dataset.form !== "left" ? distanceOf(seconds)
        : seconds > 0 ? remainingIn(seconds)
        : words.over;
      if (isRead) show(element, text, isClose && !ends && ahead.has(element));
      const pause = !isClose ? 60000 : isRead ? 30000 : 0;
      if (!ends && now - (shown.get(element) ?? 0) < pause) continue;
      shown.set(element, now);
      if (element.textContent === text) continue;
      // It has been announced, and only counts from now on (N3).
      element.closest("[role=alert], [role=status]")?.removeAttribute("role");
      element.textContent = text;
      if (!ends) continue;
      const said = endOf(element);
      if (said) status.textContent = said;
      else if (announced.includes(element)) {
        status.textContent = (element.closest("li, p") ?? element).textContent.replace(/\s+/g, " ").trim();
      }
    }
  }

  // Beside a button that waits, whose own name keeps the time.
  function countDown() {
    for (const element of document.querySelectorAll(".countdown")) {
      // An end is told in whole seconds, rounded up: what that adds to a wait is not counted.
      const left = millisecondsTo(element.dataset.moment);
      const seconds = left > 0 ? Math.max(1, Math.floor(left / 1000)) : 0;
      // What is over is not seen, and keeps its place (E12).
      element.toggleAttribute("data-counting", seconds > 0);
      // Of more than an hour the time is told, as it stands there.
      element.toggleAttribute("data-far", seconds >= 3600);
      if (seconds < 3600) element.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    }
  }
  countDown();

  setInterval(() => {
    catchUp(false);
    countDown();
    refresh();
    warn();
  }, 1000);
  // Whoever comes back to the page sees the time that it is at once.
  function comeBack() {
    if (document.visibilityState === "hidden" || !catchUp(true)) return;
    countDown();
    refresh();
    warn();
  }
  document.addEventListener("visibilitychange", comeBack);
  window.addEventListener("pageshow", comeBack);

  for (const button of document.querySelectorAll("button[data-available-at]")) {
    when(button.dataset.availableAt, () => {
      button.removeAttribute("aria-disabled");
      button.removeAttribute("data-available-at");
      for (const words of button.querySelectorAll(".wait")) words.remove();
      countDown();
      status.textContent = words.ready;
    });
  }
}

// Neither Back nor reload sends a refused form again: they find its page (E7).
function forgetRefusedForm() {
  const path = document.querySelector("main").dataset.refusedAt;
  if (path) history.replaceState(null, "", path);
}

rememberTimeZone();
forgetRefusedForm();
preparePasswords();
prepareCopying();
prepareFilling();
prepareErrors();
prepareForms();
prepareTimes();
window.addEventListener("pageshow", (event) => {
  // The browser gives the focus itself before it draws a page for the first time.
  requestAnimationFrame(() => requestAnimationFrame(focusMessage));
  if (event.persisted) hidePasswords();
});
