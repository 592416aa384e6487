import type { App } from "../app-types.ts";
import { badRequest } from "../failure.ts";

/**
 * Requests that node would refuse with an empty body by itself: one without a Host, and one that expects what nobody
 * gives. They are refused as every other bad request is. Register before the routes.
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
