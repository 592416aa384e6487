import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app-types.ts";
import { SITE } from "../site/pages.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Seconds for which an answer may be kept before it is asked for again; with it an answer has an ETag. */
    cacheSeconds?: number;
  }
}

/** How long files of the documentation and the reference are kept: they change with the program only. */
const DOCUMENTATION_SECONDS = 300;

/**
 * ETags for what seldom changes, and 304 for whoever has it already. A route that knows its answer's tag sets it, and no other is worked out.
 * Register after what writes headers, before compression.
 */
export function registerCaching(app: App): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    const seconds = secondsOf(request);
    if (seconds === undefined || reply.statusCode !== 200 || !isWhole(payload)) return done();
    const tag = String(reply.getHeader("etag") ?? tagOf(payload));
    reply.header("etag", tag);
    if (!isHtml(reply)) reply.header("cache-control", `${scopeOf(request)}, max-age=${seconds}`);
    if (!named(request.headers["if-none-match"], tag)) return done();
    reply.code(304).removeHeader("content-length");
    done(null, null);
  });
}

function secondsOf({ method, routeOptions }: FastifyRequest): number | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined;
  const { config, url } = routeOptions;
  return config.cacheSeconds ?? (url?.startsWith(SITE) ? DOCUMENTATION_SECONDS : undefined);
}

/** What a key was asked for is for its holder: a cache in between answers whoever asks. */
const scopeOf = ({ accessKey }: FastifyRequest): string => (accessKey === undefined ? "public" : "private");

const isWhole = (payload: unknown): payload is string | Buffer =>
  typeof payload === "string" || Buffer.isBuffer(payload);
const isHtml = (reply: FastifyReply): boolean =>
  String(reply.getHeader("content-type")).startsWith("text/html");

/** Weak, as the same answer goes out in several encodings. */
function tagOf(payload: string | Buffer): string {
  return `W/"${createHash("sha256").update(payload).digest("base64url").slice(0, 27)}"`;
}

/** @source RFC 9110 section 13.1.2: compared without regard to strength */
function named(header: string | undefined, tag: string): boolean {
  const bare = (text: string) => text.trim().replace(/^W\//, "");
  return (header ?? "").split(",").some((each) => each.trim() === "*" || bare(each) === bare(tag));
}
