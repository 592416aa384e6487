import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { decodeSwap, FORMER_ROUTERS } from "../../src/core/encoding/index.ts";
import { MAX_UINT256 } from "../../src/core/tokens.ts";
import { NATIVE } from "../../src/core/types.ts";
import { expectFailure, get, unnamed } from "./ask.ts";
import { holding, lent } from "./ledger.ts";
import {
  ALICE,
  BOB,
  createWorld,
  DAI,
  FEES,
  ROUTER,
  SUSHI_WETH_USDC,
  UNI_WETH_USDC,
  USDC,
  USDT,
  WETH,
} from "./world.ts";

type TestWorld = Awaited<ReturnType<typeof createWorld>>;

const ONE = 10n ** 18n;
const pair = { fromTokenAddress: WETH, toTokenAddress: USDC, amount: ONE.toString(), slippage: "10" };

let api: TestWorld;
beforeAll(async () => {
  api = await createWorld();
});
afterAll(() => api.app.close());
beforeEach(() => {
  const { ledger, reported, log, head } = api.world;
  const { balances, allowances, lies, stubborn } = ledger;
  for (const part of [balances, allowances, lies, stubborn]) part.clear();
  ledger.balances.set(holding(WETH, ALICE), 100n * ONE);
  ledger.allowances.set(holding(WETH, ALICE), MAX_UINT256);
  ledger.balances.set(holding(NATIVE, ALICE), 100n * ONE);
  reported.length = 0;
  log.length = 0;
  api.world.simulatedOn = head.hash;
  api.world.nodeDown = false;
});

const price = (query = {}) => get(api, "/v1/1/price", { ...pair, ...query });
const quote = (query = {}) => get(api, "/v1/1/quote", { ...pair, ...query });
const sum = (entries: readonly { percent: number }[]) =>
  entries.reduce((total, { percent }) => total + percent, 0);

