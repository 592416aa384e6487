import fastify from "fastify";
import type { App } from "../app-types.ts";
import { REFERENCE } from "./pages.ts";

/** The page, with a slash at the end or without, and its program. */
const PATHS = [`${REFERENCE}/`, `${REFERENCE}/js/scalar.js`];

/**
 * GET /docs/reference: the API reference, without a request to anybody else. Its package is loaded when somebody first opens it: its
 * program is a text of 4 MB that takes 17 MB as long as it is loaded, which most services never need.
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

/** A server of its own, as no route can be added to one that serves: it is asked within the process. */
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
