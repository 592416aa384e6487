import type { App } from "../app-types.ts";
import { badRequest } from "../failure.ts";

/**
 * Refuses HTTP/1.1 requests without a Host header, and those with an Expect header other than 100-continue, with the
 * API's error body. Node by itself would answer them with an empty body. Register before the routes.
 *
 * @source RFC 9112 section 3.2; RFC 9110 section 10.1.1
 */
export function registerExpectations(app: App): void {
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.addHook("onRequest", ({ headers, raw }, _reply, done) => {
    if (raw.httpVersion === "1.1" && headers.host === undefined)
      throw badRequest("Host", "is missing: HTTP/1.1 asks for the header");
    const { expect } = headers;
    if (expect !== undefined && expect.toLowerCase() !== "100-continue")
      throw badRequest("Expect", "can only be 100-continue");
    done();
  });
}