describe("price", () => {
  test("has the fields of the specification in their types, and nothing of a transaction", async () => {
    const { status, json } = await price();
    expect(status).toBe(200);
    for (const field of ["amount_out_total", "estimate_gas_total", "gas_price", "fee_recipient_amount"]) {
      expect(json[field]).toMatch(/^[0-9]+$/);
    }
    expect([json.token_in, json.token_out]).toEqual([WETH, USDC]);
    expect(json.fee_recipient_amount).toBe("0");
    expect(json.gas_price).toBe("14257000000");
    for (const field of ["calldata", "to", "expiry", "value"]) expect(json).not.toHaveProperty(field);
    expect(json.routes.length).toBeGreaterThan(0);
    expect(sum(json.routes)).toBe(100);
    for (const entry of json.routes) {
      expect(entry).toMatchObject({
        type: "dex",
        protocol_name: expect.stringMatching(/^(Uniswap_V2|SushiSwap)$/),
      });
    }
    expect([json.block_number, json.block_hash]).toEqual([100, api.world.head.hash]);
  });

  test("absent slippage is 1, fractions and float noise count", async () => {
    const total = BigInt((await price()).json.amount_out_total);
    const minimum = async (slippage: string | undefined) =>
      BigInt((await price({ slippage })).json.min_amount_out);
    expect(await minimum(undefined)).toBe((total * 999_000n) / 1_000_000n);
    expect(await minimum("2.5")).toBe((total * 997_500n) / 1_000_000n);
    expect(await minimum("11.000000000000002")).toBe((total * 989_000n) / 1_000_000n);
    expect(await minimum("500")).toBe(total / 2n);
  });

  test("fees: the sell fee comes off first, the buy fee off what is bought, each to the unit", async () => {
    const fees = { feeRecipient: FEES, buyTokenPercentageFee: "7", sellTokenPercentageFee: "33" };
    const amount = 1_234_567_890_123_456_789n;
    const { json } = await price({ ...fees, amount: amount.toString() });
    const sellFee = (amount * 33n) / 1000n;
    expect(json.sell_fee_amount).toBe(sellFee.toString());
    const sold = json.route_graph.steps
      .filter((step: { token_in: string }) => step.token_in === WETH)
      .reduce((total: bigint, step: { amount_in: string }) => total + BigInt(step.amount_in), 0n);
    expect(sold).toBe(amount - sellFee);
    const gross = json.route_graph.steps
      .filter((step: { token_out: string }) => step.token_out === USDC)
      .reduce((total: bigint, step: { amount_out: string }) => total + BigInt(step.amount_out), 0n);
    const buyFee = (gross * 7n) / 1000n;
    expect([json.fee_recipient_amount, json.amount_out_total]).toEqual([
      buyFee.toString(),
      (gross - buyFee).toString(),
    ]);
    const free = await price({ buyTokenPercentageFee: "0" });
    expect(free.json.fee_recipient_amount).toBe("0");
  });

  test("the graph names its tokens and its steps; routes are its summary", async () => {
    const { json } = await price({ fromTokenAddress: USDT, toTokenAddress: DAI, amount: "1000000000" });
    const { tokens, steps } = json.route_graph;
    expect(tokens.map(({ symbol }: { symbol: string }) => symbol)).toEqual(["USDT", "WETH", "USDC", "DAI"]);
    expect(steps[0]).toMatchObject({
      token_in: USDT,
      token_out: WETH,
      amount_in: "1000000000",
      protocol: "SushiSwap",
    });
    expect(steps.at(-1)).toMatchObject({ token_out: DAI, deployment: "uniswap-v2", share_q32: 2 ** 32 });
    expect(sum(json.routes)).toBe(100);
  });

  test("include and exclude, by id or name, in any case and any of three forms", async () => {
    const names = async (query: string) =>
      (await get(api, `/v1/1/price?${new URLSearchParams(pair)}&${query}`)).json.routes.map(
        ({ protocol_name }: { protocol_name: string }) => protocol_name,
      );
    const all = ["Uniswap_V2", "SushiSwap"];
    expect(await names("")).toEqual(all);
    for (const query of [
      "excludeAggregator=UNISWAP_v2",
      "excludeAggregator=uniswap-v2&excludeAggregator=nobody",
      "excludeAggregator=nobody,Uniswap-V2",
      "excludeAggregator[]=nobody&excludeAggregator[]=uniswap_v2",
      "excludeAggregator%5B%5D=uniswap_v2",
      "includeAggregator=sushiswap",
      "includeAggregator=SUSHISWAP,unknown",
      "includeAggregator[]=SushiSwap",
    ]) {
      expect(await names(query), query).toEqual(["SushiSwap"]);
    }
    expect(await names("includeAggregator=uniswap-v2&includeAggregator=sushiswap")).toEqual(all);
    expect(await names("excludeAggregator=&includeAggregator=")).toEqual(all);
  });

  test("wrapping and unwrapping are 1 to 1, whatever is excluded", async () => {
    const native = { fromTokenAddress: NATIVE, toTokenAddress: WETH };
    const wrap = await price({ ...native, includeAggregator: "sushiswap" });
    expect([wrap.json.amount_out_total, wrap.json.price_impact_bps]).toEqual([pair.amount, 0]);
    expect(wrap.json.routes).toMatchObject([{ type: "dex", protocol_name: "WETH", percent: 100 }]);
    for (const list of [{ excludeAggregator: "weth" }, { includeAggregator: "WETH" }]) {
      const { status, json } = await price({ toTokenAddress: NATIVE, ...list });
      expect([status, json.amount_out_total, json.notices]).toEqual([200, pair.amount, []]);
    }
  });

  test("the native coin routes like its wrapper, and stays itself in the answer", async () => {
    const native = await price({ fromTokenAddress: NATIVE.toUpperCase().replace("0X", "0x") });
    const wrapped = await price();
    expect(native.json.amount_out_total).toBe(wrapped.json.amount_out_total);
    expect(native.json.token_in).toBe(NATIVE);
    expect(native.json.routes).toEqual(wrapped.json.routes);
  });

  test("a large amount is warned of", async () => {
    const { json } = await price({ amount: (5_000n * ONE).toString() });
    expect(json.price_impact_bps).toBeGreaterThan(1_000);
    expect(json.warnings[0]).toContain("price impact");
    expect((await price()).json.warnings).toEqual([]);
  });

  test("a proof on every price: no more than the bound, and the gap is what lies between", async () => {
    for (const query of [{}, { amount: (3_000n * ONE).toString() }, { toTokenAddress: DAI }]) {
      const fees = { feeRecipient: FEES, buyTokenPercentageFee: "30" };
      for (const more of [query, { ...query, ...fees }]) {
        const { json } = await price(more);
        const [paid, bound] = [BigInt(json.amount_out_total), BigInt(json.optimality.upper_bound)];
        expect(bound).toBeGreaterThanOrEqual(paid);
        expect(json.optimality.gap_bps).toBeCloseTo((Number(bound - paid) / Number(bound)) * 10_000, 6);
        expect(json.optimality.gap_bps).toBeLessThan(1);
      }
    }
  });

  test("the bound holds against any split over the two pools", async () => {
    const { json } = await price({ amount: (3_000n * ONE).toString() });
    const bound = BigInt(json.optimality.upper_bound);
    const alone = async (source: string, amount: bigint) => {
      const got = await price({ includeAggregator: source, amount: amount.toString() });
      return BigInt(got.json.amount_out_total);
    };
    for (const part of [300n, 1_000n, 1_999n, 2_001n, 2_700n]) {
      const paid =
        (await alone("uniswap-v2", part * ONE)) + (await alone("sushiswap", (3_000n - part) * ONE));
      expect(paid).toBeLessThanOrEqual(bound);
    }
  });

  test("withGas ranks by the gas price given: a dear one leaves a single pool", async () => {
    const dear = await price({ withGas: "TRUE", gasPrice: "3000000000000" });
    expect(dear.json.route_graph.steps.length).toBe(1);
    expect(dear.json.gas_price).toBe("3000000000000");
    expect((await price({ gasPrice: "3000000000000" })).json.route_graph.steps.length).toBe(2);
  });
});

