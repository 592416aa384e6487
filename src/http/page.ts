import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { App } from "./app-types.ts";
import { registerCaching } from "./guard/caching.ts";
import { registerCompression } from "./guard/compression.ts";
import { REFERENCE, SITE } from "./site/pages.ts";
import { registerReference } from "./site/reference.ts";
import { registerSite } from "./site/site.ts";

/** Content-Security-Policy of HTML pages: only resources of this origin, and no embedding in frames. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Content-Security-Policy of the API reference, which needs inline scripts and styles; other origins stay blocked. */
const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Names of files with a content hash, whose content never changes. */
const HASHED = /[.-][\w-]{8,}\.(js|css|svg|woff2)$/;
const YEAR_SECONDS = 31_536_000;

const NOT_BUILT = `Braid is running, but its page is not built: \`npm run prepare\` builds it.

Documentation   ${SITE}
API reference   ${REFERENCE}
OpenAPI         /openapi.json
Health          /health
`;

/** Sets the security headers of HTML responses, and long caching for files with a content hash. */
function registerPolicies(app: App): void {
  app.addHook("onSend", (request, reply, _payload, done) => {
    const path = request.url.split("?", 1)[0]!;
    if (reply.statusCode === 200 && HASHED.test(path)) {
      reply.header("cache-control", `public, max-age=${YEAR_SECONDS}, immutable`);
    }
    if (!String(reply.getHeader("content-type")).startsWith("text/html")) return done();
    reply.header("content-security-policy", path.startsWith(REFERENCE) ? REFERENCE_POLICY : PAGE_POLICY);
    reply.header("referrer-policy", "no-referrer");
    reply.header("x-frame-options", "DENY");
    reply.header("cross-origin-opener-policy", "same-origin");
    reply.header("cache-control", "no-cache");
    done();
  });
}

/**
 * Registers GET /, the files of the web page, the documentation and the API reference. Where the page is not built,
 * GET / answers how to build it.
 *
 * @param root folder of the built page
 */
export async function registerPage(app: App, root: string | undefined): Promise<void> {
  registerPolicies(app);
  registerCaching(app);
  registerCompression(app);
  registerReference(app);
  registerSite(app);
  if (root === undefined || !existsSync(join(root, "index.html"))) {
    app.get("/", { schema: { hide: true } }, async (_request, reply) =>
      reply.type("text/plain; charset=utf-8").send(NOT_BUILT),
    );
    return;
  }
  await app.register(fastifyStatic, {
    root,
    wildcard: false,
    decorateReply: false,
    cacheControl: false,
    schemaHide: true,
  });
}
