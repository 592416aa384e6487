import { packedUint } from "../../core/abi.ts";
import { curveVariants, stepKinds } from "../../core/encoding/kinds.ts";
import { sampledCurve } from "../../core/math/sampling/sampled-curve.ts";
import type { Protocol, StepCode } from "../../core/protocol.ts";
import type { Pool } from "../../core/types.ts";
import { byPair } from "./chain/factories.ts";
import { implementationOf } from "./chain/implementations.ts";
import { apply, topics, touches } from "./chain/logs.ts";
import { discover, NEW_STABLE_SWAP_PAIR, seeds, sellsNative } from "./chain/pools.ts";
import { load, reads } from "./chain/reads.ts";
import { gain } from "./doubles/gain.ts";
import { joint, type Mirror, mirrorOf, quoteFloat } from "./doubles/mirror.ts";
import { gainTogether } from "./doubles/together.ts";
import { underlyingIndex } from "./exact/meta.ts";
import { gasOf, trade } from "./exact/trade.ts";
import type { State } from "./state.ts";

const baseOf = (pool: Pool) => pool.stateIds[1];

/** Extra bytes of a step: the coin indexes as the called function counts them, one byte each, and the function. */
function extraOf(pool: Pool, state: State, i: number, j: number): StepCode["extra"] {
  const own = state.balances.length;
  const { variant } = implementationOf(pool);
  const bytes = (...values: readonly number[]) =>
    `0x${values.map((value) => packedUint(value, 1).slice(2)).join("")}` as const;
  if (i < own && j < own) return bytes(i, j, variant);
  // Between a coin and another's underlying coin nothing is traded, but a step must have some index.
  const count = baseOf(pool) === undefined ? (k: number) => k % own : underlyingIndex;
  return bytes(count(i), count(j), variant + curveVariants.underlying);
}

function encode(...[pool, state, i, j]: Parameters<Protocol<State>["encode"]>): StepCode {
  return {
    kind: stepKinds.curve,
    target: pool.address,
    zeroForOne: i === 0,
    extra: extraOf(pool, state, i, j),
    intake: sellsNative(pool, i) ? "held" : "approval",
    paysAnyone: false,
  };
}

/** Curve's stableswap pools. This folder's README lists those covered, and their roundings. */
export const curveStable: Protocol<State, Mirror> = {
  name: "curve-stable",
  topics,
  creations: [NEW_STABLE_SWAP_PAIR],
  byPair,
  hinted: () => [],
  bitmap: () => undefined,
  seeds,
  discover,
  touches,
  reads,
  load,
  apply,
  stale: (state, at) => state.readAt !== 0 && at.blockNumber > state.readAt + 1,
  quote: (...[view, pool, i, j, amount, side, at]) =>
    trade({ pool, view, swap: { i, j, dx: 0n, timestamp: at.timestamp } }, amount, side),
  mirror: (...[state, pool, at, view]) => {
    const id = baseOf(pool);
    return mirrorOf(state, id === undefined ? undefined : (view.get(id) as State | undefined), at.timestamp);
  },
  quoteFloat,
  curve: (mirror, i, j) => sampledCurve((x) => quoteFloat(mirror, i, j, x)),
  joint,
  gain,
  gainTogether,
  gas: ({ coins }, i, j) => {
    const own = coins?.xp.length ?? 2;
    return gasOf(own, i >= own || j >= own);
  },
  encode,
};