describe("quote", () => {
  test("is price with a transaction of the same amounts", async () => {
    const { json } = await quote({ recipientAddress: BOB });
    const offer = (await price()).json;
    for (const field of ["amount_out_total", "routes", "route_graph", "min_amount_out"]) {
      expect(json[field]).toEqual(offer[field]);
    }
    expect([json.to, json.value]).toEqual([ROUTER, "0"]);
    expect(json).not.toHaveProperty("expiry");
    const swap = decodeSwap(json.calldata);
    expect(swap).toMatchObject({
      amountIn: ONE,
      minimumOut: BigInt(json.min_amount_out),
      recipient: BOB,
      deadline: json.valid_until,
      sellFeeBps: 0,
      buyFeeBps: 0,
    });
    expect(json.valid_until).toBe(api.world.head.timestamp + 1200);
    expect(json.simulated).toBe(false);
  });

  test("fees, deadline and the sender as recipient reach the calldata", async () => {
    const fees = { feeRecipient: FEES, buyTokenPercentageFee: "7", sellTokenPercentageFee: "500" };
    const { json } = await quote({ ...fees, deadline: "1700009999" });
    const swap = decodeSwap(json.calldata);
    expect(swap).toMatchObject({
      sellFeeBps: 5000,
      buyFeeBps: 70,
      feeRecipient: FEES,
      deadline: 1_700_009_999,
    });
    expect(swap.recipient).toBeUndefined();
    expect(json.valid_until).toBe(1_700_009_999);
  });

  test("native input is sent along as value", async () => {
    const { json } = await quote({ fromTokenAddress: NATIVE, takerAddress: ALICE });
    expect([json.value, json.simulated]).toEqual([pair.amount, true]);
  });

  test("a wallet that can pay: its own calldata is run, and the gas is measured", async () => {
    const { json } = await quote({ takerAddress: ALICE });
    expect(json.simulated).toBe(true);
    const steps = BigInt(json.route_graph.steps.length);
    const used = 60_000n + 70_000n * steps;
    expect(BigInt(json.estimate_gas_total)).toBeGreaterThanOrEqual(used);
    expect(BigInt(json.estimate_gas_total)).toBeLessThanOrEqual((used * 115n) / 100n);
    expect(api.world.log.at(-1)).toContain('"simulated":true');
    expect((await quote({ takerAddress: ALICE, skipValidation: "false" })).status).toBe(200);
  });

  test("a wallet without balance or allowance, or a node that is down: the model's gas, silently", async () => {
    const model = (await quote()).json;
    const poor = await quote({ takerAddress: BOB });
    const lacks = { issues: expect.any(Object), notices: expect.any(Array) };
    expect(poor.json).toEqual({ ...unnamed(model), ...lacks });
    expect(poor.json.warnings).toEqual(model.warnings);
    api.world.nodeDown = true;
    expect((await quote({ takerAddress: ALICE })).json).toEqual(
      unnamed({ ...model, calls: null, simulation_reason: "no node answered in time" }),
    );
    expectFailure(await quote({ takerAddress: ALICE, skipValidation: "FALSE" }), 503, "STALE_STATE");
  });

  test("skipValidation=false without a wallet quotes without validation, and says that it did not simulate", async () => {
    const { status, json } = await quote({ skipValidation: "false" });
    expect([status, json.simulated, json.issues]).toEqual([200, false, null]);
    expect(json.warnings.join()).toContain("validates nothing without takerAddress");
    expect(json.notices).toContainEqual(
      expect.objectContaining({
        code: "NOT_VALIDATED",
        severity: "warning",
        details: { field: "takerAddress" },
      }),
    );
    expect((await quote()).json.warnings).toEqual([]);
  });
});

