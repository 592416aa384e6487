import { expect, test } from "vitest";
import type { Deps } from "../../service/deps.ts";
import type { ListedToken } from "../../service/ports/ports.ts";
import { presentToken } from "./present.ts";
import { createTokenAnswers, writeTokens } from "./token-list.ts";

const token = (n: number, isActive = true): ListedToken => ({
  ...{
    chainId: 1,
    address: `0x${n.toString(16).padStart(40, "0")}`,
    name: `Token "${n}" é`,
    symbol: `T${n}`,
  },
  ...{ decimals: 18, logoUri: "", isActive, priority: n, isRfq: false, isListed: true },
});
const list = (count: number) => Array.from({ length: count }, (_, k) => token(k));
const logos = { has: ({ priority }: ListedToken) => priority % 2 === 0, of: async () => undefined };

function counted() {
  let pauses = 0;
  const pause = async () => void pauses++;
  return { deps: { pause }, pauses: () => pauses };
}

test.each([0, 1, 99, 100, 101, 1_000])("%i tokens are written as JSON would write them", async (count) => {
  const { deps, pauses } = counted();
  const tokens = list(count);
  const { body, tag } = await writeTokens({ deps, logos }, tokens, { total: count });
  const wanted = { tokens: tokens.map((one) => presentToken(one, logos.has(one))), total: count };
  expect(body.toString()).toBe(JSON.stringify(wanted));
  // The event loop is yielded after every hundred tokens.
  expect(pauses()).toBe(Math.max(0, Math.ceil(count / 100) - 1));
  const other = await writeTokens({ deps, logos }, tokens, { total: count + 1 });
  expect([other.tag === tag, other.tag.length]).toEqual([false, tag.length]);
  expect((await writeTokens({ deps, logos }, tokens, { total: count })).tag).toBe(tag);
});

test("a chain's answer is written once for each list, and holds the active tokens", async () => {
  let all: readonly ListedToken[] = [token(1), token(2, false), token(3)];
  const deps = {
    ...counted().deps,
    chains: new Map([[1, { chain: { id: 1 } }]]),
    tokens: { all: () => all },
  } as unknown as Deps;
  const answerOf = createTokenAnswers({ deps, logos });
  const symbols = async () =>
    JSON.parse((await answerOf(1)).body.toString()).tokens.map((one: { symbol: string }) => one.symbol);
  const first = await answerOf(1);
  expect(await symbols()).toEqual(["T1", "T3"]);
  expect(await answerOf(1)).toBe(first);
  all = [...all, token(4)];
  expect(await symbols()).toEqual(["T1", "T3", "T4"]);
  expect(() => answerOf(2)).toThrow("2");
});
