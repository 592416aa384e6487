import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { counterChain, poolOf, word } from "../../../test/faults/counter.ts";
import { createFakeChain, poolAddress } from "../../../test/faults/fake-chain.ts";
import { follow, silent } from "../../../test/faults/follow.ts";
import type { Address, Head, Hex } from "../../core/types.ts";
import { listOrder } from "../../service/tokens.ts";
import { followTokens } from "./follow-tokens.ts";
import { openTokenRegistry } from "./registry.ts";

const POOL = poolAddress(0);
const CHAIN = counterChain().id;
const tokenAt = (k: number): Address => `0xcc${k.toString(16).padStart(38, "0")}`;

/** @param speaks whether the contract at an address answers `decimals` */
async function started(speaks: (token: Address) => boolean, folder?: string) {
  const chain = createFakeChain();
  chain.mine([{ kind: "create", pool: POOL }]);
  const { market, reader, catchUp } = follow(chain);
  const asked: Address[] = [];
  const read = async (calls: readonly { to: Hex }[]): Promise<Hex[]> => {
    asked.push(...calls.map(({ to }) => to));
    return calls.map(({ to }) => (speaks(to) ? word(18n) : "0x"));
  };
  const registry = openTokenRegistry(folder, silent);
  const followed = followTokens({
    ...{ chain: counterChain(), market, registry, listed: false, activeDepth: 1, rankMs: 0, log: silent },
    reader: { ...reader, read },
    genesis: () => "0xaa",
  });
  await catchUp();
  const head = market.head() as Head;
  const isAsked = async (token: Address) => {
    asked.length = 0;
    await followed.know([token], head);
    return asked.includes(token);
  };
  const know = (first: number, last: number) =>
    followed.know(
      Array.from({ length: last - first }, (_, k) => tokenAt(first + k)),
      head,
    );
  const list = () => registry.port.all(CHAIN).map(({ address }) => address);
  const addPool = async (pool: Address) => {
    chain.mine([{ kind: "create", pool }]);
    await catchUp();
  };
  return { followed, asked, head, isAsked, know, list, registry, addPool };
}

/** A clock that only moves forward by the returned function. */
function stoppedClock(): (ms: number) => void {
  let now = Math.ceil(performance.now());
  const spy = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => spy.mockRestore());
  return (ms) => {
    now += ms;
  };
}

test("tokens of pools that enter the market are read once, and not again with the next block", async () => {
  const { followed, asked, head } = await started(() => true);
  expect(await followed.takeOver(head)).toBe(true);
  expect(new Set(asked)).toEqual(new Set(poolOf(POOL).tokens));
  asked.length = 0;
  expect(await followed.takeOver(head)).toBe(true);
  expect(asked).toEqual([]);
});

test("contracts that are no tokens are remembered, up to a bound", async () => {
  const { isAsked, know } = await started(() => false);
  await know(0, 20_001);
  expect(await isAsked(tokenAt(20_000))).toBe(false);
  expect(await isAsked(tokenAt(0))).toBe(true);
});

test("an address without code that becomes a token is read when a pool with it enters the market", async () => {
  const pool = poolAddress(1);
  const [token] = poolOf(pool).tokens as [Address];
  let isDeployed = false;
  const { followed, head, isAsked, list, addPool } = await started(() => isDeployed);
  expect([await isAsked(token), await isAsked(token)]).toEqual([true, false]);
  isDeployed = true;
  await addPool(pool);
  await followed.takeOver(head);
  expect(list()).toContain(token);
});

test("a contract without metadata is read again for a request some minutes later", async () => {
  const pass = stoppedClock();
  let isDeployed = false;
  const { isAsked, list } = await started(() => isDeployed);
  expect([await isAsked(tokenAt(0)), await isAsked(tokenAt(0))]).toEqual([true, false]);
  pass(5 * 60_000);
  expect([await isAsked(tokenAt(0)), await isAsked(tokenAt(0))]).toEqual([true, false]);
  isDeployed = true;
  pass(5 * 60_000);
  expect(await isAsked(tokenAt(0))).toBe(true);
  expect(list()).toContain(tokenAt(0));
});

test("a token of a pool whose call failed once is read again without a request", async () => {
  const pass = stoppedClock();
  let isFailing = true;
  const { followed, asked, head, list } = await started(() => !isFailing);
  await followed.takeOver(head);
  asked.length = 0;
  isFailing = false;
  await followed.takeOver(head);
  expect(asked).toEqual([]);
  pass(15 * 60_000);
  await followed.takeOver(head);
  for (const token of poolOf(POOL).tokens) expect(list()).toContain(token);
});

test("beyond the bound on remembered tokens those of the market's pools stay", async () => {
  const { followed, head, isAsked, know } = await started(() => true);
  await followed.takeOver(head);
  await know(0, 60_001);
  // The list drops a forgotten token with its next ranking, which comes some time after the one before.
  const isForgotten = async () => {
    await followed.takeOver(head);
    return isAsked(tokenAt(0));
  };
  await expect.poll(isForgotten, { timeout: 20_000 }).toBe(true);
  expect(await isAsked(tokenAt(60_000))).toBe(false);
  for (const token of poolOf(POOL).tokens) expect(await isAsked(token)).toBe(false);
});

test("a token that a request names is listed at once, and a token that is read during a ranking is not lost", async () => {
  const { followed, head, know, list, registry } = await started(() => true);
  await followed.takeOver(head);
  await know(5, 6);
  expect(list()).toContain(tokenAt(5));
  expect(registry.port.get(CHAIN, tokenAt(5))).toMatchObject({ decimals: 18, isActive: false });
  await know(6, 2_000);
  const ranking = followed.takeOver(head);
  await know(2_000, 2_010);
  expect(list()).toContain(tokenAt(2_000));
  await ranking;
  expect(list()).toContain(tokenAt(2_000));
  expect(new Set(list()).size).toBe(list().length);
  await followed.takeOver(head);
  expect(registry.port.all(CHAIN)).toEqual([...registry.port.all(CHAIN)].sort(listOrder));
});

test("tokens that the last run read are known before the first block", async () => {
  const folder = mkdtempSync(join(tmpdir(), "braid-tokens-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const first = await started(() => true, folder);
  await first.know(0, 3);
  first.registry.close();
  const second = await started(() => true, folder);
  expect(await second.isAsked(tokenAt(1))).toBe(false);
  expect(second.list()).toContain(tokenAt(1));
  second.registry.close();
});

test("where the tokens of the last run cannot be read from the disk, the chain is asked for them", async () => {
  const { followed, head, isAsked, list, registry } = await started(() => true);
  vi.spyOn(registry.store, "load").mockImplementation(() => {
    throw new Error("database disk image is malformed");
  });
  expect(await followed.takeOver(head)).toBe(true);
  expect(await isAsked(tokenAt(0))).toBe(true);
  expect(list()).toContain(tokenAt(0));
});

test("a token that cannot be written to the disk is listed all the same", async () => {
  const { list, know, registry } = await started(() => true);
  vi.spyOn(registry.store, "save").mockImplementation(() => {
    throw new Error("database or disk is full");
  });
  await know(0, 3);
  expect(list()).toContain(tokenAt(1));
});
