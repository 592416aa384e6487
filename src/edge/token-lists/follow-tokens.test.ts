import { expect, test } from "vitest";
import { counterChain, poolOf, word } from "../../../test/faults/counter.ts";
import { createFakeChain, poolAddress } from "../../../test/faults/fake-chain.ts";
import { follow, silent } from "../../../test/faults/follow.ts";
import type { Address, Head, Hex } from "../../core/types.ts";
import { followTokens } from "./follow-tokens.ts";
import { openTokenRegistry } from "./registry.ts";

const POOL = poolAddress(0);
const tokenAt = (k: number): Address => `0xcc${k.toString(16).padStart(38, "0")}`;

/** @param speaks whether a contract names decimals */
async function started(speaks: (token: Address) => boolean) {
  const chain = createFakeChain();
  chain.mine([{ kind: "create", pool: POOL }]);
  const { market, reader, catchUp } = follow(chain);
  const asked: Address[] = [];
  const read = async (calls: readonly { to: Hex }[]): Promise<Hex[]> => {
    asked.push(...calls.map(({ to }) => to));
    return calls.map(({ to }) => (speaks(to) ? word(18n) : "0x"));
  };
  const registry = openTokenRegistry(undefined, silent);
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
  return { followed, asked, head, isAsked, know };
}

test("tokens of pools that come into the market are read once, and not walked over in each block", async () => {
  const { followed, asked, head } = await started(() => true);
  expect(await followed.takeOver(head)).toBe(true);
  expect(new Set(asked)).toEqual(new Set(poolOf(POOL).tokens));
  asked.length = 0;
  expect(await followed.takeOver(head)).toBe(true);
  expect(asked).toEqual([]);
});

test("contracts that are no tokens are remembered, but no more of them than a bound", async () => {
  const { isAsked, know } = await started(() => false);
  await know(0, 20_001);
  expect(await isAsked(tokenAt(20_000))).toBe(false);
  expect(await isAsked(tokenAt(0))).toBe(true);
});

test("of more tokens than a bound those of the market's pools stay", async () => {
  const { followed, head, isAsked, know } = await started(() => true);
  await followed.takeOver(head);
  await know(0, 60_001);
  expect(await isAsked(tokenAt(60_000))).toBe(false);
  expect(await isAsked(tokenAt(0))).toBe(true);
  for (const token of poolOf(POOL).tokens) expect(await isAsked(token)).toBe(false);
});
