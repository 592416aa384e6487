import type { FastifyReply, FastifyRequest } from "fastify";
import { callerOf } from "../../core/callers/caller.ts";
import { BraidError } from "../../core/errors.ts";
import type { KeyPort } from "../../service/ports/ports-access.ts";
import { admit } from "../access/admission.ts";
import { createAllowances, type Scope, type Verdict } from "../access/allowances.ts";
import type { App, Charge } from "../app-types.ts";
import { failureOf, tooLarge } from "../failure.ts";
import type { HttpSettings } from "../settings.ts";

/** Route patterns with rate limits: the versioned API. Health checks, documentation and the web page have none. */
const LIMITED = /^\/v[0-9]+\//;

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
  const allowance = createAllowances({ ...terms, perMinute: settings.rateLimitPerMinute });
  const charge = ({ ip, accessKey }: FastifyRequest, reply: FastifyReply, counted: Counted) => {
    const verdict = allowance({ key: accessKey, caller: callerOf(ip), ...counted });
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
  app.addHook("onRequest", (request, reply, done) => {
    const { routeOptions, method } = request;
    // The route's pattern is tested, since a path can be spelled in many ways. Unknown paths are cheap and not limited.
    if (method === "OPTIONS" || !LIMITED.test(routeOptions.url ?? "")) return done();
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

const messages: Readonly<Record<Scope, (verdict: Verdict, ip: string) => string>> = {
  address: ({ limit }, ip) => `Too many requests from ${ip}: ${limit} a minute are allowed.`,
  key: ({ limit }) => `Too many requests with this API key: ${limit} a minute are allowed.`,
  key_address: ({ limit }, ip) =>
    `Too many requests from ${ip} with this API key: ${limit} a minute are allowed.`,
  quota: ({ limit }) =>
    `The quota of this API key is used up: ${limit} requests a day, from midnight UTC on.`,
};
