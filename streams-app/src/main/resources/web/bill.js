// What the run's faults cost: the time that it would have taken, what each added, the time that it took.

import { duration, gpuTime, h, ranges, visible } from "./dom.js";
import { term } from "./terms.js";

/** A waterfall, and a sentence for each fault. */
export function billBlock(run) {
  const bill = run.bill;
  if (!bill || (!bill.items.length && !bill.notBilled.length && !bill.ahead?.length)) return null;
  return h("section.block.card", { "aria-labelledby": "bill" },
    h("h2", { id: "bill" }, term("bill", "Bill"), h("small", {}, overview(bill))),
    bill.items.length && bill.seconds ? waterfall(bill) : null,
    bill.items.length ? h("ul.bill", {}, bill.items.map((item) => h("li", {}, sentence(item)))) : null,
    bill.ahead?.length ? h("ul.bill.ahead", {}, bill.ahead.map((it) => h("li", {}, ahead(it)))) : null,
    bill.notBilled.map((it) => h("p.muted", {}, `Not billed: ${it.cause}, ${visible(it.because)}.`)));
}

function overview(bill) {
  if (!bill.items.length) return "the cost of what was found is not known";
  const gpuSeconds = sum(bill.items, (it) => it.gpuSeconds);
  const priced = bill.items.every((it) => it.money !== undefined);
  const parts = [`${duration(sum(bill.items, (it) => it.seconds))}${bill.seconds ? ` of ${duration(bill.seconds)}` : ""} lost`, `${gpuTime(gpuSeconds)} of all GPUs`];
  if (priced) parts.push(`${money(sum(bill.items, (it) => it.money))} at your price`);
  return parts.join(", ");
}

function waterfall(bill) {
  let at = bill.idealSeconds;
  const rows = [row("without all of it", 0, bill.idealSeconds, bill.seconds)];
  for (const item of bill.items) {
    rows.push(row(`+ ${name(item)}`, at, item.seconds, bill.seconds, "blamed"));
    at += item.seconds;
  }
  rows.push(row("= as it was", 0, bill.seconds, bill.seconds));
  return h("table.waterfall", {},
    h("caption.visually-hidden", {}, "The run's time, and what each fault added to it"),
    h("tbody", {}, rows));
}

function row(label, from, seconds, all, kind = "kept") {
  const share = (part) => `${Math.min(100, (100 * part) / all)}%`;
  return h("tr", {},
    h("th", { scope: "row" }, label),
    h("td.bar", { "aria-hidden": "true" }, h("i.before", { width: share(from) }), h(`i.${kind}`, { width: share(seconds) })),
    h("td.num", {}, duration(seconds)));
}

const name = (item) => (item.ranks.length && item.ranks.length < 64 ? `${item.cause}, ${ranks(item.ranks)}` : item.cause);

const ranks = (list) => `${list.length === 1 ? "rank" : "ranks"} ${ranges(list)}`;

// What ends a run: it would not have ended sooner without.
const HELD = ["hang", "job-failed", "gpu-error"];

function sentence(item) {
  if (HELD.includes(item.cause)) return `No rank made progress for ${duration(item.seconds)}.`;
  const words = `Without ${who(item)} this run ends ${duration(item.seconds)} sooner (${duration(item.lowSeconds)} to ${duration(item.highSeconds)}).`;
  const alone = (item.without ?? []).filter((it) => it.seconds > 0).map((it) => `rank ${it.rank} ${duration(it.seconds)}`);
  return alone.length ? `${words} One alone: ${alone.slice(0, 8).join(", ")}.` : words;
}

/** What a fault that holds goes on to cost. */
function ahead(it) {
  const between = it.lowShare === it.highShare ? "" : ` (${percent(it.lowShare)} to ${percent(it.highShare)} %)`;
  const price = it.moneyPerHour === undefined ? "" : `, ${money(24 * it.moneyPerHour)} at your price`;
  const takes = ["barrier-wait", "step-regression"].includes(it.cause) || (it.cause === "straggler" && it.ranks.length > 1) ? "take" : "takes";
  return `If nobody acts, ${who(it)} ${takes} ${percent(it.share)} % of the time${between}: ${gpuTime(it.gpuSecondsPerHour)} an hour, `
    + `${gpuTime(24 * it.gpuSecondsPerHour)} a day${price}; ${visible(it.basis)}.`;
}

function who(item) {
  switch (item.cause) {
    case "straggler": return ranks(item.ranks);
    case "late-start": return `the late start of ${ranks(item.ranks)}`;
    case "barrier-wait": return "waits that move from rank to rank";
    case "step-regression": return "the slower steps";
    case "hang": return "the hang";
    default: return item.cause;
  }
}

const sum = (list, of) => list.reduce((all, it) => all + of(it), 0);
const money = (amount) => amount.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const percent = (share) => (100 * share).toFixed(share < 0.0095 ? 1 : 0);
