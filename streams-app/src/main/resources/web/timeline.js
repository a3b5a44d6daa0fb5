// What happened when: waits by rank or node as a heat map, and the time of a step as a line.

import { count, duration, h, plural, stretch, visible } from "./dom.js";
import { grid, style } from "./grid.js";
import { byPlace } from "./places.js";
import { term } from "./terms.js";
import { wide } from "./wide.js";

const clock = (ms) => new Date(ms).toISOString().slice(11, 19);
const CELL = { few: 22, some: 16, many: 13, most: 8 };

/** Of more ranks nodes are drawn. */
const MOST_RANKS = 32;

/** Rows are ranks, of a large run nodes; columns are moments; a cell shows what was most: to wait, or to be waited for. */
export function heatMap(run, view, change) {
  const waits = run.aggregates?.waits;
  if (!waits?.ranks.length) return null;
  const start = new Date(waits.since).getTime();
  const width = waits.bucketSeconds * 1000;
  const { first, last } = zoomed(view, start, width, waits.lostMillis.length);
  const columns = waits.lostMillis.slice(first, last + 1).map((_, i) => clock(start + (first + i) * width));
  const { all, what, whose, opens, opened } = rowsOf(run, view);
  const share = (list, i) => Math.min(1, (list[first + i] ?? 0) / width);
  const rows = view.order === "number" ? all : [...all].sort((a, b) => b.lost - a.lost || a.first - b.first);
  const worst = all.reduce((a, b) => (b.lost > a.lost ? b : a));
  const times = [new Date(start + first * width), new Date(start + (last + 1) * width)].map((it) => it.toISOString());
  return h("div.timeline", {},
    h("h3.sub", { id: "waits-time" }, "Over time", h("small", {}, [`${duration(waits.bucketSeconds)} a cell`, whose].filter(Boolean).join(", "))),
    h("p.scale", {}, bar("blamed", opens ? "others waited for one of its ranks" : "others waited for it"), bar("waited", opens ? "its ranks waited" : "it waited"), h("small", {}, "pale: a little of the time, full: all of it")),
    h("p.scale", {}, h("small", {}, stretch(...times)),
      view.from || view.to
        ? h("button.quiet", { id: "zoom-out", type: "button", onclick: () => change({ from: "", to: "" }) }, "Show all of the time")
        : null,
      opened ? h("button.quiet", { id: "all-nodes-over-time", type: "button", onclick: () => change({ node: "" }) }, "Show all nodes") : null),
    grid({
      id: "waits-map",
      plan: () => ({
        rows: rows.map((it) => it.name),
        columns,
        height: rows.length <= 8 ? CELL.few : rows.length <= 16 ? CELL.some : rows.length <= 32 ? CELL.many : CELL.most,
        paint: (row, column) => {
          const blamed = share(rows[row].blamed, column);
          const waited = share(rows[row].waited, column);
          const most = Math.max(blamed, waited);
          return most < 0.005 ? null : { color: style(blamed >= waited ? "--blame" : "--wait"), share: 0.06 + 0.94 * most ** 0.6 };
        },
        read: (row, column) => `${rows[row].where}, ${columns[column]} UTC: ${rows[row].says(first + column)}`,
      }),
      summary: [`Waits of ${plural(rows.length, what)} over ${plural(columns.length, "moment")}.`, whoWasLate(worst)].join(" "),
      hint: ["Point at a cell, or step in with Tab and the arrow keys. Drag over some time to zoom in.", opens ? "A click or Enter opens a node." : ""].filter(Boolean).join(" "),
      choose: opens ? (row) => change({ node: rows[row].key }) : undefined,
      zoom: (a, b) => change(a === null
        ? { from: "", to: "" }
        : { from: new Date(start + (first + a) * width).toISOString(), to: new Date(start + (first + b + 1) * width).toISOString() }),
    }));
}

