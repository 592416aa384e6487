import { expect, test } from "vitest";
import type { PriceRequest } from "../api.ts";
import type { Provider } from "../wallet/provider.ts";
import { actionOf } from "./action.ts";
import { readHistory, withPast } from "./history.ts";
import { enoughSlippage } from "./outcome.tsx";
import { waysOf } from "./pay.ts";
import type { Quote } from "./quote.ts";
import { realisedAmount } from "./realised.ts";
import { riskOf } from "./risk.ts";
import { isWorse } from "./run.ts";
import { fateOf } from "./transactions.ts";
import { type Review, refreshed } from "./use-swap.ts";

const ME = "0x1111111111111111111111111111111111111111";
const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const TOKEN = "0x2222222222222222222222222222222222222222";
const terms = { typed_data: {}, permit_nonce: "0", permit_deadline: 1, ready: true };
const quote = (part: Partial<Quote> = {}): Quote => ({
  amount_out_total: "1000",
  estimate_gas_total: "1",
  token_in: TOKEN,
  token_out: NATIVE,
  gas_price: "1",
  routes: [],
  calldata: "0x",
  to: TOKEN,
  value: "0",
  valid_until: 1,
  approve_amount: "100",
  ...part,
});
const request: PriceRequest = {
  chainId: 1,
  tokenIn: TOKEN,
  tokenOut: NATIVE,
  side: "SELL",
  amount: 100n,
  slippage: "5",
  withGas: true,
  fees: undefined,
};

test("the button says the next thing to do, and blocks what the wallet cannot pay", () => {
  const facts = { session: undefined, platform: undefined, request, hasOffer: true, sold: { symbol: "T" } };
  const amounts = { needed: 100n, balance: 100n };
  expect(actionOf({ ...facts, ...amounts }).kind).toBe("connect");
  const session = { wallet: {} as never, account: ME, chainId: 1 };
  const platform = { chainId: 2, name: "Two", shortname: "two" };
  expect(actionOf({ ...facts, ...amounts, session, platform }).kind).toBe("switch");
  expect(actionOf({ ...facts, ...amounts, session }).kind).toBe("swap");
  expect(actionOf({ ...facts, ...amounts, session, balance: 99n })).toEqual({
    kind: "blocked",
    label: "Not enough T",
  });
  expect(actionOf({ ...facts, ...amounts, session, hasOffer: false }).kind).toBe("blocked");
});

test("the native coin and a standing allowance need nothing; a signature for the exact amount comes before an approval, DAI's after it", () => {
  expect(waysOf(quote({ token_in: NATIVE, approve_amount: "0" }), 0n)).toEqual(["none"]);
  expect(waysOf(quote(), 100n)).toEqual(["none"]);
  expect(waysOf(quote(), 99n)).toEqual(["approval"]);
  const permit = { eip2612: terms, dai: terms, permit2: { ...terms, ready: false } };
  expect(waysOf(quote({ permit }), 0n)).toEqual(["eip2612", "approval", "dai"]);
});

test("a newer quote that gives less waits for the user; a better one is taken", () => {
  const review: Review = {
    kind: "review",
    request,
    accepted: quote(),
    worse: undefined,
    ways: ["none"],
    way: "none",
    trouble: undefined,
  };
  expect(refreshed(review, quote({ amount_out_total: "999" }))).toMatchObject({
    accepted: { amount_out_total: "1000" },
    worse: { amount_out_total: "999" },
  });
  expect(refreshed(review, quote({ amount_out_total: "1001" }))).toMatchObject({
    accepted: { amount_out_total: "1001" },
    worse: undefined,
  });
  expect(refreshed(review, "No liquidity.").trouble).toBe("No liquidity.");
  const buying: PriceRequest = { ...request, side: "BUY" };
  expect(isWorse(quote({ amount_in: "100" }), quote({ amount_in: "101" }), buying)).toBe(true);
});

test("15 % of price impact and 30 % of slippage ask for a typed word, 5 % of either are said", () => {
  expect(riskOf(quote({ price_impact_bps: 1500 }), 0.5).kind).toBe("typed");
  expect(riskOf(quote({ price_impact_bps: 500 }), 0.5).kind).toBe("said");
  expect(riskOf(quote(), 50)).toMatchObject({ kind: "typed", word: "accept" });
  expect(riskOf(quote(), 5).kind).toBe("said");
  expect(riskOf(quote({ price_impact_bps: null }), 0.5).kind).toBe("none");
});

