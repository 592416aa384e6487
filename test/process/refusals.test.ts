import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { encodeFunctionData, erc20Abi, type Hex, type LocalAccount } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { devnetAccount, signOrder } from "../../scripts/maker/sign.ts";
import { PERMIT2, USDC, WETH } from "../../src/devnet/plan/addresses.ts";
import { type MakerStack, startMakerStack, until } from "../e2e/makers/stack.ts";
import { hasOrder, makerQuote, readyWallet, type Sale } from "../e2e/makers/swaps.ts";
import { seeded } from "../support/random.ts";

/** Orders of the reference maker that the chain refuses: those that are the maker's doing are found in blocks, or by who asks. */

const SALE: Sale = { sold: WETH, bought: USDC, amount: 10n ** 17n };
/** A block is read when so many are on top of it. */
const DEPTH = 8;
const MAKER = devnetAccount(9);

/** A maker that signs orders at a better price for a fifth of the sale, and has not approved Permit2. */
const RIVAL = devnetAccount(8);
const RIVAL_LEVEL = { amountIn: SALE.amount / 5n, amountOut: 10n ** 8n };
let isRivalUp = false;
const rival = createServer((request, response) => {
  const [taken, paid] = [String(RIVAL_LEVEL.amountIn), String(RIVAL_LEVEL.amountOut)];
  const pairs = [{ taker_token: WETH, maker_token: USDC, levels: [[taken, paid]] }];
  if (request.method === "GET")
    return void response.end(JSON.stringify({ pairs: isRivalUp ? pairs : [], inventory: { [USDC]: paid } }));
  text(request).then(async (body) => {
    const { least_expiry: leastExpiry, taker, taker_amount } = JSON.parse(body);
    const [takerAmount, makerAmount] = [BigInt(taker_amount), RIVAL_LEVEL.amountOut];
    const tokens = { chainId: stack.chain.chainId, takerToken: WETH, makerToken: USDC };
    const terms = { ...tokens, takerAmount, makerAmount, taker: taker ?? undefined, leastExpiry };
    const { order, signature } = await signOrder(RIVAL, terms, undefined);
    const { nonce, expiry } = order;
    response.end(JSON.stringify({ maker_amount: paid, nonce: String(nonce), expiry, signature }));
  });
});

