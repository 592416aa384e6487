import { escapeHtml, type ResolveLink, renderInline } from "./inline.ts";

/**
 * Markdown to HTML, for the pages of this repository: headings, paragraphs, fenced code, lists, tables, quotes.
 * Every character of the source is escaped; the only HTML that passes is an empty anchor, `<a id="name"></a>`.
 * @source CommonMark 0.31.2, GitHub Flavored Markdown 0.29 (tables)
 */

export type Rendered = {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
};

export type Heading = { readonly level: number; readonly id: string; readonly text: string };

type Page = { readonly resolve: ResolveLink; readonly headings: Heading[] };
type Block = { readonly html: string; readonly next: number };

const FENCE = /^ *```(\w*)/;
const HEADING = /^(#{1,4}) +(.+?)\s*$/;
const ITEM = /^( *)(?:[-*]|(\d+)\.) +(.*)$/;
const TABLE_RULE = /^\|(?:\s*:?-+:?\s*\|)+\s*$/;
const QUOTE = /^> ?/;

export function renderMarkdown(source: string, resolve: ResolveLink): Rendered {
  const page: Page = { resolve, headings: [] };
  const html = renderBlocks(source.replace(/\r\n/g, "\n").split("\n"), page);
  const title = page.headings.find(({ level }) => level === 1)?.text ?? "";
  return { title, html, headings: page.headings };
}

/** The anchor of a heading, as GitHub makes it: lower case, spaces replaced by hyphens, punctuation removed. */
export function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, "")
    .trim()
    .replace(/ /g, "-");
}

function renderBlocks(lines: readonly string[], page: Page): string {
  const out: string[] = [];
  for (let at = 0; at < lines.length; ) {
    if (lines[at]!.trim() === "") {
      at++;
      continue;
    }
    const block = renderBlock(lines, at, page);
    out.push(block.html);
    at = block.next;
  }
  return out.join("\n");
}

function renderBlock(lines: readonly string[], at: number, page: Page): Block {
  const line = lines[at]!;
  if (FENCE.test(line)) return renderFence(lines, at);
  if (HEADING.test(line)) return { html: renderHeading(line, page), next: at + 1 };
  if (TABLE_RULE.test(lines[at + 1] ?? "")) return renderTable(lines, at, page);
  if (QUOTE.test(line)) return renderQuote(lines, at, page);
  if (ITEM.test(line)) return renderList(lines, at, page);
  return renderParagraph(lines, at, page);
}

function renderFence(lines: readonly string[], at: number): Block {
  const language = FENCE.exec(lines[at]!)![1]!;
  const indent = lines[at]!.search(/\S/);
  let end = at + 1;
  while (end < lines.length && !FENCE.test(lines[end]!)) end++;
  const code = lines.slice(at + 1, end).map((line) => line.slice(Math.min(indent, line.search(/\S|$/))));
  const name = language === "" ? "" : ` class="language-${language}"`;
  return {
    html: `<pre tabindex="0"><code${name}>${escapeHtml(code.join("\n"))}\n</code></pre>`,
    next: end + 1,
  };
}

function renderHeading(line: string, page: Page): string {
  const [, marks, text] = HEADING.exec(line)!;
  const plain = text!.replace(/[`*]/g, "").replace(/\[([^\]]+)\]\([^)]*\)/g, "$1");
  const heading = { level: marks!.length, id: uniqueId(anchorOf(plain), page.headings), text: plain };
  page.headings.push(heading);
  return `<h${heading.level} id="${heading.id}">${renderInline(text!, page.resolve)}</h${heading.level}>`;
}

function uniqueId(id: string, taken: readonly Heading[]): string {
  let free = id;
  for (let count = 1; taken.some((each) => each.id === free); count++) free = `${id}-${count}`;
  return free;
}

/** Cells of a table row. A `|` within code or after a backslash does not end a cell. */
function cellsOf(row: string): string[] {
  const cells = row
    .trim()
    .replace(/^\||\|$/g, "")
    .match(/(?:\\\||`[^`]*`|[^|])+/g);
  return (cells ?? []).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function renderTable(lines: readonly string[], at: number, page: Page): Block {
  let end = at + 2;
  while (lines[end]?.startsWith("|")) end++;
  const row = (tag: string) => (line: string) =>
    `<tr>${cellsOf(line)
      .map((cell) => `<${tag}>${renderInline(cell, page.resolve)}</${tag}>`)
      .join("")}</tr>`;
  const body = lines
    .slice(at + 2, end)
    .map(row("td"))
    .join("\n");
  const head = row("th")(lines[at]!);
  return {
    html: `<div class="wide" tabindex="0"><table><thead>${head}</thead><tbody>\n${body}\n</tbody></table></div>`,
    next: end,
  };
}

function renderQuote(lines: readonly string[], at: number, page: Page): Block {
  let end = at;
  while (QUOTE.test(lines[end] ?? "")) end++;
  const inner = lines.slice(at, end).map((line) => line.replace(QUOTE, ""));
  return { html: `<blockquote>${renderBlocks(inner, page)}</blockquote>`, next: end };
}

/** A list of items with the same indentation. Lines that are indented deeper belong to the item above them. */
function renderList(lines: readonly string[], at: number, page: Page): Block {
  const [, margin, number] = ITEM.exec(lines[at]!)!;
  const items: string[][] = [];
  let end = at;
  for (; end < lines.length; end++) {
    const line = lines[end]!;
    const item = ITEM.exec(line);
    if (item !== null && item[1]!.length === margin!.length) items.push([item[3]!]);
    else if (
      line.trim() === "" ? continues(lines[end + 1], margin!.length) : line.search(/\S/) > margin!.length
    )
      items.at(-1)!.push(line);
    else break;
  }
  const tag = number === undefined ? "ul" : "ol";
  const html = items.map((item) => `<li>${renderItem(item, page)}</li>`).join("\n");
  return { html: `<${tag}>\n${html}\n</${tag}>`, next: end };
}

const continues = (line: string | undefined, margin: number): boolean =>
  line !== undefined && line.search(/\S/) > margin;

function renderItem([first = "", ...rest]: readonly string[], page: Page): string {
  const nested = rest.findIndex((line) => line.trim() === "" || ITEM.test(line) || FENCE.test(line));
  const own = nested === -1 ? rest : rest.slice(0, nested);
  const text = renderInline([first, ...own].join("\n"), page.resolve);
  return nested === -1 ? text : `${text}\n${renderBlocks(rest.slice(nested), page)}`;
}

function renderParagraph(lines: readonly string[], at: number, page: Page): Block {
  let end = at + 1;
  while (end < lines.length && !endsParagraph(lines[end]!)) end++;
  const text = lines.slice(at, end).map((line) => line.trim());
  return { html: `<p>${renderInline(text.join("\n"), page.resolve)}</p>`, next: end };
}

const endsParagraph = (line: string): boolean =>
  line.trim() === "" || [FENCE, HEADING, ITEM, QUOTE, /^\|/].some((mark) => mark.test(line));
