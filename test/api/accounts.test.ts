import { encodeAbiParameters } from "viem/utils";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MAX_UINT256, ZERO_ADDRESS } from "../../src/core/tokens.ts";
import { type Address, type Hex, NATIVE } from "../../src/core/types.ts";
import type { Receipt, SentTransaction } from "../../src/service/ports/ports.ts";
import { expectFailure, get } from "./ask.ts";
import { holding } from "./ledger.ts";
import { ALICE, BOB, createWorld, DUST, FEES, LONELY, ROUTER, starting, USDC, WETH } from "./world.ts";

/** What integrators ask of wallets, tokens and transactions. */

let api: Awaited<ReturnType<typeof createWorld>>;
beforeAll(async () => {
  api = await createWorld();
});
afterAll(() => api.app.close());
beforeEach(() => {
  const { ledger, transactions, accounts, contracts } = api.world;
  for (const map of [ledger.balances, ledger.allowances, transactions, accounts, contracts]) map.clear();
  api.world.nodeDown = false;
});

const ONE = 10n ** 18n;
const STRANGER: Address = "0x00000000000000000000000000000000000057a6";

describe("balances", () => {
  const balances = (query = {}) => get(api, "/v1/1/balances", { walletAddress: ALICE, ...query });

  test("of the tokens asked for, in their order, with what the router may take and what it is worth", async () => {
    const { ledger } = api.world;
    ledger.balances.set(holding(NATIVE, ALICE), 3n * ONE);
    ledger.balances.set(holding(USDC, ALICE), 1_500_000n);
    ledger.allowances.set(holding(USDC, ALICE), 7n);
    const { status, json } = await balances({ tokenAddress: [USDC, NATIVE, WETH, STRANGER] });
    expect(status).toBe(200);
    expect([json.wallet, json.spender, json.block_number]).toEqual([ALICE, ROUTER, 100]);
    expect(json.balances).toMatchObject([
      { address: USDC, symbol: "USDC", decimals: 6, balance: "1500000", allowance: "7", balance_usd: "1.50" },
      { address: NATIVE, balance: String(3n * ONE), allowance: MAX_UINT256.toString() },
      { address: WETH, balance: "0", allowance: "0", balance_usd: "0.000000" },
      { address: STRANGER, symbol: null, balance: null, allowance: null, balance_usd: null },
    ]);
  });

  test("without a list: what the wallet has of the token list", async () => {
    api.world.ledger.balances.set(holding(DUST, ALICE), 5n);
    const { json } = await balances();
    expect(json.balances.map(({ address }: { address: string }) => address)).toEqual([DUST]);
  });

  test("faults are named, and too many tokens are one", async () => {
    const many = Array.from({ length: 151 }, () => USDC).join(",");
    for (const [tokenAddress, reason] of [
      [many, "must have at most 150 values"],
      ["usdc", "must be an address: 0x and 40 hex digits"],
    ])
      expect(expectFailure(await balances({ tokenAddress }), 400, "VALIDATION").details[0]!.reason).toBe(
        reason,
      );
    expectFailure(await balances({ tokenAddress: ZERO_ADDRESS }), 400, "UNKNOWN_TOKEN");
    expectFailure(await get(api, "/v1/1/balances"), 400, "VALIDATION");
    api.world.nodeDown = true;
    expectFailure(await balances({ tokenAddress: USDC }), 503, "STALE_STATE");
  });

  test("counts as a request for each 25 tokens", async () => {
    const small = await createWorld({ http: { rateLimitPerMinute: 100 } });
    const left = async (tokens: number) => {
      const tokenAddress = Array.from({ length: tokens }, () => USDC).join(",");
      const got = await get(small, "/v1/1/balances", { walletAddress: ALICE, tokenAddress });
      return Number(got.headers["ratelimit-remaining"]);
    };
    expect(await left(25)).toBe(99);
    expect(await left(51)).toBe(96);
    await small.app.close();
  });
});

