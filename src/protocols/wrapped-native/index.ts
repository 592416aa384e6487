import { stepKinds } from "../../core/encoding/kinds.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import type { Curve, Protocol } from "../../core/protocol.ts";
import { MAX_UINT256 } from "../../core/tokens.ts";
import { type Deployment, NATIVE, type Pool } from "../../core/types.ts";
import { type Order, quoteOwnState, type Trade } from "../shared/own-state.ts";

/** A wrapper has no state: every wrapped unit is backed by one of the native coin. */
type State = Readonly<Record<string, never>>;
type Mirror = null;

/** Gas units through the router. */
const WRAP_GAS = 20_000;
const UNWRAP_GAS = 31_000;

const STATE: State = {};
const PARITY: Curve = {
  x: [0],
  y: [0],
  m: [1],
  c: [0],
  end: Number.POSITIVE_INFINITY,
};

/** The wrapped token is both the deployment's factory and its only pool. */
function seeds(deployment: Deployment): readonly Pool[] {
  const token = deployment.factory;
  return [
    {
      id: token,
      address: token,
      protocol: "wrapped-native",
      deployment: deployment.id,
      tokens: [NATIVE, token],
      stateIds: [token],
      facts: {},
    },
  ];
}

function gas(i: number): number {
  return i === 0 ? WRAP_GAS : UNWRAP_GAS;
}

function trade(state: State, { i, amount }: Order): Trade<State> | undefined {
  if (amount <= 0n || amount > MAX_UINT256) return undefined;
  return { amountIn: amount, amountOut: amount, gas: gas(i), next: state };
}

/**
 * The native coin and its wrapper, one for one, by `deposit` and `withdraw`.
 *
 * @source WETH9 contracts/WETH9.sol
 */
export const wrappedNative: Protocol<State, Mirror> = {
  name: "wrapped-native",
  topics: [],
  creations: [],
  byPair: () => undefined,
  hinted: () => [],
  bitmap: () => undefined,
  seeds,
  discover: () => undefined,
  touches: () => [],
  isUnread: true,
  reads: () => [],
  load: () => STATE,
  apply: (state) => state,
  stale: () => false,
  quote: quoteOwnState(trade),
  mirror: () => null,
  quoteFloat: (...[, , , x]) => (x > 0 ? x : 0),
  curve: () => PARITY,
  joint: noJoint,
  gas: (_mirror, i) => gas(i),
  encode: (pool, _state, i) => ({
    kind: stepKinds.wrap,
    target: pool.address,
    zeroForOne: i === 0,
    extra: "0x",
    intake: "held",
    paysAnyone: false,
  }),
};
