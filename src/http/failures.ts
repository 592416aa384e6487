import type { FastifyReply, FastifyRequest } from "fastify";
import { BraidError } from "../core/errors.ts";
import { withoutKeys } from "./access/presented.ts";
import type { App, Log } from "./app-types.ts";
import { answerOf, failureOf, notFound } from "./failure.ts";

/**
 * Sends the error response for anything thrown. Unexpected errors are logged in full; the caller sees only INTERNAL.
 */
export function sendFailure(thrown: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): void {
  const failure = failureOf(thrown);
  if (failure.reason === "INTERNAL") {
    log.error(
      { err: thrown, request: request.id, method: request.method, url: withoutKeys(request.url) },
      "a bug",
    );
  } else {
    logRefusal(failure, request, log);
  }
  const asked = { id: request.id, url: request.url, accept: request.headers.accept };
  const { status, headers, body } = answerOf(failure, asked);
  reply.code(status).headers(headers).serializer(asIs).send(body);
}

/**
 * Routes whose failed requests are logged, so that a request id that a client reports can be found. The log has the
 * names of the bad fields but not their values, which may be private.
 */
const OFFERS = /^\/v[0-9]+\/:chainID\/(prices?|price\/stream|quote)$/;

function logRefusal({ reason, details }: BraidError, request: FastifyRequest, log: Log): void {
  const { id, method, routeOptions } = request;
  if (reason === "RATE_LIMITED" || !OFFERS.test(routeOptions.url ?? "")) return;
  const fields = details.map(({ field }) => field);
  log.info({ request: id, method, route: routeOptions.url, reason, fields }, "no offer");
}

const asIs = (body: unknown): string => body as string;

/** Sends every error in or before a route as an error response in one format. Register before the routes. */
export function registerFailures(app: App, log: Log): void {
  const allowed = collectMethods(app);
  const refuse = (request: FastifyRequest, reply: FastifyReply) => {
    const methods = allowed(request.url);
    if (methods.length === 0) return sendFailure(notFound(), request, reply, log);
    const list = [...methods, "OPTIONS"].join(", ");
    reply.header("allow", list);
    const message = `This path does not answer ${request.method}; it answers ${list}.`;
    return sendFailure(new BraidError("METHOD_NOT_ALLOWED", message), request, reply, log);
  };
  app.setNotFoundHandler(refuse);
  app.setErrorHandler((error, request, reply) => {
    if (isQueryRefused(error)) return refuse(request, reply);
    return sendFailure(error, request, reply, log);
  });
}

/** Fastify refuses a QUERY without a content type before it calls the handler of unknown methods. No path answers QUERY. */
const isQueryRefused = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === "FST_ERR_ROUTE_MISSING_CONTENT_TYPE";

type Pattern = { readonly segments: readonly string[]; readonly method: string };

/** Collects the routes registered from now on. @returns the methods of a path; [] for an unknown path */
function collectMethods(app: App): (url: string) => string[] {
  const patterns: Pattern[] = [];
  app.addHook("onRoute", ({ url, method }) => {
    if (url.includes("*")) return;
    for (const each of [method].flat()) patterns.push({ segments: segmentsOf(url), method: each });
  });
  return (url) => {
    const asked = segmentsOf(url.split("?", 1)[0]!);
    return [
      ...new Set(patterns.filter(({ segments }) => matches(segments, asked)).map(({ method }) => method)),
    ];
  };
}

const segmentsOf = (path: string): string[] => path.split("/").filter((segment) => segment !== "");

function matches(pattern: readonly string[], asked: readonly string[]): boolean {
  return (
    pattern.length === asked.length &&
    pattern.every((segment, index) => segment.startsWith(":") || segment === asked[index])
  );
}