describe("what a wallet lacks", () => {
  const issuesOf = async (query = {}) => {
    const { json } = await quote({ takerAddress: ALICE, ...query });
    const codes = json.notices.map(({ code }: { code: string }) => code);
    return { issues: json.issues, codes: codes.filter((code: string) => code.startsWith("LOW_")) };
  };
  const needed = pair.amount;

  test("nothing, and nothing is known without a wallet or a node", async () => {
    expect(await issuesOf()).toEqual({ issues: {}, codes: [] });
    expect(await issuesOf({ fromTokenAddress: NATIVE })).toEqual({ issues: {}, codes: [] });
    expect((await quote()).json.issues).toBeNull();
    expect((await price()).json.issues).toBeNull();
    api.world.nodeDown = true;
    expect((await issuesOf()).issues).toBeNull();
  });

  test("an allowance: the spender, what is needed and what is there", async () => {
    api.world.ledger.allowances.set(holding(WETH, ALICE), 7n);
    const allowance = { spender: ROUTER, needed, actual: "7" };
    expect(await issuesOf()).toEqual({ issues: { allowance }, codes: ["LOW_ALLOWANCE"] });
  });

  test("a balance, of a token or of the native coin, which needs no allowance, or coins for the gas", async () => {
    api.world.ledger.balances.set(holding(WETH, ALICE), 5n);
    const balance = { needed, actual: "5", token: WETH };
    expect(await issuesOf()).toEqual({ issues: { balance }, codes: ["LOW_BALANCE"] });
    const { message, details } = (await quote({ takerAddress: ALICE })).json.notices[0];
    expect(message).toBe("The wallet holds 0.000000000000000005 WETH of the 1 WETH that the swap sells.");
    expect(details).toEqual(balance);
    api.world.ledger.balances.set(holding(NATIVE, ALICE), 3n);
    const native = { needed, actual: "3", token: NATIVE };
    expect(await issuesOf({ fromTokenAddress: NATIVE })).toEqual({
      issues: { balance: native },
      codes: ["LOW_BALANCE"],
    });
    api.world.ledger.balances.set(holding(NATIVE, ALICE), BigInt(needed));
    expect(await issuesOf({ fromTokenAddress: NATIVE })).toEqual({ issues: {}, codes: ["LOW_GAS"] });
    const poor = await quote({ takerAddress: BOB });
    expect(Object.keys(poor.json.issues)).toEqual(["balance", "allowance"]);
  });
});

