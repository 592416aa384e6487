import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { failures } from "../../core/errors.ts";
import { reasonOf, slugOf, statusOf } from "../status.ts";
import { openApiText } from "./document.ts";
import { errorEntry, errorsPage } from "./errors-page.ts";

const checkedIn = (name: string): string =>
  readFileSync(new URL(`../../../docs/${name}`, import.meta.url), "utf8");

type Parameter = { name: string; schema: { type: string }; required: boolean };
type Operation = { parameters?: Parameter[]; responses: Record<string, unknown>; operationId: string };

describe("pages printed from code", () => {
  test("docs/errors.md is up to date (npm run docs)", () => {
    expect(checkedIn("errors.md")).toBe(errorsPage());
  });

  test("docs/openapi.json is up to date (npm run docs)", async () => {
    expect(checkedIn("openapi.json")).toBe(await openApiText(packageJson.version));
  });

  test("no answer has an anyOf, for which a validator would be compiled at the first answer", () => {
    expect(checkedIn("openapi.json")).toContain('"amount_out"');
    expect(checkedIn("openapi.json")).not.toMatch(/"(anyOf|oneOf)"/);
  });

  test("the page has a row for every failure, with its number and status", () => {
    for (const [reason, { number }] of Object.entries(failures)) {
      expect(errorsPage()).toMatch(
        new RegExp(`\\|.*${number} \\| ${reason} \\| .*${statusOf[reason as "INTERNAL"]}`),
      );
    }
    expect(errorEntry("STALE_STATE")).toContain("4001 STALE_STATE (HTTP 503)");
  });

  test("numbers and slugs are unique, and a slug leads back to its reason", () => {
    const reasons = Object.keys(failures) as (keyof typeof failures)[];
    expect(new Set(reasons.map((reason) => failures[reason].number)).size).toBe(reasons.length);
    for (const reason of reasons) expect(reasonOf(slugOf(reason))).toBe(reason);
    expect(reasonOf("no-such")).toBeUndefined();
  });
});

describe("the OpenAPI document", () => {
  test("lists every endpoint, with the parameters of the specification in their types", async () => {
    const document = JSON.parse(await openApiText("1"));
    const operations = document.paths as Record<string, Record<string, Operation>>;
    expect(Object.keys(operations)).toEqual(
      expect.arrayContaining([
        "/v1/platforms",
        "/v1/sources",
        "/v1/{chainID}/tokens",
        "/v1/{chainID}/gasprices",
        "/v1/{chainID}/price",
        "/v1/{chainID}/quote",
        "/v1/{chainID}/transaction/allowance",
        "/v1/{chainID}/transaction/approve",
        "/v2/tokens/list",
      ]),
    );
    const quote = operations["/v1/{chainID}/quote"]!.get!;
    const types = Object.fromEntries(quote.parameters!.map(({ name, schema }) => [name, schema.type]));
    expect(types).toMatchObject({
      chainID: "integer",
      amount: "string",
      slippage: "number",
      buyTokenPercentageFee: "integer",
      excludeAggregator: "array",
      withGas: "boolean",
      takerAddress: "string",
    });
    const required = quote.parameters!.filter((parameter) => parameter.required).map(({ name }) => name);
    expect(required.sort()).toEqual(["amount", "chainID", "fromTokenAddress", "slippage", "toTokenAddress"]);
    expect(Object.keys(quote.responses)).toEqual(["200", "4XX", "5XX"]);
  });

  test("a stream is documented as the events that it sends", () => {
    const { responses } = JSON.parse(checkedIn("openapi.json")).paths["/v1/{chainID}/price/stream"].get;
    expect(Object.keys(responses[200].content)).toEqual(["text/event-stream"]);
  });

  test("every operation has an id of its own", async () => {
    const document = JSON.parse(await openApiText("1"));
    const paths = Object.values(document.paths as Record<string, Record<string, Operation>>);
    const ids = paths.flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => typeof id === "string")).toBe(true);
  });
});
