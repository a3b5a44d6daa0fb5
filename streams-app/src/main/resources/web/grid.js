// A field of cells as wide as its card, that can be pointed at, zoomed, walked with the arrow keys, and read out.

import { h } from "./dom.js";
import { wide } from "./wide.js";

const FONT = "11px system-ui, sans-serif";
const TOP = 20;

const LONGEST_DRAG = 10_000;
let dragSince = -Infinity;

/** Whether somebody drags just now: what is under the pointer must not be drawn anew. */
export const dragging = () => performance.now() - dragSince < LONGEST_DRAG;

/** Where the reader's cursor stands, by grid; it survives a redraw. */
const cursors = new Map();

export const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/**
 * @param plan: (width in pixels) => what to draw in it:
 *   rows, columns: names of each, shown where there is room
 *   height: of a cell in pixels; width: of a cell at most, as wide as there is room if not given
 *   paint: (row, column) => {color, share, letter, stress} or null for nothing there; share is 0 to 1; what is
 *     stressed is drawn larger where cells are tiny
 *   read: (row, column) => what the cell says, in words
 *   breaks: row (and for a square grid column) numbers before which a line is drawn
 *   wrapped: whether cells follow each other from row to row, so that rows and columns have no names
 * @param summary: what the whole says, in words
 * @param choose: (row, column) => what a click or Enter does, if anything
 * @param zoom: (from column, to column) => what a drag does, or null for all columns, if anything
 */
