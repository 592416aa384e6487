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
import type { Shape, State } from "./state.ts";
import { design } from "./swap.ts";

const SHARED = ["reserves", "swapFeePercentage"];
const ABOUT = ["paused", "poolId", "poolType", "poolTypeVersion", "vault"];
const AXES = ["paramsC", "paramsS", "paramsLambda", "tauAlphaX", "tauAlphaY", "tauBetaX", "tauBetaY"];
const DERIVED = ["u", "v", "w", "z", "dSq"];

type Read = Pick<State, "shape" | "scaling"> & { readonly fields: Fields };

function two(vector: Vector): Read {
  const fields = understood(vector.state, [...SHARED, "scalingFactors", "sqrtParameters"], ABOUT);
  const [sqrtAlpha, sqrtBeta] = list(fields.sqrtParameters).map(integer);
  if (sqrtAlpha === undefined || sqrtBeta === undefined)
    throw new NotUnderstood("sqrtParameters are not two");
  const shape: Shape = { kind: "2clp", sqrtAlpha, sqrtBeta };
  return { fields, shape, scaling: list(fields.scalingFactors).map(integer) };
}

function three(vector: Vector): Read {
  const fields = understood(
    vector.state,
    [...SHARED, "scalingFactors", "root3Alpha"],
    [...ABOUT, "poolTokenInfos"],
  );
  const shape: Shape = { kind: "3clp", root3Alpha: integer(fields.root3Alpha) };
  return { fields, shape, scaling: list(fields.scalingFactors).map(integer) };
}

function ellipse(vector: Vector): Read {
  const needed = [...SHARED, ...AXES, ...DERIVED, "tokenDecimals"];
  const fields = understood(vector.state, needed, [...ABOUT, "paramsAlpha", "paramsBeta", "tokenRates"]);
  const rates = Array.isArray(fields.tokenRates) ? fields.tokenRates.map(integer) : [ONE, ONE];
  const digits = list(fields.tokenDecimals).map(integer);
  const scaling = digits.map((count, k) => (10n ** (36n - count) * rates[k]!) / ONE);
  return { fields, shape: { kind: "eclp", params: eclpParams(fields) }, scaling };
}

/** An ellipse as these vectors write it. */
export function eclpParams(fields: Fields): Extract<Shape, { kind: "eclp" }>["params"] {
  const at = (name: string) => integer(fields[name]);
  return {
    c: at("paramsC"),
    s: at("paramsS"),
    lambda: at("paramsLambda"),
    tauAlpha: { x: at("tauAlphaX"), y: at("tauAlphaY") },
    tauBeta: { x: at("tauBetaX"), y: at("tauBetaY") },
    u: at("u"),
    v: at("v"),
    w: at("w"),
    z: at("z"),
    dSq: at("dSq"),
  };
}

const readers: Readonly<Record<string, (vector: Vector) => Read>> = {
  "gyro-2clp": two,
  "gyro-3clp": three,
  "gyro-eclp": ellipse,
};

const at = { blockNumber: 1, timestamp: 1 };

/** Answers of the vault's queries, for exact inputs and exact outputs. */
export const suite: VectorSuite = {
  names: Object.keys(readers),
  open(vector) {
    const { fields, ...read } = readers[vector.protocol]!(vector);
    if (vector.sequential || fields.paused === true) throw new NotUnderstood("sequential, or paused");
    const state: State = {
      ...read,
      vault: "0xba12222222228d8ba445958a75a0704d566bf2c8",
      tokens: vector.tokens as State["tokens"],
      balances: list(fields.reserves).map(integer),
      swapFee: integer(fields.swapFeePercentage),
      onlyIn: 0,
    };
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
