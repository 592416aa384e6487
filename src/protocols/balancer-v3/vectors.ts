import { ONE } from "../../core/math/fixed-point.ts";
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
import type { Shape, State, Surge } from "./state.ts";
import { vaultSwap } from "./swap.ts";

const SHARED = ["scalingFactors", "swapFee", "balancesLiveScaled18", "tokenRates"];
const ABOUT = ["totalSupply", "aggregateSwapFee"];
const FLAGS = ["isPoolInitialized", "isPoolPaused", "isPoolInRecoveryMode", "isVaultPaused"];
const ELLIPSE = [
  ...["paramsAlpha", "paramsBeta", "paramsC", "paramsS", "paramsLambda"],
  ...["tauAlphaX", "tauAlphaY", "tauBetaX", "tauBetaY", "u", "v", "w", "z", "dSq"],
];
const RECLAMM = [
  ...[
    "lastTimestamp",
    "lastVirtualBalances",
    "dailyPriceShiftBase",
    "centerednessMargin",
    "currentTimestamp",
  ],
  ...["startFourthRootPriceRatio", "endFourthRootPriceRatio"],
  ...["priceRatioUpdateStartTime", "priceRatioUpdateEndTime"],
];
const SALE = [
  ...["startWeights", "endWeights", "startTime", "endTime", "projectTokenIndex"],
  ...["isProjectTokenSwapInBlocked", "isSwapEnabled", "currentTimestamp", "weights"],
];

const GUIDED = [
  ...["firstFourWeightsAndMultipliers", "secondFourWeightsAndMultipliers"],
  ...["lastUpdateTime", "lastInteropTime", "currentTimestamp", "maxTradeSizeRatio"],
];

type Reader = {
  readonly needed: readonly string[];
  readonly shape: (fields: Fields, count: number) => Shape;
};

const integers = (value: unknown) => list(value).map(integer);
const seconds = (value: unknown) => Number(integer(value));

/** E-CLP parameters in the format of these vectors. */
export function ellipse(fields: Fields): Shape {
  const at = (name: string) => integer(fields[name]);
  const [tauAlpha, tauBeta] = [
    { x: at("tauAlphaX"), y: at("tauAlphaY") },
    { x: at("tauBetaX"), y: at("tauBetaY") },
  ];
  const axes = { c: at("paramsC"), s: at("paramsS"), lambda: at("paramsLambda"), tauAlpha, tauBeta };
  return {
    kind: "eclp",
    params: { ...axes, u: at("u"), v: at("v"), w: at("w"), z: at("z"), dSq: at("dSq") },
  };
}

const reclamm =
  (version: 1 | 2) =>
  (fields: Fields): Shape => {
    const [a, b] = integers(fields.lastVirtualBalances);
    if (a === undefined || b === undefined) throw new NotUnderstood("lastVirtualBalances are not two");
    const priceRatio = {
      start: integer(fields.startFourthRootPriceRatio),
      end: integer(fields.endFourthRootPriceRatio),
      startTime: seconds(fields.priceRatioUpdateStartTime),
      endTime: seconds(fields.priceRatioUpdateEndTime),
    };
    const pool = {
      version,
      virtual: [a, b] as const,
      lastTimestamp: seconds(fields.lastTimestamp),
      dailyPriceShiftBase: integer(fields.dailyPriceShiftBase),
      centerednessMargin: integer(fields.centerednessMargin),
      priceRatio,
    };
    return { kind: "reclamm", pool };
  };

function sale(fields: Fields): Shape {
  if (fields.isSwapEnabled !== true) throw new NotUnderstood("the sale is closed");
  return {
    kind: "bootstrapping",
    startWeights: integers(fields.startWeights),
    endWeights: integers(fields.endWeights),
    startTime: seconds(fields.startTime),
    endTime: seconds(fields.endTime),
    blocked: fields.isProjectTokenSwapInBlocked === true ? seconds(fields.projectTokenIndex) : -1,
  };
}

/**
 * Weights of up to four tokens. The first list has the weights followed by their gains; the second list must be zero.
 */
function guided(fields: Fields, count: number): Shape {
  const packed = integers(fields.firstFourWeightsAndMultipliers);
  if (count > 4 || integers(fields.secondFourWeightsAndMultipliers).some((part) => part !== 0n))
    throw new NotUnderstood("guided weights of more than four tokens");
  return {
    kind: "guided",
    weights: packed.slice(0, count),
    gains: packed.slice(count, 2 * count),
    since: seconds(fields.lastUpdateTime),
    until: seconds(fields.lastInteropTime),
    most: integer(fields.maxTradeSizeRatio),
  };
}

