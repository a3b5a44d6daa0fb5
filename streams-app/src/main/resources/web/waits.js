// Who kept whom waiting: one bar a rank, and for large jobs a map with one cell a rank.

import { count, duration, h, plural } from "./dom.js";
import { heatMap } from "./timeline.js";

const BARS = 16;
const MAP_FROM = 33;
const MAP_MOST = 16_384;

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
  const ranks = [...waits.ranks].sort((a, b) => b.blamedSeconds - a.blamedSeconds || a.rank - b.rank);
  const shown = view.allRanks ? ranks.slice(0, 512) : ranks.slice(0, BARS);
  const most = Math.max(1e-9, ...ranks.map((it) => Math.max(it.blamedSeconds, it.waitSeconds)));
  return [
    h("p", {}, waits.lateRounds
      ? [h("strong", {}, `${duration(waits.lostSeconds)} lost`), ` in ${count(waits.lateRounds)} late of ${plural(waits.rounds, "round")}.`]
      : `Nobody waited for long in ${plural(waits.rounds, "round")}.`,
      waits.leftOut ? ` Of very many calls some blocks are looked at: ${count(waits.leftOut)} rounds were not, their seconds are reckoned from these.` : null),
    heatMap(run),
    ranks.length >= MAP_FROM ? [h("h3.sub", {}, "All ranks", h("small", {}, "darker: the others waited longer for it")), rankMap(waits.ranks)] : null,
    h("div.scroll", {},
      h("table.waits", {},
        h("caption.visually-hidden", {}, "Waits by rank, the most to blame first"),
        h("thead", {}, h("tr", {},
          h("th", { scope: "col" }, "Rank"),
          h("th", { scope: "col" }, "Where"),
          h("th.bars", { scope: "col" }, h("span.key.blamed", {}, "others waited for it"), h("span.key.waited", {}, "it waited")),
          h("th.num", { scope: "col" }, "Blamed"),
          h("th.num", { scope: "col" }, "Waited"),
          h("th.num", { scope: "col" }, "Last in"))),
        h("tbody", {}, shown.map((it) => rankRow(it, most))))),
    ranks.length > BARS
      ? h("button.quiet", { id: "all-ranks", type: "button", onclick: () => change({ allRanks: !view.allRanks }) },
        view.allRanks ? `Show the worst ${BARS}` : `Show ${ranks.length > 512 ? "the worst 512" : `all ${ranks.length}`} ranks`)
      : null,
  ];
}

function rankRow(it, most) {
  const bar = (kind, value) => h(`i.${value ? kind : "none"}`, { width: value ? `${(100 * value) / most}%` : null });
  return h("tr", {},
    h("th.num", { scope: "row" }, it.rank),
    h("td.where", { title: [it.pod, it.node, it.gpu].filter(Boolean).join("\n") }, h("span", {}, it.pod), h("small", {}, [it.node, it.gpu].filter(Boolean).join(" · "))),
    h("td.bars", { "aria-hidden": "true" }, bar("blamed", it.blamedSeconds), bar("waited", it.waitSeconds)),
    h("td.num", {}, it.blamedSeconds ? duration(it.blamedSeconds) : h("span.muted", {}, "–")),
    h("td.num", {}, duration(it.waitSeconds)),
    h("td.num", {}, it.lastRounds ? count(it.lastRounds) : h("span.muted", {}, "–")));
}

/** One cell a rank in the order of ranks, darker the more it is to blame. The table says the same in words. */
function rankMap(all) {
  const ranks = all.filter((it) => it.rank < MAP_MOST);
  const n = Math.max(...ranks.map((it) => it.rank)) + 1;
  const columns = n <= 64 ? 32 : n <= 1024 ? 64 : 128;
  const cell = n <= 1024 ? 12 : 6;
  const canvas = h("canvas.map", {
    width: null,
    role: "img",
    "aria-label": `Map of ${count(n)} ranks by blame; the table below lists the worst`,
  });
  canvas.width = columns * cell;
  canvas.height = Math.ceil(n / columns) * cell;
  const most = Math.max(1e-9, ...ranks.map((it) => it.blamedSeconds));
  const style = getComputedStyle(document.documentElement);
  const [quiet, loud] = [style.getPropertyValue("--track"), style.getPropertyValue("--blame")];
  const paint = canvas.getContext("2d");
  for (const it of ranks) {
    const x = (it.rank % columns) * cell;
    const y = Math.floor(it.rank / columns) * cell;
    paint.globalAlpha = 1;
    paint.fillStyle = quiet;
    paint.fillRect(x, y, cell - 1, cell - 1);
    paint.globalAlpha = it.blamedSeconds / most;
    paint.fillStyle = loud;
    paint.fillRect(x, y, cell - 1, cell - 1);
  }
  const byRank = new Map(ranks.map((it) => [it.rank, it]));
  canvas.addEventListener("mousemove", (event) => {
    const size = canvas.getBoundingClientRect().width / columns;
    const it = byRank.get(Math.floor(event.offsetY / size) * columns + Math.floor(event.offsetX / size));
    canvas.title = it ? `rank ${it.rank} · ${it.pod} · blamed ${duration(it.blamedSeconds)}` : "";
  });
  return canvas;
}