/** What the map has a row for: each rank; above MOST_RANKS each node, or the ranks of the one that the reader opened. */
function rowsOf(run, view) {
  const lines = new Map(run.aggregates.waits.ranks.map((it) => [it.rank, it]));
  const places = byPlace(run.waits.ranks);
  const nodes = places.filter((it) => it.ranks.some(({ rank }) => lines.has(rank)));
  if (run.nranks > MOST_RANKS && places.length > 1 && nodes.length) {
    const opened = nodes.find((it) => it.name === view.node);
    if (opened) return { all: opened.ranks.map((it) => rankRow(it.rank, lines.get(it.rank), opened)), what: "rank", whose: `the ranks of ${visible(opened.name)}`, opened };
    return {
      all: nodes.map((it) => nodeRow(it, lines)),
      what: "node",
      whose: nodes.length < places.length ? `the ${nodes.length} of ${count(places.length)} nodes that others waited for the longest` : "by node",
      opens: true,
    };
  }
  const place = new Map(places.flatMap((it) => it.ranks.map((rank) => [rank.rank, it])));
  return {
    all: [...lines.values()].map((it) => rankRow(it.rank, it, place.get(it.rank))),
    what: "rank",
    whose: lines.size < run.nranks ? `the ${plural(lines.size, "rank")} waited for the longest` : "",
  };
}

function rankRow(rank, line, place) {
  const blamed = line?.blamedMillis ?? [];
  const waited = line?.waitMillis ?? [];
  const at = place?.ranks.find((it) => it.rank === rank);
  const where = at ? visible([at.pod, at.node].filter(Boolean).join(" on ")) : "";
  return {
    name: String(rank),
    where: `rank ${rank}${where ? ` (${where})` : ""}`,
    first: rank,
    rank,
    lost: sum(blamed),
    blamed,
    waited,
    says: (i) => [`others waited for it ${said(blamed[i])}`, waited.length ? `it waited ${said(waited[i])}` : ""].filter(Boolean).join(", "),
  };
}

/** At each moment the rank that others waited for the longest, and the one that waited the longest. */
function nodeRow({ name, ranks }, lines) {
  const mine = ranks.map((it) => lines.get(it.rank)).filter(Boolean);
  const worst = mine.reduce((a, b) => (sum(b.blamedMillis) > sum(a.blamedMillis) ? b : a));
  const most = (list, i) => Math.max(0, ...mine.map((it) => it[list][i] ?? 0));
  const length = Math.max(...mine.map((it) => Math.max(it.blamedMillis.length, it.waitMillis.length)));
  const over = (list) => Array.from({ length }, (_, i) => most(list, i));
  const [blamed, waited] = [over("blamedMillis"), over("waitMillis")];
  const who = (i) => mine.find((it) => (it.blamedMillis[i] ?? 0) === blamed[i]).rank;
  return {
    key: name,
    name: visible(name),
    where: visible(name),
    first: ranks[0].rank,
    rank: worst.rank,
    lost: sum(worst.blamedMillis),
    blamed,
    waited,
    says: (i) => [
      blamed[i] ? `others waited for rank ${who(i)} ${said(blamed[i])}` : "others waited for none of its ranks",
      waited[i] ? `its ranks waited up to ${said(waited[i])}` : "",
    ].filter(Boolean).join(", "),
  };
}

/** Which moments the reader chose, as the first and last of all. */
function zoomed({ from, to }, start, width, n) {
  const at = (iso, other) => (Number.isNaN(Date.parse(iso)) ? other : (Date.parse(iso) - start) / width);
  const first = Math.min(n - 1, Math.max(0, Math.floor(at(from, 0))));
  return { first, last: Math.min(n - 1, Math.max(first, Math.ceil(at(to, n)) - 1)) };
}

const sum = (list) => list.reduce((a, b) => a + b, 0);
const whoWasLate = ({ rank, lost }) => (lost ? `Rank ${rank} kept the others waiting the longest, ${said(lost)}.` : "Nobody kept the others waiting.");
const said = (millis) => (millis ? duration(millis / 1000) : "not at all");
const bar = (kind, text) => h("span.shade", {}, h(`i.${kind}`, { "aria-hidden": "true" }), text);

const WIDEST = 900;
const HIGH = 120;
const LEFT = 74; // room for "59 min 59 s"

