import { divDown, divUp, mulDown, mulUp, ONE } from "../../core/math/fixed-point.ts";
import {
  inGivenOut,
  outGivenIn,
  threeOffsets,
  twoOffsets,
  type VirtualPair,
} from "../../core/math/gyro/gyro-clp-math.ts";
import * as eclp from "../../core/math/gyro/gyro-eclp-math.ts";
import type { VaultDesign } from "../shared/balancer-vault.ts";
import type { Order } from "../shared/own-state.ts";
import type { Shape, State } from "./state.ts";

/**
 * Gas units of one crossing through the router, before refunds for the vault's allowance and the router's balance:
 * slightly more than the devnet's pools need with the vault's bytecode.
 */
const gasOf: Readonly<Record<Shape["kind"], number>> = { "2clp": 118_000, "3clp": 157_000, eclp: 150_000 };

export function gas(kind: Shape["kind"]): number {
  return gasOf[kind];
}

/** Values that depend on the state only, 18 decimals. */
export type Solved =
  | {
      readonly kind: "virtual";
      readonly balances: readonly bigint[];
      /** By token; in a pool of three by the token that is not traded, since both others have the same one. */
      readonly offsets: readonly bigint[];
    }
  | { readonly kind: "ellipse"; readonly ellipse: eclp.Ellipse };

/** Cache by state object: an invariant costs more than a swap, and many amounts are quoted per state. */
const known = new WeakMap<State, { readonly solved: Solved | undefined }>();

/** @returns undefined if the invariant cannot be computed, so that every swap reverts */
export function solvedOf(state: State): Solved | undefined {
  let entry = known.get(state);
  if (entry === undefined) {
    entry = { solved: solve(state) };
    known.set(state, entry);
  }
  return entry.solved;
}

function solve({ balances: held, scaling, shape }: State): Solved | undefined {
  const balances = held.map((balance, k) => mulDown(balance, scaling[k]!));
  if (shape.kind === "eclp") {
    const ellipse = eclp.ellipseOf([balances[0]!, balances[1]!], shape.params);
    return ellipse === undefined ? undefined : { kind: "ellipse", ellipse };
  }
  if (shape.kind === "2clp") {
    const offsets = twoOffsets(balances, shape);
    return offsets === undefined ? undefined : { kind: "virtual", balances, offsets };
  }
  const offsets = threeOffsets(balances, shape.root3Alpha);
  return offsets === undefined ? undefined : { kind: "virtual", balances, offsets };
}

/** The two sides of a trade, with their virtual offsets. */
export function pairOf({ balances, offsets }: Extract<Solved, { kind: "virtual" }>, i: number, j: number) {
  const third = balances.length === 3 ? 3 - i - j : undefined;
  const pair: VirtualPair = {
    balanceIn: balances[i]!,
    balanceOut: balances[j]!,
    offsetIn: offsets[third ?? i]!,
    offsetOut: offsets[third ?? j]!,
  };
  return pair;
}

/**
 * The pool's answer to the vault. The fee is taken from the input before scaling, or added to it after scaling.
 *
 * @source gyrostable/concentrated-lps contracts/2clp/Gyro2CLPPool.sol, contracts/eclp/GyroECLPPool.sol onSwap
 *   (7e9bd3b)
 */
function swap(state: State, { i, j, amount, side }: Order): bigint | undefined {
  const solved = solvedOf(state);
  if (solved === undefined) return undefined;
  const scaleIn = state.scaling[i]!;
  const scaleOut = state.scaling[j]!;
  if (side === "in") {
    const given = mulDown(amount - mulUp(amount, state.swapFee), scaleIn);
    const out =
      solved.kind === "ellipse"
        ? eclp.outGivenIn(solved.ellipse, i as 0 | 1, given)
        : outGivenIn(pairOf(solved, i, j), given);
    return out === undefined ? undefined : divDown(out, scaleOut);
  }
  const asked = mulDown(amount, scaleOut);
  const cost =
    solved.kind === "ellipse"
      ? eclp.inGivenOut(solved.ellipse, i as 0 | 1, asked)
      : inGivenOut(pairOf(solved, i, j), asked);
  return cost === undefined ? undefined : divUp(divUp(cost, scaleIn), ONE - state.swapFee);
}

export const design: VaultDesign<State> = {
  swap,
  after: (state, balances) => ({ ...state, balances }),
  gas: (state) => gas(state.shape.kind),
};
