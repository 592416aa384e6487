import { isNestedBeyond, MOST_NESTED } from "../../core/nesting.ts";
import type { App } from "../app-types.ts";
import { invalid } from "../schemas/validation.ts";

/** Every body is parsed as JSON, whatever its content type: browsers send text/plain to avoid a CORS preflight. */
const JSON_BODY = "application/json";

/** Not valid in JSON, but some clients send it. */
const BYTE_ORDER_MARK = "\uFEFF";

/** Parses the body as JSON on routes whose schema has a body, and ignores it elsewhere. Register before the routes. */
export function registerBodies(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_BODY, { parseAs: "string" }, (_request, text, done) => {
    try {
      done(null, parse(text as string));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addHook("onRequest", ({ headers, routeOptions }, _reply, done) => {
    if (routeOptions.schema?.body !== undefined) headers["content-type"] = JSON_BODY;
    else delete headers["content-type"];
    done();
  });
}

function parse(text: string): unknown {
  const trimmed = text.replace(BYTE_ORDER_MARK, "").trim();
  if (trimmed === "") return {};
  if (isNestedBeyond(trimmed, MOST_NESTED))
    throw invalid([{ field: "body", reason: "is nested too deeply" }]);
  try {
    return JSON.parse(trimmed);
  } catch {
    throw invalid([{ field: "body", reason: "is not JSON" }]);
  }
}
