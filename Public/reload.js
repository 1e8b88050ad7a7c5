// Opens the page anew when a template, style sheet, script or picture changes. Pages carry it with --reload-templates alone.
"use strict";
(() => {
  const since = document.currentScript.dataset.version;
  let isWaiting = false;

  // What has been typed into a tool of backstage is worth more than its newest look; other pages are there to be looked at.
  const isTool = location.pathname.startsWith("/backstage/");

  // By backstage.js, which every tool has, and pages that are shown there have not.
  function isAtWork() {
    if (document.querySelector("main[data-unsent]")) return true;
    const fields = [...document.querySelectorAll("input:not([type=hidden]), select, textarea")];
    return fields.some((field) => globalThis.isFilledIn?.(field));
  }

  // Whoever looks at a place of a page sees what becomes of that place; a page that tells of a fault is only in between.
  const placeKey = "reload-place";
  const isBetween = document.querySelector("main")?.dataset.page === "template-fault";

  function keepPlace(address) {
    if (isBetween) return;
    try {
      sessionStorage.setItem(placeKey, JSON.stringify({ address, top: scrollY }));
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
      if (answer.status === 200 && !(isTool && isAtWork())) return openAnew();
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
