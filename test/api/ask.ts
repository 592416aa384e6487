import { expect } from "vitest";
import type { Service } from "../../src/http/app.ts";
import type { FailureBody } from "../../src/http/failure.ts";

/** An answer as a test reads it. */
export type Got = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as clients do, without types
  readonly json: any;
};

type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export function queryOf(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [String(value)]) parameters.append(name, each);
  }
  return parameters.toString();
}

export async function get({ app }: Service, path: string, query: Query = {}, headers = {}): Promise<Got> {
  const text = queryOf(query);
  const answer = await app.inject({ url: text === "" ? path : `${path}?${text}`, headers });
  return gotOf(answer.statusCode, answer.headers, answer.body);
}

export async function post({ app }: Service, path: string, body: string, headers = {}): Promise<Got> {
  const answer = await app.inject({ method: "POST", url: path, payload: body, headers });
  return gotOf(answer.statusCode, answer.headers, answer.body);
}

export function gotOf(status: number, headers: Readonly<Record<string, unknown>>, text: string): Got {
  const isJson = String(headers["content-type"]).includes("json");
  return { status, headers, text, json: isJson && text !== "" ? JSON.parse(text) : undefined };
}

/** An answer as another answer to the same question has to be: only the id differs. */
export function unnamed(json: { readonly search?: unknown }): object {
  const search = { ...(json.search as object), waited_ms: expect.any(Number) };
  return { ...json, search, quote_id: expect.stringMatching(/^[0-9a-f]{32}$/) };
}

/** The one shape of every failure. */
export function expectFailure(got: Got, status: number, reason: string): FailureBody {
  const body = got.json as FailureBody;
  expect([got.status, body?.reason], got.text).toEqual([status, reason]);
  expect(Object.keys(body).sort()).toEqual([
    "code",
    "detail",
    "details",
    "error",
    "instance",
    "message",
    "reason",
    "request_id",
    "status",
    "title",
    "type",
  ]);
  expect(body.error).not.toBe("");
  expect([body.message, body.detail]).toEqual([body.error, body.error]);
  expect(body.status).toBe(status);
  expect(body.request_id).toBe(got.headers["x-request-id"]);
  expect(body.type).toBe(`/errors/${reason.toLowerCase().replaceAll("_", "-")}`);
  expect(got.headers["access-control-allow-origin"]).toBe("*");
  return body;
}
