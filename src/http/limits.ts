import { BraidError } from "../core/errors.ts";
import type { App, Charge } from "./app-types.ts";
import { callerOf } from "./caller.ts";
import { tooLarge } from "./failure.ts";
import { createRateLimit } from "./rate-limit.ts";
import type { HttpSettings } from "./settings.ts";

/** The API proper; health checks, documentation and the page have no limit. */
const LIMITED = /^\/v[0-9]+\//;

/** The limits that a request meets before its route. Register before the routes. */
export function registerLimits(app: App, settings: HttpSettings, nowMs: () => number): Charge {
  app.addHook("onRequest", async ({ url }) => {
    if (url.length > settings.urlLimitBytes) throw tooLarge("url", "The URL is too long.");
  });
  const perMinute = settings.rateLimitPerMinute;
  if (perMinute === 0) return () => {};
  const limit = createRateLimit(perMinute, nowMs);
  const charge: Charge = ({ ip }, reply, weight) => {
    const { allowed, remaining, resetSeconds, retrySeconds } = limit(callerOf(ip), weight);
    reply.header("ratelimit-limit", perMinute);
    reply.header("ratelimit-remaining", remaining);
    reply.header("ratelimit-reset", resetSeconds);
    if (allowed) return;
    const message = `Too many requests from ${ip}: ${perMinute} a minute are allowed.`;
    throw new BraidError("RATE_LIMITED", message, { retryAfterSeconds: retrySeconds });
  };
  app.addHook("onRequest", async (request, reply) => {
    const { routeOptions, method } = request;
    // The route and not the path: a path can be spelled in many ways. What no route takes costs nothing to answer.
    if (method === "OPTIONS" || !LIMITED.test(routeOptions.url ?? "")) return;
    charge(request, reply, 1);
  });
  // One was counted on arrival. More than the whole limit would never be allowed.
  return (request, reply, weight) => {
    const more = Math.min(weight, perMinute) - 1;
    if (more > 0) charge(request, reply, more);
  };
}
