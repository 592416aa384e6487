import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { decodeSwap } from "../../src/core/encoding/index.ts";
import { MAX_UINT256 } from "../../src/core/tokens.ts";
import { NATIVE } from "../../src/core/types.ts";
import { expectFailure, get, unnamed } from "./ask.ts";
import { holding } from "./ledger.ts";
import { ALICE, createWorld, DAI, FEES, USDC, USDT, WETH } from "./world.ts";

/** side=BUY: the amount is what the recipient gets. */

type TestWorld = Awaited<ReturnType<typeof createWorld>>;

const E18 = 10n ** 18n;
const WANTED = 12_345_678_901n;
const pair = { fromTokenAddress: WETH, toTokenAddress: USDC, amount: WANTED.toString(), slippage: "10" };

let api: TestWorld;
beforeAll(async () => {
  api = await createWorld();
});
afterAll(() => api.app.close());
beforeEach(() => {
  const { balances, allowances } = api.world.ledger;
  balances.set(holding(WETH, ALICE), 1_000n * E18);
  balances.set(holding(NATIVE, ALICE), 1_000n * E18);
  allowances.set(holding(WETH, ALICE), MAX_UINT256);
});

const price = (query = {}) => get(api, "/v1/1/price", { ...pair, side: "BUY", ...query });
const quote = (query = {}) => get(api, "/v1/1/quote", { ...pair, side: "BUY", ...query });
const sells = async (amount: bigint, query = {}) =>
  BigInt((await price({ ...query, side: "SELL", amount: amount.toString() })).json.amount_out_total);

describe("side=BUY", () => {
  const pairs = [
    { fromTokenAddress: WETH, toTokenAddress: USDC, amount: "12345678901" },
    { fromTokenAddress: NATIVE, toTokenAddress: DAI, amount: (777n * E18).toString() },
    { fromTokenAddress: USDT, toTokenAddress: DAI, amount: (1_234n * E18).toString() },
    { fromTokenAddress: USDC, toTokenAddress: WETH, amount: E18.toString() },
    { fromTokenAddress: NATIVE, toTokenAddress: WETH, amount: E18.toString() },
  ];

  test.each(pairs)("buys $amount of $toTokenAddress: enough, and not a unit sold too many", async (query) => {
    const wanted = BigInt(query.amount);
    const { status, json, text } = await price(query);
    expect(status, text).toBe(200);
    expect(json.side).toBe("BUY");
    const sold = BigInt(json.amount_in);
    expect(BigInt(json.amount_out_total)).toBeGreaterThanOrEqual(wanted);
    // Every step rounds down. A unit of the coarsest token on the way, which may buy many of the one bought, may be over for each.
    const steps = BigInt(json.route_graph.steps.length);
    expect(BigInt(json.amount_out_total) - wanted).toBeLessThanOrEqual(
      steps * (wanted / 1_000_000_000n + 1n),
    );
    expect(await sells(sold - sold / 1_000_000n - 1n, query)).toBeLessThan(wanted);
  });

  test("the proof is of the amount sold: as tight as for a sale of it", async () => {
    for (const amount of ["37000000", "999000000", "1454248000000"]) {
      const { json } = await price({ amount });
      const sale = (await price({ side: "SELL", amount: json.amount_in })).json;
      expect(json.optimality.upper_bound).toBe(sale.optimality.upper_bound);
      expect(json.optimality.gap_bps).toBeLessThan(0.1);
    }
  });

  test("any case; SELL is what is meant without it; anything else is named", async () => {
    expect((await price({ side: "buy" })).json.amount_in).toBe((await price()).json.amount_in);
    expect((await price({ side: undefined })).json).toEqual(unnamed((await price({ side: "sell" })).json));
    const { details } = expectFailure(await price({ side: "HOLD" }), 400, "VALIDATION");
    expect(details).toEqual([
      { field: "side", reason: "must be SELL (amount is sold) or BUY (amount is bought)", value: "HOLD" },
    ]);
  });

  test("fees on both sides: the recipient still gets what was asked for, each fee exact", async () => {
    const fees = { feeRecipient: FEES, buyTokenPercentageFee: "7", sellTokenPercentageFee: "33" };
    const { json } = await price(fees);
    expect(BigInt(json.amount_out_total)).toBeGreaterThanOrEqual(WANTED);
    const gross = BigInt(json.amount_out_total) + BigInt(json.fee_recipient_amount);
    expect(BigInt(json.fee_recipient_amount)).toBe((gross * 7n) / 1000n);
    const sold = BigInt(json.amount_in);
    expect(BigInt(json.sell_fee_amount)).toBe((sold * 33n) / 1000n);
    expect(await sells(sold, fees)).toBeGreaterThanOrEqual(WANTED);
  });

  test("the quote sells exactly amount_in, for no less than slippage allows, and its run pays it", async () => {
    for (const fromTokenAddress of [WETH, NATIVE]) {
      const { json } = await quote({ fromTokenAddress, takerAddress: ALICE, skipValidation: "false" });
      const swap = decodeSwap(json.calldata);
      expect(swap.amountIn).toBe(BigInt(json.amount_in));
      expect(json.value).toBe(fromTokenAddress === NATIVE ? json.amount_in : "0");
      expect(swap.minimumOut).toBe((BigInt(json.amount_out_total) * 990_000n) / 1_000_000n);
      expect(json.simulated).toBe(true);
    }
  });

  test("asked for amount / (1 - slippage), the minimum is the amount", async () => {
    const asked = (WANTED * 1000n) / 990n + 1n;
    const { json } = await quote({ amount: asked.toString() });
    expect(BigInt(json.min_amount_out)).toBeGreaterThanOrEqual(WANTED);
  });

  test("more than the pools hold: why, and the most that can be bought", async () => {
    for (const amount of [10n ** 15n, MAX_UINT256]) {
      const got = await price({ amount: amount.toString() });
      const { details } = expectFailure(got, 400, "NO_ROUTE");
      const largest = BigInt(details[0]!.largest_amount!);
      expect(details[0]).toMatchObject({ field: "amount", reason: "too-deep", value: amount.toString() });
      expect(largest).toBeLessThan(30_000_000n * 10n ** 6n);
      expect(largest).toBeGreaterThan(29_000_000n * 10n ** 6n);
      expect((await price({ amount: largest.toString() })).status).toBe(200);
    }
  });
});
