import { escapeHtml } from "./inline.ts";
import type { Heading, Rendered } from "./markdown.ts";
import { REFERENCE, SECTIONS, SITE } from "./pages.ts";

/** Level of the headings in the table of contents beside a page. */
const LISTED_LEVEL = 2;
/** Fewest headings for which there is a table of contents. */
const LEAST_LISTED = 3;

/** A page of the site as a complete HTML document, with navigation. @param slug of the page; undefined = start page */
export function layout(slug: string | undefined, { title, html, headings }: Rendered): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${slug === undefined ? "Documentation" : escapeHtml(title)} · Braid</title>
<link rel="icon" href="/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="${SITE}/style.css">
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header><a class="brand" href="/">Braid</a> <a href="${SITE}">Documentation</a> <a href="${REFERENCE}">API reference</a> <a href="/status">Status</a></header>
<div class="columns">
<nav aria-label="Documentation">
${contents(slug)}
</nav>
<main id="content">
${html}
</main>
${onThisPage(headings)}
</div>
</body>
</html>
`;
}

function contents(slug: string | undefined): string {
  const reference = `<h2>Reference</h2>\n<ul><li><a href="${REFERENCE}">API reference</a></li></ul>`;
  const sections = SECTIONS.map(({ title, pages }) => {
    const items = pages.map((page) => {
      const current = page.slug === slug ? ' aria-current="page"' : "";
      return `<li><a href="${SITE}/${page.slug}"${current}>${escapeHtml(page.label)}</a></li>`;
    });
    return `<h2>${title}</h2>\n<ul>${items.join("")}</ul>`;
  });
  return [...sections, reference].join("\n");
}

function onThisPage(headings: readonly Heading[]): string {
  const listed = headings.filter(({ level }) => level === LISTED_LEVEL);
  if (listed.length < LEAST_LISTED) return "";
  const items = listed.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<nav class="aside" aria-label="On this page"><h2>On this page</h2>\n<ul>${items.join("")}</ul></nav>`;
}
