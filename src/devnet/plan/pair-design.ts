import type { Hex } from "viem";
import { encodePacked, getContractAddress, keccak256 } from "viem/utils";
import type { Address } from "../../core/types.ts";
import { WETH } from "./addresses.ts";
import { reference, worth } from "./market.ts";
import type { PairRecord } from "./searcher/recorded.ts";

/** Tokens in ascending order; value of each side in percent of the WETH side of the shallower token's deepest pair. */
export type PairOrder = readonly [token0: Address, token1: Address, depthPercent: bigint];

/** A factory and the hash of its pairs' init code, from which CREATE2 derives pair addresses. */
export type PairMaker = { readonly factory: Address; readonly initCodeHash: Hex };

/** Designs pairs at the market's prices with the ordered depths. */
export function designPairs(maker: PairMaker, orders: readonly PairOrder[]): readonly PairRecord[] {
  return orders.map(([token0, token1, depthPercent]) => {
    const depths = [token0, token1].filter((token) => token !== WETH).map((token) => reference(token).weth);
    const shallower = depths.reduce((least, depth) => (depth < least ? depth : least));
    const weth = (shallower * depthPercent) / 100n;
    const address = getContractAddress({
      opcode: "CREATE2",
      from: maker.factory,
      salt: keccak256(encodePacked(["address", "address"], [token0, token1])),
      bytecodeHash: maker.initCodeHash,
    });
    return {
      address: address.toLowerCase() as Address,
      token0,
      token1,
      reserve0: worth(weth, WETH, token0),
      reserve1: worth(weth, WETH, token1),
    };
  });
}
