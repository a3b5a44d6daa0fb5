// Building blocks: elements without markup in strings, and words for numbers and times.

const SVG = "http://www.w3.org/2000/svg";

/** h("td.num", {title: "…"}, "text", node, [more]): text is always text, never markup. */
export function h(selector, attributes, ...children) {
  const [tag, ...classes] = selector.split(".");
  const node = document.createElement(tag || "div");
  if (classes.length) node.className = classes.join(" ");
  return fill(node, attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "width") node.style.width = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

function svg(paths, className) {
  const node = document.createElementNS(SVG, "svg");
  node.setAttribute("viewBox", "0 0 16 16");
  node.setAttribute("class", className);
  node.setAttribute("aria-hidden", "true");
  for (const d of paths) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    node.append(path);
  }
  return node;
}

// Each verdict has a shape of its own, so that colour is never the only sign.
const SHAPES = {
  critical: ["M5 1.5h6L14.5 5v6L11 14.5H5L1.5 11V5z", "M8 4.5v4.2M8 11.2v.4"],
  warning: ["M8 1.8 15 14H1z", "M8 6v4M8 12v.3"],
  info: ["M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13z", "M8 7.2v4.3M8 4.6v.3"],
  ok: ["M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13z", "m5 8.2 2.2 2.2L11 6.2"],
  pass: ["m3 8.5 3.2 3.2L13 4.8"],
  fail: ["M4 4l8 8M12 4l-8 8"],
  unknown: ["M5.6 5.6A2.5 2.5 0 1 1 8 8.6v1.2M8 12.2v.3"],
};

export const icon = (name) => svg(SHAPES[name] ?? SHAPES.unknown, `icon icon-${name}`);

/** What a verdict asks of whoever reads it. */
const ASKS = {
  critical: "Critical: act now.",
  warning: "Warning: it costs time.",
  info: "Info: good to know.",
  ok: "Nothing wrong was found.",
  unknown: "The lines tell too little for a verdict. It does not mean that all is well.",
};

export const badge = (verdict) => h(`span.badge.${verdict}`, { "data-means": ASKS[verdict] }, icon(verdict), verdict);

/** Control characters and direction overrides made visible: a log line must not dress up as another. */
export function visible(text) {
  return text.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, (c) => `⟨U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

const DAY = 86_400;

/** Seconds as people say them, and as findings do (Spoken.java): 850 ms, 2.44 s, 15.5 s, 3 min 20 s, 5 h 12 min, 3 d 4 h. */
export function duration(seconds) {
  if (seconds < 0.0005) return seconds <= 0 ? "0 s" : "< 1 ms";
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 99.95) return `${seconds.toFixed(seconds < 9.995 ? 2 : 1).replace(/\.?0+$/, "")} s`;
  const s = Math.round(seconds);
  if (s < 3_600) return two(Math.floor(s / 60), "min", s % 60, "s");
  if (s < DAY) return two(Math.floor(s / 3_600), "h", Math.floor((s % 3_600) / 60), "min");
  return two(Math.floor(s / DAY), "d", Math.floor((s % DAY) / 3_600), "h");
}

const two = (a, unitA, b, unitB) => (b ? `${a} ${unitA} ${b} ${unitB}` : `${a} ${unitA}`);

/** GPU-seconds in the unit that reads best. */
export function gpuTime(seconds) {
  if (seconds >= 36_000) return `${Math.round(seconds / 3_600).toLocaleString("en")} GPU-h`;
  if (seconds >= 3_600) return `${(seconds / 3_600).toFixed(1)} GPU-h`;
  return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} GPU-s`;
}

export const count = (n) => n.toLocaleString("en");
export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

const DIGITS = { minute: 16, second: 19, milli: 23 };

/** A moment with its date, in UTC as logs have it: 2026-11-20 20:42:34 UTC. */
export const moment = (iso, unit = "second") => time(iso, (text) => `${spoken(text, unit)} UTC`);

/** The same to the millisecond, where the stamp is that fine. */
export const instant = (iso) => moment(iso, iso?.includes(".") ? "milli" : "second");

function time(iso, words) {
  if (!iso) return h("span.muted", {}, "no time in the lines");
  return h("time", { datetime: iso }, words(new Date(iso).toISOString()));
}