describe("a quote that its own simulation contradicts", () => {
  test("this request gets another route, the difference is counted and reported, and others get what they got", async () => {
    const before = (await price()).json;
    api.world.ledger.lies.set(UNI_WETH_USDC, 990n);
    const { json } = await quote({ takerAddress: ALICE });
    expect(api.world.reported).toEqual([UNI_WETH_USDC]);
    expect(json.simulated).toBe(true);
    expect(json.route_graph.steps.map((step: { pool: string }) => step.pool)).toEqual([SUSHI_WETH_USDC]);
    const metrics = await get(api, "/metrics");
    expect(metrics.text).toMatch(/braid_quote_reroutes_total\{chain="1"\} [1-9]/);
    expect(metrics.text).toContain('braid_chain_quarantined{chain="1"} 0');
    expect(metrics.text).toContain('braid_pool_checks{chain="1",outcome="wrong"} 0');
    expect((await price()).json).toEqual(unnamed(before));
  });

  test("only the pool that differs is reported, wherever it stands in the route", async () => {
    api.world.ledger.lies.set(SUSHI_WETH_USDC, 900n);
    await quote({ takerAddress: ALICE, toTokenAddress: DAI });
    expect(api.world.reported).toEqual([SUSHI_WETH_USDC]);
  });

  test("a run on another block than the offer's proves nothing: nobody is blamed, the difference is told", async () => {
    api.world.ledger.lies.set(UNI_WETH_USDC, 990n);
    api.world.simulatedOn = `0x${"cd".repeat(32)}`;
    const { json } = await quote({ takerAddress: ALICE });
    expect(api.world.reported).toEqual([]);
    expect(json.simulated).toBe(false);
    expect(json.warnings.join()).toContain("pays");
    expect(json.notices.map(({ code }: { code: string }) => code)).toContain("PAYS_OTHER");
    api.world.simulatedOn = undefined;
    await quote({ takerAddress: ALICE });
    expect(api.world.reported).toEqual([]);
  });

  test("where every pool lies, the answer is NO_ROUTE and not a wrong number", async () => {
    for (const pool of [UNI_WETH_USDC, SUSHI_WETH_USDC]) api.world.ledger.lies.set(pool, 990n);
    expectFailure(await quote({ takerAddress: ALICE }), 400, "NO_ROUTE");
    expect([...api.world.reported].sort()).toEqual([UNI_WETH_USDC, SUSHI_WETH_USDC]);
  });

  test("a loss beyond the slippage says min return", async () => {
    for (const pool of [UNI_WETH_USDC, SUSHI_WETH_USDC]) api.world.ledger.lies.set(pool, 500n);
    api.world.simulatedOn = undefined;
    const strict = await quote({ takerAddress: ALICE, skipValidation: "false" });
    expect(expectFailure(strict, 422, "SIMULATION_FAILED").error).toContain("min return");
    const lenient = await quote({ takerAddress: ALICE });
    expect(lenient.status).toBe(200);
    expect(lenient.json.warnings.join()).toContain("min return");
    expect(lenient.json.notices[0]).toMatchObject({ code: "REVERTS", severity: "critical" });
  });
});

