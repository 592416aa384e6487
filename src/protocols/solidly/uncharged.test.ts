import { expect, test } from "vitest";
import { createEngine } from "../../core/routing/engine.ts";
import { ask, token } from "../../core/routing/market.fixture.ts";
import type { Address, Pool } from "../../core/types.ts";
import { solidly } from "./index.ts";
import type { State } from "./state.ts";

/**
 * The contract rounds its fee down in the token sold. A unit of a token of few digits is worth very many of one of 18 digits, so that
 * this pays more than the curve does by far more than doubles lose.
 */

const [WETH, USDC, WBTC] = [token(1), token(2), token(3)];
const [ETHER, DOLLAR, BITCOIN] = [10n ** 18n, 10n ** 6n, 10n ** 8n];
const at = { blockNumber: 1, timestamp: 1_700_000_000 };

type Coin = { readonly token: Address; readonly unit: bigint; readonly whole: bigint };

function pairOf(id: Address, a: Coin, b: Coin, fee: bigint): readonly [Pool, State] {
  const facts = { stable: false, solver: "nearest", feeCall: "curve", feeDenominator: 10_000, factory: id };
  const common = { id, address: id, protocol: "solidly", deployment: "test", facts };
  const reserves = [a.whole * a.unit, b.whole * b.unit] as const;
  return [
    { ...common, tokens: [a.token, b.token], stateIds: [id] },
    {
      solver: "nearest",
      fee,
      feeDenominator: 10_000n,
      readAt: at.timestamp,
      stable: false,
      reserves,
      units: [a.unit, b.unit],
    },
  ];
}

const ether = { token: WETH, unit: ETHER, whole: 1_000n };
const pairs = [
  pairOf(token(0xf1), ether, { token: USDC, unit: DOLLAR, whole: 3_000_000n }, 5n),
  pairOf(token(0xf2), { token: WBTC, unit: BITCOIN, whole: 50n }, ether, 30n),
];

test.each([
  ["USDC to WETH", USDC, WETH],
  ["WBTC to WETH", WBTC, WETH],
  ["WBTC to USDC", WBTC, USDC],
])("bounds hold where the fee is rounded down: %s", (_, sold, bought) => {
  const states = new Map<string, State>(pairs.map(([pool, state]) => [pool.id, state]));
  const engine = createEngine(new Map([["solidly", solidly as never]]), { wrappedNative: WETH });
  engine.patch({ pools: pairs.map(([pool]) => pool), removed: [] }, { get: (id) => states.get(id) }, at);
  for (const gasPriceWei of [undefined, 1n, 10n ** 9n])
    for (let amount = 12_917n; amount < 10n ** 9n; amount = (amount * 7n) / 2n) {
      const found = engine.find(ask(sold, bought, amount, { at, gasPriceWei }));
      if (found.kind === "missing") throw new Error(`${amount} does not route`);
      expect(found.optimality).not.toHaveProperty("upperBound", null);
    }
  expect(engine.counters().boundsViolated).toBe(0);
});
