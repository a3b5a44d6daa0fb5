// The GPUs of a run beside each other: one that stands apart is seen at once.

import { count, h, plural, table } from "./dom.js";
import { term } from "./terms.js";

const SHOWN = 8;
const APART = 0.15;

const COLUMNS = [
  ["powerWatts", "Power", "W"],
  ["smClockMHz", "Clock", "MHz"],
  ["utilizationPercent", "Busy", "%"],
  ["temperatureCelsius", "Temperature", "°C"],
];

export function gpusBlock(run) {
  const gpus = run.aggregates?.gpus;
  if (!gpus) return null;
  const ranks = [...gpus.ranks].sort((a, b) => distance(b, gpus.all) - distance(a, gpus.all) || a.rank - b.rank);
  const apart = ranks.filter((it) => COLUMNS.some(([key]) => isApart(it, gpus.all, key)) || it.throttledShare > 0).length;
  return h("section.block", { "aria-labelledby": "gpus" },
    h("h2", { id: "gpus" }, "GPUs", h("small", {}, apart ? `${plural(apart, "rank")} ${apart === 1 ? "stands" : "stand"} apart` : "all alike")),
    table("table.gpus", "Medians of the run's GPUs, those that differ most first",
      [{ name: term("rank", "Rank") }, ...COLUMNS.map(([, name, unit]) => ({ name: [term(name), h("small", {}, ` ${unit}`)], num: true }))],
      [
        h("tr.all", { role: "row" }, h("th", { scope: "row", role: "rowheader" }, "all"), COLUMNS.map(([key]) => h("td.num", { role: "cell" }, value(gpus.all[key])))),
        ranks.slice(0, SHOWN).map((it) => h("tr", { role: "row" },
          h("th", { scope: "row", role: "rowheader" }, it.rank, it.throttledShare ? h("small", {}, ` throttled ${Math.round(100 * it.throttledShare)} %`) : null),
          COLUMNS.map(([key]) => h(isApart(it, gpus.all, key) ? "td.num.apart" : "td.num", { role: "cell" }, value(it.medians[key]))))),
      ]),
    ranks.length > SHOWN ? h("p.muted", {}, `The ${SHOWN} that differ most of ${count(ranks.length)}.`) : null);
}

const value = (number) => (number === null ? "–" : count(Math.round(number)));

function isApart(rank, all, key) {
  const one = rank.medians[key];
  return key !== "temperatureCelsius" && one !== null && all[key] > 0 && Math.abs(one - all[key]) / all[key] > APART;
}

const distance = (rank, all) =>
  rank.throttledShare + COLUMNS.slice(0, 3).reduce((far, [key]) => far + (all[key] && rank.medians[key] !== null ? Math.abs(rank.medians[key] - all[key]) / all[key] : 0), 0);
