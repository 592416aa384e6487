import { escapeHtml } from "../site/inline.ts";

/** HTML that is safe to put into a page as it is. */
export type Html = { readonly html: string };

type Part = Html | string | number | readonly Html[];

/** A template of HTML: what is put in is escaped unless it is HTML already. */
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
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly (Html | string)[])[];
  /** What is said where there are no rows. */
  readonly none: string;
};

/** A table that can be scrolled sideways where the screen is narrow. */
export function table({ caption, heads, rows, none }: Table): Html {
  if (rows.length === 0) return html`<h3>${caption}</h3><p class="soft">${none}</p>`;
  return html`<h3>${caption}</h3>
<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map(([first = "", ...rest]) => html`<tr><th scope="row">${first}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table></div>`;
}

/** A bar of a share, beside the number that it draws. @param share 0 … 1 */
export function bar(share: number): Html {
  const width = Math.round(1000 * Math.min(1, Math.max(0, share))) / 10;
  return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="8"></rect></svg>`;
}

/** A whole number with its thousands apart. */
export const count = (value: number): string => value.toLocaleString("en-US");
