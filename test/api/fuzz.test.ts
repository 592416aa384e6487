import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Got, gotOf } from "./ask.ts";
import { createWorld, DAI, USDC, WETH } from "./world.ts";

/** Whatever is sent, the answer is one that the API's own document promises. */

type TestWorld = Awaited<ReturnType<typeof createWorld>>;
type Parameter = { name: string; in: "query" | "path"; schema: { type: string } };
type Operation = { parameters?: Parameter[]; requestBody?: unknown; responses: Record<string, unknown> };
type Endpoint = { method: "GET" | "POST"; path: string; operation: Operation };

const LIMITS = { numRuns: 400 } as const;

let api: TestWorld;
let endpoints: Endpoint[];
beforeAll(async () => {
  api = await createWorld();
  const { paths } = JSON.parse((await api.app.inject({ url: "/openapi.json" })).body);
  // A stream has no end that could be waited for; stream.test.ts has its bad requests.
  for (const path of Object.keys(paths)) if (path.endsWith("/stream")) delete paths[path];
  endpoints = Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase() as "GET",
      path,
      operation,
    })),
  );
});
afterAll(() => api.app.close());

const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "",
    "null",
    "undefined",
    "NaN",
    "-1",
    "1e400",
    "0x",
    "[object Object]",
    "%00",
    "__proto__",
    "true",
  ),
  fc.bigInt({ min: 0n, max: 2n ** 260n }).map(String),
  fc.double().map(String),
);
const likely = fc.constantFrom(
  WETH,
  USDC,
  DAI,
  WETH.toUpperCase(),
  "1",
  "10",
  "1000000000000000000",
  "uniswap-v2",
);
const value = fc.oneof(likely, hostile);
const values = fc.oneof(
  { weight: 4, arbitrary: value.map((one) => [one]) },
  { weight: 1, arbitrary: fc.array(value, { maxLength: 3 }) },
);

/** A request to a known endpoint: each parameter good, bad or absent, and some that nobody knows. */
const request = fc.record({
  which: fc.nat(),
  given: fc.array(fc.option(values), { minLength: 30, maxLength: 30 }),
  extra: fc.dictionary(fc.string({ unit: "binary", maxLength: 12 }), value, { maxKeys: 3 }),
  body: fc.oneof(fc.json(), fc.string(), fc.constant("")),
});

async function send(
  { method, path, operation }: Endpoint,
  parts: { given: (string[] | null)[]; extra: Record<string, string>; body: string },
): Promise<Got> {
  const query = new URLSearchParams();
  let url = path;
  for (const [index, parameter] of (operation.parameters ?? []).entries()) {
    const texts = parts.given[index] ?? [];
    if (parameter.in === "path")
      url = url.replace(`{${parameter.name}}`, encodeURIComponent(texts[0] || "1"));
    else for (const text of texts) query.append(parameter.name, text);
  }
  for (const [name, text] of Object.entries(parts.extra)) query.append(name, text);
  const payload = method === "POST" ? { payload: parts.body } : {};
  const answer = await api.app.inject({ method, url: `${url}?${query}`, ...payload });
  return gotOf(answer.statusCode, answer.headers, answer.body);
}

describe("any request to any endpoint", () => {
  test("is answered with a status that the document lists, in its shape, and never with a bug", async () => {
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(request, async ({ which, ...parts }) => {
        const endpoint = endpoints[which % endpoints.length]!;
        const got = await send(endpoint, parts);
        seen.add(got.status);
        const documented = Object.keys(endpoint.operation.responses);
        const key = got.status === 200 ? "200" : `${String(got.status)[0]}XX`;
        expect(documented).toContain(key);
        expect(got.status).toBeLessThan(500);
        expect(got.json).toBeTypeOf("object");
        if (got.status !== 200) expect(got.json.code).toBeGreaterThan(1000);
      }),
      LIMITS,
    );
    expect([...seen]).toEqual(expect.arrayContaining([200, 400]));
  });

  test("any path and method: an answer in the one shape", async () => {
    const methods = fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "TRACE");
    await fc.assert(
      fc.asyncProperty(methods, fc.webPath(), async (method, path) => {
        const answer = await api.app.inject({ method: method as "GET", url: path === "" ? "/" : path });
        expect(answer.statusCode).toBeLessThan(500);
        if (answer.statusCode >= 400 && method !== "HEAD")
          expect(JSON.parse(answer.body).request_id).toBeTruthy();
      }),
      { ...LIMITS, numRuns: 200 },
    );
  });
});
