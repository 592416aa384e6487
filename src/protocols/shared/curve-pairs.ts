import type { PairSource } from "../../core/protocol.ts";
import type { Address, Hex } from "../../core/types.ts";

/** find_pool_for_coins(address,address,uint256): the pool of two coins with that index, in order of creation */
const FIND_POOL_FOR_COINS: Hex = "0x6982eb0b";
/** get_coins(address) of the factory */
export const GET_COINS: Hex = "0x9ac90d3d";

/**
 * Queries a Curve factory for the pools of two coins. MetaRegistry, the registry of all factories, is not used: it
 * exists on Ethereum only, and does not reveal a pool's contract type.
 *
 * @param asked number of pools queried per pair
 * @source curvefi/stableswap-ng contracts/main/CurveStableSwapFactoryNG.vy, curvefi/tricrypto-ng
 *   contracts/main/CurveTricryptoFactory.vy, curvefi/twocrypto-ng contracts/main/TwocryptoFactory.vy
 */
export function curvePairs(target: Address, asked: number): Omit<PairSource, "details" | "poolOf"> {
  const keys = Array.from({ length: asked }, (_, k) => k);
  return { target, selector: FIND_POOL_FOR_COINS, hashed: false, numbered: false, word: 0, keys };
}