test("the slippage that would have done is named where the price is worse, with room to spare", () => {
  expect(enoughSlippage(1000n, 980n)).toBe(2.3);
  expect(enoughSlippage(1000n, 1n)).toBe(50);
  expect(enoughSlippage(1000n, 1000n)).toBeUndefined();
  expect(enoughSlippage(1000n, undefined)).toBeUndefined();
});

const receipt = (logs: readonly { from: string; to: string; amount: bigint }[]) => ({
  transactionHash: "0x1",
  blockNumber: "0x10",
  status: "0x1",
  gasUsed: "0x5208",
  effectiveGasPrice: "0xa",
  logs: logs.map(({ from, to, amount }) => ({
    address: TOKEN,
    topics: [
      "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
      `0x${from.slice(2).padStart(64, "0")}`,
      `0x${to.slice(2).padStart(64, "0")}`,
    ],
    data: `0x${amount.toString(16).padStart(64, "0")}`,
  })),
});

test("what arrived is the token's transfers to the account less those from it", async () => {
  const logs = [
    { from: TOKEN, to: ME, amount: 90n },
    { from: ME, to: TOKEN, amount: 20n },
    { from: TOKEN, to: NATIVE, amount: 5n },
  ];
  const provider: Provider = { request: async () => null };
  const mined = { provider, account: ME, receipt: receipt(logs), tokenOut: TOKEN, value: 0n };
  expect(await realisedAmount(mined)).toBe(70n);
});

test("of the native coin it is the change of the balance, gas and value added back; unknown where the node forgot", async () => {
  const provider: Provider = {
    request: async ({ params }) => (params?.[1] === "0xf" ? "0xf4240" : "0xf4241"),
  };
  const mined = { provider, account: ME, receipt: receipt([]), tokenOut: NATIVE, value: 7n };
  expect(await realisedAmount(mined)).toBe(1n + 210_000n + 7n);
  const forgetful: Provider = { request: () => Promise.reject(new Error("missing trie node")) };
  expect(await realisedAmount({ ...mined, provider: forgetful })).toBeUndefined();
});

test("a transaction ends as mined, replaced or dropped, and a silent node is asked again", async () => {
  const waiting = (answers: Record<string, (round: number) => unknown>) => {
    let round = 0;
    const provider: Provider = {
      request: async ({ method }) => {
        if (method === "eth_getTransactionReceipt") round++;
        return answers[method]?.(round) ?? null;
      },
    };
    return { provider, account: ME, pollMs: 1, patience: 3, signal: new AbortController().signal };
  };
  const mined = waiting({ eth_getTransactionReceipt: (round) => (round > 2 ? receipt([]) : null) });
  expect((await fateOf("0x1", mined)).kind).toBe("mined");
  const replaced = waiting({
    eth_getTransactionByHash: (round) => (round < 3 ? { nonce: "0x4" } : null),
    eth_getTransactionCount: () => "0x5",
  });
  expect(await fateOf("0x1", replaced)).toEqual({ kind: "replaced" });
  expect(await fateOf("0x1", waiting({}))).toEqual({ kind: "dropped" });
  const silent = waiting({
    eth_getTransactionReceipt: (round) => (round < 9 ? Promise.reject(new Error("down")) : receipt([])),
    eth_getTransactionByHash: () => Promise.reject(new Error("down")),
  });
  expect((await fateOf("0x1", silent)).kind).toBe("mined");
});

test("the history keeps the newest fifty, and a newer word replaces an older one", () => {
  const amount = { address: TOKEN, symbol: "T", decimals: 1, amount: "1" };
  const past = (id: string) =>
    ({ id, chainId: 1, account: ME, sentMs: 1, sold: amount, bought: amount, state: "pending" }) as const;
  const full = Array.from({ length: 60 }, (_, k) => past(String(k))).reduce(withPast, []);
  expect([full.length, full[0]?.id]).toEqual([50, "59"]);
  expect(withPast(full, { ...past("58"), state: "done" })[1]?.state).toBe("done");
  expect(readHistory()).toEqual([]);
});