describe("one token by its address", () => {
  const token = (address: string) => get(api, `/v1/1/tokens/${address}`);

  test("of the list, with its price and the depth behind it", async () => {
    const { json } = await token(USDC.toUpperCase().replace("0X", "0x"));
    expect(json).toMatchObject({
      address: USDC,
      symbol: "USDC",
      is_listed: true,
      is_traded: true,
      lookalikes: [],
    });
    expect(Number(json.price_usd)).toBeCloseTo(1, 2);
    expect(Number(json.depth_usd)).toBeGreaterThan(1e6);
    expect((await token(NATIVE)).json).toMatchObject({ symbol: "ETH", is_traded: true, depth_usd: null });
    expect((await token(LONELY)).json).toMatchObject({ is_listed: false, price_usd: null, depth_usd: null });
  });

  test("of no list, as its contract says, with the listed tokens that it may pose as", async () => {
    api.world.contracts.set(STRANGER, { address: STRANGER, name: "USD Coin", symbol: "usdc", decimals: 2 });
    expect((await token(STRANGER)).json).toMatchObject({
      chainId: 1,
      address: STRANGER,
      symbol: "usdc",
      decimals: 2,
      is_active: false,
      is_listed: false,
      is_traded: false,
      price_usd: null,
      lookalikes: [USDC],
    });
  });

  test("an address that is no token, a state that is not there", async () => {
    expectFailure(await token(BOB), 400, "UNKNOWN_TOKEN");
    expectFailure(await token(ZERO_ADDRESS), 400, "UNKNOWN_TOKEN");
    expectFailure(await token("0x12"), 400, "VALIDATION");
    const { status } = api.world;
    api.world.status = starting;
    expectFailure(await token(BOB), 503, "STALE_STATE");
    api.world.status = status;
  });
});

