import { expect, test } from "vitest";
import type { PriceRequest } from "../api.ts";
import { actionOf } from "./action.ts";
import { readHistory, withPast } from "./history.ts";
import { waysOf } from "./pay.ts";
import type { Quote } from "./quote.ts";
import { riskOf } from "./risk.ts";

const ME = "0x1111111111111111111111111111111111111111";
const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const TOKEN = "0x2222222222222222222222222222222222222222";
const terms = { typed_data: {}, permit_nonce: 0n, permit_deadline: 1, ready: true };
const quote = (part: Partial<Quote> = {}): Quote => ({
  amount_out_total: "1000",
  estimate_gas_total: "1",
  token_in: TOKEN,
  token_out: NATIVE,
  gas_price: "1",
  routes: [],
  terms: {} as Quote["terms"],
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
  const offered = {
    hasTokens: true,
    hasFault: false,
    hasOffer: true,
    isRefused: false,
    sold: { symbol: "T" },
  };
  const gas = { symbol: "ETH", fee: 10n, balance: 10n, isSold: false };
  const facts = { session: undefined, platform: undefined, request, gas, ...offered };
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
  const none = { ...facts, ...amounts, session, hasOffer: false };
  expect(actionOf(none)).toEqual({ kind: "blocked", label: "Waiting for an offer" });
  expect(actionOf({ ...none, isRefused: true })).toEqual({ kind: "blocked", label: "No offer" });
  const short = { kind: "blocked", label: "Not enough ETH for gas" };
  expect(actionOf({ ...facts, ...amounts, session, gas: { ...gas, balance: 9n } })).toEqual(short);
  const native = { ...facts, session, needed: 90n };
  const selling = (balance: bigint) => ({ ...native, balance, gas: { ...gas, balance, isSold: true } });
  expect(actionOf(selling(99n))).toEqual(short);
  expect(actionOf(selling(100n)).kind).toBe("swap");
  expect(actionOf({ ...selling(99n), gas: { ...gas, balance: undefined } }).kind).toBe("swap");
  const empty = { ...facts, ...amounts, session, request: undefined };
  expect(actionOf(empty).label).toBe("Enter an amount");
  expect(actionOf({ ...empty, hasFault: true }).label).toBe("Correct what is marked");
  expect(actionOf({ ...empty, hasTokens: false }).label).toBe("Choose two tokens");
});

test("the native coin and a standing allowance need nothing; a signature for the exact amount comes before an approval, DAI's after it", () => {
  const sold = { token_in: TOKEN, approve_amount: 100n } as const;
  expect(waysOf({ token_in: NATIVE, approve_amount: 0n }, 0n)).toEqual(["none"]);
  expect(waysOf(sold, 100n)).toEqual(["none"]);
  expect(waysOf(sold, 99n)).toEqual(["approval"]);
  const permit = { eip2612: terms, dai: terms, permit2: { ...terms, ready: false } };
  const offered = permit as unknown as NonNullable<Quote["terms"]["permit"]>;
  expect(waysOf({ ...sold, permit: offered }, 0n)).toEqual(["eip2612", "approval", "dai"]);
});

test("15 % of price impact and 30 % of slippage ask for a typed word, 5 % of either are said", () => {
  expect(riskOf(quote({ price_impact_bps: 1500 }), 0.5).kind).toBe("typed");
  expect(riskOf(quote({ price_impact_bps: 500 }), 0.5).kind).toBe("said");
  expect(riskOf(quote(), 50)).toMatchObject({ kind: "typed", word: "accept" });
  expect(riskOf(quote(), 5).kind).toBe("said");
  expect(riskOf(quote({ min_amount_out_usd: "35164647.944" }), 30)).toMatchObject({
    text: "You allow the price to be 30 % worse than shown. In the worst case you get $35,164,647.94.",
  });
  expect(riskOf(quote({ price_impact_bps: null }), 0.5).kind).toBe("none");
});

test("a swap that reverts when the service runs it is sent only after a word of its own, and not behind an approval", () => {
  const notices = [{ code: "REVERTS", message: "Reverts." }];
  const reverting = quote({ terms: { ...quote().terms, notices } as unknown as Quote["terms"] });
  const text = expect.stringContaining("reverts when it is run now");
  expect(riskOf(reverting, 0.5)).toMatchObject({ kind: "typed", text, word: "revert" });
  expect(riskOf(reverting, 50)).toMatchObject({ kind: "typed", text, word: "revert" });
  for (const way of ["approval", "eip2612", "dai"] as const)
    expect(riskOf(reverting, 0.5, way)).toMatchObject({ kind: "barred", text });
  expect(riskOf(quote(), 0.5).kind).toBe("none");
});

test("every risk is told, also beside a greater one", () => {
  const risk = riskOf(quote({ price_impact_bps: 1600, min_amount_out_usd: "1" }), 40);
  expect(risk).toMatchObject({ kind: "typed", word: "accept" });
  expect(risk).toMatchObject({
    text: expect.stringMatching(/against you by 16.0 %\..* 40 % worse than shown/),
  });
  expect(riskOf(quote({ price_impact_bps: 1600 }), 5)).toMatchObject({
    kind: "typed",
    text: expect.stringContaining("5 % worse than shown: others can take that"),
  });
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
