import {
  type Fields,
  integer,
  list,
  NotUnderstood,
  quoteTrial,
  understood,
  type Vector,
  type VectorSuite,
} from "../swapvec.ts";
import { subjectOf } from "./arbitrary.ts";
import { liquidityBook } from "./index.ts";
import type { FeeParameters, State, Volatility } from "./state.ts";

const COMMON = ["reserves", "activeBinId", "bins", "rpcBlockTimestamp", "subgraphBlockTimestamp"];
const PARAMETERS = [
  "baseFactor",
  "filterPeriod",
  "decayPeriod",
  "reductionFactor",
  "variableFeeControl",
  "protocolShare",
];

const small = (value: unknown): number => Number(integer(value));

function parametersOf(fields: Fields, binStep: unknown, maxVolatility: unknown): FeeParameters {
  const named = PARAMETERS.map((name) => [name, small(fields[name])]);
  return {
    ...(Object.fromEntries(named) as Omit<FeeParameters, "binStep" | "maxVolatility">),
    binStep: small(binStep),
    maxVolatility: small(maxVolatility),
  };
}

type Terms = { readonly state: Fields; readonly parameters: FeeParameters; readonly volatility: Volatility };

function termsV21(vector: Vector): Terms {
  const needed = [...COMMON, "binStep", "staticFeeParams", "variableFeeParams"];
  const state = understood(vector.state, needed);
  const fixed = understood(state.staticFeeParams, [...PARAMETERS, "maxVolatilityAccumulator"]);
  const moving = ["volatilityAccumulator", "volatilityReference", "idReference", "timeOfLastUpdate"];
  const [accumulator, reference, idReference, time] = moving.map((name) =>
    small(understood(state.variableFeeParams, moving)[name]),
  );
  return {
    state,
    parameters: parametersOf(fixed, state.binStep, fixed.maxVolatilityAccumulator),
    volatility: {
      accumulator: accumulator!,
      reference: reference!,
      idReference: idReference!,
      time: time!,
    },
  };
}

/** `liquidity` and `priceX128` repeat the data of the bins. */
function termsV20(vector: Vector): Terms {
  const state = understood(vector.state, [...COMMON, "feeParameters"], ["liquidity", "priceX128"]);
  const moving = ["volatilityAccumulated", "volatilityReference", "indexRef", "time"];
  const fees = understood(state.feeParameters, [
    ...PARAMETERS,
    ...moving,
    "binStep",
    "maxVolatilityAccumulated",
  ]);
  const [accumulator, reference, idReference, time] = moving.map((name) => small(fees[name]));
  return {
    state,
    parameters: parametersOf(fees, fees.binStep, fees.maxVolatilityAccumulated),
    volatility: {
      accumulator: accumulator!,
      reference: reference!,
      idReference: idReference!,
      time: time!,
    },
  };
}

function stateOf({ state, parameters, volatility }: Terms, feesInBin: boolean): State {
  const bins = list(state.bins).map((bin) =>
    understood(bin, ["id", "reserveX", "reserveY"], ["totalSupply"]),
  );
  const ids = bins.map((bin) => small(bin.id));
  const first = Math.min(...ids);
  const count = Math.max(...ids) - first + 1;
  if (new Set(ids).size !== ids.length) throw new NotUnderstood("a bin is listed twice");
  const xs = Array.from({ length: count }, () => 0n);
  const ys = [...xs];
  for (const [k, bin] of bins.entries()) {
    xs[ids[k]! - first] = integer(bin.reserveX);
    ys[ids[k]! - first] = integer(bin.reserveY);
  }
  return { feesInBin, parameters, volatility, activeId: small(state.activeBinId), first, xs, ys };
}

export const suite: VectorSuite = {
  names: ["traderjoe-lb-v21", "traderjoe-lb-v20"],
  open(vector) {
    const feesInBin = vector.protocol === "traderjoe-lb-v21";
    const terms = feesInBin ? termsV21(vector) : termsV20(vector);
    const timestamp = small(vector.pool.timestamp ?? terms.state.rpcBlockTimestamp);
    const subject = subjectOf(stateOf(terms, feesInBin));
    return quoteTrial(liquidityBook, vector, { ...subject, at: { blockNumber: 1, timestamp } });
  },
};
