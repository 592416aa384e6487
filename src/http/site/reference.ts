import fastify from "fastify";
import type { App } from "../app-types.ts";
import { REFERENCE } from "./pages.ts";

/** Paths of the page and of its script. */
const PATHS = [`${REFERENCE}/`, `${REFERENCE}/js/scalar.js`];

/**
 * GET /docs/reference: the API reference, without requests to other hosts. Its package is imported on the first
 * request, because its 4 MB script takes 17 MB of memory once loaded, and many deployments never serve it.
 */
export function registerReference(app: App): void {
  let loaded: ReturnType<typeof load> | undefined;
  for (const url of PATHS) {
    app.get(url, { schema: { hide: true }, logLevel: "silent" }, async ({ url: asked }, reply) => {
      loaded ??= load();
      const { statusCode, headers, body } = await (await loaded).inject(asked);
      for (const name of ["content-type", "location"]) {
        const value = headers[name];
        if (value !== undefined) reply.header(name, value);
      }
      return reply.code(statusCode).send(body);
    });
  }
}

/** Loads the package into a second Fastify instance, called in process, because a running one takes no new routes. */
async function load() {
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
  return inner;
}
