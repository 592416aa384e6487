import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { conformancePage } from "../../scripts/docs/conformance-page.ts";
import { failures } from "../../src/core/errors.ts";
import { openApiText } from "../../src/http/schemas/document.ts";
import { ENDPOINTS, GROUPS } from "./conformance.ts";
import { errorRows, numbered } from "./conformance-numbered.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** Titles of the tests in a file; of those that are skipped none. */
function titlesOf(file: string): Set<string> {
  const titles = read(file).matchAll(
    /\b(?:test|it)(?:\.each\((?:\w+|[\s\S]*?\](?: as const)?)\))?\(\s*(["'`])(.+?)\1,/g,
  );
  return new Set([...titles].map(([, , title]) => title!));
}

test("docs/conformance.md is up to date (npm run docs)", () => {
  expect(read("docs/conformance.md")).toBe(conformancePage());
});

test("every row is held by a test that is there", () => {
  const rows = [...ENDPOINTS, ...GROUPS].flatMap((group) => group.rows);
  expect(rows.length).toBeGreaterThan(60);
  for (const { subject, tests } of rows) {
    expect(tests.length, subject).toBeGreaterThan(0);
    for (const [file, title] of tests) expect(titlesOf(file), `${subject}: ${file}`).toContain(title);
  }
});

test("makers, offers that can be checked, and access have a row for each of their fifteen numbers", () => {
  expect(numbered.rows.map(({ subject }) => Number.parseInt(subject, 10))).toEqual(
    Array.from({ length: 15 }, (_, k) => k + 1),
  );
});

test("every error of the interface has a row", () => {
  const subjects = errorRows.rows.map(({ subject }) => subject);
  expect(subjects.filter((subject) => /^[A-Z_]+$/.test(subject))).toEqual(Object.keys(failures));
});

type Operation = { parameters?: { name: string }[] };

describe("every parameter of the interface has a row", async () => {
  const paths = JSON.parse(await openApiText("1")).paths as Record<string, Record<string, Operation>>;

  test.each(ENDPOINTS)("$title", ({ method, path, rows }) => {
    const operation = paths[path]?.[method];
    expect(operation, path).toBeDefined();
    const subjects = new Set(rows.map(({ subject }) => subject));
    const known = (operation!.parameters ?? []).map(({ name }) => name);
    const named = PARAMETERS[path] ?? [];
    for (const name of named) expect(known, path).toContain(name);
    for (const name of named.filter((each) => each !== "chainID" || subjects.has("chainID")))
      expect(subjects, path).toContain(name);
  });
});

const OFFER = [
  "chainID",
  "fromTokenAddress",
  "toTokenAddress",
  "amount",
  "slippage",
  "gasPrice",
  "feeRecipient",
  "buyTokenPercentageFee",
  "sellTokenPercentageFee",
  "excludeAggregator",
  "includeAggregator",
  "withGas",
];

/** Parameters of the published interface, by path. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  "/v1/{chainID}/gasprices": ["chainID"],
  "/v1/{chainID}/price": [...OFFER, "rfqOnly"],
  "/v1/{chainID}/quote": [...OFFER, "takerAddress", "recipientAddress", "skipValidation"],
  "/v1/{chainID}/transaction/allowance": ["chainID", "tokenAddress", "walletAddress"],
  "/v1/{chainID}/transaction/approve": [
    "chainID",
    "tokenAddress",
    "takerAddress",
    "amount",
    "gasPrice",
    "contractAddress",
  ],
};
