import { readFileSync, writeFileSync } from "node:fs";
import { table } from "../routing/report/table.ts";
import type { Column } from "./measure.ts";

const shown = (figure: number) => (Number.isNaN(figure) ? "-" : `${figure}`);

/** A table of one market: a column for each number of threads, and the throughput beside that of the first. */
export function tableOf(market: string, columns: readonly Column[]): string {
  const names = Object.keys(columns[0]!.row);
  const figures = names.map((name) => [name, ...columns.map(({ row }) => shown(row[name]!))]);
  const ratios = columns.map(({ ratio }) => ratio.toFixed(2));
  const heads = columns.map(({ threads }) => `${threads} ${threads === 1 ? "thread" : "threads"}`);
  const last = ["throughput, times that of the first column", ...ratios];
  return table([market, ...heads], [...figures, last]);
}

/**
 * Puts a text between the marks of its part of a page, which `npm run bench:<part>` prints.
 *
 * @throws Error where the page lacks them
 */
export function writePage(path: string, part: "http" | "streams", text: string): void {
  const begin = `<!-- ${part}: printed by npm run bench:${part} -->`;
  const page = readFileSync(path, "utf8");
  const [start, end] = [page.indexOf(begin), page.indexOf(`<!-- end of ${part} -->`)];
  if (start < 0 || end < start) throw new Error(`--page: "${path}" lacks the mark "${begin}"`);
  writeFileSync(path, `${page.slice(0, start + begin.length)}\n\n${text}\n\n${page.slice(end)}`);
}
