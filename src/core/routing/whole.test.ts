import { expect, test } from "vitest";
import { protocols } from "../../protocols/index.ts";
import { inventoryId, makerPool } from "../rfq.ts";
import { type Address, NATIVE, type Pool } from "../types.ts";
import { createEngine } from "./engine.ts";

const hex = (n: number): Address => `0x${n.toString(16).padStart(40, "0")}`;
const [A, B, C, WETH] = [hex(1), hex(2), hex(3), hex(4)];
const E18 = 10n ** 18n;
const at = { blockNumber: 11, timestamp: 1_700_000_012 };

const account = { address: hex(0xaa), isContract: false, settler: hex(0xcc) };
/** A maker that fills only whole orders and pays twice what the pools do. */
const maker = (tokens: readonly [Address, Address]) => makerPool("maker-m", account, tokens);
const pair = (n: number, tokens: readonly [Address, Address]): Pool => ({
  ...{ id: hex(n), address: hex(n), protocol: "uniswap-v2", deployment: "v2", tokens },
  ...{ stateIds: [hex(n)], facts: { feePpm: 3000 } },
});
const wrapper: Pool = {
  ...{ id: WETH, address: WETH, protocol: "wrapped-native", deployment: "weth", tokens: [WETH, NATIVE] },
  ...{ stateIds: [WETH], facts: {} },
};
const pools = [pair(0xb1, [A, B]), pair(0xb2, [B, C]), pair(0xb3, [B, WETH]), wrapper];
const level = [{ amountIn: 50n * E18, amountOut: 100n * E18 }];
const reserves = { reserves: [1_000n * E18, 1_000n * E18], feePpm: 3000, taxed: false };

/** Deployments of the pools of the best route in a market with a maker of `tokens`, or the reason why there is none. */
function routeOf(tokens: readonly [Address, Address], [tokenIn, tokenOut]: readonly [Address, Address]) {
  const priced = maker(tokens);
  const states = new Map<string, unknown>(pools.map(({ id }) => [id, id === WETH ? {} : reserves]));
  states.set(priced.id, { levels: [level, level], firm: null });
  states.set(inventoryId("maker-m"), Object.fromEntries(tokens.map((token) => [token, 1_000n * E18])));
  const engine = createEngine(protocols, { wrappedNative: WETH });
  engine.patch({ pools: [...pools, priced], removed: [] }, { get: (id) => states.get(id) }, at);
  const found = engine.find({
    ...{ tokenIn, tokenOut, amount: E18, side: "in", at, gasPriceWei: undefined, allows: () => true },
    ...{ maxHops: 4, maxLegs: 0, timeoutMs: 10_000, now: () => 0 },
  });
  return found.kind === "found" ? found.route.steps.map(({ pool }) => pool.deployment) : found.reason;
}

test("a pool that fills only whole orders is crossed first, with the token sold", () => {
  expect(routeOf([B, C], [B, C])).toEqual(["maker-m"]);
  expect(routeOf([A, B], [A, C])).toEqual(["maker-m", "v2"]);
});

test("a pool that fills only whole orders is not crossed after another pool", () => {
  expect(routeOf([B, C], [A, C])).toEqual(["v2", "v2"]);
});

test("a pool that fills only whole orders is crossed after the wrap of the native coin", () => {
  expect(routeOf([B, WETH], [NATIVE, B])).toEqual(["weth", "maker-m"]);
  expect(routeOf([B, WETH], [NATIVE, C])).toEqual(["weth", "maker-m", "v2"]);
});
