import { uintAt } from "../../core/abi.ts";
import type { Hex, Log } from "../../core/types.ts";
import { moved, payable, type State } from "./state.ts";

/** SellGem(address indexed owner, uint256 value, uint256 fee) and BuyGem, of the same words */
const SELL_GEM: Hex = "0xef75f5a47cc9a929968796ceb84f19e7541617b4577f2c228ea95200e1572081";
const BUY_GEM: Hex = "0x085d06ecf4c34b237767a31c0888e121d89546a77f186f1987c6b8715e1a8caa";
/** Fill(uint256 wad), Trim(uint256 wad), Chug(uint256 wad): DAI made, burnt, and taken out as earnings */
const FILL: Hex = "0x1293e04cd381a7d781bab7dbc1f14f587c30b893b53af97e704717cc02a10254";
const TRIM: Hex = "0xc73c16902381a37c21b07e127e3d0c092955b9fedb2b23e7e9b91ca527545ae6";
const CHUG: Hex = "0xbaf40fa9da797753c7837b8bae01a8ee6009597a3de9665c6fdf70e870664993";
/** File(bytes32 indexed what, uint256 data): a fee, or the size of the stock of DAI */
const FILE: Hex = "0xe986e40cc8c151830d4f61050f4fb2e4add8567caad2d5f5496f9158e91fe4c7";

export const topics: readonly Hex[] = [SELL_GEM, BUY_GEM, FILL, TRIM, CHUG, FILE];

/** The state after a log; "reload" after a setting, or where a balance would fall below 0. */
export function apply(state: State, log: Log): State | "reload" {
  const { rate } = state;
  switch (log.topics[0]) {
    case SELL_GEM:
      return checked(state, uintAt(log.data, 0), uintAt(log.data, 1) - uintAt(log.data, 0) * rate);
    case BUY_GEM:
      return checked(state, -uintAt(log.data, 0), uintAt(log.data, 0) * rate + uintAt(log.data, 1));
    case FILL:
      return checked(state, 0n, uintAt(log.data, 0));
    case TRIM:
    case CHUG:
      return checked(state, 0n, -uintAt(log.data, 0));
    case FILE:
      return "reload";
    default:
      return state;
  }
}

function checked(state: State, gems: bigint, dai: bigint): State | "reload" {
  const next = moved(state, gems, dai);
  return payable(next) < 0n || next.dai < 0n ? "reload" : next;
}
