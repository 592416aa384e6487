import type { Hex, Log } from "../../core/types.ts";
import type { State } from "./state.ts";

/**
 * Swap(address indexed assetIn, address indexed assetOut, address sender, address indexed receiver, uint256, uint256, uint256);
 * Deposit and Withdraw(address indexed asset, address indexed user, address indexed receiver, uint256 assets, uint256 shares);
 * PocketSet(address indexed, address indexed, uint256). The state does not know which token is which, so all are read again.
 */
export const topics: readonly Hex[] = [
  "0xdba43ee9916cb156cc32a5d3406e87341e568126a46815294073ba25c9400246",
  "0x5fe47ed6d4225326d3303476197d782ded5a4e9c14f479dc9ec4992af4e85d59",
  "0xfbde797d201c681b91056529119e0b02407c7bb96a4a2c75c01fc9667232c8db",
  "0x3fc246ba2ebf4dedf8b9de3cc4b46795e44b56db70960136b44fccbe99daa478",
];

export function apply(state: State, log: Log): State | "reload" {
  return topics.includes(log.topics[0]!) ? "reload" : state;
}
