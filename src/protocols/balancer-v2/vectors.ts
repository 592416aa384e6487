import { ONE } from "../../core/math/fixed-point.ts";
import { vaultSwap } from "../shared/balancer-vault.ts";
import {
  asked,
  complaint,
  type Fields,
  integer,
  list,
  NotUnderstood,
  tokenIndex,
  understood,
  type Vector,
  type VectorSuite,
} from "../swapvec.ts";
import { VAULT } from "./arbitrary.ts";
import { NEVER, type StableState, type State, type WeightedState } from "./state.ts";
import { design } from "./swap.ts";

const ABOUT = [
  "paused",
  "poolId",
  "poolType",
  "poolTypeVer",
  "poolTypeVersion",
  "poolSpecialization",
  "vault",
];

/** Fields of a vector; the two sources of these vectors name them differently. */
function read(vector: Vector, needed: readonly string[], optional: readonly string[]): Fields {
  const { reserves, swapFeePercentage, normalizedWeights, ...rest } = vector.state;
  const named = { balances: reserves, swapFee: swapFeePercentage, weights: normalizedWeights };
  const given = Object.entries(named).filter(([, value]) => value !== undefined);
  const fields = understood(
    { ...rest, ...Object.fromEntries(given) },
    ["balances", "swapFee", "scalingFactors", ...needed],
    [...ABOUT, ...optional],
  );
  if (fields.paused === true) throw new NotUnderstood("the pool is paused");
  return fields;
}

function vaultOf(vector: Vector, fields: Fields): Pick<State, "vault" | "tokens" | "balances" | "swapFee"> {
  return {
    vault: VAULT,
    tokens: vector.tokens as State["tokens"],
    balances: list(fields.balances).map(integer),
    swapFee: integer(fields.swapFee),
  };
}

function weighted(vector: Vector): WeightedState {
  const fields = read(vector, ["weights"], ["powVersion"]);
  return {
    ...vaultOf(vector, fields),
    kind: "weighted",
    scaling: list(fields.scalingFactors).map(integer),
    weights: list(fields.weights).map(integer),
    shortcuts: fields.powVersion === undefined ? fields.poolTypeVer !== "1" : fields.powVersion === "v2",
  };
}

function stable(vector: Vector): StableState {
  const fields = read(
    vector,
    ["amp"],
    ["ampPrecision", "bptIndex", "invariantVersion", "rates", "actualSupply"],
  );
  const amp = integer(fields.amp);
  const shareIndex = typeof fields.bptIndex === "number" ? fields.bptIndex : -1;
  // If the version is missing: pools that trade their own shares are all of the later version.
  const older = fields.invariantVersion === undefined ? shareIndex < 0 : fields.invariantVersion === 2;
  return {
    ...vaultOf(vector, fields),
    kind: "stable",
    scaling: list(fields.scalingFactors)
      .map(integer)
      .map((factor) => ({ cached: factor, live: factor, expires: NEVER })),
    ramp: { initialA: amp, futureA: amp, initialTime: 0, futureTime: 0 },
    rounding: older ? "up" : "down",
    shareIndex,
    supply: integer(fields.actualSupply ?? 0),
    readFor: 1,
  };
}

const at = { blockNumber: 1, timestamp: 1 };

/** Answers of the vault's queries, for exact inputs and exact outputs. */
export const suite: VectorSuite = {
  names: ["balancer-v2-weighted", "balancer-v2-stable", "balancer-v2-composable-stable"],
  open(vector) {
    if (vector.sequential) throw new NotUnderstood("sequential");
    const state = vector.protocol === "balancer-v2-weighted" ? weighted(vector) : stable(vector);
    if ("ampPrecision" in vector.state && integer(vector.state.ampPrecision) !== 1000n)
      throw new NotUnderstood(`amp of ${vector.state.ampPrecision}`);
    if (state.kind === "weighted" && state.weights.reduce((sum, weight) => sum + weight, 0n) !== ONE)
      throw new NotUnderstood("weights do not add up to 1");
    return (asking) => {
      const amount = asked(asking);
      const side = asking.kind === "exactIn" ? "in" : "out";
      const [i, j] = [tokenIndex(vector, asking.tokenIn), tokenIndex(vector, asking.tokenOut)];
      const answer = vaultSwap(design, state, { i, j, amount, side, at });
      const [amountIn, amountOut] = side === "in" ? [amount, answer] : [answer, amount];
      if (amountIn === undefined || amountOut === undefined) return complaint(asking, undefined);
      return complaint(asking, { amountIn, amountOut });
    };
  },
};
