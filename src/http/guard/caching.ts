import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app-types.ts";
import { SITE } from "../site/pages.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The max-age of the response in seconds. Where it is set, the response has an ETag. */
    cacheSeconds?: number;
  }
}

/** The max-age of the documentation and the API reference, which change only with a new version of the program. */
const DOCUMENTATION_SECONDS = 300;

/**
 * Adds ETag and Cache-Control to cacheable responses, and answers 304 where If-None-Match names the ETag. An ETag that
 * the route has set is used; otherwise it is a hash of the body. Register after hooks that set headers, and before
 * compression.
 */
export function registerCaching(app: App): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    const seconds = secondsOf(request);
    if (seconds === undefined || reply.statusCode !== 200 || !isWhole(payload)) return done();
    const tag = String(
      reply.getHeader("etag") ?? (Buffer.isBuffer(payload) ? kept(payload) : tagOf(payload)),
    );
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

/** Responses to requests with an API key are private, because a shared cache would answer callers without the key. */
const scopeOf = ({ accessKey }: FastifyRequest): string => (accessKey === undefined ? "public" : "private");

const isWhole = (payload: unknown): payload is string | Buffer =>
  typeof payload === "string" || Buffer.isBuffer(payload);
const isHtml = (reply: FastifyReply): boolean =>
  String(reply.getHeader("content-type")).startsWith("text/html");

const tags = new WeakMap<Buffer, string>();

/** The ETag of a buffer, which is hashed once: files are served from buffers that are never changed. */
function kept(payload: Buffer): string {
  const tag = tags.get(payload) ?? tagOf(payload);
  tags.set(payload, tag);
  return tag;
}

/** A weak ETag, because the same response is sent in several content encodings. */
function tagOf(payload: string | Buffer): string {
  return `W/"${createHash("sha256").update(payload).digest("base64url").slice(0, 27)}"`;
}

/** Whether If-None-Match names a tag. @source RFC 9110 section 13.1.2: weak comparison */
function named(header: string | undefined, tag: string): boolean {
  const bare = (text: string) => text.trim().replace(/^W\//, "");
  return (header ?? "").split(",").some((each) => each.trim() === "*" || bare(each) === bare(tag));
}
