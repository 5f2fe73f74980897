// The viewer's script.  Pages work without it: it adds keys, a theme that is kept until the tab is
// closed, and the pieces that are fetched again while a run is in progress.
"use strict";

const root = document.documentElement;
const THEME = "veridical-theme";

function connectTheme(button) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const label = () => {
    button.textContent = isDark() ? "Light theme" : "Dark theme";
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    sessionStorage.setItem(THEME, root.dataset.theme);
    label();
  });
  system.addEventListener("change", label);
  label();
}

// Keys -----------------------------------------------------------------------------------------

const rows = () => [...document.querySelectorAll("[data-row]")].filter((row) => row.checkVisibility());

function move(step) {
  const all = rows();
  if (all.length === 0) return;
  const now = all.findIndex((row) => row.closest("tr")?.contains(document.activeElement));
  const next = now < 0 ? (step > 0 ? 0 : all.length - 1) : now + step;
  const target = all[Math.max(0, Math.min(all.length - 1, next))];
  target.focus();
  target.scrollIntoView({block: "nearest"});
}

const follow = (selector) => document.querySelector(selector)?.click();

const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  "/": () => document.querySelector("[data-search]")?.focus(),
  x: () => document.activeElement.closest("tr")?.querySelector("input[type=checkbox]")?.click(),
  c: () => follow("[data-compare]"),
  n: () => follow("a[rel=next]"),
  p: () => follow("a[rel=prev]"),
  r: () => follow("a[data-runs]"),
  "?": () => {
    const help = document.getElementById("keys");
    help.open = !help.open;
    if (help.open) help.querySelector("summary").focus();
  },
};

function isTyping(target) {
  return target.matches("input:not([type=checkbox], [type=radio], [type=range]), select, textarea");
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (isTyping(event.target)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const action = KEYS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

// A run in progress -----------------------------------------------------------------------------

const PAUSE_MS = 2000;

async function refresh(piece) {
  let answer;
  try {
    answer = await fetch(piece.dataset.live, {headers: {Accept: "text/html"}});
  } catch {
    piece.dataset.stale = "the viewer does not answer";
    return;
  }
  delete piece.dataset.stale;
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  piece.replaceChildren(...page.body.childNodes);
  // What is finished has results now, and they stand elsewhere on the page.
  if (piece.querySelector("[data-finished]")) location.reload();
}

function watch(piece) {
  const again = async () => {
    if (!document.hidden) await refresh(piece);
    if (piece.isConnected) setTimeout(again, PAUSE_MS);
  };
  setTimeout(again, PAUSE_MS);
}

// A piece that takes a while -------------------------------------------------------------------

async function load(piece) {
  piece.setAttribute("aria-busy", "true");
  const answer = await fetch(piece.dataset.load, {headers: {Accept: "text/html"}}).catch(() => null);
  piece.removeAttribute("aria-busy");
  if (!answer) return; // the link in it still leads there
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = page.getElementById("difference-piece") ?? page.querySelector(".alarm");
  if (found) piece.replaceChildren(found);
}

// -----------------------------------------------------------------------------------------------

connectTheme(document.getElementById("view-theme"));
for (const piece of document.querySelectorAll("[data-live]")) watch(piece);
for (const piece of document.querySelectorAll("[data-load]")) load(piece);
for (const form of document.querySelectorAll("form[data-filters]")) {
  // Empty fields would make addresses that nobody wants to share.
  form.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) if (value === "") event.formData.delete(name);
  });
  for (const field of form.querySelectorAll("select")) {
    field.addEventListener("change", () => form.requestSubmit());
  }
}
