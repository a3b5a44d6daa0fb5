// Who kept whom waiting: over time, node by node for large jobs, and one bar a rank.

import { count, duration, h, plural, table, visible } from "./dom.js";
import { nodesMap, placeOf } from "./places.js";
import { term } from "./terms.js";
import { heatMap } from "./timeline.js";

const BARS = 16;
const MOST_BARS = 512;
const MAP_FROM = 33;

const BASIS = {
  container: "arrival times by the container runtime",
  nccl: "arrival times by NCCL's own stamps",
  read: "arrival times by the agent's reading",
};

export function waitsBlock(run, view, change) {
  const { waits } = run;
  return h("section.block.card", { "aria-labelledby": "waits" },
    h("h2", { id: "waits" }, "Waits", h("small", {}, BASIS[waits.basis] ?? waits.basis)),
    waits.basis ? judged(run, view, change) : h("p.muted", {},
      waits.rounds ? "The arrival times of this run cannot be trusted, so nobody is blamed." : "No collective rounds were seen: they need ",
      waits.rounds ? null : h("code", {}, "NCCL_DEBUG_SUBSYS=INIT,ENV,COLL"), waits.rounds ? null : "."));
}

function judged(run, view, change) {
  const { waits } = run;
  return [
    h("p", {}, waits.lateRounds
      ? [h("strong", {}, `${duration(waits.lostSeconds)} lost`), ` in ${count(waits.lateRounds)} late of ${count(waits.rounds)} `, term("round", waits.rounds === 1 ? "round" : "rounds"), "."]
      : `Nobody waited for long in ${plural(waits.rounds, "round")}.`,
      waits.leftOut ? ` Ranks call too often to look at every round: ${count(waits.leftOut)} were skipped, and their time is estimated.` : null),
    waits.ranks.length > 1 ? order(view, change) : null,
    heatMap(run, view, change),
    waits.ranks.length >= MAP_FROM ? nodesMap(run, view, change) : null,
    rows(run, view, change),
  ];
}

const ORDERS = [["", "by lateness"], ["number", "by number"]];

/** In which order ranks and nodes stand. */
const order = (view, change) =>
  h("div.switch", { role: "group", "aria-label": "Order of ranks" }, h("span", {}, "Ranks"), ORDERS.map(([value, name]) =>
    h("button", { id: `order-${value || "lateness"}`, type: "button", "aria-pressed": String((view.order || "") === value), onclick: () => change({ order: value }) }, name)));

function rows(run, view, change) {
  const all = run.waits.ranks;
  const mine = view.node ? all.filter((it) => placeOf(it) === view.node) : all;
  const ranks = [...mine].sort((a, b) => (view.order === "number" ? 0 : b.blamedSeconds - a.blamedSeconds) || a.rank - b.rank);
  const shown = view.node || view.ranks === "all" ? ranks.slice(0, MOST_BARS) : worst(ranks);
  const most = Math.max(1e-9, ...all.map((it) => Math.max(it.blamedSeconds, it.waitSeconds)));
  const columns = [
    { name: term("rank", "Rank"), num: true },
    { name: term("where", "Where") },
    { name: [h("span.key.blamed", {}, "others waited for it"), h("span.key.waited", {}, "it waited")] },
    { name: term("others waited", "Others waited"), num: true },
    { name: term("it waited", "It waited"), num: true },
    { name: term("last in", "Last in"), num: true },
  ];
  const open = view.node
    ? h("h3.sub", { id: "ranks-of" }, `Ranks of ${visible(view.node)}`,
      h("button.quiet", { id: "all-nodes-again", type: "button", onclick: () => change({ node: "" }) }, "All nodes again"))
    : null;
  const left = view.node && all.length < run.nranks && mine.length === 1;
  return [
    open,
    left ? h("p.muted", {}, "Of this node only the rank that others waited for longest is listed; they waited longer for other nodes.") : null,
    table("table.waits", view.node ? `Waits of the ranks of ${visible(view.node)}` : `Waits by rank, ${view.order === "number" ? "in their order" : "the most to blame first"}`, columns, shown.map((it) => rankRow(it, most))),
    !view.node && ranks.length > BARS
      ? h("button.quiet", { id: "all-ranks", type: "button", onclick: () => change({ ranks: view.ranks === "all" ? "" : "all" }) },
        view.ranks === "all" ? `Show the worst ${BARS}` : `Show ${ranks.length > MOST_BARS ? `${MOST_BARS} of ${count(ranks.length)}` : `all ${ranks.length}`} ranks`)
      : null,
  ];
}

/** Those to blame the most, in the order that the reader chose. */
function worst(ranks) {
  const chosen = new Set([...ranks].sort((a, b) => b.blamedSeconds - a.blamedSeconds || a.rank - b.rank).slice(0, BARS));
  return ranks.filter((it) => chosen.has(it));
}

function rankRow(it, most) {
  const bar = (kind, value) => h(`i.${value ? kind : "none"}`, { width: value ? `${(100 * value) / most}%` : null });
  const place = [it.node, it.gpu].filter(Boolean).join(" · ");
  return h("tr", { role: "row" },
    h("th.num", { scope: "row", role: "rowheader" }, it.rank),
    h("td.where", { role: "cell" }, h("span", {}, visible(it.pod)), h("small", {}, visible(place))),
    h("td.bars", { role: "cell" }, h("span.visually-hidden", {}, "as numbers beside"), bar("blamed", it.blamedSeconds), bar("waited", it.waitSeconds)),
    h("td.num", { role: "cell", "data-label": "others waited" }, it.blamedSeconds ? duration(it.blamedSeconds) : h("span.muted", {}, "–")),
    h("td.num", { role: "cell", "data-label": "it waited" }, duration(it.waitSeconds)),
    h("td.num", { role: "cell", "data-label": "last in" }, it.lastRounds ? count(it.lastRounds) : h("span.muted", {}, "–")));
}
