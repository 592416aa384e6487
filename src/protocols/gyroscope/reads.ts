import { hasWords, intAt, uintAt } from "../../core/abi.ts";
import { mulDown, ONE } from "../../core/math/fixed-point.ts";
import type { At, Call, Hex, Pool, Refusal } from "../../core/types.ts";
import {
  contractOf,
  designIn,
  factoryCount,
  factoryReads,
  readVault,
  vaultReads,
} from "../shared/balancer-vault.ts";
import type { Shape, State } from "./state.ts";

const GET_SQRT_PARAMETERS: Hex = "0x707dcd1e";
const GET_ROOT_3_ALPHA: Hex = "0xd60ca603";
const GET_ECLP_PARAMS: Hex = "0x7be219a2";
const GET_TOKEN_RATES: Hex = "0x702ec091";
const RATE_PROVIDER_0: Hex = "0x828a7c34";
const RATE_PROVIDER_1: Hex = "0x62ced092";

type Design = {
  readonly tokens: number;
  readonly read: Hex;
  /** Number of words of the answer. */
  readonly words: number;
  readonly shape: (answer: Hex) => Shape;
};

/** Design names under which a deployment may list its factories. */
const designs: ReadonlyMap<string, Design> = new Map([
  ["2clp", { tokens: 2, read: GET_SQRT_PARAMETERS, words: 2, shape: twoOf }],
  ["3clp", { tokens: 3, read: GET_ROOT_3_ALPHA, words: 1, shape: threeOf }],
  ["eclp", { tokens: 2, read: GET_ECLP_PARAMS, words: 14, shape: ellipseOf }],
]);

function twoOf(answer: Hex): Shape {
  return { kind: "2clp", sqrtAlpha: uintAt(answer, 0), sqrtBeta: uintAt(answer, 1) };
}

function threeOf(answer: Hex): Shape {
  return { kind: "3clp", root3Alpha: uintAt(answer, 0) };
}

/** The E-CLP parameters. The first two words, the price bounds, do not affect swaps. */
function ellipseOf(answer: Hex): Shape {
  const at = (index: number) => intAt(answer, index);
  const [tauAlpha, tauBeta] = [
    { x: at(5), y: at(6) },
    { x: at(7), y: at(8) },
  ];
  const derived = { tauAlpha, tauBeta, u: at(9), v: at(10), w: at(11), z: at(12), dSq: at(13) };
  return { kind: "eclp", params: { c: at(2), s: at(3), lambda: at(4), ...derived } };
}

/** Two rounds: the factory that created the pool; its state. */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  if (answers.length === 0) return factoryReads(pool);
  const design = designs.get(designIn(pool, answers) ?? "");
  if (design === undefined || answers.length > factoryCount(pool)) return [];
  const own = [design.read, GET_TOKEN_RATES, RATE_PROVIDER_0, RATE_PROVIDER_1];
  return [...vaultReads(pool), ...own.map((data) => ({ to: contractOf(pool), data }))];
}

export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  const design = designs.get(designIn(pool, answers) ?? "");
  if (design === undefined) return { refusal: "made by a factory that is not listed" };
  const second = answers.slice(factoryCount(pool));
  const shared = vaultReads(pool).length;
  const vault = readVault(pool, second.slice(0, shared));
  if (typeof vault === "string") return { refusal: vault };
  const [shape = "0x", rates = "0x", ...providers] = second.slice(shared);
  if (!hasWords(shape, design.words) || pool.tokens.length !== design.tokens)
    return { refusal: "parameters failed" };
  const asked = hasRates(rates, providers);
  const rate = (k: number) => (asked && k < 2 ? uintAt(rates, k) : ONE);
  return {
    ...vault.state,
    scaling: vault.scaling.map((scale, k) => mulDown(scale * ONE, rate(k))),
    shape: design.shape(shape),
    onlyIn: asked ? at.blockNumber : 0,
  };
}

/** Whether a swap applies rates. Pools without providers, and pools older than rates, have rates of 1. */
function hasRates(rates: Hex, providers: readonly Hex[]): boolean {
  return hasWords(rates, 2) && providers.some((answer) => hasWords(answer, 1) && uintAt(answer, 0) !== 0n);
}
