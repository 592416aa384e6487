import { toFunctionSelector } from "viem/utils";
import type { Hex } from "../../../src/core/types.ts";

const select = (signature: string): Hex => toFunctionSelector(`function ${signature}`);

/** Functions that the contracts of the fake chain answer, by selector. */
export const S = {
  name: select("name()"),
  symbol: select("symbol()"),
  decimals: select("decimals()"),
  totalSupply: select("totalSupply()"),
  balanceOf: select("balanceOf(address)"),
  allowance: select("allowance(address,address)"),
  getPair: select("getPair(address,address)"),
  allPairs: select("allPairs(uint256)"),
  allPairsLength: select("allPairsLength()"),
  getPool: select("getPool(address,address,uint24)"),
  feeAmountTickSpacing: select("feeAmountTickSpacing(uint24)"),
  token0: select("token0()"),
  token1: select("token1()"),
  factory: select("factory()"),
  getReserves: select("getReserves()"),
  slot0: select("slot0()"),
  liquidity: select("liquidity()"),
  ticks: select("ticks(int24)"),
  tickBitmap: select("tickBitmap(int16)"),
  fee: select("fee()"),
  tickSpacing: select("tickSpacing()"),
  extsload: select("extsload(bytes32)"),
  extsloadMany: select("extsload(bytes32,uint256)"),
  extsloadList: select("extsload(bytes32[])"),
  getSlot0: select("getSlot0(bytes32)"),
  getLiquidity: select("getLiquidity(bytes32)"),
  getTickBitmap: select("getTickBitmap(bytes32,int16)"),
  getTickLiquidity: select("getTickLiquidity(bytes32,int24)"),
  aggregate3: select("aggregate3((address,bool,bytes)[])"),
  tryAggregate: select("tryAggregate(bool,(address,bytes)[])"),
  getBlockNumber: select("getBlockNumber()"),
  getCurrentBlockTimestamp: select("getCurrentBlockTimestamp()"),
  getEthBalance: select("getEthBalance(address)"),
} as const;
