// What changed between two starts of one job.

import { duration, h, some, table, visible } from "./dom.js";
import { term } from "./terms.js";

const PLAIN = [
  ["network", "Network"],
  ["ncclVersion", "NCCL"],
  ["pluginVersion", "OFI plugin"],
  ["libfabricVersion", "Libfabric"],
  ["instanceType", "Machine"],
  ["channels", "Channels"],
  ["nranks", "Ranks"],
];

// Differences below this are no news.
const NOTABLE = 0.05;

export function differenceBlock(run, runs, view, change) {
  const others = runs.filter((it) => it !== run);
  if (!others.length) return null;
  const before = runs.find((it) => it.run === view.against && it !== run) ?? runs[runs.indexOf(run) + 1] ?? others[0];
  const changes = differences(before, run);
  return h("section.block", { "aria-labelledby": "difference" },
    h("h2", { id: "difference" }, term("difference", "Difference")),
    h("p.against", {},
      h("label", { for: "against" }, `start ${run.attempt} against `),
      h("select", { id: "against", onchange: (event) => change({ against: event.target.value }) },
        others.slice(0, 50).map((it) => h("option", { value: it.run, selected: it === before }, `start ${it.attempt} · ${it.run.slice(0, 10)}`)))),
    changes.length
      ? table("table.changes", `What changed from start ${before.attempt} to start ${run.attempt}`,
        [{ name: h("span.visually-hidden", {}, "What") }, { name: `start ${before.attempt}` }, { name: `start ${run.attempt}` }],
        changes.map(([name, old, now, note]) =>
          h("tr", { role: "row" }, h("th", { scope: "row", role: "rowheader" }, breakable(name)), h("td", { role: "cell" }, said(old)), h("td", { role: "cell" }, said(now), note ? h("small.note", {}, note) : null))))
      : h("p.muted", {}, "Same versions, transports, nodes and environment."));
}

/** What differs, as name, before, now and by how much. */
export const differences = (before, run) => [...plain(before, run), ...transports(before, run), ...measured(before, run), ...environment(before, run)];

const said = (value) => visible(String(value ?? "–")) || "–";

function plain(before, run) {
  const changes = PLAIN.filter(([key]) => run[key] !== before[key]).map(([key, name]) => [name, before[key], run[key]]);
  if (String(run.nodes) !== String(before.nodes)) {
    const gone = before.nodes.filter((it) => !run.nodes.includes(it));
    const come = run.nodes.filter((it) => !before.nodes.includes(it));
    changes.push(["Nodes", gone.length ? some(gone, 3) : "", come.length ? some(come, 3) : ""]);
  }
  return changes;
}

function transports(before, run) {
  const by = (it, edgeClass) => it.transports.filter((t) => t.edgeClass === edgeClass).map((t) => t.transport).sort().join(", ");
  const classes = [...new Set([...before.transports, ...run.transports].map((it) => it.edgeClass))].sort();
  return classes
    .filter((name) => by(before, name) !== by(run, name))
    .map((name) => [`Transport ${name}`, by(before, name), by(run, name)]);
}

function measured(before, run) {
  const step = (it) => it.aggregates?.steps?.medianMillis ?? null;
  const lost = (it) => (it.waits.basis && it.since && it.until && it.since !== it.until ? (1000 * it.waits.lostSeconds) / (new Date(it.until) - new Date(it.since)) : null);
  const power = (it) => it.aggregates?.gpus?.all.powerWatts ?? null;
  const changes = [];
  const add = (name, old, now, words, notable) => {
    if (old !== null && now !== null && notable(old, now)) changes.push([name, words(old), words(now), ratio(old, now)]);
  };
  const relative = (old, now) => old > 0 && Math.abs(now - old) / old > NOTABLE;
  add("Step time", step(before), step(run), (it) => duration(it / 1000), relative);
  add("Lost to waits", lost(before), lost(run), (it) => `${(100 * it).toFixed(1)} %`, (old, now) => Math.abs(now - old) > 0.01);
  add("GPU power", power(before), power(run), (it) => `${Math.round(it)} W`, relative);
  return changes;
}

const ratio = (old, now) => (old > 0 ? `${now > old ? "+" : "−"}${Math.round((100 * Math.abs(now - old)) / old)} %` : "");

function environment(before, run) {
  return [...new Set([...Object.keys(before.environment), ...Object.keys(run.environment)])]
    .sort()
    .filter((key) => run.environment[key] !== before.environment[key])
    .map((key) => [key, before.environment[key], run.environment[key]]);
}

/** NCCL_TOPO_FILE may break after an underscore and nowhere else. */
const breakable = (name) => name.split(/(?<=_)/).flatMap((part, i) => (i ? [h("wbr"), part] : [part]));
