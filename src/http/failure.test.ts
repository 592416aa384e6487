import { describe, expect, test } from "vitest";
import { BraidError, type FailureReason, failures } from "../core/errors.ts";
import { answerOf, failureOf } from "./failure.ts";
import { statusFor, statusOf } from "./status.ts";

const asked = { id: "r-1", url: "/v1/1/price?secret=1", accept: undefined };

describe("a failure on the wire", () => {
  test.each(Object.keys(failures) as FailureReason[])("%s", (reason) => {
    const { status, headers, body } = answerOf(
      new BraidError(reason, "Words.", { retryAfterSeconds: 3 }),
      asked,
    );
    expect(status).toBe(statusOf[reason]);
    expect(headers).toEqual({ "content-type": "application/json; charset=utf-8", "retry-after": "3" });
    const { number, title } = failures[reason];
    expect(JSON.parse(body)).toMatchObject({ error: "Words.", code: number, title, instance: "/v1/1/price" });
  });

  test("what is too large decides between 413, 414 and 431", () => {
    const status = (field: string) =>
      statusFor(new BraidError("TOO_LARGE", "", { details: [{ field, reason: "too large" }] }));
    expect(["body", "url", "path", "headers"].map(status)).toEqual([413, 414, 414, 431]);
    expect(statusFor(new BraidError("VALIDATION", "", { details: [{ field: "url", reason: "" }] }))).toBe(
      400,
    );
  });

  test("the cause of a failure, and the text of a bug, stay inside", () => {
    const inside = answerOf(new BraidError("STALE_STATE", "Words.", { cause: new Error("secret") }), asked);
    expect(inside.body).not.toContain("secret");
    for (const thrown of [new TypeError("secret"), "secret", undefined, null, { statusCode: 599 }]) {
      const error = failureOf(thrown);
      expect([error.reason, error.message.includes("secret")]).toEqual(["INTERNAL", false]);
    }
  });

  test("what the framework refuses is told in this API's words", () => {
    const reason = (code: string, statusCode = 400) => {
      const error = failureOf(Object.assign(new Error("FST says"), { code, statusCode }));
      expect(error.message).not.toContain("FST");
      return error.reason;
    };
    expect(reason("FST_ERR_CTP_BODY_TOO_LARGE", 413)).toBe("TOO_LARGE");
    expect(reason("FST_ERR_MAX_PARAM_LENGTH", 414)).toBe("TOO_LARGE");
    expect(reason("FST_ERR_BAD_URL")).toBe("VALIDATION");
    expect(reason("FST_ERR_NEW_ONE", 415)).toBe("VALIDATION");
    expect(reason("ENOENT", 404)).toBe("NOT_FOUND");
    expect(reason("FST_ERR_NEW_ONE", 500)).toBe("INTERNAL");
  });
});
