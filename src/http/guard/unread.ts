import type { App } from "../app-types.ts";

/**
 * Destroys connections whose client does not read: response data waits, and none of it was sent for `timeoutMs` to twice
 * that time. Without this, a client keeps its response in memory for as long as it likes. A connection without such data
 * is kept: an idle one, a request in work, an event stream without news.
 *
 * Node's socket timeout measures the time without progress, also within one large write. While a response is not
 * complete, its listener takes the place of node's default, which destroys the socket in any case.
 */
export function registerUnread({ server }: App, timeoutMs: number): void {
  server.on("request", (_request, response) => {
    response.setTimeout(timeoutMs, () => {
      if (response.writableLength > 0) response.destroy();
    });
  });
}