export function grid({ id, plan, summary, square = false, hint, choose, zoom }) {
  const readout = h("p.readout", { id: `${id}-readout`, "aria-live": "polite" }, hint);
  const keys = ["Arrow keys read single cells.", choose ? "Enter opens one." : "", zoom ? "Plus and minus zoom." : ""].filter(Boolean).join(" ");
  const canvas = h("canvas.grid", {
    id,
    role: "img",
    tabindex: "0",
    "aria-label": `${summary} ${keys}`,
    "aria-describedby": `${id}-readout`,
  });
  let at = null; // what is drawn, and where
  let from = null; // where a drag began
  let to = null;

  const lay = (room) => {
    const it = plan(room);
    const left = it.wrapped ? 0 : 10 + Math.min(0.3 * room, Math.max(...it.rows.map((name) => name.length)) * 6.6);
    const top = it.wrapped ? 0 : TOP;
    const width = Math.min((room - left - 1) / it.columns.length, it.width ?? Infinity);
    const scale = Math.max(1, window.devicePixelRatio || 1);
    at = { ...it, left, top, width, scale, size: [left + width * it.columns.length + 1, top + it.height * it.rows.length + 1] };
    canvas.width = Math.ceil(at.size[0] * scale);
    canvas.height = Math.ceil(at.size[1] * scale);
    canvas.style.width = `${at.size[0]}px`;
    canvas.style.height = `${at.size[1]}px`;
    const cursor = cursors.get(id);
    if (cursor && cursor[0] < it.rows.length && cursor[1] < it.columns.length) readout.textContent = it.read(...cursor);
    else cursors.delete(id);
    draw();
  };

  const x = (column) => at.left + Math.round(column * at.width * at.scale) / at.scale;
  const y = (row) => at.top + row * at.height;

  const draw = () => {
    const { rows, columns, height, width, left, top, scale, size } = at;
    const ink = canvas.getContext("2d");
    const gap = Math.min(width, height) > 6 ? 1 : 0;
    const colors = { track: style("--track"), letter: style("--on-cell"), soft: style("--soft"), text: style("--text") };
    ink.setTransform(scale, 0, 0, scale, 0, 0);
    ink.clearRect(0, 0, ...size);
    ink.font = FONT;
    if (!at.wrapped) names(ink, colors.soft);
    ink.globalAlpha = 1;
    if (!gap) {
      ink.fillStyle = colors.track;
      ink.fillRect(left, top, columns.length * width, rows.length * height);
    }
    for (let row = 0; row < rows.length; row++) {
      for (let column = 0; column < columns.length; column++) cell(ink, row, column, gap, colors);
    }
    ink.globalAlpha = 1;
    ink.fillStyle = colors.soft;
    for (const it of at.breaks ?? []) {
      ink.fillRect(left, y(it) - 1, columns.length * width, 1);
      if (square) ink.fillRect(x(it) - 1, top, 1, rows.length * height);
    }
    ink.strokeStyle = colors.text;
    ink.lineWidth = 2;
    const cursor = cursors.get(id);
    if (cursor) ink.strokeRect(x(cursor[1]), y(cursor[0]), Math.max(2, width), height);
    if (dragged()) {
      const [a, b] = [Math.min(from, to), Math.max(from, to)];
      ink.strokeRect(x(a), top + 1, x(b + 1) - x(a) - 1, rows.length * height - 1);
    }
  };

  const names = (ink, color) => {
    const { rows, columns, height, width, left } = at;
    ink.fillStyle = color;
    ink.textBaseline = "middle";
    ink.textAlign = "right";
    const everyRow = Math.max(1, Math.ceil(13 / height));
    rows.forEach((it, i) => i % everyRow === 0 && ink.fillText(fitting(ink, it, left - 8), left - 6, y(i + 0.5)));
    ink.textAlign = square ? "center" : "left";
    const widest = Math.max(...columns.map((it) => it.length)) * 6.4 + 12;
    const everyColumn = Math.max(1, Math.ceil(widest / width));
    columns.forEach((it, i) => {
      const middle = x(square ? i + 0.5 : i);
      const needed = ink.measureText(it).width * (square ? 0.5 : 1);
      if (i % everyColumn === 0 && middle + needed <= at.size[0] + 1) ink.fillText(it, middle, 9);
    });
  };

  const cell = (ink, row, column, gap, colors) => {
    const what = at.paint(row, column);
    if (at.wrapped && what === undefined) return; // behind the last one
    const box = [x(column), y(row), x(column + 1) - x(column) - gap, at.height - gap];
    ink.globalAlpha = 1;
    if (gap) {
      ink.fillStyle = colors.track;
      ink.fillRect(...box);
    }
    if (!what) return;
    ink.globalAlpha = what.share;
    ink.fillStyle = what.color;
    ink.fillRect(...box);
    if (what.stress && !gap) ink.fillRect(box[0] - 1, box[1] - 1, box[2] + 2, box[3] + 2);
    if (what.letter && at.width >= 14) {
      ink.globalAlpha = 1;
      ink.fillStyle = colors.letter;
      ink.textAlign = "center";
      ink.fillText(what.letter, box[0] + box[2] / 2, box[1] + box[3] / 2 + 0.5);
    }
  };

  const go = (row, column) => {
    const cursor = [Math.min(at.rows.length - 1, Math.max(0, row)), Math.min(at.columns.length - 1, Math.max(0, column))];
    cursors.set(id, cursor);
    readout.textContent = at.read(...cursor);
    draw();
  };

  const place = (event) => [Math.floor((event.offsetY - at.top) / at.height), Math.floor((event.offsetX - at.left) / at.width)];
  const inside = ([row, column]) => row >= 0 && row < at.rows.length && column >= 0 && column < at.columns.length;
  const dragged = () => zoom && from !== null && to !== null && to !== from;

  canvas.addEventListener("keydown", (event) => {
    const [row, column] = cursors.get(id) ?? [0, 0];
    const moves = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: [row, 0],
      End: [row, at.columns.length - 1],
      PageUp: [0, column],
      PageDown: [at.rows.length - 1, column],
    };
    if (moves[event.key]) go(...(cursors.has(id) ? moves[event.key] : [0, 0]));
    else if (event.key === "Enter" && choose) choose(row, column);
    else if (zoom && event.key === "+" && at.columns.length > 2) around(column);
    else if (zoom && event.key === "-") zoom(null);
    else return;
    event.preventDefault();
  });
  const around = (column) => {
    const quarter = Math.max(1, Math.floor(at.columns.length / 4));
    cursors.delete(id);
    zoom(Math.max(0, column - quarter), Math.min(at.columns.length - 1, column + quarter));
  };
  canvas.addEventListener("pointerdown", (event) => {
    const [row, column] = place(event);
    if (!zoom || !inside([row, column])) return;
    from = column;
    dragSince = performance.now();
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const [row, column] = place(event);
    if (from !== null) {
      to = Math.min(at.columns.length - 1, Math.max(0, column));
      draw();
    }
    if (inside([row, column])) readout.textContent = at.read(row, column);
  });
  canvas.addEventListener("pointerup", (event) => {
    dragSince = -Infinity;
    const chosen = dragged() ? [Math.min(from, to), Math.max(from, to)] : null;
    from = to = null;
    if (chosen) {
      cursors.delete(id);
      zoom(...chosen);
    } else if (choose && inside(place(event))) choose(...place(event));
  });
  canvas.addEventListener("pointercancel", () => {
    dragSince = -Infinity;
    from = to = null;
    draw();
  });
  canvas.addEventListener("blur", () => {
    if (document.contains(canvas)) {
      cursors.delete(id);
      draw();
    }
  });

  return wide(lay, canvas, readout);
}

/** As much of a name as there is room for. */
function fitting(ink, name, room) {
  if (ink.measureText(name).width <= room) return name;
  let shorter = name;
  while (shorter.length > 1 && ink.measureText(`${shorter}…`).width > room) shorter = shorter.slice(0, -1);
  return `${shorter}…`;
}
