import type { Side } from "../../core/math/pairs/dodo-math.ts";
import { quoteOwnState } from "../shared/own-state.ts";
import {
  type Fields,
  integer,
  NotUnderstood,
  quoteTrial,
  understood,
  type Vector,
  type VectorSuite,
} from "../swapvec.ts";
import { subjectOf } from "./arbitrary.ts";
import { dodo } from "./index.ts";
import { type Kind, MAX_RESERVE, type State } from "./state.ts";
import { estimate } from "./trade.ts";

const MODERN = [
  "reserves",
  "i",
  "K",
  "B",
  "Q",
  "B0",
  "Q0",
  "R",
  "mtFeeRate",
  "lpFeeRate",
  "swappable",
  "poolType",
];
const CLASSICAL = ["B", "Q", "B0", "Q0", "rStatus", "oraclePrice", "k", "mtFeeRate", "lpFeeRate"];
/** Fields that vectors from contract tests lack: everything is then allowed. */
const CLASSICAL_OPTIONAL = [
  ...["reserves", "tradeAllowed", "sellingAllowed", "buyingAllowed", "swappable", "poolType"],
];

const kinds: ReadonlyMap<unknown, Kind> = new Map([
  ["DVM", "dvm"],
  ["DPP", "dpp"],
  ["DSP", "dsp"],
  ["CLASSICAL", "classical"],
]);

const sides: readonly Side[] = ["one", "above", "below"];

function sideOf(value: unknown): Side {
  const side = sides[Number(integer(value))];
  if (side === undefined) throw new NotUnderstood(`side ${value}`);
  return side;
}

function stateOf(vector: Vector): State {
  const classical = vector.protocol === "dodo-v1-classical";
  const fields = classical
    ? understood(vector.state, CLASSICAL, CLASSICAL_OPTIONAL)
    : understood(vector.state, MODERN);
  const kind = kinds.get(fields.poolType ?? (classical ? "CLASSICAL" : undefined));
  if (kind === undefined || (kind === "classical") !== classical)
    throw new NotUnderstood(`poolType ${fields.poolType}`);
  const side = sideOf(fields[classical ? "rStatus" : "R"]);
  return {
    kind,
    side,
    i: integer(fields[classical ? "oraclePrice" : "i"]),
    k: integer(fields[classical ? "k" : "K"]),
    base: integer(fields.B),
    quote: integer(fields.Q),
    // A DVM computes the target on every trade; the vector gives the computed value.
    baseTarget: kind === "dvm" ? 0n : integer(fields.B0),
    quoteTarget: integer(fields.Q0),
    lpFee: integer(fields.lpFeeRate),
    mtFee: integer(fields.mtFeeRate),
    limits: [MAX_RESERVE, MAX_RESERVE],
    open: isOpen(fields),
    readFor: 1,
    readAt: 1,
  };
}

/** `buyingAllowed` is not checked: the helper's estimate ignores it, although the contract's purchase does not. */
function isOpen(fields: Fields): boolean {
  return ["swappable", "tradeAllowed", "sellingAllowed"].every(
    (name) => fields[name] === undefined || fields[name] === true,
  );
}

export const suite: VectorSuite = {
  names: ["dodo-v1-classical", "dodo-v2-dvm", "dodo-v2-dpp", "dodo-v2-dsp"],
  // Recorded answers of classical pools include the helper's estimates, which no route can execute.
  open: (vector) =>
    quoteTrial({ ...dodo, quote: quoteOwnState(estimate) }, vector, subjectOf(stateOf(vector))),
};
