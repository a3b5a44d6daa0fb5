// The page's loop: look at the address, fetch what it needs, draw what changed.

import { campaignPage } from "./campaign.js";
import { h } from "./dom.js";
import { fleetPage } from "./fleet.js";
import { dragging } from "./grid.js";
import { jobPage } from "./job.js";
import { choosing, installation, jobKey, route } from "./links.js";
import { nodesPage } from "./nodes.js";
import { explainWords, reachWords, wordsPage } from "./terms.js";

const EVERY = 5_000;
const main = document.getElementById("main");
let shown = { asked: null, body: "", data: null, at: 0, problem: "" };
let verdicts = new Map();
let turn = 0;

const here = () => route(location.hash);
const asked = () => here().paths.join("\n");

/** What is shown beside the page's own matter may be refused, as nodes are to whoever sees one namespace. */
async function get(path, beside) {
  const response = await fetch(path, { signal: AbortSignal.timeout(15_000) });
  const body = await response.text();
  if (beside && response.status === 403) return "{}";
  if (!response.ok) {
    let reason = `${response.status}`;
    try {
      reason = JSON.parse(body).error;
    } catch {
      // not the service itself that answered: the status has to do
    }
    throw new Error(reason);
  }
  return body;
}

async function load() {
  const mine = ++turn;
  const key = asked();
  try {
    const bodies = await Promise.all(here().paths.map((path, place) => get(path, place > 0)));
    if (mine !== turn) return;
    const body = bodies.join("\n");
    const changed = body !== shown.body || key !== shown.asked || shown.problem;
    shown = { asked: key, body, data: changed ? bodies.map((it) => JSON.parse(it)) : shown.data, at: Date.now(), problem: "" };
    if (changed) drawSoon();
    announce();
  } catch (error) {
    if (mine !== turn) return;
    const stale = shown.asked === key && shown.data;
    shown = { ...shown, asked: key, data: stale ? shown.data : null, problem: error.name === "TimeoutError" ? "no answer" : error.message };
    if (!stale) draw();
  }
  freshness();
}

function page() {
  if (!shown.data) {
    return [h("div.empty", { role: "alert" },
      h("p.big", {}, "The results cannot be shown."),
      h("p", {}, shown.problem || "Loading…"),
      h("p", {}, h("a", { href: "#/" }, "All jobs")))];
  }
  const [first, unowned, suspects] = shown.data;
  const { page, view, finding } = here();
  switch (page) {
    case "job":
      return jobPage({ detail: first, view, finding, change });
    case "nodes":
      return nodesPage({ list: first, view, change });
    case "campaign":
      return campaignPage({ answer: first, view });
    case "words":
      return wordsPage();
    default:
      return fleetPage({ list: first, unowned: unowned.findings, suspects: suspects.nodes ?? [], view, change });
  }
}

/** What the reader chooses stands in the address, to be kept and sent on. */
function change(part) {
  history.replaceState(null, "", choosing(location.hash, { ...here().view, ...part }));
  draw();
}

/** News can wait until a drag is over. */
function drawSoon() {
  if (dragging()) setTimeout(drawSoon, 300);
  else draw();
}

/** Draws anew and keeps what the reader had opened, focused and typed. */
function draw() {
  for (const name of ["fleet", "nodes", "campaign", "words"]) {
    const link = document.getElementById(`nav-${name}`);
    if (here().page === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const open = new Map([...main.querySelectorAll("details")].map((it) => [it.dataset.key, it.open]));
  const focused = document.activeElement?.id;
  const caret = document.activeElement?.selectionStart;
  const parts = page().flat(Infinity).filter(Boolean);
  main.replaceChildren(...parts);
  reachWords(main);
  main.querySelectorAll("details").forEach((it) => (it.open = open.get(it.dataset.key) ?? it.open));
  if (!focused) return;
  const again = document.getElementById(focused);
  if (again && again !== document.activeElement) {
    again.focus({ preventScroll: true });
    if (again.tagName === "INPUT") again.setSelectionRange(caret, caret);
  }
}

/** Tells a screen reader what got worse or better, in words and only once. */
function announce() {
  if (here().page !== "fleet" || !shown.data) return;
  const now = new Map(shown.data[0].jobs.map((it) => [jobKey(it), it]));
  const news = [...now.values()].filter((it) => verdicts.size && verdicts.get(jobKey(it)) !== it.verdict);
  if (news.length) document.getElementById("announce").textContent = news.slice(0, 3).map((it) => `${it.job}: ${it.verdict}. ${it.headline}`).join(" ");
  verdicts = new Map([...now].map(([key, it]) => [key, it.verdict]));
}

function freshness() {
  const age = Math.round((Date.now() - shown.at) / 1000);
  const text = shown.problem ? (shown.at ? `${shown.problem}; as of ${age} s ago` : shown.problem) : age < 8 ? "Live" : `${age} s old`;
  document.getElementById("freshness-text").textContent = text;
  document.getElementById("pulse").className = `pulse ${shown.problem || age >= 20 ? "bad" : "good"}`;
}

function arrive() {
  shown = { asked: null, body: "", data: null, at: 0, problem: "" };
  window.scrollTo(0, 0);
  load().then(() => reveal(here().finding) || main.focus({ preventScroll: true }));
}

/** Takes the reader to the proof of the finding that the address names. */
function reveal(id) {
  const finding = id && shown.data?.[0].findings.find((it) => it.id === id);
  if (!finding) return false;
  const card = document.getElementById(`finding-${id}`);
  if (!card) return false;
  for (let node = card; node !== main; node = node.parentElement) node.open = true;
  card.querySelector(".proof").open = true;
  card.focus({ preventScroll: true });
  card.scrollIntoView({ block: "start" });
  return true;
}

const THEMES = ["auto", "light", "dark"];

function theme(name) {
  const button = document.getElementById("theme");
  button.replaceChildren(h("span.what", {}, "Theme: "), name);
  button.setAttribute("aria-label", `Theme: ${name}`);
  button.dataset.theme = name;
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  try {
    localStorage.setItem("theme", name);
  } catch {
    // storage may be forbidden; the choice then lasts as long as the page
  }
  if (shown.data) draw();
}

function remembered() {
  try {
    return THEMES.find((it) => it === localStorage.getItem("theme")) ?? "auto";
  } catch {
    return "auto";
  }
}

document.getElementById("theme").addEventListener("click", (event) => {
  theme(THEMES[(THEMES.indexOf(event.target.dataset.theme) + 1) % THEMES.length]);
});

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address names the page, not a place on it
  main.focus();
});

document.addEventListener("keydown", (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (event.key === "/" && !typing && document.getElementById("search")) {
    event.preventDefault();
    document.getElementById("search").focus();
  } else if (event.key === "Escape" && typing) {
    change({ search: "", verdict: "" });
  }
});

/** On paper everything is open, and closed again after it. */
window.addEventListener("beforeprint", () => main.querySelectorAll("details:not([open])").forEach((it) => {
  it.dataset.closed = "";
  it.open = true;
}));
window.addEventListener("afterprint", () => main.querySelectorAll("details[data-closed]").forEach((it) => {
  delete it.dataset.closed;
  it.open = false;
}));

window.addEventListener("hashchange", arrive);
document.addEventListener("visibilitychange", () => !document.hidden && load());
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => shown.data && draw());
setInterval(() => !document.hidden && load(), EVERY);
setInterval(freshness, 1_000);
theme(remembered());
explainWords();
get("/links.json").then((body) => Object.assign(installation, JSON.parse(body)), () => {}) // without it runbooks are named, not linked
  .then(load)
  .then(() => reveal(here().finding));