describe("allowance and approve", () => {
  test("allowance reads what the exchange contract may spend; the native coin needs none", async () => {
    const path = "/v1/1/transaction/allowance";
    api.world.ledger.allowances.set(holding(USDC, ALICE), 17n);
    expect((await get(api, path, { tokenAddress: USDC, walletAddress: ALICE })).json).toEqual({
      remaining: "17",
      warnings: [],
    });
    const native = await get(api, path, { tokenAddress: NATIVE, walletAddress: ALICE });
    expect(native.json).toEqual({ remaining: MAX_UINT256.toString(), warnings: [] });
  });

  test("allowance warns of what a former router may still spend", async () => {
    const [former] = FORMER_ROUTERS;
    api.world.ledger.allowances.set(lent(USDC, ALICE, former!), 5n);
    const ask = { tokenAddress: USDC, walletAddress: ALICE };
    const { json } = await get(api, "/v1/1/transaction/allowance", ask);
    expect(json.remaining).toBe("0");
    expect(json.warnings).toEqual([
      `The former router ${former} may still spend 5 of this token, and no quote uses it any more: approve 0 for it.`,
    ]);
  });

  test("approve: the spender is quote.to, the default amount is all, 0 revokes", async () => {
    const approve = (query = {}) => get(api, "/v1/1/transaction/approve", { tokenAddress: USDC, ...query });
    const { json } = await approve();
    const word = (value: bigint) => value.toString(16).padStart(64, "0");
    expect(json.calldata).toBe(`0x095ea7b3${word(BigInt(ROUTER))}${word(MAX_UINT256)}`);
    expect([json.to, json.gas_price]).toEqual([USDC, "14000000000"]);
    expect((await approve({ amount: "0" })).json.calldata.endsWith(word(0n))).toBe(true);
    expect((await approve({ contractAddress: BOB })).json.calldata).toContain(BOB.slice(2));
    expect((await approve({ gasPrice: "5" })).json.gas_price).toBe("5");
    expect(BigInt((await approve({ takerAddress: ALICE })).json.estimate_gas)).toBeGreaterThanOrEqual(
      46_000n,
    );
  });

  test("approve tells of a token that only changes an allowance from or to 0", async () => {
    api.world.ledger.stubborn.add(USDT);
    const query = { tokenAddress: USDT, takerAddress: ALICE };
    const ask = async (more = {}) =>
      (await get(api, "/v1/1/transaction/approve", { ...query, ...more })).json;
    expect(await ask()).toMatchObject({ reset_first: false });
    api.world.ledger.allowances.set(holding(USDT, ALICE), 17n);
    const json = await ask({ amount: "18" });
    expect(json.reset_first).toBe(true);
    expect(json.reset_calldata).toBe((await ask({ amount: "0" })).calldata);
    expect(json.warnings.join()).toContain("approve 0 first");
    expect(BigInt(json.estimate_gas)).toBeGreaterThan(46_000n);
    expect(await ask({ amount: "0" })).toMatchObject({ reset_first: false, warnings: [] });
    expect(await ask({ tokenAddress: USDC })).toMatchObject({ reset_first: false });
    expect(await ask({ contractAddress: BOB })).toMatchObject({ reset_first: false });
  });

  test("approve says that all is more than is needed, and the quote how much is", async () => {
    const all = (await get(api, "/v1/1/transaction/approve", { tokenAddress: WETH })).json;
    expect(all.warnings.join()).toContain("now and later");
    const { approve_amount } = (await quote()).json;
    expect(approve_amount).toBe(pair.amount);
    const exact = await get(api, "/v1/1/transaction/approve", { tokenAddress: WETH, amount: approve_amount });
    expect(exact.json.warnings).toEqual([]);
    expect((await quote({ fromTokenAddress: NATIVE })).json.approve_amount).toBe("0");
  });
});
