import { type Bin, knownBinPrice } from "../../core/math/bins/bin-math.ts";
import type { Address } from "../../core/types.ts";
import { swapFee } from "../shared/pool-managers/pool-manager.ts";

/** Facts of the pool's key. The same object for as long as the pool is followed; prices are cached by it. */
export type Shape = { readonly binStep: number };

/** A pool with the bins of a window. The arrays are immutable. */
export type State = {
  readonly manager: Address;
  readonly shape: Shape;
  /** Liquidity providers' fee, parts per million. */
  readonly feePpm: number;
  /** Protocol fees in parts per million for sales of X and of Y; they are taken first. */
  readonly protocolFees: readonly [number, number];
  readonly activeId: number;
  /** Id of the first bin of the window; bins outside of it are unknown. */
  readonly first: number;
  /** Reserves of each bin of the window, smallest units. */
  readonly xs: readonly bigint[];
  readonly ys: readonly bigint[];
  /**
   * Whether a swap enters each bin of the window. It passes over a bin that all its providers have left, although a
   * unit of either token may remain there.
   */
  readonly entered: readonly boolean[];
};

/** Gas units through the router. */
const SWAP_GAS = 80_000;
const BIN_GAS = 14_000;

/** Gas units of a fill. @param emptied bins left behind */
export function gasOf(emptied: number): number {
  return SWAP_GAS + BIN_GAS * emptied;
}

/** The protocol's fee of a direction and the whole fee, parts per million. */
export type Fees = { readonly protocolPpm: number; readonly wholePpm: number };

/** @param swapForY whether X is sold */
export function feesOf({ protocolFees, feePpm }: State, swapForY: boolean): Fees {
  const protocolPpm = protocolFees[swapForY ? 0 : 1];
  return { protocolPpm, wholePpm: swapFee(protocolPpm, feePpm) };
}

/** Bins have fees of 18 digits. */
const PER_PPM = 10n ** 12n;

/** A bin of the window in the direction of a swap; undefined if its price does not fit the contract's words. */
export function binAt(state: State, id: number, swapForY: boolean): Bin | undefined {
  const price = knownBinPrice(id, state.shape);
  if (price === undefined) return undefined;
  const reserveOut = (swapForY ? state.ys : state.xs)[id - state.first]!;
  return { price, reserveOut, fee: BigInt(feesOf(state, swapForY).wholePpm) * PER_PPM };
}
