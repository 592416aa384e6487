import { expect, test } from "vitest";
import { protocols } from "../../protocols/index.ts";
import { inventoryId, makerPool } from "../rfq.ts";
import { type Address, NATIVE, type Pool } from "../types.ts";
import { createEngine } from "./engine.ts";

const hex = (n: number): Address => `0x${n.toString(16).padStart(40, "0")}`;
const [A, B, WETH] = [hex(1), hex(2), hex(3)];
const E18 = 10n ** 18n;
const at = { blockNumber: 11, timestamp: 1_700_000_012 };

test("a route over pools that share one maker's inventory is proved within 1 bp", () => {
  const account = { address: hex(0xaa), isContract: false };
  const makers = [makerPool("maker-m", account, [A, B]), makerPool("maker-m", account, [B, WETH])];
  const pairs = [[A, B] as const, [B, WETH] as const].map(
    (tokens, n): Pool => ({
      ...{ id: hex(0xb0 + n), address: hex(0xb0 + n), protocol: "uniswap-v2", deployment: "v2", tokens },
      ...{ stateIds: [hex(0xb0 + n)], facts: { feePpm: 3000 } },
    }),
  );
  const wrapper: Pool = {
    ...{ id: WETH, address: WETH, protocol: "wrapped-native", deployment: "weth", tokens: [WETH, NATIVE] },
    ...{ stateIds: [WETH], facts: {} },
  };
  const level = [
    { amountIn: 20n * E18, amountOut: 20n * E18 },
    { amountIn: 20n * E18, amountOut: (20n * E18 * 99n) / 100n },
  ];
  const states = new Map<string, unknown>([[WETH, {}]]);
  for (const { id } of pairs)
    states.set(id, { reserves: [1_000n * E18, 1_000n * E18], feePpm: 3000, taxed: false });
  for (const { id } of makers) states.set(id, { levels: [level, level], firm: null });
  states.set(inventoryId("maker-m"), { [A]: 500n * E18, [B]: 500n * E18, [WETH]: 500n * E18 });
  const engine = createEngine(protocols, { wrappedNative: WETH });
  engine.patch({ pools: [...pairs, wrapper, ...makers], removed: [] }, { get: (id) => states.get(id) }, at);
  const found = engine.find({
    ...{ tokenIn: A, tokenOut: WETH, amount: 30n * E18, side: "in", at, gasPriceWei: undefined },
    ...{ allows: () => true, maxHops: 4, maxLegs: 0, timeoutMs: 10_000, now: () => 0 },
  });
  if (found.kind !== "found") throw new Error(found.reason);
  expect(found.route.steps.map(({ pool }) => pool.deployment)).toContain("maker-m");
  expect(found.optimality.upperBound).not.toBeNull();
  expect((found.optimality as { gapBps: number }).gapBps).toBeLessThan(1);
});
