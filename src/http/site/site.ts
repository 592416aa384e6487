import { readFileSync } from "node:fs";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app-types.ts";
import { notFound } from "../failure.ts";
import { layout } from "./layout.ts";
import { atOrigin } from "./origin.ts";
import { readSource, renderPage, SITE, SITE_IMAGES, SITE_PAGES } from "./pages.ts";

const HTML = "text/html; charset=utf-8";
const schema = { hide: true };

/** A page names the host of its request, so shared caches must not store it. Runs after the hooks of the application. */
const page = {
  schema,
  onSend: async (_request: FastifyRequest, reply: FastifyReply) => {
    reply.header("cache-control", "private, no-cache");
  },
};

/**
 * GET /docs and the pages below it: the repository's documentation. A page is rendered on its first request, and its
 * examples are those of each request's origin. All answers share one buffer per image, so that it is compressed once.
 */
export function registerSite(app: App): void {
  const style = readFileSync(new URL("style.css", import.meta.url));
  app.get(`${SITE}/style.css`, { schema }, async (_request, reply) =>
    reply.type("text/css; charset=utf-8").send(style),
  );
  const images = new Map<string, Buffer>();
  const rendered = new Map<string, string>();
  for (const { path, address } of SITE_IMAGES) {
    app.get(address, { schema }, async (_request, reply) =>
      reply.type("image/svg+xml").send(kept(images, address, () => Buffer.from(readSource(path)))),
    );
  }
  const first = () => layout(undefined, renderPage("docs/index.md"));
  app.get(SITE, page, async (request, reply) =>
    reply.type(HTML).send(atOrigin(kept(rendered, "", first), request)),
  );
  app.get<{ Params: { page: string } }>(`${SITE}/:page`, page, async (request, reply) => {
    const asked = SITE_PAGES.find(({ slug }) => slug === request.params.page);
    if (asked === undefined) throw notFound();
    const make = () => layout(asked.slug, renderPage(asked.path));
    return reply.type(HTML).send(atOrigin(kept(rendered, asked.slug, make), request));
  });
}

function kept<T>(files: Map<string, T>, name: string, make: () => T): T {
  const body = files.get(name) ?? make();
  files.set(name, body);
  return body;
}
