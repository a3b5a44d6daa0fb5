// What a line of a log is shown for, marked.

import { h, visible } from "./dom.js";

/** As the report marks them (KeyWords.java). */
const WORDS = new RegExp([
  /No eligible providers|Unable to find a protocol[^.]*|Initializing plugin failed|initialization failed|Using network \S+|via \S+|NCCL (?:WARN|ERROR)/,
  /\b(?:[A-Z]\w*Error|Error|ERROR|error|FAILED|failed|timeout|timed out)\b|out of memory|Xid[^,:]*: \d+|No space left on device|No device found/,
  /(?:AllReduce|AllGather|ReduceScatter|Broadcast|Reduce|Send|Recv|AlltoAll|Gather|Scatter)(?=: opCount)|nNodes \d+|localRanks \d+|OpType=\w+|SeqNum=\d+/,
].map((it) => it.source).join("|"), "g");

/** The line in pieces. */
export function marked(line) {
  const pieces = [];
  let from = 0;
  for (const found of line.matchAll(WORDS)) {
    pieces.push(visible(line.slice(from, found.index)), h("strong", {}, visible(found[0])));
    from = found.index + found[0].length;
  }
  return [...pieces, visible(line.slice(from))];
}
