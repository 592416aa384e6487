import { readFileSync } from "node:fs";
import type { App } from "../app-types.ts";
import { notFound } from "../failure.ts";
import { layout } from "./layout.ts";
import { readSource, renderPage, SITE, SITE_IMAGES, SITE_PAGES } from "./pages.ts";

const HTML = "text/html; charset=utf-8";
const schema = { hide: true };

/** GET /docs and the pages below it: the repository's documentation. A page is rendered on its first request. */
export function registerSite(app: App): void {
  const style = readFileSync(new URL("style.css", import.meta.url), "utf8");
  app.get(`${SITE}/style.css`, { schema }, async (_request, reply) =>
    reply.type("text/css; charset=utf-8").send(style),
  );
  for (const { path, address } of SITE_IMAGES) {
    app.get(address, { schema }, async (_request, reply) =>
      reply.type("image/svg+xml").send(readSource(path)),
    );
  }
  const rendered = new Map<string, string>();
  const first = () => layout(undefined, renderPage("docs/index.md"));
  app.get(SITE, { schema }, async (_request, reply) => reply.type(HTML).send(kept(rendered, "", first)));
  app.get<{ Params: { page: string } }>(`${SITE}/:page`, { schema }, async ({ params }, reply) => {
    const page = SITE_PAGES.find(({ slug }) => slug === params.page);
    if (page === undefined) throw notFound();
    const make = () => layout(page.slug, renderPage(page.path));
    return reply.type(HTML).send(kept(rendered, page.slug, make));
  });
}

function kept(pages: Map<string, string>, slug: string, make: () => string): string {
  const html = pages.get(slug) ?? make();
  pages.set(slug, html);
  return html;
}
