import { readFileSync } from "node:fs";
import { domainSeparator } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PERMIT2_ADDRESS } from "../../src/core/encoding/index.ts";
import { NATIVE } from "../../src/core/types.ts";
import { type Got, gotOf } from "./ask.ts";
import { holding, run } from "./ledger.ts";
import { createWorld, USDC } from "./world.ts";

/** The first account of the devnet. */
const DEVNET_ACCOUNT = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

/** docs/api.md is true: its requests are sent, and what it shows of an answer is there, in its type and form. */

const page = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");
const BLOCKS =
  /```sh\ncurl (?:-X (POST) )?'([^']+)'(?: -d '([^']+)')?(?: # (\d+))?\n```\n\n```json\n([\s\S]+?)\n```/g;
const examples = [...page.matchAll(BLOCKS)].map(([, method, url, body, status, answer]) => ({
  method: (method ?? "GET") as "GET" | "POST",
  url: new URL(url!),
  body,
  status: Number(status ?? 200),
  answer: JSON.parse(answer!) as unknown,
}));

let api: Awaited<ReturnType<typeof createWorld>>;
beforeAll(async () => {
  api = await createWorld();
  const domain = { name: "Permit2", chainId: 1, verifyingContract: PERMIT2_ADDRESS } as const;
  const { ledger } = api.world;
  const { balances } = ledger;
  api.world.proof = ({ from, token, amountIn, swap }, market) => {
    const funded = { balances: new Map([[holding(token, from), amountIn]]), allowances: new Map() };
    return { ...run({ ...ledger, ...funded }, market, { from, ...swap }), method: "eth_simulateV1" };
  };
  balances.set(holding(NATIVE, DEVNET_ACCOUNT), 10n ** 22n);
  balances.set(holding(USDC, DEVNET_ACCOUNT), 250_000_000n);
  api.world.ledger.answers.set(`${PERMIT2_ADDRESS} 0x3644e515`, domainSeparator({ domain }));
});
afterAll(() => api.app.close());

/** Numbers may differ, words and forms may not. */
function expectLike(shown: unknown, real: unknown, path: string): void {
  expect(typeof real, path).toBe(typeof shown);
  if (typeof shown === "object" && shown !== null) {
    for (const [key, value] of Object.entries(shown))
      expectLike(value, (real as never)[key], `${path}.${key}`);
  } else if (typeof shown === "string") {
    expect(formOf(real as string), path).toBe(formOf(shown));
  } else if (typeof shown === "boolean") {
    expect(real, path).toBe(shown);
  }
}

const formOf = (text: string): string =>
  /^\d+$/.test(text)
    ? "digits"
    : /^\d+\.\d+$/.test(text)
      ? "decimal"
      : /^(0x[0-9a-f]|[0-9a-f]{32}$)/.test(text)
        ? "bytes"
        : text;

test("every block of the page is an example", () => {
  expect(examples.length).toBe(page.match(/```json/g)!.length);
  expect(examples.length).toBeGreaterThanOrEqual(6);
});

test.each(examples)(
  "$method $url.pathname $url.searchParams $status",
  async ({ method, url, body, status, answer }) => {
    const path = `${url.pathname.replace("/31337/", "/1/")}${url.search}`;
    const payload = body === undefined ? {} : { payload: body };
    const sent = await api.app.inject({ method, url: path, ...payload });
    const got: Got = gotOf(sent.statusCode, sent.headers, sent.body);
    expect(got.status, got.text).toBe(status);
    expectLike(answer, got.json, "answer");
  },
);
