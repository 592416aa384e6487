import fc from "fast-check";
import { invariantOf } from "../../core/math/balancer/balancer-stable-math.ts";
import { mulDown } from "../../core/math/fixed-point.ts";
import { writeNamed } from "../../core/named-addresses.ts";
import type { Address } from "../../core/types.ts";
import type { Subject } from "../subject.ts";
import { NEVER, type Scaling, type StableState, type State, type WeightedState } from "./state.ts";

export const VAULT: Address = "0xba12222222228d8ba445958a75a0704d566bf2c8";
export const POOL: Address = "0x00000000000000000000000000000000000000bb";
export const POOL_ID = `${POOL}000200000000000000000001` as Address;
export const NOW = 1_700_000_000;

const token = (k: number): Address => `0x${(k + 1).toString(16).padStart(40, "0")}`;

/** A pool with this state. */
export function subjectOf(state: State): Subject {
  return {
    pool: {
      id: POOL,
      address: VAULT,
      protocol: "balancer-v2",
      deployment: "arbitrary",
      tokens: state.tokens,
      stateIds: [POOL],
      facts: { poolId: POOL_ID, factories: writeNamed({ weighted: token(98) }) },
    },
    states: new Map([[POOL, state]]),
    at: { blockNumber: 1, timestamp: NOW },
    roundings: roundingsOf(state),
    // There is no fee on the output; 0 only allows that the last digits of a power fall as the input rises.
    outputFee: 0,
  };
}

/**
 * The general power has a relative error up to 10^-14. A stable pool's balance has an error of as many units as the
 * rounding of its equation's constant: a fraction of the largest balance that a swap may move.
 */
function roundingsOf(state: State): number {
  if (state.kind === "weighted") return Math.ceil(8 + Math.max(...state.balances.map(Number)) * 4e-14);
  const balances = state.balances.filter((_, k) => k !== state.shareIndex).map(Number);
  const hasFine = state.scaling.some(({ cached }) => cached < 10n ** 24n);
  return Math.ceil((hasFine ? 20_000 : 8) + Math.max(...balances, Number(state.supply)) * 1e-15);
}

const amountOf = (digits: number) =>
  fc.bigInt({ min: 10n ** BigInt(digits), max: 10n ** BigInt(digits + 9) });

const weighted: fc.Arbitrary<WeightedState> = fc
  .record({
    tokens: fc.array(
      fc.record({
        weight: fc.integer({ min: 10, max: 500 }),
        reserve: amountOf(12),
        scale: fc.constantFrom(1n, 10n ** 6n),
      }),
      { minLength: 2, maxLength: 5 },
    ),
    even: fc.boolean(),
    shortcuts: fc.boolean(),
    swapFee: fc.bigInt({ min: 10n ** 12n, max: 10n ** 17n }),
  })
  .map(({ tokens, even, shortcuts, swapFee }) => {
    const parts = tokens.map(({ weight }) => (even ? 100n : BigInt(weight)));
    const whole = parts.reduce((sum, part) => sum + part, 0n);
    return {
      kind: "weighted",
      vault: VAULT,
      tokens: tokens.map((_, k) => token(k)),
      balances: tokens.map(({ reserve, scale }) => reserve / scale),
      scaling: tokens.map(({ scale }) => scale),
      weights: parts.map((part) => (part * 10n ** 18n) / whole),
      shortcuts,
      swapFee,
    };
  });

const scalingOf = (decimals: number, rate: number): Scaling => {
  const cached = (10n ** BigInt(36 - decimals) * BigInt(rate)) / 1000n;
  return { cached, live: cached, expires: rate === 1000 ? NEVER : NOW + 60 };
};

/** Two to four tokens, imbalanced by up to a factor of 20, of a thousand to a hundred million whole tokens. */
const stable: fc.Arbitrary<StableState> = fc
  .record({
    coins: fc.array(
      fc.record({
        decimals: fc.constantFrom(6, 18),
        rate: fc.constantFrom(1000, 1000, 1152),
        lean: fc.integer({ min: 20, max: 400 }),
      }),
      { minLength: 2, maxLength: 4 },
    ),
    whole: fc.integer({ min: 3, max: 8 }).map((digits) => 10n ** BigInt(digits)),
    amp: fc.integer({ min: 1, max: 5000 }).map((amp) => BigInt(amp) * 1000n),
    rounding: fc.constantFrom<StableState["rounding"]>("down", "up"),
    trades: fc.boolean(),
    swapFee: fc.bigInt({ min: 10n ** 14n, max: 10n ** 17n }),
  })
  .map(({ coins, whole, amp, rounding, trades, swapFee }) => {
    const balances = coins.map((coin) => (whole * BigInt(coin.lean) * 10n ** BigInt(coin.decimals)) / 100n);
    const scaling = coins.map((coin) => scalingOf(coin.decimals, coin.rate));
    const scaled = balances.map((balance, k) => mulDown(balance, scaling[k]!.cached));
    const ramp = { initialA: amp, futureA: amp, initialTime: 0, futureTime: 0 };
    const pool = { kind: "stable", vault: VAULT, swapFee, ramp, readFor: 1 } as const;
    const tokens = coins.map((_, k) => token(k));
    if (!trades) return { ...pool, tokens, balances, scaling, rounding, shareIndex: -1, supply: 0n };
    // Shares of a pool with earnings: they are worth slightly more than a token.
    const supply = ((invariantOf(scaled, amp, "down") ?? 0n) * 97n) / 100n;
    return {
      ...pool,
      tokens: [...tokens, POOL],
      balances: [...balances, 2n ** 111n],
      scaling: [...scaling, scalingOf(18, 1000)],
      rounding: "down",
      shareIndex: tokens.length,
      supply,
    };
  });

export const subjects: fc.Arbitrary<Subject> = fc.oneof(weighted, stable).map(subjectOf);

/** The vault's logs and answers contain dynamic arrays. */
export const isBeyondGuesses = true;

/** Curves of all directions of a shape are scaled from one sample. */
export const hasScaledCurves = true;
