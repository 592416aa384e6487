import type { SharePrice } from "../share-price.ts";

/** A vault whose shares are fractions of its assets; both amounts change with deposits, withdrawals and gains. */
export type SharesState = {
  readonly kind: "shares";
  /** totalAssets() plus the virtual assets of its formula. */
  readonly assets: bigint;
  /** totalSupply() plus the virtual shares of its formula. */
  readonly shares: bigint;
  /** Deposit limit, smallest units of the asset. */
  readonly room: bigint;
  readonly readFor: number;
};

/** A savings vault: a share is worth `chi` assets, which grows every second at a known rate. */
export type SavingsState = {
  readonly kind: "savings";
  /** Assets per share at Unix second `rho`, 27 decimals. */
  readonly chi: bigint;
  /** Growth factor per second, 27 decimals. */
  readonly rate: bigint;
  readonly rho: number;
  readonly readFor: number;
};

export type State = SharesState | SavingsState;

export const RAY = 10n ** 27n;

/**
 * x^n with 27 decimals, each product rounded to the nearest. O(log n).
 *
 * @source makerdao/dss src/pot.sol _rpow; makerdao/sdai src/SUsds.sol _rpow is the same
 */
export function rayPower(base: bigint, exponent: number): bigint {
  const half = RAY / 2n;
  let square = base;
  let result = exponent % 2 === 1 ? base : RAY;
  for (let left = Math.floor(exponent / 2); left > 0; left = Math.floor(left / 2)) {
    square = (square * square + half) / RAY;
    if (left % 2 === 1) result = (result * square + half) / RAY;
  }
  return result;
}

/** The exchange rate at a block's time; undefined if the vault is empty. */
export function priceAt(state: State, timestamp: number): SharePrice | undefined {
  if (state.kind === "shares") return state.assets > 0n && state.shares > 0n ? state : undefined;
  const seconds = timestamp - state.rho;
  const chi = seconds > 0 ? (rayPower(state.rate, seconds) * state.chi) / RAY : state.chi;
  return { assets: chi, shares: RAY };
}
