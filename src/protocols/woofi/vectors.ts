import { MAX_UINT256 } from "../../core/tokens.ts";
import type { Address } from "../../core/types.ts";
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
import { woofi } from "./index.ts";
import { type Listing, ONE } from "./state.ts";

/** The entry of a token in a table whose keys have mixed-case addresses. */
function entry(table: unknown, token: string): unknown {
  const all = table as Fields;
  const name = Object.keys(understood(table, [], Object.keys(all))).find(
    (key) => key.toLowerCase() === token,
  );
  if (name === undefined) throw new NotUnderstood(`nothing on token ${token}`);
  return all[name];
}

function listingOf(vector: Vector, token: string, k: number): Listing {
  const first = vector.protocol === "woofi-v2";
  const info = understood(
    entry(vector.state.tokenInfos, token),
    ["Reserve", "FeeRate", ...(first ? [] : ["MaxNotionalSwap", "MaxGamma"])],
    ["CapBal"],
  );
  const oracle = understood(vector.state.wooracle, ["States", "Decimals", "StaleDuration", "Bound"]);
  const state = understood(entry(oracle.States, token), ["Price", "Spread", "Coeff", "WoFeasible"]);
  const { decimals } = understood(list(vector.pool.tokens)[k], ["address", "decimals"], ["symbol"]);
  return {
    reserve: integer(info.Reserve),
    feeRate: integer(info.FeeRate),
    unit: 10n ** integer(decimals),
    price: state.WoFeasible === true ? integer(state.Price) : 0n,
    priceUnit: 10n ** integer(entry(oracle.Decimals, token)),
    spread: integer(state.Spread),
    coeff: integer(state.Coeff),
    maxGamma: first ? ONE : integer(info.MaxGamma),
    maxNotional: first ? MAX_UINT256 : integer(info.MaxNotionalSwap),
    cap: info.CapBal === undefined ? MAX_UINT256 : integer(info.CapBal),
  };
}

/** The vector with its quote token first, the order of tokens in pools. */
function quoteFirst(vector: Vector): Vector {
  const { quoteToken } = understood(vector.state, ["quoteToken", "tokenInfos", "wooracle"]);
  const at = vector.tokens.indexOf(String(quoteToken).toLowerCase());
  if (at < 0) throw new NotUnderstood(`quote token ${quoteToken}`);
  const sorted = <T>(all: readonly T[]): T[] => [all[at]!, ...all.filter((_, k) => k !== at)];
  const pool = { ...vector.pool, tokens: sorted(list(vector.pool.tokens)) };
  return { ...vector, tokens: sorted(vector.tokens), pool };
}

export const suite: VectorSuite = {
  names: ["woofi-v2", "woofi-v2.1"],
  open(given) {
    const vector = quoteFirst(given);
    const listings = vector.tokens.map((token, k) => listingOf(vector, token, k));
    const state = { listings, expires: Number.MAX_SAFE_INTEGER, readFor: 1 };
    return quoteTrial(woofi, vector, subjectOf(state, vector.tokens as Address[]));
  },
};
