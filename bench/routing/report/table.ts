/** Rows as a Markdown table that is aligned for people too: the first column to the left, the others to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, k) => Math.max(title.length, ...rows.map((row) => (row[k] ?? "").length)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, k) => (k === 0 ? (cells[k] ?? "").padEnd(width) : (cells[k] ?? "").padStart(width))).join(" | ")} |`;
  const rule = widths.map((width, k) => (k === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}

/** A ratio with seven decimals; a dash where there is none. */
export function ratio(value: number): string {
  return Number.isFinite(value) ? value.toFixed(7) : "-";
}

/** A figure with so many decimals; a dash where there is none. */
export function figure(value: number, decimals = 2): string {
  return Number.isFinite(value) ? value.toFixed(decimals) : "-";
}
