import fc from "fast-check";
import { writeNamed } from "../../core/named-addresses.ts";
import type { Address } from "../../core/types.ts";
import type { Subject } from "../subject.ts";
import type { Shape, State } from "./state.ts";
import recorded from "./vectors.json" with { type: "json" };
import { eclpParams } from "./vectors.ts";

export const VAULT: Address = "0xba12222222228d8ba445958a75a0704d566bf2c8";
export const POOL: Address = "0x00000000000000000000000000000000000000bc";
export const POOL_ID = `${POOL}000200000000000000000002` as Address;

const token = (k: number): Address => `0x${(k + 1).toString(16).padStart(40, "0")}`;

/** A pool with this state. */
export function subjectOf(state: State): Subject {
  const greatest = Math.max(...state.balances.map(Number));
  const hasFine = state.scaling.some((scale) => scale < 10n ** 24n);
  return {
    pool: {
      id: POOL,
      address: VAULT,
      protocol: "gyroscope",
      deployment: "arbitrary",
      tokens: state.tokens,
      stateIds: [POOL],
      facts: { poolId: POOL_ID, factories: writeNamed({ eclp: token(98) }) },
    },
    states: new Map([[POOL, state]]),
    at: { blockNumber: 1, timestamp: 1 },
    // The contracts shift their curves by the error of the invariant, in 18 decimals; for an E-CLP, lambda magnifies
    // it.
    roundings: Math.ceil((hasFine ? slackOf(state.shape) : 8) + greatest * 2e-15),
    outputFee: 0,
  };
}

function slackOf(shape: Shape): number {
  return shape.kind === "eclp" ? 1_000 + Number(shape.params.lambda) / 1e15 : 1_000;
}

/** Recorded ellipses: their derived parameters need 38 digits and cannot be generated here. */
const ellipses: readonly Shape[] = recorded.vectors
  .filter(({ protocol }) => protocol === "gyro-eclp")
  .map(({ pool }) => ({ kind: "eclp", params: eclpParams(pool.state) }));

const two: fc.Arbitrary<Shape> = fc
  .record({ low: fc.integer({ min: 500, max: 999 }), high: fc.integer({ min: 1001, max: 2000 }) })
  .map(({ low, high }) => ({
    kind: "2clp",
    sqrtAlpha: BigInt(low) * 10n ** 15n,
    sqrtBeta: BigInt(high) * 10n ** 15n,
  }));

const three: fc.Arbitrary<Shape> = fc
  .integer({ min: 200_000, max: 999_900 })
  .map((root) => ({ kind: "3clp", root3Alpha: BigInt(root) * 10n ** 12n }));

const state: fc.Arbitrary<State> = fc
  .record({
    shape: fc.oneof(two, three, fc.constantFrom(...ellipses)),
    coins: fc.array(
      fc.record({
        decimals: fc.constantFrom(6, 18),
        rate: fc.constantFrom(1000, 1000, 1152),
        whole: fc.integer({ min: 1, max: 10 ** 6 }),
      }),
      { minLength: 3, maxLength: 3 },
    ),
    swapFee: fc.bigInt({ min: 10n ** 13n, max: 10n ** 16n }),
  })
  .map(({ shape, coins: all, swapFee }) => {
    const coins = shape.kind === "3clp" ? all : all.slice(0, 2);
    return {
      vault: VAULT,
      tokens: coins.map((_, k) => token(k)),
      balances: coins.map((coin) => BigInt(coin.whole) * 10n ** BigInt(coin.decimals)),
      swapFee,
      scaling: coins.map((coin) => (10n ** BigInt(36 - coin.decimals) * BigInt(coin.rate)) / 1000n),
      shape,
      onlyIn: coins.some((coin) => coin.rate !== 1000) ? 1 : 0,
    };
  });

export const subjects: fc.Arbitrary<Subject> = state.map(subjectOf);

/** The vault's logs and answers contain dynamic arrays. */
export const isBeyondGuesses = true;
