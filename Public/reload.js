// Shows what becomes of the page when a template, style sheet, script or picture changes. Pages carry it with
// --reload-templates alone.
"use strict";
(() => {
  let since = document.currentScript.dataset.version;
  let isWaiting = false;

  // The rest is that of the style sheets.
  const markupOf = (version) => version.split("-")[0];

  // What has been typed into a tool of backstage is worth more than its newest look; to other pages it comes back.
  const isTool = location.pathname.startsWith("/backstage/");

  // By backstage.js, which every tool has, and pages that are shown there have not.
  function isAtWork() {
    if (document.querySelector("main[data-unsent]")) return true;
    const fields = [...document.querySelectorAll("input:not([type=hidden]), select, textarea")];
    return fields.some((field) => globalThis.isFilledIn?.(field));
  }

  // On the page as it is, with all that was typed and refused; also in the frames in which backstage shows pages. The old
  // one stays until the new one is there, so that nothing is ever without style.
  function exchangeStyleSheets(page, version) {
    for (const old of page.querySelectorAll("link[rel~=stylesheet][href]:not([data-replaced])")) {
      const address = new URL(old.href);
      address.searchParams.set("version", version);
      const fresh = old.cloneNode();
      fresh.href = address;
      const replace = () => {
        while (fresh.previousElementSibling?.matches("[data-replaced]")) fresh.previousElementSibling.remove();
      };
      for (const end of ["load", "error"]) fresh.addEventListener(end, replace, { once: true });
      old.dataset.replaced = "";
      old.after(fresh);
    }
    for (const { contentDocument } of page.querySelectorAll("iframe")) {
      if (contentDocument) exchangeStyleSheets(contentDocument, version);
    }
  }

  // What was typed comes back to the page that is opened anew, but no password and no code, which nothing may keep (R9).
  // By their names, too: a password that is shown is in a field of text.
  const kept = "main :is(input, select, textarea)[id]:not([type=hidden], [type=file], [type=password], [name=password], [name=code])";

  function typed() {
    if (isTool) return [];
    return [...document.querySelectorAll(kept)].map(({ id, value, checked }) => ({ id, value, checked }));
  }

  function typeAgain({ id, value, checked }) {
    const field = document.getElementById(id);
    if (!field?.matches(kept)) return;
    if (["checkbox", "radio"].includes(field.type)) field.checked = checked;
    else field.value = value;
  }

  // Whoever looks at a place of a page sees what becomes of that place; a page that tells of a fault is only in between.
  const placeKey = "reload-place";
  const isBetween = document.querySelector("main")?.dataset.page === "template-fault";

  function keepPlace(address) {
    if (isBetween) return;
    try {
      sessionStorage.setItem(placeKey, JSON.stringify({ address, top: scrollY, typed: typed() }));
    } catch {
      // A browser that keeps nothing shows the page from its top.
    }
  }

  function goBackToPlace() {
    if (isBetween) return;
    let place = null;
    try {
      place = JSON.parse(sessionStorage.getItem(placeKey));
      sessionStorage.removeItem(placeKey);
    } catch {
      // As above.
    }
    if (place?.address !== location.pathname + location.search) return;
    place.typed.forEach(typeAgain);
    const go = () => scrollTo({ top: place.top, behavior: "instant" });
    go();
    // Once more when a field has been given the focus, which scrolls to it.
    addEventListener("load", () => requestAnimationFrame(go), { once: true });
  }

  // By its own path: to reload the answer to a form would ask whether to send the form again.
  function openAnew() {
    const refusedAt = document.querySelector("main")?.dataset.refusedAt;
    const address = refusedAt ?? location.pathname + location.search;
    keepPlace(address);
    location.replace(address);
  }

  // While nobody looks, nothing is asked: a browser has few connections for all its tabs.
  async function watch() {
    if (isWaiting || document.hidden) return;
    isWaiting = true;
    let pause = 1000;
    try {
      const answer = await fetch(`/reload?since=${since}`, { cache: "no-store" });
      if (answer.status === 200) {
        const version = await answer.text();
        if (markupOf(version) === markupOf(since)) {
          exchangeStyleSheets(document, version);
          since = version;
        } else if (!(isTool && isAtWork())) return openAnew();
      }
      if (answer.status === 204) pause = 0;
    } catch {
      // The program has ended; it may be started anew.
    }
    isWaiting = false;
    setTimeout(watch, pause);
  }

  goBackToPlace();
  document.addEventListener("visibilitychange", watch);
  watch();
})();