const spoken = (text, unit) => `${text.slice(0, 10)} ${text.slice(11, DIGITS[unit])}`;

/** From one moment to another; the day is said once, and how long it was. */
export function stretch(from, to) {
  const end = new Date(to).toISOString();
  const sameDay = new Date(from).toISOString().slice(0, 10) === end.slice(0, 10);
  return h("span", {},
    time(from, (text) => spoken(text, "second")), " to ",
    time(to, (text) => `${sameDay ? text.slice(11, DIGITS.second) : spoken(text, "second")} UTC`),
    ` (${duration(seconds(from, to))})`);
}

export const seconds = (from, to) => (new Date(to) - new Date(from)) / 1000;

/** Ranks as ranges: 0–3, 6. */
export function ranges(numbers) {
  const parts = [];
  for (let i = 0; i < numbers.length; i++) {
    const from = numbers[i];
    while (i + 1 < numbers.length && numbers[i + 1] === numbers[i] + 1) i++;
    parts.push(numbers[i] === from ? `${from}` : `${from}–${numbers[i]}`);
  }
  return parts.join(", ");
}

/** What an answer lacks, in words; nothing if it is complete. */
export const incomplete = (missing) =>
  missing.length
    ? h("p.notice", {}, icon("warning"), h("span", {}, h("strong", {}, "Not everything could be asked. "), missing.map(visible).join("; ")))
    : null;

/** That a list goes on. */
export const listed = (shown, total, one) =>
  shown < total ? h("p.muted", {}, `The worst ${count(shown)} of ${plural(total, one)}; the API has them all.`) : null;

/** A long list, shortened. */
export const some = (items, most = 4) =>
  items.length <= most ? items.join(", ") : `${items.slice(0, most - 1).join(", ")} and ${items.length - most + 1} more`;

/** Whether a run or a job in this state is not over. */
export const goesOn = (state) => ["starting", "running", "paused", "silent"].includes(state);

/** The state in words, with how long nobody has written a line: silent for 6 min. */
export function standing({ state, until }) {
  const s = until ? seconds(until, Date.now()) : 0;
  return ["paused", "silent"].includes(state) && s >= 1 && s < 30 * DAY ? `${state} for ${roughly(s)}` : state;
}

/** One unit is enough for what goes on growing. */
export function roughly(s) {
  if (s < 60) return `${Math.round(s)} s`;
  if (s < 3_600) return `${Math.round(s / 60)} min`;
  return s < 2 * DAY ? `${Math.round(s / 3_600)} h` : `${Math.round(s / DAY)} d`;
}

/** A table that says what it is, also where a narrow screen draws its rows as cards. */
export function table(selector, caption, columns, rows) {
  return h(selector, { role: "table" },
    h("caption.visually-hidden", {}, caption),
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, columns.map((it) =>
      h(`th${it.num ? ".num" : ""}`, { scope: "col", role: "columnheader" }, it.name)))),
    h("tbody", { role: "rowgroup" }, rows));
}

/** Where a reader types what to look for; the address keeps it. */
export const searchBox = (label, placeholder, view, change) =>
  h("label.search", {},
    h("span.visually-hidden", {}, label),
    h("input", {
      id: "search",
      type: "search",
      placeholder,
      value: view.search,
      autocomplete: "off",
      spellcheck: "false",
      oninput: (event) => change({ search: event.target.value }),
    }));

/** A button that copies a text, and says that it did. The text is made when it is asked for. */
export function copyButton(label, text, id) {
  const button = h("button.quiet.copy", { id, type: "button", onclick: () => {
    toClipboard(text()).then(
      () => (button.textContent = "Copied"),
      () => (button.textContent = "The browser does not let this page copy"));
    setTimeout(() => (button.textContent = label), 2_000);
  } }, label);
  return button;
}

/** Browsers give their clipboard to pages of https and this machine alone; elsewhere the old way still works. */
async function toClipboard(text) {
  if (navigator.clipboard) {
    try {
      return await navigator.clipboard.writeText(text);
    } catch {
      // not allowed: the old way may be
    }
  }
  const area = h("textarea.visually-hidden", { "aria-hidden": "true" });
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (!copied) throw new Error("not copied");
}
