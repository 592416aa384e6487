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
import type { DesignName } from "./designs.ts";
import { exchange, getDy } from "./exchange.ts";
import type { State } from "./state.ts";

const names: Readonly<Record<string, DesignName>> = {
  "curve-tricrypto-v1": "tricrypto",
  "curve-twocrypto-v1": "twocrypto",
  "curve-tricrypto-ng": "tricrypto-ng",
  "curve-twocrypto-ng": "twocrypto-ng-2024",
};

const NEEDED = ["balances", "priceScale", "aMultiplier", "A", "gamma", "D", "feeGamma", "midFee", "outFee"];
const OPTIONAL = ["precisions", "lpSupply", "lastPrices", "priceOracle", "raw", "aNote", "fee"];
const PROFIT = ["virtualprice", "xcpprofit", "allowedextraprofit"];
/**
 * Fields without effect: A and gamma are given for the vector's time, and averages move the price only after a trade.
 */
const UNUSED = ["initialagammatime", "futureagammatime", "lastpricestimestamp", "adjustmentstep"];

/** Profit fields; sources differ in the case of their names. */
function profitOf(raw: unknown): Fields {
  if (raw === undefined) return {};
  const fields = Object.entries(understood(raw, [], Object.keys(raw as Fields)));
  return understood(
    Object.fromEntries(fields.map(([key, value]) => [key.toLowerCase(), value])),
    [],
    [...PROFIT, ...UNUSED],
  );
}

/** Precisions, from the tokens' decimals if the state does not list them. */
function precisionsOf(vector: Vector, fields: Fields): readonly bigint[] {
  if (fields.precisions !== undefined) return list(fields.precisions).map(integer);
  return list(vector.pool.tokens).map((token) => 10n ** (18n - integer((token as Fields).decimals)));
}

function stateOf(vector: Vector): State {
  const fields = understood(vector.state, NEEDED, OPTIONAL);
  const profit = profitOf(fields.raw);
  const [ann, gamma] = [integer(fields.A), integer(fields.gamma)];
  return {
    design: names[vector.protocol]!,
    balances: list(fields.balances).map(integer),
    precisions: precisionsOf(vector, fields),
    priceScale: list(fields.priceScale).map(integer),
    ramp: {
      ...{ initialAnn: ann, initialGamma: gamma, futureAnn: ann, futureGamma: gamma },
      ...{ initialTime: 0, futureTime: 0 },
    },
    multiplier: integer(fields.aMultiplier),
    d: integer(fields.D),
    midFee: integer(fields.midFee),
    outFee: integer(fields.outFee),
    feeGamma: integer(fields.feeGamma),
    lpSupply: integer(fields.lpSupply ?? 0),
    virtualPrice: integer(profit.virtualprice ?? 0),
    xcpProfit: integer(profit.xcpprofit ?? 0),
    allowedExtraProfit: integer(profit.allowedextraprofit ?? 0),
    isSettled: true,
  };
}

/** Answers of the view `get_dy`; a swap that must fail has to fail as an exchange. */
export const suite: VectorSuite = {
  names: Object.keys(names),
  open(vector) {
    const state = stateOf(vector);
    const timestamp = Number(vector.pool.timestamp ?? Number.MAX_SAFE_INTEGER);
    return (swap) => {
      if (swap.kind !== "exactIn") throw new NotUnderstood("the view only sells");
      const [i, j] = [tokenIndex(vector, swap.tokenIn), tokenIndex(vector, swap.tokenOut)];
      const order = { i, j, dx: asked(swap), timestamp };
      const dy = swap.mustFail ? exchange(state, order)?.dy : getDy(state, order);
      return complaint(
        swap,
        dy === undefined || dy === 0n ? undefined : { amountIn: order.dx, amountOut: dy },
      );
    };
  },
};
