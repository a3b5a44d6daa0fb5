// Who talks to whom over what: ranks for a small job, nodes for a large one.

import { count, h, plural, some, visible } from "./dom.js";
import { grid, style } from "./grid.js";
import { term } from "./terms.js";

const MOST = 192;
const LEAST = 3; // pixels of a cell

// Best first: a cell with several transports shows the last of them.
const FAMILIES = [
  { name: /^(P2P|NVLS)/, letter: "P", color: "--t-p2p" },
  { name: /^SHM/, letter: "M", color: "--t-shm" },
  { name: /GDRDMA/, letter: "G", color: "--t-gdr" },
  { name: /^(?!.*Socket).*/, letter: "N", color: "--t-net" },
  { name: /Socket/, letter: "S", color: "--t-socket" },
];

const family = (transport) => FAMILIES.findIndex((it) => it.name.test(transport));

export function matrixBlock(run) {
  const matrix = run.aggregates?.matrix;
  if (!matrix?.cells.length) return null;
  const what = matrix.unit === "rank" ? "rank" : "node";
  const used = legend(matrix);
  const odd = used.filter((it) => it.family > used.at(-1).family && it.pairs < 0.25 * matrix.cells.length);
  const places = placesOf(matrix, run.nranks);
  return h("section.block.card", { "aria-labelledby": "matrix-title" },
    h("h2", { id: "matrix-title" }, term("who talks to whom", "Who talks to whom"), h("small", {}, `from ${what} (row) to ${what} (column)`)),
    h("ul.legend", {}, used.map((it) =>
      h("li", {}, swatch(it.family), h("code", {}, visible(it.transport)), h("small", {}, plural(it.pairs, "pair"))))),
    grid({
      id: "matrix",
      square: true,
      plan: (room) => {
        const field = folded(matrix, places, Math.floor((0.7 * room) / LEAST));
        const size = Math.min(cellSize(field.names.length), (0.7 * room) / field.names.length);
        return {
          rows: field.names,
          columns: field.names,
          width: size,
          height: size,
          breaks: field.each === 1 ? breaks(run, matrix) : [],
          paint: (row, column) => {
            const cells = field.at(row, column);
            if (!cells.length) return null;
            const worst = Math.max(...cells.map((it) => family(matrix.transports[it.transport])));
            const { color, letter } = FAMILIES[worst];
            return { color: style(color), share: 1, letter, stress: odd.some((it) => it.family === worst) };
          },
          read: (row, column) => words(field, matrix, what, row, column),
        };
      },
      summary: `${count(places.length)} by ${count(places.length)} ${what}s. ${used.map((it) => `${it.transport}: ${plural(it.pairs, "pair")}`).join(", ")}.`,
      hint: "Point at a cell, or step in with Tab and the arrow keys.",
    }),
    odd.length ? h("ul.odd", {}, odd.map((it) => exceptions(it, matrix, what))) : null,
    matrix.omitted ? h("p.muted", {}, `${plural(matrix.omitted, "pair")} left out.`) : null);
}

/** Names of all ranks or nodes. */
const placesOf = (matrix, nranks) =>
  matrix.unit === "rank"
    ? Array.from({ length: Math.max(nranks, 1 + Math.max(...matrix.cells.flatMap((it) => [it.from, it.to]))) }, (_, i) => String(i))
    : matrix.places.map(visible);

/** At most so many rows: nodes side by side share one where there are more. */
function folded(matrix, places, room) {
  const each = Math.ceil(places.length / Math.max(1, Math.min(MOST, room)));
  const names = Array.from({ length: Math.ceil(places.length / each) }, (_, i) =>
    each === 1 ? places[i] : `${places[i * each]} …`);
  const cells = new Map();
  for (const it of matrix.cells) {
    const key = `${Math.floor(it.from / each)} ${Math.floor(it.to / each)}`;
    cells.set(key, [...(cells.get(key) ?? []), it]);
  }
  return { names, each, at: (row, column) => cells.get(`${row} ${column}`) ?? [] };
}

function words(field, matrix, what, row, column) {
  const cells = field.at(row, column);
  const pair = `${what} ${field.names[row]} → ${what} ${field.names[column]}`;
  if (!cells.length) return row === column ? `${what} ${field.names[row]}` : `${pair}: no edge seen`;
  const byTransport = new Map();
  for (const it of cells) byTransport.set(it.transport, (byTransport.get(it.transport) ?? 0) + it.edges);
  const unit = what === "rank" ? "channel" : "edge";
  return `${pair}: ${[...byTransport].map(([it, edges]) => `${visible(matrix.transports[it])}, ${plural(edges, unit)}`).join("; ")}`;
}

/** The pairs of a rare transport in words, and what they have in common. */
function exceptions(it, matrix, what) {
  const cells = matrix.cells.filter((cell) => cell.transport === it.index);
  const name = (place) => (matrix.unit === "rank" ? String(place) : visible(matrix.places[place]));
  const common = [cells[0].from, cells[0].to].filter((place) => cells.every((cell) => cell.from === place || cell.to === place));
  const pairs = some(cells.map((cell) => `${name(cell.from)} → ${name(cell.to)}`), 5);
  return h("li", {}, h("code", {}, visible(it.transport)), `: ${pairs}`,
    common.length === 1 && cells.length > 2 ? h("strong", {}, ` · all with ${what} ${name(common[0])}`) : null);
}

function legend(matrix) {
  return matrix.transports
    .map((transport, index) => ({ transport, index, family: family(transport), pairs: matrix.cells.filter((it) => it.transport === index).length }))
    .filter((it) => it.pairs)
    .sort((a, b) => b.family - a.family || b.pairs - a.pairs);
}

const swatch = (index) => h(`span.swatch.${FAMILIES[index].color.slice(2)}`, { "aria-hidden": "true" }, FAMILIES[index].letter);

const cellSize = (n) => (n <= 8 ? 34 : n <= 16 ? 26 : n <= 32 ? 18 : n <= 64 ? 11 : n <= 128 ? 5 : 4);

/** Lines between pods, where ranks are shown. */
function breaks(run, matrix) {
  if (matrix.unit !== "rank") return [];
  const ranks = [...run.waits.ranks].sort((a, b) => a.rank - b.rank);
  return ranks.slice(1).filter((it, i) => it.pod !== ranks[i].pod || it.node !== ranks[i].node).map((it) => it.rank);
}