/** Whose lines tell it. */
const STEP_SOURCES = {
  "megatron": "from Megatron's iteration lines",
  "deepspeed-pipeline": "from the lines of DeepSpeed's pipeline",
  "deepspeed-timers": "from DeepSpeed's timers",
  "deepspeed-samples": "from the times of DeepSpeed's micro_step lines",
  "deepspeed-steps": "from the times of DeepSpeed's step lines",
  "progress-bar": "from its progress bar",
  "loop-times": "from the training loop's own lines",
  "loop-steps": "from the times of the training loop's own lines",
  "trainer-metrics": "from the Trainer's metrics",
};

/** One line, with the run's own normal time dashed. */
export function stepsBlock(run) {
  const steps = run.aggregates?.steps;
  if (!steps) return null;
  const facts = [
    [`${count(steps.steps)}`, steps.steps === 1 ? "step" : "steps"],
    steps.medianMillis === null ? null : [duration(steps.medianMillis / 1000), "median"],
    steps.baselineMillis === null ? null : [duration(steps.baselineMillis / 1000), "at first"],
    steps.recentMillis === null ? null : [duration(steps.recentMillis / 1000), "of late"],
    steps.samplesPerSecond === null ? null : [steps.samplesPerSecond.toPrecision(3), "samples a second"],
    steps.globalBatch === null ? null : [count(steps.globalBatch), "samples a step"],
  ].filter(Boolean);
  return h("section.block.card", { "aria-labelledby": "steps" },
    h("h2", { id: "steps" }, term("step time", "Step time"), h("small", {}, STEP_SOURCES[steps.source] ?? steps.source)),
    h("p.numbers", {}, facts.map(([value, name]) => h("span", {}, h("strong", {}, value), ` ${name}`))),
    steps.points.length > 1 ? [h("p.scale", {}, h("small", {}, stretch(steps.points[0].at, steps.points.at(-1).at))), chart(steps)] : null);
}

function chart(steps) {
  const slot = h("div");
  return wide((room) => slot.replaceChildren(line(steps, Math.min(WIDEST, room))), slot);
}

function line(steps, width) {
  const times = steps.points.map((it) => new Date(it.at).getTime());
  const from = times[0];
  const span = Math.max(1, times.at(-1) - from);
  const most = 1.15 * Math.max(...steps.points.map((it) => it.medianMillis), steps.baselineMillis ?? 0);
  const x = (ms) => LEFT + ((ms - from) / span) * (width - LEFT - 10);
  const y = (ms) => HIGH - 20 - (ms / most) * (HIGH - 30);
  const mark = (name, attributes, text) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text) node.textContent = text;
    return node;
  };
  const picture = mark("svg", {
    viewBox: `0 0 ${width} ${HIGH}`,
    width,
    height: HIGH,
    class: "steps",
    role: "img",
    "aria-label": `Time of a step from ${clock(from)} to ${clock(times.at(-1))} UTC: first ${duration(steps.points[0].medianMillis / 1000)}, last ${duration(steps.points.at(-1).medianMillis / 1000)}.`,
  });
  for (const at of [0, most / 2.3, most / 1.15]) {
    picture.append(
      mark("line", { x1: LEFT, x2: width - 10, y1: y(at), y2: y(at), class: "rule" }),
      mark("text", { x: LEFT - 6, y: y(at) + 4, "text-anchor": "end" }, at ? duration(at / 1000) : "0"));
  }
  if (steps.baselineMillis !== null) picture.append(mark("line", { x1: LEFT, x2: width - 10, y1: y(steps.baselineMillis), y2: y(steps.baselineMillis), class: "normal" }));
  picture.append(
    mark("polyline", { points: steps.points.map((it, i) => `${x(times[i]).toFixed(1)},${y(it.medianMillis).toFixed(1)}`).join(" "), class: "time" }),
    mark("text", { x: LEFT, y: HIGH - 4 }, clock(from)),
    mark("text", { x: width - 10, y: HIGH - 4, "text-anchor": "end" }, `${clock(times.at(-1))} UTC`));
  return picture;
}
