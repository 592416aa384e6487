import type { PairSource } from "../core/protocol.ts";
import type { Address, Hex } from "../core/types.ts";

/** find_pool_for_coins(address,address,uint256): the pool of two coins with that number, in the order in which they were made */
const FIND_POOL_FOR_COINS: Hex = "0x6982eb0b";
/** get_coins(address), of the factory */
export const GET_COINS: Hex = "0x9ac90d3d";

/**
 * How every factory of Curve is asked for the pools of two coins. The factories are asked rather than the registry of all of
 * them (MetaRegistry): that is on Ethereum alone, and does not tell which contract a pool is.
 *
 * @param asked how many pools of a pair are asked for
 * @source curvefi/stableswap-ng contracts/main/CurveStableSwapFactoryNG.vy, curvefi/tricrypto-ng
 *         contracts/main/CurveTricryptoFactory.vy, curvefi/twocrypto-ng contracts/main/TwocryptoFactory.vy
 */
export function curvePairs(target: Address, asked: number): Omit<PairSource, "details" | "poolOf"> {
  const keys = Array.from({ length: asked }, (_, k) => k);
  return { target, selector: FIND_POOL_FOR_COINS, hashed: false, numbered: false, word: 0, keys };
}
