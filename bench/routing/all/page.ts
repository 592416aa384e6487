import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { BadInput } from "../market/fields.ts";
import { table } from "../report/table.ts";
import type { Bar } from "./bars.ts";
import type { Result } from "./parts.ts";

const BEGIN = "<!-- routing: printed by npm run bench:routing:all -->";
const END = "<!-- end of routing -->";

/** One bar for all seeds of a market: that of the worst. */
export function worstOfSeeds(bars: readonly Bar[]): Bar[] {
  const groups = Map.groupBy(bars, ({ market, what, wanted }) => [market, what, wanted].join());
  return [...groups.values()].map((group) => {
    const failed = group.filter(({ holds }) => holds === false);
    const measured = group.filter(({ bad }) => Number.isFinite(bad));
    const among = failed.length > 0 ? failed : measured.length > 0 ? measured : group;
    const worst = among.reduce((a, b) => (b.bad > a.bad ? b : a));
    if (group.length === 1 || worst.seed === undefined) return worst;
    return { ...worst, measured: `${worst.measured}; seed ${worst.seed}, worst of ${group.length}` };
  });
}

/** Bars as a table; `-` stands before figures without a bar, and `?` where nothing could be measured. */
export function barTable(bars: readonly Bar[]): string {
  const sign = ({ holds, wanted }: Bar) =>
    holds === undefined ? (wanted === "-" ? "-" : "?") : holds ? "yes" : "NO";
  return table(
    ["market", "bar", "wanted", "measured", "holds"],
    bars.map((bar) => [bar.market, bar.what, bar.wanted, bar.measured, sign(bar)]),
  );
}

/** One line that says how many bars hold. */
export function countOf(bars: readonly Bar[]): string {
  const asked = bars.filter(({ wanted }) => wanted !== "-");
  const held = asked.filter(({ holds }) => holds).length;
  const failed = asked.filter(({ holds }) => holds === false).length;
  return `${held} of ${asked.length} bars hold, ${failed} do not, ${asked.length - held - failed} could not be measured`;
}

/**
 * A page and where its marks stand; of a file that does not exist yet, a page of the marks alone.
 * @throws BadInput where the page lacks its marks
 */
export function readPage(path: string): { page: string; start: number; end: number } {
  const page = existsSync(path) ? readFileSync(path, "utf8") : `${BEGIN}\n\n${END}\n`;
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (start < 0 || end < start) throw new BadInput(`--page: "${path}" lacks the mark "${BEGIN}"`);
  return { page, start, end };
}

/** @throws BadInput where the page lacks its marks */
export function writePage(path: string, head: string, results: readonly Result[]): void {
  const { page, start, end } = readPage(path);
  const texts = results.flatMap(({ text }) => (text === undefined ? [] : [`\`\`\`\n${text}\n\`\`\`\n`]));
  const bars = results.flatMap((result) => result.bars);
  const printed = [
    head,
    `${barTable(worstOfSeeds(bars))}\n\n${countOf(bars)}, every seed counted.\n`,
    ...texts,
  ].join("\n");
  writeFileSync(path, `${page.slice(0, start + BEGIN.length)}\n\n${printed}\n${page.slice(end)}`);
}