function stable(fields: Fields): Shape {
  const amp = integer(fields.amp);
  return { kind: "stable", ramp: { initialA: amp, futureA: amp, initialTime: 0, futureTime: 0 } };
}

const readers: Readonly<Record<string, Reader>> = {
  "balancer-v3-weighted": { needed: ["weights"], shape: weighted },
  "balancer-v3-weighted-with-buffers": { needed: ["weights"], shape: weighted },
  "balancer-v3-stable": { needed: ["amp"], shape: stable },
  "balancer-v3-gyroe": { needed: ELLIPSE, shape: ellipse },
  "balancer-v3-reclamm": { needed: RECLAMM, shape: reclamm(1) },
  "balancer-v3-reclamm-v2": { needed: RECLAMM, shape: reclamm(2) },
  "balancer-v3-liquidity-bootstrapping": { needed: SALE, shape: sale },
  "balancer-v3-quant-amm-weighted": { needed: GUIDED, shape: guided },
};

function weighted(fields: Fields): Shape {
  return { kind: "weighted", weights: integers(fields.weights) };
}

/** Fields of a vector: in the naming of balancer-maths, or in another one. */
function read(vector: Vector, needed: readonly string[]): Fields {
  const { reserves, fee, aggrFee, normalizedWeights, balsE18, decs, rates, hook, ...rest } = vector.state;
  const named = {
    swapFee: fee,
    aggregateSwapFee: aggrFee,
    weights: normalizedWeights,
    balancesLiveScaled18: balsE18,
    scalingFactors: decs,
    tokenRates: rates,
    hook: isEmpty(hook) ? undefined : hook,
  };
  const given = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
  const more = [...ABOUT, ...FLAGS, "hook", "vault", "defaultHook", "isPoolWithinTargetRange"];
  const fields = understood({ ...rest, ...given }, [...SHARED, ...needed], more);
  if (fields.isPoolPaused === true || fields.isVaultPaused === true) throw new NotUnderstood("paused");
  return fields;
}

function isEmpty(hook: unknown): boolean {
  return hook === undefined || (typeof hook === "object" && hook !== null && Object.keys(hook).length === 0);
}

function surgeOf(hook: unknown): Surge | null {
  if (hook === undefined) return null;
  const { type, shouldCallBeforeSwap, shouldCallAfterSwap, dynamicData } = hook as Fields;
  if (type !== "STABLE_SURGE" || shouldCallBeforeSwap === true || shouldCallAfterSwap === true)
    throw new NotUnderstood(`hook ${type}`);
  const data = understood(dynamicData, ["surgeThresholdPercentage", "maxSurgeFeePercentage"]);
  return { threshold: integer(data.surgeThresholdPercentage), maxFee: integer(data.maxSurgeFeePercentage) };
}

function stateOf(vector: Vector, fields: Fields, shape: Shape): State {
  const [live, factors, rates] = [fields.balancesLiveScaled18, fields.scalingFactors, fields.tokenRates].map(
    integers,
  );
  return {
    vault: "0xba1333333333a1ba1108e8412f11850a5c319ba9",
    tokens: vector.tokens as State["tokens"],
    // The least raw balance with this live balance: the vault rounds down.
    balances: live!.map((balance, k) => {
      const unit = factors![k]! * rates![k]!;
      return (balance * ONE + unit - 1n) / unit;
    }),
    factors: factors!,
    rates: rates!,
    swapFee: integer(fields.swapFee),
    aggregateFee: integer(fields.aggregateSwapFee ?? 0),
    leastTrade: 1_000_000n,
    shape,
    surge: surgeOf(fields.hook),
    onlyIn: 0,
  };
}

/**
 * The state of a vector.
 *
 * @throws NotUnderstood if the vector has properties that a state cannot express
 */
export function recordedState(vector: Vector): State {
  const { needed, shape } = readers[vector.protocol]!;
  const fields = read(vector, needed);
  return stateOf(vector, fields, shape(fields, vector.tokens.length));
}

/** Unix second of the vector's swaps; 1 if the time does not matter. */
export function recordedTime({ state }: Vector): number {
  return seconds(state.currentTimestamp ?? 1);
}

/** Answers of the vault's queries, for exact inputs and exact outputs. */
export const suite: VectorSuite = {
  names: Object.keys(readers),
  open(vector) {
    if (vector.sequential) throw new NotUnderstood("sequential");
    const state = recordedState(vector);
    const at = { blockNumber: 1, timestamp: recordedTime(vector) };
    return (asking) => {
      const amount = asked(asking);
      const side = asking.kind === "exactIn" ? "in" : "out";
      const [i, j] = [tokenIndex(vector, asking.tokenIn), tokenIndex(vector, asking.tokenOut)];
      return complaint(asking, vaultSwap(state, { i, j, amount, side, at }));
    };
  },
};
