import { FEE_DENOMINATOR } from "../../core/math/curve/stable-math.ts";
import {
  asked,
  complaint,
  type Fields,
  integer,
  list,
  NotUnderstood,
  type Trial,
  tokenIndex,
  understood,
  type Vector,
  type VectorSuite,
  type VectorSwap,
} from "../swapvec.ts";
import { getDx, getDy } from "./exact/exchange.ts";
import { burn, mintBeforeFees } from "./exact/liquidity.ts";
import { type MetaView, metaGetDy, pairOf } from "./exact/meta.ts";
import type { RoundingName, State } from "./state.ts";

/** Answers of the contracts' views `get_dy` and `get_dy_underlying`, and of `get_dx` for exact outputs. */
export const suite: VectorSuite = {
  names: [
    "curve-stable-plain",
    "curve-stable-ng",
    "curve-stable-meta",
    "curve-stable-meta-ng",
    "pancake-infinity-stable-hook (StableSwap NG maths)",
    "curve-aave",
    "saddle",
  ],
  open(vector) {
    if (vector.protocol === "saddle") return openSaddle(vector);
    return vector.protocol.startsWith("curve-stable-meta") ? openMeta(vector) : openPlain(vector);
  },
};

type View = (i: number, j: number, dx: bigint) => bigint | undefined;

/** A view's answer of 0 counts as a refusal. */
function judge(swap: VectorSwap, amount: bigint, answer: bigint | undefined): string | undefined {
  if (answer === undefined || answer === 0n) return complaint(swap, undefined);
  const [amountIn, amountOut] = swap.kind === "exactIn" ? [amount, answer] : [answer, amount];
  return complaint(swap, { amountIn, amountOut });
}

function trialOf(getDyOf: View, getDxOf: View, index: (token: string) => number): Trial {
  return (swap) => {
    const amount = asked(swap);
    const view = swap.kind === "exactIn" ? getDyOf : getDxOf;
    return judge(swap, amount, view(index(swap.tokenIn), index(swap.tokenOut), amount));
  };
}

const unknownView: View = () => {
  throw new NotUnderstood("there is no such view");
};

function timeOf(vector: Vector): number {
  return Number(vector.pool.timestamp ?? Number.MAX_SAFE_INTEGER);
}

function openPlain(vector: Vector): Trial {
  const timestamp = timeOf(vector);
  const { protocol } = vector;
  const state = stateOf(vector.state, timestamp, (precision) => {
    if (protocol === "curve-aave") return "aave";
    if (protocol !== "curve-stable-plain") return "together";
    return precision === 1n ? "early" : "base";
  });
  return trialOf(
    (i, j, dx) => getDy(state, { i, j, dx, timestamp }),
    (i, j, dx) => getDx(state, { i, j, dx, timestamp }),
    (token) => tokenIndex(vector, token),
  );
}

const NEEDED = ["balances", "aPrecision", "fee"];
const OPTIONAL = [
  ...["amp", "A", "ramp", "initialA", "futureA", "initialATime", "futureATime"],
  ...["rates", "adminFee", "lpSupply", "lpToken", "offpegFeeMultiplier"],
];

function stateOf(
  given: unknown,
  timestamp: number,
  rounding: (aPrecision: bigint) => RoundingName,
  more: readonly string[] = [],
): State {
  const fields = understood(given, NEEDED, [...OPTIONAL, ...more]);
  const aPrecision = integer(fields.aPrecision);
  return {
    rounding: rounding(aPrecision),
    balances: list(fields.balances).map(integer),
    rates: list(fields.rates ?? []).map(integer),
    ramp: rampOf(fields, timestamp),
    aPrecision,
    fee: integer(fields.fee),
    adminFee: integer(fields.adminFee ?? 0),
    offpegFeeMultiplier: integer(fields.offpegFeeMultiplier ?? 0),
    lpSupply: integer(fields.lpSupply ?? 0),
    base: null,
    worth: null,
    readAt: 0,
  };
}

const RAMP = ["initialA", "futureA", "initialATime", "futureATime"];

/** The amplification as given; a ramp is used only if it lasts beyond the vector's time. */
function rampOf(fields: Fields, timestamp: number): State["ramp"] {
  const now = integer(fields.amp ?? fields.A);
  const ramp = fields.ramp === undefined ? fields : understood(fields.ramp, RAMP);
  const [initialTime, futureTime] = [Number(ramp.initialATime ?? 0), Number(ramp.futureATime ?? 0)];
  if (timestamp >= futureTime) return { initialA: now, futureA: now, initialTime: 0, futureTime: 0 };
  return { initialA: integer(ramp.initialA), futureA: integer(ramp.futureA), initialTime, futureTime };
}

