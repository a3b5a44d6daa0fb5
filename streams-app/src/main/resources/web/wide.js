// What is drawn as wide as there is room for it.

import { h } from "./dom.js";

/** A box that is laid out anew whenever it gets wider or narrower: `lay` is given its width in pixels. */
export function wide(lay, ...children) {
  const ruler = h("div", { "aria-hidden": "true" }); // as wide as the box, and no higher for what is drawn
  let last = 0;
  new ResizeObserver(([entry]) => {
    const room = Math.floor(entry.contentRect.width);
    if (room && room !== last) {
      last = room;
      lay(room);
    }
  }).observe(ruler);
  return h("div.wide", {}, ruler, children);
}
