import type { ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";
import type { Profile } from "./profiles.ts";

/** A token bucket over items. */
export function createLimiter({ perSecond, burst }: Pick<Profile, "perSecond" | "burst">): {
  /** @returns 0 where the items may pass, else milliseconds until so many would */
  take(items: number): number;
} {
  let level = burst;
  let at = performance.now();
  return {
    take(items) {
      if (perSecond === 0) return 0;
      const now = performance.now();
      level = Math.min(burst, level + ((now - at) * perSecond) / 1000);
      at = now;
      // A batch that is larger than the bucket passes when the bucket is full, and leaves it in debt.
      if (level >= Math.min(items, burst)) {
        level -= items;
        return 0;
      }
      return Math.ceil(((Math.min(items, burst) - level) * 1000) / perSecond);
    },
  };
}

type Refusal = { readonly profile: Profile; readonly response: ServerResponse; readonly waitMs: number };

/** Answers a request that is over the limit in the profile's way. */
export function refuse({ profile, response, waitMs }: Refusal, body: unknown): void {
  const error = { code: 429, message: profile.limitMessage };
  switch (profile.limitStyle) {
    case "text":
      response.writeHead(429, { "content-type": "text/plain" }).end("Too Many Requests");
      return;
    case "json":
      response.writeHead(429).end(JSON.stringify({ jsonrpc: "2.0", error }));
      return;
    case "retry-after":
      response
        .writeHead(429, { "retry-after": String(Math.ceil(waitMs / 1000)) })
        .end(JSON.stringify({ jsonrpc: "2.0", error }));
      return;
    case "item": {
      const one = ({ id }: { id: number }) => ({ jsonrpc: "2.0", id, error: { ...error, code: -32_007 } });
      const all = Array.isArray(body) ? body.map(one) : one(body as { id: number });
      response.end(JSON.stringify(all));
    }
  }
}
