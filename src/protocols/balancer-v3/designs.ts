import { addressAt, hasWords, intAt, uintAt } from "../../core/abi.ts";
import type { Address, Hex } from "../../core/types.ts";
import type { Shape } from "./state.ts";

const GET_NORMALIZED_WEIGHTS: Hex = "0xf89f27ed";
/** Pools of older factories do not have it. */
export const GET_MIN_TOKEN_BALANCES: Hex = "0xd67f280b";
const GET_AMPLIFICATION_STATE: Hex = "0x21da5e19";
const GET_ECLP_PARAMS: Hex = "0x7be219a2";
const GET_LAST_VIRTUAL: Hex = "0x105ae7ad";
const GET_LAST_TIMESTAMP: Hex = "0x37899770";
const GET_MARGIN: Hex = "0x1d8a5e7e";
const GET_SHIFT_BASE: Hex = "0x215666a8";
const GET_PRICE_RATIO: Hex = "0x6bd838c7";
const GET_WEIGHT_UPDATE: Hex = "0x7beed220";
const IS_BLOCKED: Hex = "0x95146efb";
/**
 * Virtual reserve of a sale that starts without the other token; its equations are not implemented, so such pools are
 * refused.
 */
const GET_RESERVE_VIRTUAL: Hex = "0xf898f16e";
const GET_PROJECT_TOKEN: Hex = "0x4837c596";

/** Reads of a pool's parameters, and its curve from the answers; undefined if they failed. */
export type Design = {
  readonly reads: readonly Hex[];
  readonly shape: (answers: readonly Hex[], tokens: readonly Address[]) => Shape | undefined;
};

/** Design names under which a deployment may list its factories. */
export const designs: ReadonlyMap<string, Design> = new Map<string, Design>([
  ["weighted", { reads: [GET_NORMALIZED_WEIGHTS, GET_MIN_TOKEN_BALANCES], shape: weighted }],
  ["stable", { reads: [GET_AMPLIFICATION_STATE], shape: stable }],
  ["gyro-e", { reads: [GET_ECLP_PARAMS], shape: ellipse }],
  ["reclamm-v1", { reads: reclammReads(), shape: (answers) => reclamm(1, answers) }],
  ["reclamm", { reads: reclammReads(), shape: (answers) => reclamm(2, answers) }],
  ["lbp", { reads: saleReads(), shape: sale }],
]);

function saleReads(): readonly Hex[] {
  return [GET_WEIGHT_UPDATE, IS_BLOCKED, GET_PROJECT_TOKEN, GET_RESERVE_VIRTUAL, GET_MIN_TOKEN_BALANCES];
}

function reclammReads(): readonly Hex[] {
  return [GET_LAST_VIRTUAL, GET_LAST_TIMESTAMP, GET_MARGIN, GET_SHIFT_BASE, GET_PRICE_RATIO];
}

/** The words of the dynamic array whose offset is in word `head`; undefined if it does not have `count` elements. */
function listAt(data: Hex, head: number, count: number): readonly bigint[] | undefined {
  if (!hasWords(data, head + 1)) return undefined;
  const start = Number(uintAt(data, head)) / 32;
  if (!hasWords(data, start + 1 + count) || uintAt(data, start) !== BigInt(count)) return undefined;
  return Array.from({ length: count }, (_, k) => uintAt(data, start + 1 + k));
}

function weighted([answer = "0x", least]: readonly Hex[], tokens: readonly Address[]): Shape | undefined {
  const weights = listAt(answer, 0, tokens.length);
  const floors = floorsOf(least, tokens.length);
  if (weights === undefined || weights.includes(0n) || floors === undefined) return undefined;
  return { kind: "weighted", weights, ...floors };
}

/** The least balances; none of a pool that does not know the call, undefined if the answer is malformed. */
function floorsOf(answer: Hex = "0x", count: number): { readonly least?: readonly bigint[] } | undefined {
  if (answer === "0x") return {};
  const least = listAt(answer, 0, count);
  return least && { least };
}

/** The ramp of amp: start and end values with their times. */
function stable([answer = "0x"]: readonly Hex[]): Shape | undefined {
  if (!hasWords(answer, 4) || uintAt(answer, 0) === 0n || uintAt(answer, 1) === 0n) return undefined;
  const initialTime = Number(uintAt(answer, 2));
  const futureTime = Number(uintAt(answer, 3));
  return {
    kind: "stable",
    ramp: { initialA: uintAt(answer, 0), futureA: uintAt(answer, 1), initialTime, futureTime },
  };
}

/** The E-CLP parameters. The first two words, the price bounds, do not affect swaps. */
function ellipse([answer = "0x"]: readonly Hex[]): Shape | undefined {
  if (!hasWords(answer, 14)) return undefined;
  const at = (index: number) => intAt(answer, index);
  const [tauAlpha, tauBeta] = [
    { x: at(5), y: at(6) },
    { x: at(7), y: at(8) },
  ];
  const derived = { tauAlpha, tauBeta, u: at(9), v: at(10), w: at(11), z: at(12), dSq: at(13) };
  return { kind: "eclp", params: { c: at(2), s: at(3), lambda: at(4), ...derived } };
}

function reclamm(version: 1 | 2, answers: readonly Hex[]): Shape | undefined {
  const [virtual = "0x", time = "0x", margin = "0x", base = "0x", ratio = "0x"] = answers;
  const complete =
    hasWords(virtual, 2) && hasWords(ratio, 4) && [time, margin, base].every((one) => hasWords(one, 1));
  const pair = complete ? virtualOf(virtual) : undefined;
  if (pair === undefined) return undefined;
  const priceRatio = {
    start: uintAt(ratio, 0),
    end: uintAt(ratio, 1),
    startTime: Number(uintAt(ratio, 2)),
    endTime: Number(uintAt(ratio, 3)),
  };
  const pool = {
    version,
    virtual: pair,
    lastTimestamp: Number(uintAt(time, 0)),
    dailyPriceShiftBase: uintAt(base, 0),
    centerednessMargin: uintAt(margin, 0),
    priceRatio,
  };
  return { kind: "reclamm", pool };
}

/** Both virtual balances: two words in later builds of the first version, a dynamic array in earlier ones. */
function virtualOf(answer: Hex): readonly [bigint, bigint] | undefined {
  const isList = uintAt(answer, 0) === 32n && uintAt(answer, 1) === 2n;
  if (isList && !hasWords(answer, 4)) return undefined;
  return isList ? [uintAt(answer, 2), uintAt(answer, 3)] : [uintAt(answer, 0), uintAt(answer, 1)];
}

function sale(answers: readonly Hex[], tokens: readonly Address[]): Shape | undefined {
  const [update = "0x", blocked = "0x", project = "0x", virtual = "0x", least] = answers;
  const floors = floorsOf(least, 2);
  const startWeights = listAt(update, 2, 2);
  const endWeights = listAt(update, 3, 2);
  if (startWeights === undefined || endWeights === undefined || floors === undefined) return undefined;
  if (!hasWords(blocked, 1) || !hasWords(project, 1)) return undefined;
  if (hasWords(virtual, 1) && uintAt(virtual, 0) !== 0n) return undefined;
  const token = tokens.indexOf(addressAt(project, 0));
  const shape: Shape = {
    kind: "bootstrapping",
    startWeights,
    endWeights,
    startTime: Number(uintAt(update, 0)),
    endTime: Number(uintAt(update, 1)),
    blocked: uintAt(blocked, 0) === 0n ? -1 : token,
    ...floors,
  };
  return token < 0 || tokens.length !== 2 ? undefined : shape;
}
