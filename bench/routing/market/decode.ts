import { MAX_TICK, MIN_TICK } from "../../../src/core/math/concentrated/tick-math.ts";
import type { Address, Facts } from "../../../src/core/types.ts";
import type { WeightedState } from "../../../src/protocols/balancer-v2/state.ts";
import type { State as CurveState } from "../../../src/protocols/curve-stable/state.ts";
import type { State as PairState } from "../../../src/protocols/uniswap-v2/quote.ts";
import type { State as ConcentratedState } from "../../../src/protocols/uniswap-v3/state.ts";
import {
  address,
  amountAt,
  amountsAt,
  BadInput,
  type Fields,
  fieldsOf,
  integerAt,
  listAt,
  numberAt,
  textAt,
} from "./fields.ts";

/** A pool's state as the project's design of that name wants it. */
export type Decoded = {
  readonly protocol: string;
  readonly facts: Facts;
  readonly state: unknown;
  /** The pool whose state the pool's trades touch as well. */
  readonly base?: Address;
};

/** The state of a pool of a market file; undefined for a protocol that the bench does not know. */
export function decodeState(
  protocol: string,
  state: Fields,
  tokens: readonly Address[],
): Decoded | undefined {
  return decoders.get(protocol)?.(state, tokens);
}

const decoders = new Map<string, (state: Fields, tokens: readonly Address[]) => Decoded | undefined>([
  ["uniswap-v2", decodePair],
  ["uniswap-v3", decodeConcentrated],
  ["curve-stable-plain", decodeStable],
  ["curve-stable-meta", decodeMeta],
  ["balancer-v2-weighted", decodeWeighted],
]);

function oneEach(values: readonly bigint[], field: string, tokens: readonly Address[]): readonly bigint[] {
  if (values.length !== tokens.length)
    throw new BadInput(`${field}: ${values.length} values for ${tokens.length} tokens`);
  return values;
}

function decodePair(file: Fields, tokens: readonly Address[]): Decoded | undefined {
  const reserves = oneEach(amountsAt(file, "reserves"), "reserves", tokens);
  if (tokens.length !== 2) throw new BadInput(`reserves: a pair has two tokens, not ${tokens.length}`);
  const feePpm = (numberAt(file, "feeNum") * 1_000_000) / numberAt(file, "feeDen");
  if (!Number.isInteger(feePpm) || feePpm < 0 || feePpm >= 1_000_000) return undefined;
  const state: PairState = { reserves: [reserves[0]!, reserves[1]!], feePpm };
  return { protocol: "uniswap-v2", facts: { feePpm }, state };
}

function decodeConcentrated(file: Fields): Decoded {
  const ticks = listAt(file, "ticks").map((tick, k) => fieldsOf(tick, `ticks[${k}]`));
  const nets = ticks.map((tick) => integerAt(tick, "liquidityNet"));
  const facts = { feePpm: numberAt(file, "fee"), tickSpacing: numberAt(file, "tickSpacing") };
  const state: ConcentratedState = {
    ...facts,
    sqrtPriceX96: amountAt(file, "sqrtPriceX96"),
    tick: numberAt(file, "tick"),
    liquidity: amountAt(file, "liquidity"),
    lowest: MIN_TICK,
    highest: MAX_TICK,
    ticks: ticks.map((tick) => numberAt(tick, "index")),
    nets,
    grosses: nets.map((net) => (net < 0n ? -net : net)),
  };
  const falls = state.ticks.findIndex((tick, k) => k > 0 && tick <= state.ticks[k - 1]!);
  if (falls > 0) throw new BadInput(`ticks[${falls}].index: ticks must ascend`);
  return { protocol: "uniswap-v3", facts, state };
}

function decodeStable(file: Fields, tokens: readonly Address[]): Decoded {
  const amp = amountAt(file, "amp");
  const rounding = file.execFee ?? "beforeRate";
  if (rounding !== "beforeRate" && rounding !== "afterRate")
    throw new BadInput(`execFee: "beforeRate" or "afterRate" is wanted, not ${JSON.stringify(rounding)}`);
  const state: CurveState = {
    rounding: rounding === "afterRate" ? "feeAfterRate" : "base",
    balances: oneEach(amountsAt(file, "balances"), "balances", tokens),
    rates: oneEach(amountsAt(file, "rates"), "rates", tokens),
    ramp: { initialA: amp, futureA: amp, initialTime: 0, futureTime: 0 },
    aPrecision: amountAt(file, "aPrecision"),
    fee: amountAt(file, "fee"),
    adminFee: amountAt(file, "adminFee"),
    offpegFeeMultiplier: file.offpegFeeMultiplier === undefined ? 0n : amountAt(file, "offpegFeeMultiplier"),
    lpSupply: file.lpSupply === undefined ? 0n : amountAt(file, "lpSupply"),
    base: null,
    worth: null,
    readAt: 0,
  };
  return { protocol: "curve-stable", facts: { implementation: "base" }, state };
}

/** A metapool that follows what its base pool's LP token, its second coin, is worth; the base pool's coins follow. */
function decodeMeta(file: Fields, tokens: readonly Address[]): Decoded {
  const own = decodeStable(file, tokens.slice(0, 2));
  return {
    protocol: "curve-stable",
    facts: { implementation: "meta-factory", own: 2 },
    state: { ...(own.state as CurveState), base: "live" },
    base: address(file.base, "base"),
  };
}

function decodeWeighted(file: Fields, tokens: readonly Address[]): Decoded {
  const powVersion = file.powVersion === undefined ? "v2" : textAt(file, "powVersion");
  if (powVersion !== "v1" && powVersion !== "v2")
    throw new BadInput(`powVersion: "v1" or "v2" is wanted, not "${powVersion}"`);
  const state: WeightedState = {
    kind: "weighted",
    vault: "0xba12222222228d8ba445958a75a0704d566bf2c8",
    tokens,
    balances: oneEach(amountsAt(file, "balances"), "balances", tokens),
    weights: oneEach(amountsAt(file, "weights"), "weights", tokens),
    scaling: oneEach(amountsAt(file, "scalingFactors"), "scalingFactors", tokens),
    swapFee: amountAt(file, "swapFee"),
    shortcuts: powVersion === "v2",
  };
  return { protocol: "balancer-v2", facts: {}, state };
}
