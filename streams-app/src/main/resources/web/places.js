// Ranks of a large job by the node that they are on: a cell a node, opened on a click.

import { count, duration, h, plural, ranges, visible } from "./dom.js";
import { grid, style } from "./grid.js";

const CELL = 18;
const SMALL = 11;
const MANY = 1_024;

/** Whose rank it is: the node, or where nobody tells it the pod. */
export const placeOf = (rank) => rank.node || rank.pod || "no name";

/** One cell a node, darker the longer the others waited for one of its ranks. The table beneath says the same in words. */
export function nodesMap(run, view, change) {
  const places = byPlace(run.waits.ranks);
  const nodes = view.order === "number" ? places : [...places].sort((a, b) => b.worst.blamedSeconds - a.worst.blamedSeconds);
  const most = Math.max(1e-9, ...nodes.map((it) => it.worst.blamedSeconds));
  const left = run.nranks - run.waits.ranks.length;
  const size = nodes.length > MANY ? SMALL : CELL;
  const across = (room) => Math.max(1, Math.floor(room / size));
  const worst = nodes.reduce((a, b) => (b.worst.blamedSeconds > a.worst.blamedSeconds ? b : a));
  let columns = 1;
  const at = (row, column) => nodes[row * columns + column];
  return [
    h("h3.sub", {}, "By node", h("small", {}, `${plural(run.waits.ranks.length, "rank")} on ${plural(nodes.length, "node")}; darker: the others waited longer for one of its ranks`)),
    left > 0 ? h("p.muted", {}, `Shown are ${count(run.waits.ranks.length)} of ${count(run.nranks)} ranks: of each node the one that others waited for longest, and all of the nodes that they waited for longest.`) : null,
    grid({
      id: "nodes-map",
      plan: (room) => {
        columns = across(room);
        return {
          wrapped: true,
          rows: Array.from({ length: Math.ceil(nodes.length / columns) }, () => ""),
          columns: Array.from({ length: columns }, () => ""),
          width: size,
          height: size,
          paint: (row, column) => {
            const it = at(row, column);
            if (!it) return undefined;
            const share = it.worst.blamedSeconds / most;
            return share < 0.005 ? null : { color: style("--blame"), share: 0.1 + 0.9 * share ** 0.6 };
          },
          read: (row, column) => {
            const it = at(row, column);
            return it ? `${visible(it.name)}: ranks ${ranges(it.ranks.map((rank) => rank.rank))}, the others waited for rank ${it.worst.rank} ${it.worst.blamedSeconds ? duration(it.worst.blamedSeconds) : "not at all"}` : "";
          },
        };
      },
      summary: `Map of ${plural(nodes.length, "node")} by blame. The others waited longest for rank ${worst.worst.rank} on ${visible(worst.name)}, ${duration(worst.worst.blamedSeconds)}.`,
      hint: "Point at a node, or step in with Tab and the arrow keys. A click or Enter lists its ranks.",
      choose: (row, column) => at(row, column) && change({ node: at(row, column).name === view.node ? "" : at(row, column).name }),
    }),
  ];
}

/** In the order of their first ranks. */
export function byPlace(ranks) {
  const places = new Map();
  for (const it of ranks) {
    const name = placeOf(it);
    if (!places.has(name)) places.set(name, { name, ranks: [], worst: it });
    const place = places.get(name);
    place.ranks.push(it);
    if (it.blamedSeconds > place.worst.blamedSeconds) place.worst = it;
  }
  return [...places.values()];
}
