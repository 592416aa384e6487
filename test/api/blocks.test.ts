import { expect, test } from "vitest";
import { BraidError } from "../../src/core/errors.ts";
import type { Hex } from "../../src/core/types.ts";
import type { SentTransaction } from "../../src/service/ports/ports.ts";
import type { BlockBody } from "../../src/service/ports/ports-bodies.ts";
import { get } from "./ask.ts";
import { ALICE, createWorld, ROUTER, USDC, WETH } from "./world.ts";

/** Blocks that are read of a chain which a test makes up, block by block. */

const DEPTH = 8;
const hashOf = (number: number, fork = 0): Hex => `0x${(number + 1e6 * fork).toString(16).padStart(64, "0")}`;
const word = (value: bigint | string) => BigInt(value).toString(16).padStart(64, "0");
const TRANSFER: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

async function reading() {
  const bodies = new Map<number, BlockBody>();
  const asked: number[] = [];
  let isDown = false;
  const sentTo = async (contract: Hex, number: number) => {
    expect(contract).toBe(ROUTER);
    asked.push(number);
    if (isDown) throw new BraidError("STALE_STATE", "No node answers.", { retryAfterSeconds: 2 });
    return bodies.get(number);
  };
  const service = await createWorld({ bodies: { sentTo } });
  const { world } = service;
  /** Puts a block in the place of whatever was there. */
  const put = (number: number, fork: number, sent: readonly { hash: Hex; data: Hex }[] = []) =>
    bodies.set(number, {
      number,
      hash: hashOf(number, fork),
      parentHash: bodies.get(number - 1)?.hash ?? hashOf(number - 1),
      timestamp: 1_700_000_000 + 12 * (number - 100),
      sent: sent.map((one, index) => ({ ...one, index })),
    });
  const turns = async () => {
    for (let k = 0; k < 30; k++) await new Promise((resolve) => setImmediate(resolve));
  };
  const mine = async (blocks: number) => {
    for (let k = 0; k < blocks; k++) {
      world.nextBlock();
      await turns();
    }
  };
  const quote = async () => {
    const pair = { fromTokenAddress: WETH, toTokenAddress: USDC, amount: "1000000000000000000" };
    return (await get(service, "/v1/1/quote", { ...pair, slippage: "10", takerAddress: ALICE })).json;
  };
  /** A quote's transaction as it was mined; what it paid is `paid`. */
  const mined = (data: Hex, at: { hash: Hex; number: number; fork?: number; paid: bigint }) => {
    const { hash, number, fork = 0, paid } = at;
    const log = {
      address: USDC,
      topics: [TRANSFER, `0x${word(ROUTER)}`, `0x${word(ALICE)}`] as Hex[],
      data: `0x${word(paid)}` as Hex,
    };
    const receipt = {
      ...{ succeeded: true, blockNumber: number, blockHash: hashOf(number, fork) },
      ...{ gasUsed: 100_000n, gasPriceWei: 1n, logs: [log] },
    };
    const sent: SentTransaction = {
      ...{ hash, from: ALICE, to: ROUTER, data, value: 0n, gasLimit: 300_000n, receipt },
    };
    world.transactions.set(hash, sent);
    return { hash, data };
  };
  const report = async () => (await get(service, "/v1/1/accuracy")).json;
  service.measure();
  await turns();
  const down = (is: boolean) => {
    isDown = is;
  };
  return { service, put, mine, quote, mined, report, asked, down };
}

const T1 = hashOf(0x7001);
const T2 = hashOf(0x7002);

test("a block is read once, when eight are on top of it, and nothing else is asked about transactions of others", async () => {
  const { service, put, mine, quote, mined, report, asked } = await reading();
  const { calldata, amount_out_total } = await quote();
  const own = mined(calldata, { hash: T1, number: 101, paid: (BigInt(amount_out_total) * 999n) / 1000n });
  put(101, 0, [own, { hash: T2, data: "0x1234" }]);
  for (let number = 102; number < 112; number++) put(number, 0);
  await mine(DEPTH);
  expect(asked).toEqual([]);
  await mine(1);
  expect(asked).toEqual([101]);
  await mine(2);
  expect(asked).toEqual([101, 102, 103]);
  const { executed, blocks } = await report();
  expect(blocks).toEqual({ read: 3, skipped: 0, newest: 103 });
  expect(executed).toMatchObject({ succeeded: 1, reverted: 0, found_in_blocks: 1 });
  expect(executed.loss_bps.max).toBeCloseTo(10);
  await service.app.close();
});

test("blocks that are replaced after they were read are read again; a transaction of both counts once", async () => {
  const { service, put, mine, quote, mined, report, asked } = await reading();
  const { calldata, amount_out_total } = await quote();
  const paid = BigInt(amount_out_total);
  for (let number = 101; number < 116; number++) put(number, 0);
  put(102, 0, [mined(calldata, { hash: T1, number: 102, paid })]);
  await mine(DEPTH + 3);
  expect(asked).toEqual([101, 102, 103]);
  put(102, 1);
  put(103, 1, [
    mined(calldata, { hash: T1, number: 103, fork: 1, paid }),
    mined(calldata, { hash: T2, number: 103, fork: 1, paid }),
  ]);
  for (let number = 104; number < 116; number++) put(number, 1);
  await mine(2);
  expect(asked.slice(3)).toEqual([104, 103, 102, 103, 104, 105]);
  expect((await report()).executed).toMatchObject({ succeeded: 2, found_in_blocks: 2 });
  await service.app.close();
});

test("a node that does not answer is asked again, and where too many blocks wait the oldest are left out", async () => {
  const { service, put, mine, quote, mined, report, asked, down } = await reading();
  const { calldata, amount_out_total } = await quote();
  for (let number = 101; number < 250; number++) put(number, 0);
  const late = mined(calldata, { hash: T1, number: 130, paid: BigInt(amount_out_total) });
  put(130, 0, [late]);
  down(true);
  await mine(DEPTH + 90);
  expect(new Set(asked).size).toBeLessThan(30);
  down(false);
  await mine(1);
  const { executed, blocks } = await report();
  expect(blocks).toMatchObject({ read: 64, skipped: 27, newest: 191 });
  expect(executed.succeeded).toBe(1);
  await service.app.close();
});

test("a receipt of another block than the one that was read counts for nothing", async () => {
  const { service, put, mine, quote, mined, report } = await reading();
  const { calldata, amount_out_total } = await quote();
  for (let number = 101; number < 120; number++) put(number, 0);
  put(101, 0, [mined(calldata, { hash: T1, number: 101, fork: 3, paid: BigInt(amount_out_total) })]);
  await mine(DEPTH + 2);
  expect((await report()).executed).toMatchObject({ succeeded: 0, reverted: 0 });
  await service.app.close();
});
