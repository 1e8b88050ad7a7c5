// Opens the page anew when a template, style sheet, script or picture changes. Pages carry it with --reload-templates alone.
"use strict";
(() => {
  const since = document.currentScript.dataset.version;
  let isWaiting = false;

  // What has been typed into a tool of backstage is worth more than its newest look; other pages are there to be looked at.
  const isTool = location.pathname.startsWith("/backstage/");

  function isFilledIn() {
    return [...document.querySelectorAll("input:not([type=hidden]), textarea")].some((field) =>
      ["checkbox", "radio"].includes(field.type) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue,
    );
  }

  // By its own path: to reload the answer to a form would ask whether to send the form again.
  function openAnew() {
    const refusedAt = document.querySelector("main")?.dataset.refusedAt;
    location.replace(refusedAt ?? location.pathname + location.search);
  }

  // While nobody looks, nothing is asked: a browser has few connections for all its tabs.
  async function watch() {
    if (isWaiting || document.hidden) return;
    isWaiting = true;
    let pause = 1000;
    try {
      const answer = await fetch(`/reload?since=${since}`, { cache: "no-store" });
      if (answer.status === 200 && !(isTool && isFilledIn())) return openAnew();
      if (answer.status === 204) pause = 0;
    } catch {
      // The program has ended; it may be started anew.
    }
    isWaiting = false;
    setTimeout(watch, pause);
  }

  document.addEventListener("visibilitychange", watch);
  watch();
})();
