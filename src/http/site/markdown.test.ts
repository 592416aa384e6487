import { expect, test } from "vitest";
import { anchorOf, renderMarkdown } from "./markdown.ts";

const html = (source: string): string =>
  renderMarkdown(source, (target) => (target === "gone.md" ? undefined : target)).html;

test("nothing of a source becomes HTML but an empty anchor", () => {
  const hostile =
    '# <script>alert(1)</script>\n\n<img src=x onerror=y> `<b>` [<i>](a"b) | ![x"](y"z)\n\n```\n</code><script>\n```';
  const out = html(hostile);
  expect(out.replace(/<\/?(h1|p|code|pre|a|img)( [a-z]+="[^"<>]*")*>/g, "")).not.toMatch(/[<>]/);
  expect(html('<a id="not-found"></a>1005')).toBe('<p><a id="not-found"></a>1005</p>');
});

test("headings have the anchors that repositories' hosts give them, and no two the same", () => {
  const { title, headings } = renderMarkdown(
    "# The `API` by example\n## Not covered\n## Not covered",
    String,
  );
  expect(title).toBe("The API by example");
  expect(headings.map(({ id }) => id)).toEqual(["the-api-by-example", "not-covered", "not-covered-1"]);
  expect(anchorOf("What it is worth, and what to look out for")).toBe(
    "what-it-is-worth-and-what-to-look-out-for",
  );
});

test("code is literal, whatever it holds, and its language is named", () => {
  expect(html("```ts\nconst a = `**b**` && [c](d);\n```")).toBe(
    '<pre tabindex="0"><code class="language-ts">const a = `**b**` &amp;&amp; [c](d);\n</code></pre>',
  );
  expect(html("`a|b` and `` `c` `` and `**d**`")).toContain("<code>a|b</code>");
});

test("tables keep their columns where a cell holds a bar in code", () => {
  const out = html("| a | b |\n|---|---|\n| `x | y` | [z](z.md) |\n| \\| | |");
  expect(out.match(/<td>/g)).toHaveLength(4);
  expect(out).toContain('<td><code>x | y</code></td><td><a href="z.md">z</a></td>');
});

test("lists nest by indentation and end with it", () => {
  const out = html("1. one\n   - deep\n     more\n2. two\n\nAfter");
  expect(out.replace(/\n/g, "")).toBe(
    "<ol><li>one<ul><li>deep     more</li></ul></li><li>two</li></ol><p>After</p>",
  );
});

test("a link that leads nowhere is its text", () => {
  expect(html("see [there](gone.md), **[here](x.md)** and <https://a.example>")).toBe(
    '<p>see there, <strong><a href="x.md">here</a></strong> and <a href="https://a.example">https://a.example</a></p>',
  );
});

test("underscores and lone asterisks are text", () => {
  expect(html("amount_in_usd, 2 * 3 * 4, _x_")).toBe("<p>amount_in_usd, 2 * 3 * 4, _x_</p>");
});
