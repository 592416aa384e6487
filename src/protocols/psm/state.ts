import { MAX_UINT256 } from "../../core/tokens.ts";

export type State = {
  /** Smallest units of DAI per smallest unit of the stablecoin, a power of ten. */
  readonly rate: bigint;
  /** Whether it takes no fee and is not halted: for sales of the stablecoin, and for sales of DAI. */
  readonly isOpen: readonly [boolean, boolean];
  /** Units of the stablecoin that its pocket holds. */
  readonly gems: bigint;
  /**
   * Units of the stablecoin that the pocket lets it pay; sales of the stablecoin to it do not add to them. 2^256 - 1 are not
   * spent.
   */
  readonly allowed: bigint;
  /** Units of DAI that it holds. */
  readonly dai: bigint;
  /** Unix second of the read. */
  readonly readAt: number;
};

/** Units of the stablecoin that it can pay. */
export function payable({ gems, allowed }: State): bigint {
  return gems < allowed ? gems : allowed;
}

/** The state after it took units of the stablecoin, or paid them if below 0, and DAI likewise. */
export function moved(state: State, gems: bigint, dai: bigint): State {
  const isSpent = gems < 0n && state.allowed !== MAX_UINT256;
  const allowed = isSpent ? state.allowed + gems : state.allowed;
  return { ...state, gems: state.gems + gems, dai: state.dai + dai, allowed };
}