let stack: MakerStack;
let payer: LocalAccount;
beforeAll(async () => {
  process.env.READ_BLOCKS = "1";
  await once(rival.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(rival.address() as AddressInfo).port}`;
  const entry = { name: "Rival", chain_id: 31_337, address: RIVAL.address, url };
  stack = await startMakerStack(seeded(22), "account", [entry]);
  delete process.env.READ_BLOCKS;
  payer = await readyWallet(stack, SALE, 1);
});
afterAll(async () => {
  await stack.stop();
  rival.closeAllConnections();
  rival.close();
});

const offered = () => makerQuote(stack, SALE, { takerAddress: payer.address, rfqOnly: "true" });

/** Sends a transaction with plenty of gas, in a block of its own. */
async function send(from: LocalAccount, to: Hex, data: Hex): Promise<Hex> {
  const hash = await stack.chain.send(from, { to, data, value: 0n, gas: 3_000_000n });
  await stack.chain.mine();
  return hash;
}

const outcome = (hash: Hex) =>
  stack.api<{ status: string; revert: { name: string } | null }>(
    `/v1/${stack.chain.chainId}/transaction/outcome`,
    { hash },
  );
const reverted = async () => (await stack.health()).orders.reverted;

/** The maker sends all that it has of the token bought away, and gets it back. */
async function emptied(during: () => Promise<void>): Promise<void> {
  const { chain } = stack;
  const held = await chain.balanceOf(USDC, MAKER.address);
  const move = (to: Hex) => encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, held] });
  const keeper = chain.wallet(8);
  await send(MAKER, USDC, move(keeper.address));
  await during();
  await send(keeper, USDC, move(MAKER.address));
  await stack.maker.quote(chain.rpc);
  await chain.mine();
  const isQuoted = () =>
    offered().then(
      () => true,
      () => false,
    );
  await until(isQuoted);
}

test("an order sent twice is refused the second time, and counts against nobody", async () => {
  const offer = await offered();
  await readyWallet(stack, { ...SALE, amount: 3n * SALE.amount }, 1);
  expect((await outcome(await send(payer, offer.to, offer.calldata))).status).toBe("succeeded");
  await emptied(async () => {
    const again = await outcome(await send(payer, offer.to, offer.calldata));
    expect(again).toMatchObject({ status: "reverted", revert: { name: "MakerRefused" } });
  });
  expect(await reverted()).toBe(0);
});

test("a maker that has sent its tokens away does not honour its order: found in the block, once though asked about", async () => {
  const offer = await offered();
  await emptied(async () => {
    await readyWallet(stack, SALE, 1);
    const hash = await send(payer, offer.to, offer.calldata);
    expect(await reverted()).toBe(0);
    for (let k = 0; k < DEPTH; k++) await stack.chain.mine();
    await until(async () => (await reverted()) === 1);
    expect((await outcome(hash)).revert?.name).toBe("MakerRefused");
    await send(payer, offer.to, offer.calldata);
    for (let k = 0; k < DEPTH; k++) await stack.chain.mine();
  });
  const { orders, fade_rate } = await stack.health();
  expect(orders.reverted).toBe(1);
  expect(fade_rate).toBeCloseTo((1 + 1) / (orders.given! + 20));
});

test("one that is asked about is found without reading its block; a swap without gas is nobody's fault", async () => {
  const offer = await offered();
  await emptied(async () => {
    await readyWallet(stack, SALE, 1);
    await outcome(await send(payer, offer.to, offer.calldata));
    expect(await reverted()).toBe(2);
  });
  const starved = await offered();
  const call = { to: starved.to, data: starved.calldata, value: 0n, gas: 90_000n };
  const hash = await stack.chain.send(payer, call);
  await stack.chain.mine();
  expect((await outcome(hash)).status).toBe("reverted");
  expect(await reverted()).toBe(2);
});

test("an order that reverts when it is run is not offered to a caller without a wallet or without funds, and counts", async () => {
  const usual = { includeAggregator: "Reference,Uniswap_V2" };
  // So many orders that can be filled that those that can not do not block the maker.
  for (let k = 0; k < 20; k++) await makerQuote(stack, SALE, usual);
  await until(async () => hasOrder(await makerQuote(stack, SALE, usual)));
  const approve = (amount: bigint) =>
    send(
      MAKER,
      USDC,
      encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [PERMIT2, amount] }),
    );
  await approve(0n);
  const { given: before, reverted: broken } = (await stack.health()).orders;
  for (const query of [{}, { takerAddress: stack.chain.wallet(5).address }]) {
    const offer = await makerQuote(stack, SALE, { ...usual, ...query });
    expect(offer).toMatchObject({ simulation: { status: "exact", funds: "overridden" } });
    expect([hasOrder(offer), offer.expiry]).toEqual([false, undefined]);
  }
  const { orders, phase } = await stack.health();
  expect(orders.given).toBeGreaterThan(before!);
  expect([orders.reverted! - broken!, phase]).toEqual([orders.given! - before!, "live"]);
  await approve(2n ** 256n - 1n);
});

test("a maker whose order is not filled does not keep out the maker beside it, and is blocked soon", async () => {
  const usual = { includeAggregator: "Reference,Rival,Uniswap_V2" };
  isRivalUp = true;
  type Makers = { chains: { makers: { phase: string; orders: { given: number; reverted: number } }[] }[] };
  const makers = async () => (await stack.api<Makers>("/health")).chains[0]!.makers;
  await until(async () => (await makers())[1]!.phase === "live");
  await readyWallet(stack, SALE, 1);
  for (const query of [{}, { takerAddress: payer.address }])
    await until(async () => {
      const offer = await makerQuote(stack, SALE, { ...usual, ...query });
      const names = offer.routes.map(({ protocol_name }) => protocol_name);
      expect(names).not.toContain("Rival");
      expect(offer).toMatchObject({ simulation: { status: "exact" } });
      // Where a busy machine made an order late, it is tried again.
      return names.includes("Reference");
    });
  await until(async () => {
    await makerQuote(stack, SALE, usual);
    return (await makers())[1]!.phase === "blocked";
  });
  const { given, reverted } = (await makers())[1]!.orders;
  expect(given).toBeGreaterThan(0);
  expect(reverted).toBe(given);
});