const META = [
  ...["redemptionPrice", "baseVirtualPrice", "baseCacheUpdated", "effectiveBaseVirtualPrice", "note"],
  "basePool",
];
const BASE = ["address", "kind", "tokens", "virtualPrice"];

function openMeta(vector: Vector): Trial {
  const timestamp = timeOf(vector);
  const isNg = vector.protocol === "curve-stable-meta-ng";
  const own = stateOf(vector.state, timestamp, () => (isNg ? "together" : "base"), META);
  const under = vector.state.basePool as Fields;
  const base = stateOf(under, timestamp, (precision) => (precision === 1n ? "early" : "together"), BASE);
  const tokens = baseTokens(vector, under);
  const digits = tokens.map((token) => integer(token.decimals));
  const rate = isNg ? own.rates[0]! : integer(vector.state.redemptionPrice ?? String(10n ** 18n));
  const known = isNg
    ? ("live" as const)
    : {
        virtualPrice: integer(vector.state.baseVirtualPrice),
        updatedAt: Number(vector.state.baseCacheUpdated),
      };
  const pair = pairOf(
    { ...own, rates: [rate, 10n ** 18n], base: known },
    { ...base, rates: digits.map((count) => 10n ** (36n - count)) },
    timestamp,
  );
  if (pair === undefined) throw new NotUnderstood("a base pool without a virtual price");
  const view: MetaView = isNg ? "afterFees" : "beforeFees";
  const addresses = tokens.map((token) => String(token.address).toLowerCase());
  return trialOf(
    (i, j, dx) => metaGetDy(pair, { i, j, dx, timestamp }, view),
    unknownView,
    (token) => (addresses.includes(token) ? 2 + addresses.indexOf(token) : tokenIndex(vector, token)),
  );
}

/** Coins of the base pool: listed with it, or among the underlying coins after the metapool's coin. */
function baseTokens(vector: Vector, base: Fields): readonly Fields[] {
  const tokens = base.tokens ?? list(vector.pool.underlying).slice(1);
  return list(tokens).map((token) => understood(token, ["address", "decimals"], ["symbol"]));
}

const SADDLE = ["reserves", ...RAMP, "swapFee", "adminFee", "lpToken", "precisionMultipliers"];

/**
 * LP tokens are traded by the views of deposits and withdrawals. Their supply is `totalSupply`, or else the last of
 * the reserves.
 */
function openSaddle(vector: Vector): Trial {
  const timestamp = timeOf(vector);
  const fields = understood(vector.state, SADDLE, ["defaultWithdrawFee", "totalSupply"]);
  const reserves = list(fields.reserves).map(integer);
  const multipliers = list(fields.precisionMultipliers).map(integer);
  const lpSupply =
    fields.totalSupply === undefined ? reserves[multipliers.length] : integer(fields.totalSupply);
  if (lpSupply === undefined) throw new NotUnderstood("no supply of LP tokens");
  const withdrawFee = integer(fields.defaultWithdrawFee ?? 0);
  const state: State = {
    rounding: "base",
    balances: reserves.slice(0, multipliers.length),
    rates: multipliers.map((multiplier) => multiplier * 10n ** 18n),
    ramp: rampOf({ ...fields, amp: fields.futureA }, timestamp),
    aPrecision: 100n,
    fee: integer(fields.swapFee),
    adminFee: integer(fields.adminFee),
    offpegFeeMultiplier: 0n,
    lpSupply,
    base: null,
    worth: null,
    readAt: 0,
  };
  const lp = state.balances.length;
  const view: View = (i, j, amount) => {
    if (i < lp && j < lp) return getDy(state, { i, j, dx: amount, timestamp });
    if (j === lp) return mintBeforeFees(state, { coin: i, amount, timestamp });
    const paid = burn(state, { coin: j, amount, timestamp })?.paid ?? 0n;
    return (paid * (FEE_DENOMINATOR - withdrawFee)) / FEE_DENOMINATOR;
  };
  const isLp = (token: string) => token === String(fields.lpToken).toLowerCase();
  return trialOf(view, unknownView, (token) => (isLp(token) ? lp : tokenIndex(vector, token)));
}
