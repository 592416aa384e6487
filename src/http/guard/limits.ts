import type { FastifyReply, FastifyRequest } from "fastify";
import { callerOf } from "../../core/callers/caller.ts";
import { createRateLimit } from "../../core/callers/rate-limit.ts";
import { BraidError } from "../../core/errors.ts";
import type { KeyPort } from "../../service/ports/ports-access.ts";
import { admit } from "../access/admission.ts";
import { createAllowances, type Scope, type Verdict } from "../access/allowances.ts";
import type { App, Charge } from "../app-types.ts";
import { failureOf, tooLarge } from "../failure.ts";
import type { HttpSettings } from "../settings.ts";

/** Route patterns of the versioned API, whose requests may carry a key. */
const VERSIONED = /^\/v[0-9]+\//;

/** Paths without a rate limit: probes and metrics, which have to answer while the service is under attack. */
const UNLIMITED: ReadonlySet<string | undefined> = new Set(["/health", "/livez", "/readyz", "/metrics"]);

/**
 * Least requests a minute of one IP address outside of the versioned API. A page with its files takes about five, so
 * that a low limit of the API does not break pages.
 */
const LEAST_FILES_PER_MINUTE = 600;

/** The WWW-Authenticate header of a 401. @source RFC 9110 section 11.6.1 */
const CHALLENGE = 'Bearer realm="braid"';

/** Weight that a request is charged now, and the weight that it was charged before. */
type Counted = { readonly weight: number; readonly counted: number };
const ARRIVAL: Counted = { weight: 1, counted: 0 };

type Terms = {
  readonly settings: HttpSettings;
  readonly keys: KeyPort;
  readonly monotonicMs: () => number;
  readonly unixSeconds: () => number;
  /** Called for every request that a limit refuses. */
  readonly onLimited: (scope: Scope) => void;
};

/**
 * Registers the checks before each route: URL length, API key and rate limits. Register before the routes.
 *
 * @returns a function with which a route charges a request as more than one
 */
export function registerLimits(app: App, terms: Terms): Charge {
  const { settings, keys, onLimited } = terms;
  app.decorateRequest("accessKey", undefined);
  app.addHook("onRequest", ({ url }, _reply, done) => {
    if (url.length > settings.urlLimitBytes) throw tooLarge("url", "The URL is too long.");
    done();
  });
  app.addHook("onRequest", dropUnknown);
  const allowance = createAllowances({ ...terms, perMinute: settings.rateLimitPerMinute });
  const judge = (verdict: Verdict | undefined, ip: string, reply: FastifyReply) => {
    if (verdict === undefined) return;
    reply.header("ratelimit-limit", verdict.limit);
    reply.header("ratelimit-remaining", verdict.remaining);
    reply.header("ratelimit-reset", verdict.resetSeconds);
    if (verdict.allowed) return;
    onLimited(verdict.scope);
    throw new BraidError("RATE_LIMITED", messages[verdict.scope](verdict, ip), {
      retryAfterSeconds: verdict.retrySeconds,
    });
  };
  const charge = ({ ip, accessKey }: FastifyRequest, reply: FastifyReply, counted: Counted) =>
    judge(allowance({ key: accessKey, caller: callerOf(ip), ...counted }), ip, reply);
  const files = createFileAllowance(terms);
  app.addHook("onRequest", (request, reply, done) => {
    const { routeOptions, method, ip } = request;
    // The route's pattern is tested, since a path can be spelled in many ways. It is undefined for unknown paths.
    const { url } = routeOptions;
    if (method === "OPTIONS" || UNLIMITED.has(url)) return done();
    if (!VERSIONED.test(url ?? "")) {
      judge(files(ip), ip, reply);
      return done();
    }
    try {
      request.accessKey = admit(request, keys, settings.requireApiKey);
    } catch (refusal) {
      // A refused request is charged to its IP address, so that misuse of a key does not use up the key's limits.
      charge(request, reply, ARRIVAL);
      if (failureOf(refusal).reason === "UNAUTHORIZED") reply.header("www-authenticate", CHALLENGE);
      throw refusal;
    }
    charge(request, reply, ARRIVAL);
    done();
  });
  return (request, reply, weight) => {
    if (weight > 1) charge(request, reply, { weight: weight - 1, counted: 1 });
  };
}

/**
 * Ends a request whose connection was reset before its address was asked for. The system does not know the address any
 * more, so that nobody can be charged for it, and nobody would read its answer.
 */
function dropUnknown({ ip, raw }: FastifyRequest, reply: FastifyReply, done: () => void): void {
  // Fastify's type leaves it out: a connection that is gone has no address.
  const address: string | undefined = ip;
  if (address === undefined) {
    reply.hijack();
    raw.destroy();
  } else done();
}

/**
 * The rate limit of an IP address for everything outside of the versioned API: pages, their files, documents and unknown
 * paths. It is counted apart, so that opening a page takes nothing from what its address may ask of the API.
 *
 * @returns a function that charges a request. It returns undefined where the request is allowed, so that the response,
 * which may be cached for others, has no `ratelimit-remaining` header
 */
function createFileAllowance({ settings, monotonicMs }: Terms): (ip: string) => Verdict | undefined {
  const { rateLimitPerMinute } = settings;
  if (rateLimitPerMinute === 0) return () => undefined;
  const limit = createRateLimit(Math.max(rateLimitPerMinute, LEAST_FILES_PER_MINUTE), monotonicMs);
  return (ip) => {
    const verdict = limit(callerOf(ip));
    return verdict.allowed ? undefined : { ...verdict, scope: "address" };
  };
}

const messages: Readonly<Record<Scope, (verdict: Verdict, ip: string) => string>> = {
  address: ({ limit }, ip) => `Too many requests from ${ip}: ${limit} a minute are allowed.`,
  key: ({ limit }) => `Too many requests with this API key: ${limit} a minute are allowed.`,
  key_address: ({ limit }, ip) =>
    `Too many requests from ${ip} with this API key: ${limit} a minute are allowed.`,
  quota: ({ limit }) =>
    `The quota of this API key is used up: ${limit} requests a day, from midnight UTC on.`,
};
