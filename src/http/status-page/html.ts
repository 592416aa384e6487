import { escapeHtml } from "../site/inline.ts";

/** Escaped HTML, which is inserted into a page unchanged. */
export type Html = { readonly html: string };

type Part = Html | string | number | readonly Html[];

/** Template tag for HTML: strings and numbers are escaped, `Html` values are inserted unchanged. */
export function html(parts: TemplateStringsArray, ...values: readonly Part[]): Html {
  const text = parts.reduce((before, part, k) => before + textOf(values[k - 1] ?? "") + part);
  return { html: text };
}

function textOf(part: Part): string {
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  return "html" in part ? part.html : part.map((one) => one.html).join("");
}

const none = html``;

export const when = (condition: boolean, part: () => Html): Html => (condition ? part() : none);

type Table = {
  readonly caption: string;
  readonly heads: readonly string[];
  /** The first cell of each row is its header. */
  readonly rows: readonly (readonly (Html | string)[])[];
  /** The text in the place of a table without rows. */
  readonly none: string;
};

/** A table with a caption, which scrolls horizontally on narrow screens. */
export function table({ caption, heads, rows, none }: Table): Html {
  if (rows.length === 0) return html`<h3>${caption}</h3><p class="soft">${none}</p>`;
  return html`<h3>${caption}</h3>
<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map(([first = "", ...rest]) => html`<tr><th scope="row">${first}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table></div>`;
}

/** A bar for a share, hidden from screen readers because the number stands beside it. @param share 0 … 1 */
export function bar(share: number): Html {
  const width = Math.round(1000 * Math.min(1, Math.max(0, share))) / 10;
  return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="8"></rect></svg>`;
}

/** A number with separated thousands. */
export const count = (value: number): string => value.toLocaleString("en-US");
