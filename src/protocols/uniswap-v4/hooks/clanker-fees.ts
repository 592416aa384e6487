import { callData, hasWords, uintAt } from "../../../core/abi.ts";
import type { Address, Call, Hex, Pool } from "../../../core/types.ts";

/** Fees that the positions of a launch have earned and that its locker collects at the beginning of the next swap. */

/** positionInfo(uint256) of Uniswap's PositionManager: pool 25 bytes | upper tick i24 | lower tick i24 | one byte */
const POSITION_INFO: Hex = "0x89097a6a";
/** Functions of StateView: getPositionInfo(bytes32,address,int24,int24,bytes32), getFeeGrowthInside(bytes32,int24,int24) */
const GET_POSITION_INFO: Hex = "0xdacf1d2f";
const GET_FEE_GROWTH_INSIDE: Hex = "0x53e9c1fb";

const Q128 = 2n ** 128n;

/** A launch's positions: their owner in the manager, which is Uniswap's PositionManager, and the first of their ids. */
export type Positions = { readonly owner: Address; readonly positionId: bigint; readonly positions: number };

type Range = readonly [number, number];

function rangeOf(info: Hex): Range | undefined {
  if (!hasWords(info, 1)) return undefined;
  const packed = uintAt(info, 0);
  const [lower, upper] = [8n, 32n].map((shift) => Number(BigInt.asIntN(24, packed >> shift)));
  return lower! < upper! ? [lower!, upper!] : undefined;
}

function positionReads(
  pool: Pool,
  { owner, positionId }: Positions,
  [lower, upper]: Range,
  k: number,
): Call[] {
  const to = pool.facts.stateView as Address;
  const id = BigInt(pool.id);
  const salt = positionId + BigInt(k);
  return [
    { to, data: callData(GET_POSITION_INFO, id, BigInt(owner), lower, upper, salt) },
    { to, data: callData(GET_FEE_GROWTH_INSIDE, id, lower, upper) },
  ];
}

/** Calls for the positions' ranges, then for their fees; `[]` = done, or an answer is missing. */
export function feeReads(pool: Pool, rewards: Positions, answers: readonly Hex[]): readonly Call[] {
  const { owner, positionId, positions } = rewards;
  const order = Array.from({ length: positions }, (_, k) => k);
  if (answers.length < positions)
    return order.map((k) => ({ to: owner, data: callData(POSITION_INFO, positionId + BigInt(k)) }));
  if (answers.length > positions) return [];
  const ranges = answers.map(rangeOf);
  if (ranges.includes(undefined)) return [];
  return ranges.flatMap((range, k) => positionReads(pool, rewards, range!, k));
}

/**
 * The fees of both tokens, each position's rounded down; undefined if an answer is missing.
 *
 * @param answers of `feeReads`
 * @source Uniswap/v4-core src/libraries/Position.sol update
 */
export function feesOf(
  { positions }: Positions,
  answers: readonly Hex[],
): readonly [bigint, bigint] | undefined {
  const growths = answers.slice(positions);
  if (growths.length !== 2 * positions) return undefined;
  const fees: [bigint, bigint] = [0n, 0n];
  for (let k = 0; k < positions; k++) {
    const [position, inside] = [growths[2 * k]!, growths[2 * k + 1]!];
    if (!hasWords(position, 3) || !hasWords(inside, 2)) return undefined;
    const liquidity = BigInt.asUintN(128, uintAt(position, 0));
    for (const side of [0, 1] as const) {
      const growth = BigInt.asUintN(256, uintAt(inside, side) - uintAt(position, 1 + side));
      fees[side] += (growth * liquidity) / Q128;
    }
  }
  return fees;
}
