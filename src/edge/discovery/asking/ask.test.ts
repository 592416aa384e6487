import { expect, test } from "vitest";
import type { Address, Pool } from "../../../core/types.ts";
import { createKnown } from "../known/known.ts";
import { noRecollection } from "../restart/recollection.ts";
import type { DiscoveryContext } from "../types.ts";
import { createAsking } from "./ask.ts";

const address = (n: number): Address => `0x${n.toString(16).padStart(40, "0")}`;
const [HUB, TOKEN, OTHER] = [address(1), address(2), address(3)];
const pool = (n: number, ...tokens: Address[]): Pool => ({
  ...{ id: address(n), address: address(n), tokens, stateIds: [address(n)] },
  ...{ protocol: "p", deployment: "d", facts: {} },
});

/** A chain whose factories know no pools, so that only announced ones are found; all of these are in the market. */
function opened() {
  const known = createKnown();
  const clock = { ms: 1_000 };
  let atEnd: () => void = () => undefined;
  const context = {
    ...{ chain: { hubs: [HUB], wrappedNative: HUB }, dispatch: { pairSources: [] }, known },
    market: { head: () => ({ number: 1 }), book: { poolsOf: () => new Set(), pools: { has: () => true } } },
    awake: { get: () => "asked", keep: () => atEnd() },
    recollection: noRecollection(),
  } as unknown as DiscoveryContext;
  const asking = createAsking(context, () => clock.ms);
  const announce = (one: Pool) => {
    known.add(one);
    clock.ms++;
    asking.announced(one);
  };
  const atEndOfRead = (work: () => void) => {
    atEnd = work;
  };
  return { asking, clock, announce, atEndOfRead };
}

test("a pair without pools is asked for again once a pool of its token is announced, and after ten minutes", async () => {
  const { asking, clock, announce } = opened();
  await asking.cover([TOKEN, HUB], "a");
  await asking.cover([OTHER, HUB], "a");
  expect(asking.isCovered([TOKEN, HUB], "a")).toBe(true);
  announce(pool(9, TOKEN, HUB));
  expect(asking.isCovered([TOKEN, HUB], "a")).toBe(false);
  expect(asking.isCovered([OTHER, HUB], "a")).toBe(true);
  clock.ms += 600_000;
  expect(asking.isCovered([OTHER, HUB], "a")).toBe(false);
});

test("a pool that is announced at the end of the read of its pair was missed by it", async () => {
  const { asking, announce, atEndOfRead } = opened();
  atEndOfRead(() => announce(pool(9, TOKEN, HUB)));
  await asking.cover([TOKEN, HUB], "a");
  expect(asking.isCovered([TOKEN, HUB], "a")).toBe(false);
  atEndOfRead(() => undefined);
  await asking.cover([TOKEN, HUB], "a");
  expect(asking.isCovered([TOKEN, HUB], "a")).toBe(true);
});

test("a pair with pools is not asked for again, whoever creates more of them", async () => {
  const { asking, announce } = opened();
  announce(pool(9, TOKEN, HUB));
  await asking.cover([TOKEN, HUB], "a");
  announce(pool(10, TOKEN, HUB));
  expect(asking.isCovered([TOKEN, HUB], "a")).toBe(true);
});
