import fastify from "fastify";
import type { App } from "../app-types.ts";
import { REFERENCE } from "./pages.ts";

/** Paths of the page and of its script. */
const PATHS = [`${REFERENCE}/`, `${REFERENCE}/js/scalar.js`];

type File = { readonly type: string; readonly body: Buffer };

/**
 * GET /docs/reference: the API reference, without requests to other hosts. Its package is imported on the first
 * request, because its 4 MB script takes 17 MB of memory once loaded, and many deployments never serve it. All answers
 * share one buffer per file, so that a file is compressed once and slow readers hold no copies.
 */
export function registerReference(app: App): void {
  let loaded: Promise<ReadonlyMap<string, File>> | undefined;
  for (const path of PATHS) {
    app.get(path, { schema: { hide: true }, logLevel: "silent" }, async ({ url }, reply) => {
      if (path.endsWith("/") && !url.split("?", 1)[0]!.endsWith("/")) return reply.redirect(path, 301);
      loaded ??= load();
      const { type, body } = (await loaded).get(path)!;
      return reply.type(type).send(body);
    });
  }
}

/** Reads the files from the package, which is a plugin and serves them only from a Fastify instance. */
async function load(): Promise<ReadonlyMap<string, File>> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const inner = fastify();
  await inner.register(scalar, {
    routePrefix: REFERENCE,
    configuration: {
      pageTitle: "Braid API",
      favicon: "/mark.svg",
      url: "/openapi.json",
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: "never",
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  const files = new Map<string, File>();
  for (const path of PATHS) {
    const { headers, rawPayload } = await inner.inject(path);
    files.set(path, { type: String(headers["content-type"]), body: rawPayload });
  }
  await inner.close();
  return files;
}
