import { expect, test } from "vitest";
import { NOW, POOL, subjectOf, VAULT } from "./arbitrary.ts";
import { balancerV2 } from "./index.ts";
import type { State } from "./state.ts";

const ONE = 10n ** 18n;
const scaling = (rate: bigint) => ({ cached: rate, live: rate, expires: NOW + 60 });
/** The second coin is abundant, and so cheaper in the pool than its part of the balances tells; the fee is 8 %. */
const state: State = {
  kind: "stable",
  vault: VAULT,
  swapFee: 80_763_166_731_039_877n,
  ramp: { initialA: 9000n, futureA: 9000n, initialTime: 0, futureTime: 0 },
  readFor: 1,
  tokens: ["0x0000000000000000000000000000000000000001", "0x0000000000000000000000000000000000000002", POOL],
  balances: [2_700_000n * ONE, 3_930_000n * ONE, 2n ** 111n],
  scaling: [scaling(ONE), scaling((1152n * ONE) / 1000n), scaling(ONE)],
  rounding: "down",
  shareIndex: 2,
  supply: 6_986_830_521_578_705_354_638_229n,
};

test("no redemption of shares for one coin gains more than is certified", () => {
  const { pool, states, at } = subjectOf(state);
  const mirror = balancerV2.mirror(state, pool, at, states);
  const prices = [1.000039295919986, 1.1844686016106052, 1.052096624140626];
  const gains = Array.from({ length: 400 }, (_, k) => {
    const sold = BigInt(Math.floor(1e21 * 1.02 ** k));
    const fill = balancerV2.quote(states, pool, 2, 1, sold, "in", at);
    return fill === undefined ? 0 : prices[1]! * Number(fill.amountOut) - prices[2]! * Number(sold);
  });
  const most = Math.max(...gains);
  expect(most).toBeGreaterThan(1e20);
  const certified = balancerV2.gain!(mirror, prices)!;
  expect(certified).toBeGreaterThan(most);
  expect(certified).toBeLessThan(most * 10);
});