describe("the outcome of a transaction", () => {
  const HASH: Hex = `0x${"5e".repeat(32)}`;
  const outcome = (hash: string = HASH) => get(api, "/v1/1/transaction/outcome", { hash });

  const transfer = (token: Address, from: Address, to: Address, amount: bigint) => ({
    address: token,
    topics: [
      "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef" as const,
      ...[from, to].map((account) => encodeAbiParameters([{ type: "address" }], [account])),
    ],
    data: encodeAbiParameters([{ type: "uint256" }], [amount]),
  });

  async function quoted(more: Record<string, string> = {}) {
    const query = { fromTokenAddress: WETH, toTokenAddress: USDC, amount: String(ONE), slippage: "10" };
    const { json } = await get(api, "/v1/1/quote", { ...query, ...more });
    return json;
  }

  function send(quote: { calldata: Hex; value: string }, receipt?: Partial<Receipt>): SentTransaction {
    const mined = {
      succeeded: true,
      blockNumber: 99,
      blockHash: HASH,
      gasUsed: 150_000n,
      gasPriceWei: 10n ** 10n,
      logs: [],
    };
    const sent = {
      hash: HASH,
      from: ALICE,
      to: ROUTER,
      data: quote.calldata,
      value: BigInt(quote.value),
      gasLimit: 300_000n,
      receipt: receipt === undefined ? undefined : { ...mined, ...receipt },
    };
    api.world.transactions.set(HASH, sent);
    return sent;
  }

  test("unknown, then pending with what it agreed to", async () => {
    expect((await outcome()).json).toMatchObject({
      hash: HASH,
      status: "unknown",
      swap: null,
      confirmations: 0,
    });
    const quote = await quoted();
    send(quote);
    const { json } = await outcome(HASH.toUpperCase().replace("0X", "0x"));
    expect(json).toMatchObject({ status: "pending", block_number: null, gas_used: null, revert: null });
    expect(json.swap).toMatchObject({
      token_in: WETH,
      token_out: USDC,
      amount_in: String(ONE),
      amount_out: null,
      min_amount_out: quote.min_amount_out,
      recipient: ALICE,
      valid_until: quote.valid_until,
    });
    expect(json.swap.steps.length).toBe(quote.route_graph.steps.length);
    expect(json.swap.steps[0]).toMatchObject({ kind: "v2", token_in: WETH, token_out: USDC });
  });

  test("what arrived is what the logs say that the recipient gained, fees apart", async () => {
    const fees = { feeRecipient: FEES, buyTokenPercentageFee: "10", sellTokenPercentageFee: "20" };
    const quote = await quoted({ ...fees, recipientAddress: BOB });
    const gained = [transfer(USDC, ROUTER, BOB, 1_000n), transfer(USDC, BOB, ALICE, 1n)];
    const others = [transfer(WETH, ROUTER, BOB, 77n), transfer(USDC, ROUTER, FEES, 10n)];
    send(quote, { logs: [...gained, ...others] });
    const { json } = await outcome();
    expect(json).toMatchObject({ status: "succeeded", confirmations: 2, gas_used: "150000", revert: null });
    expect(json.swap).toMatchObject({
      amount_out: "999",
      measured_by: "transfers",
      recipient: BOB,
      sell_fee_amount: String(ONE / 50n),
      fee_recipient_amount: "10",
      fee_recipient: FEES,
    });
  });

  test("a recipient who gets the fee as well is told the two apart", async () => {
    const fees = { feeRecipient: ALICE, buyTokenPercentageFee: "10" };
    const gross = 1_000_050n;
    send(await quoted(fees), { logs: [transfer(USDC, ROUTER, ALICE, gross)] });
    const apart = { amount_out: "990050", fee_recipient_amount: "10000" };
    expect((await outcome()).json.swap).toMatchObject(apart);
    send(await quoted({ ...fees, fromTokenAddress: USDC, toTokenAddress: NATIVE }), { gasUsed: 0n });
    api.world.accounts.set(`${ALICE} 98`, { balance: 5n, nonce: 7 });
    api.world.accounts.set(`${ALICE} 99`, { balance: 5n + gross, nonce: 8 });
    expect((await outcome()).json.swap).toMatchObject({ ...apart, measured_by: "balance" });
  });

  test("native coins are what the balance grew by, gas apart; unknown where the account sent more than this", async () => {
    const quote = await quoted({ toTokenAddress: NATIVE, fromTokenAddress: USDC, amount: "2000000000" });
    send(quote, {});
    const { accounts } = api.world;
    const gas = 150_000n * 10n ** 10n;
    accounts.set(`${ALICE} 98`, { balance: 5n * ONE, nonce: 7 });
    accounts.set(`${ALICE} 99`, { balance: 6n * ONE - gas, nonce: 8 });
    expect((await outcome()).json.swap).toMatchObject({ amount_out: String(ONE), measured_by: "balance" });
    accounts.set(`${ALICE} 99`, { balance: 6n * ONE, nonce: 9 });
    expect((await outcome()).json.swap).toMatchObject({ amount_out: null, measured_by: null });
    accounts.delete(`${ALICE} 98`);
    expect((await outcome()).json.swap.amount_out).toBeNull();
    api.world.answers.set(HASH, `0x${ONE.toString(16).padStart(64, "0")}`);
    expect((await outcome()).json.swap).toMatchObject({ amount_out: String(ONE), measured_by: "trace" });
    api.world.answers.clear();
  });

  test("a missed minimum is told in words, with what it would have paid", async () => {
    const quote = await quoted({ slippage: "1" });
    const { ledger } = api.world;
    ledger.balances.set(holding(WETH, ALICE), ONE);
    ledger.allowances.set(holding(WETH, ALICE), ONE);
    for (const step of quote.route_graph.steps) ledger.lies.set(step.pool, 990n);
    send(quote, { succeeded: false });
    const { json } = await outcome();
    ledger.lies.clear();
    expect(json).toMatchObject({
      status: "reverted",
      revert: { name: "Error", text: "min return not reached" },
    });
    expect(json.swap.amount_out).toBeNull();
    const paid = Number(json.revert.would_have_paid);
    expect(paid / Number(quote.amount_out_total)).toBeCloseTo(0.99, 4);
    expect(paid).toBeLessThan(Number(quote.min_amount_out));
  });

  test("out of gas, and a reason that is gone, are told apart", async () => {
    const quote = await quoted();
    const { ledger } = api.world;
    ledger.balances.set(holding(WETH, ALICE), ONE);
    ledger.allowances.set(holding(WETH, ALICE), ONE);
    send(quote, { succeeded: false, gasUsed: 299_000n });
    expect((await outcome()).json.revert).toMatchObject({ name: "OutOfGas", would_have_paid: null });
    send(quote, { succeeded: false, gasUsed: 100_000n });
    expect((await outcome()).json.revert.name).toBe("Unknown");
  });

  test("a transaction that is no swap has none, whatever its data", async () => {
    const quote = await quoted();
    for (const other of [
      { to: BOB, data: quote.calldata },
      { to: ROUTER, data: "0x" as Hex },
      { to: ROUTER, data: quote.calldata.slice(0, -128) as Hex },
    ]) {
      api.world.transactions.set(HASH, { ...send(quote, {}), ...other });
      expect((await outcome()).json).toMatchObject({ status: "succeeded", swap: null });
    }
  });

  test("faults are named; a node that is down is not an unknown transaction", async () => {
    expect(expectFailure(await outcome("0x12"), 400, "VALIDATION").details[0]!.field).toBe("hash");
    api.world.nodeDown = true;
    expectFailure(await outcome(), 503, "STALE_STATE");
  });
});
