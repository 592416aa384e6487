import type { Hex } from "viem";
import { encodeFunctionData, parseAbi, toHex } from "viem/utils";
import managerArtifact from "../../../contracts/devnet/out/InfinityClManager.json" with { type: "json" };
import type { Address, Deployment } from "../../core/types.ts";
import { DAI, USDC, USDT, WBTC, WETH } from "../../devnet/plan/addresses.ts";
import { idOf, keyOf, POOL_KEY, type PoolKey, vaultAndManager } from "../../devnet/plan/infinity.ts";
import {
  type Check,
  type DevnetProtocol,
  planOfModels,
  type SeedTransaction,
} from "../../devnet/plan/plan.ts";
import { designPool, type PoolDesign } from "../../devnet/plan/pool-design.ts";

const VAULT: Address = "0x00000000000000000000000000000000c1000001";
const MANAGER: Address = "0x00000000000000000000000000000000c1000002";

const abi = parseAbi([
  POOL_KEY,
  "struct Position { int24 tickLower; int24 tickUpper; uint128 liquidity; }",
  "function create(PoolKey key, uint160 sqrtPriceX96, uint24 protocolFee, Position[] positions)",
  "function getSlot0(bytes32 id) view returns (uint160, int24, uint24, uint24)",
  "function getLiquidity(bytes32 id) view returns (uint128)",
]);

const deployment: Deployment = {
  id: "pancake-infinity-cl",
  protocol: "pancake-infinity-cl",
  name: "PancakeSwap_Infinity_CL",
  factory: MANAGER,
  fromBlock: 0,
  trusted: true,
  facts: {},
  source: "a model: contracts/devnet/pancake-infinity/InfinityVault.sol and InfinityClManager.sol",
};

type ClPool = { readonly design: PoolDesign; readonly key: PoolKey; readonly protocolFees: number };

type Terms = {
  readonly fee: number;
  readonly tickSpacing: number;
  readonly depthPercent: number;
  /** Parts per million in each direction. */
  readonly protocolFees?: readonly [number, number];
};

function pool([token0, token1]: readonly [Address, Address], terms: Terms): ClPool {
  const { fee, tickSpacing, depthPercent, protocolFees: [down, up] = [0, 0] } = terms;
  const design = designPool({ address: MANAGER, token0, token1, fee, tickSpacing, depthPercent });
  const key = keyOf(MANAGER, [token0, token1], { fee, spacing: tickSpacing });
  return { design, key, protocolFees: up * 2 ** 12 + down };
}

const pools: readonly ClPool[] = [
  pool([WETH, USDC], { fee: 500, tickSpacing: 10, depthPercent: 6, protocolFees: [170, 160] }),
  pool([WETH, USDT], { fee: 2500, tickSpacing: 50, depthPercent: 6 }),
  pool([WBTC, USDC], { fee: 2500, tickSpacing: 50, depthPercent: 4, protocolFees: [1000, 0] }),
  pool([DAI, USDC], { fee: 100, tickSpacing: 1, depthPercent: 2 }),
];

/** Pools of concentrated liquidity around the market's prices, two of them of the native coin. */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () => {
    const manager = { address: MANAGER, runtimeCode: managerArtifact.runtimeCode as Hex };
    const held = pools.flatMap(({ design: { token0, token1, stock } }) => [
      { token: token0, amount: stock[0] },
      { token: token1, amount: stock[1] },
    ]);
    const { helpers, grants, transactions } = vaultAndManager(VAULT, manager, held);
    return planOfModels({
      helpers,
      grants,
      transactions: [...transactions, ...pools.map(create)],
      checks: pools.flatMap(checks),
    });
  },
};

function create({ design, key, protocolFees }: ClPool): SeedTransaction {
  const args = [key, design.sqrtPriceX96, protocolFees, design.positions] as const;
  return { to: MANAGER, data: encodeFunctionData({ abi, functionName: "create", args }), gas: 6_000_000 };
}

function checks({ design, key }: ClPool): Check[] {
  const args = [idOf(key)] as const;
  return [
    {
      what: `price of the Infinity pool ${args[0]}`,
      call: { to: MANAGER, data: encodeFunctionData({ abi, functionName: "getSlot0", args }) },
      startsWith: toHex(design.sqrtPriceX96, { size: 32 }),
    },
    {
      what: `liquidity in range of the Infinity pool ${args[0]}`,
      call: { to: MANAGER, data: encodeFunctionData({ abi, functionName: "getLiquidity", args }) },
      startsWith: toHex(design.liquidityInRange, { size: 32 }),
    },
  ];
}
