import { BraidError } from "../core/errors.ts";
import type { App } from "./app-types.ts";
import { callerOf } from "./caller.ts";
import { tooLarge } from "./failure.ts";
import { createRateLimit } from "./rate-limit.ts";
import type { HttpSettings } from "./settings.ts";

/** The API proper; health checks, documentation and the page have no limit. */
const LIMITED = /^\/v[0-9]+\//;

/** The limits that a request meets before its route. Register before the routes. */
export function registerLimits(app: App, settings: HttpSettings, nowMs: () => number): void {
  app.addHook("onRequest", async ({ url }) => {
    if (url.length > settings.urlLimitBytes) throw tooLarge("url", "The URL is too long.");
  });
  if (settings.rateLimitPerMinute === 0) return;
  const limit = createRateLimit(settings.rateLimitPerMinute, nowMs);
  app.addHook("onRequest", async ({ routeOptions, ip, method }, reply) => {
    // The route and not the path: a path can be spelled in many ways. What no route takes costs nothing to answer.
    if (method === "OPTIONS" || !LIMITED.test(routeOptions.url ?? "")) return;
    const { allowed, remaining, resetSeconds, retrySeconds } = limit(callerOf(ip));
    reply.header("ratelimit-limit", settings.rateLimitPerMinute);
    reply.header("ratelimit-remaining", remaining);
    reply.header("ratelimit-reset", resetSeconds);
    if (allowed) return;
    const message = `Too many requests from ${ip}: ${settings.rateLimitPerMinute} a minute are allowed.`;
    throw new BraidError("RATE_LIMITED", message, { retryAfterSeconds: retrySeconds });
  });
}
