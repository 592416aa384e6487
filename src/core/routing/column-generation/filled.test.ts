import { expect, test } from "vitest";
import { ask, token } from "../market.fixture.ts";
import { type Vault, vaultMarket } from "../vaults.fixture.ts";

const E21 = 10n ** 21n;

/** From token 1 or, unit for unit, 3 to token 2. */
const VAULTS: readonly Vault[] = Array.from({ length: 120 }, (_, k) => ({
  room: BigInt(1 + ((k * 7) % 20)) * E21,
  feePpm: BigInt((k * 37) % 120) * 40n,
}));
const ROOM = VAULTS.reduce((sum, { room }) => sum + room, 0n);

/** What they pay for an amount, those of the least fee first. */
function mostFor(amount: bigint): number {
  let [left, paid] = [amount, 0];
  for (const { room, feePpm } of VAULTS.toSorted((a, b) => Number(a.feePpm - b.feePpm))) {
    const taken = room < left ? room : left;
    paid += Number(taken) * (1 - Number(feePpm) / 1e6);
    left -= taken;
  }
  return paid;
}

test.each([24n, 36n, 44n, 60n, 76n, 84n])(
  "an order of %i in a hundred of what pools of no slippage take fills them, the best first",
  (percent) => {
    const engine = vaultMarket([
      { room: 100_000n * E21, feePpm: 0n, tokens: [token(1), token(3)] },
      ...VAULTS.map((one, k) => ({ ...one, tokens: [token(k % 2 === 0 ? 3 : 1), token(2)] })),
    ]);
    const amount = (ROOM * percent) / 100n;
    const found = engine.find(ask(token(1), token(2), amount));
    if (found.kind === "missing") throw new Error(found.reason);
    expect(Number(found.route.amountOut) / mostFor(amount)).toBeGreaterThan(1 - 2e-4);
  },
);
