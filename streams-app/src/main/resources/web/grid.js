// A field of cells that can be pointed at, walked with the arrow keys, and read out.

import { h } from "./dom.js";

const GAP = 1;
const FONT = "11px system-ui, sans-serif";

/** Where the reader's cursor stands, by grid; it survives a redraw. */
const cursors = new Map();

export const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/**
 * @param rows, columns: names of each, shown where there is room
 * @param cell: [width, height] in pixels
 * @param paint: (row, column) => {color, share, letter, stress} or null for nothing there; share is 0 to 1; what is
 *   stressed is drawn larger where cells are tiny
 * @param read: (row, column) => what the cell says, in words
 * @param summary: what the whole says, in words
 * @param breaks: row (and for a square grid column) numbers before which a line is drawn
 */
export function grid({ id, rows, columns, cell, paint, read, summary, breaks = [], square = false, hint }) {
  const [width, height] = cell;
  const left = 10 + Math.max(...rows.map((it) => it.length)) * 6.6;
  const top = 20;
  const size = [left + columns.length * width + 1, top + rows.length * height + 1];
  const readout = h("p.readout", { id: `${id}-readout`, "aria-live": "polite" }, hint);
  const canvas = h("canvas.grid", {
    id,
    role: "img",
    tabindex: "0",
    "aria-label": `${summary} Arrow keys read single cells.`,
    "aria-describedby": `${id}-readout`,
  });
  const scale = Math.max(1, window.devicePixelRatio || 1);
  canvas.width = Math.ceil(size[0] * scale);
  canvas.height = Math.ceil(size[1] * scale);
  canvas.style.width = `${size[0]}px`;
  canvas.style.aspectRatio = `${size[0]} / ${size[1]}`;

  const gap = Math.min(width, height) > 6 ? GAP : 0;
  let colors;

  const draw = () => {
    const ink = canvas.getContext("2d");
    colors = { track: style("--track"), letter: style("--on-cell") };
    ink.setTransform(scale, 0, 0, scale, 0, 0);
    ink.clearRect(0, 0, ...size);
    ink.font = FONT;
    names(ink);
    if (!gap) {
      ink.fillStyle = colors.track;
      ink.fillRect(left, top, columns.length * width, rows.length * height);
    }
    for (let row = 0; row < rows.length; row++) {
      for (let column = 0; column < columns.length; column++) one(ink, row, column);
    }
    ink.globalAlpha = 1;
    ink.fillStyle = style("--soft");
    for (const it of breaks) {
      ink.fillRect(left, top + it * height - 1, columns.length * width, 1);
      if (square) ink.fillRect(left + it * width - 1, top, 1, rows.length * height);
    }
    const at = cursors.get(id);
    if (at) {
      ink.strokeStyle = style("--text");
      ink.lineWidth = 2;
      ink.strokeRect(left + at[1] * width - 0.5, top + at[0] * height - 0.5, width, height);
    }
  };

  const names = (ink) => {
    ink.fillStyle = style("--soft");
    ink.textBaseline = "middle";
    ink.textAlign = "right";
    const everyRow = Math.max(1, Math.ceil(13 / height));
    rows.forEach((it, i) => i % everyRow === 0 && ink.fillText(it, left - 6, top + (i + 0.5) * height));
    ink.textAlign = square ? "center" : "left";
    const widest = Math.max(...columns.map((it) => it.length)) * 6.4 + 12;
    const everyColumn = Math.max(1, Math.ceil(widest / width));
    columns.forEach((it, i) => {
      const x = left + (square ? i + 0.5 : i) * width;
      const needed = ink.measureText(it).width * (square ? 0.5 : 1);
      if (i % everyColumn === 0 && x + needed <= size[0] + 1) ink.fillText(it, x, 9);
    });
  };

  const one = (ink, row, column) => {
    const box = [left + column * width, top + row * height, width - gap, height - gap];
    const what = paint(row, column);
    ink.globalAlpha = 1;
    if (gap) {
      ink.fillStyle = colors.track;
      ink.fillRect(...box);
    }
    if (!what) return;
    ink.globalAlpha = what.share;
    ink.fillStyle = what.color;
    ink.fillRect(...box);
    if (what.stress && !gap) ink.fillRect(box[0] - 1, box[1] - 1, width + 2, height + 2);
    if (what.letter && width >= 14) {
      ink.globalAlpha = 1;
      ink.fillStyle = colors.letter;
      ink.textAlign = "center";
      ink.fillText(what.letter, box[0] + box[2] / 2, box[1] + box[3] / 2 + 0.5);
    }
  };

  const go = (row, column) => {
    const at = [Math.min(rows.length - 1, Math.max(0, row)), Math.min(columns.length - 1, Math.max(0, column))];
    cursors.set(id, at);
    readout.textContent = read(...at);
    draw();
  };

  canvas.addEventListener("keydown", (event) => {
    const [row, column] = cursors.get(id) ?? [0, 0];
    const moves = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: [row, 0],
      End: [row, columns.length - 1],
      PageUp: [0, column],
      PageDown: [rows.length - 1, column],
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    go(...(cursors.has(id) ? moves[event.key] : [0, 0]));
  });
  canvas.addEventListener("mousemove", (event) => {
    const zoom = size[0] / canvas.getBoundingClientRect().width;
    const column = Math.floor((event.offsetX * zoom - left) / width);
    const row = Math.floor((event.offsetY * zoom - top) / height);
    if (row >= 0 && row < rows.length && column >= 0 && column < columns.length) readout.textContent = read(row, column);
  });
  canvas.addEventListener("blur", () => {
    if (document.contains(canvas)) {
      cursors.delete(id);
      draw();
    }
  });

  const at = cursors.get(id);
  if (at && at[0] < rows.length && at[1] < columns.length) readout.textContent = read(...at);
  else cursors.delete(id);
  draw();
  return h("div.grid-box", {}, h("div.scroll", {}, canvas), readout);
}
