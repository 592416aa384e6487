import type { Hex } from "viem";
import {
  encodeAbiParameters,
  encodeFunctionData,
  keccak256,
  pad,
  parseAbi,
  parseAbiParameters,
  toHex,
} from "viem/utils";
import seederArtifact from "../../../contracts/devnet/out/V4Seeder.json" with { type: "json" };
import viewArtifact from "../../../contracts/devnet/out/V4StateView.json" with { type: "json" };
import type { Address, Deployment } from "../../core/types.ts";
import { DAI, DEPLOYER, USDC, USDT, WBTC, WETH } from "../../devnet/plan/addresses.ts";
import { creationCode } from "../../devnet/plan/packages.ts";
import type { Check, DevnetProtocol, Grant, SeedTransaction } from "../../devnet/plan/plan.ts";
import { AGEING_STOCK, ageingPrices, designPool, type PoolDesign } from "../../devnet/plan/pool-design.ts";

const MANAGER: Address = "0x000000000004444c5dc75cb358380d2e3de08a90";
const STATE_VIEW: Address = "0x0000000000000000000000000000000044440001";
const SEEDER: Address = "0x000000000000000000000000000000005eed0004";
const NO_HOOKS = pad("0x", { size: 20 });

const abi = parseAbi([
  "struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }",
  "struct Position { int24 tickLower; int24 tickUpper; uint128 liquidity; }",
  "function open(address manager)",
  "function unwrap(address wrapped)",
  "function seed(address manager, PoolKey key, uint160 sqrtPriceX96, Position[] positions)",
  "function age(address manager, PoolKey key, uint160[] prices)",
  "function getSlot0(bytes32 poolId) view returns (uint160 sqrtPriceX96, int24 tick, uint24 protocolFee, uint24 lpFee)",
  "function getLiquidity(bytes32 poolId) view returns (uint128)",
]);

const deployment: Deployment = {
  id: "uniswap-v4",
  protocol: "uniswap-v4",
  name: "Uniswap_V4",
  factory: MANAGER,
  fromBlock: 0,
  trusted: true,
  facts: { stateView: STATE_VIEW },
  source: "built by the devnet at Ethereum's address, bytecode of @uniswap/v4-core; StateView is a model",
};

type V4Pool = { readonly design: PoolDesign; readonly key: ReturnType<typeof keyOf> };

/** A pool of the native coin is designed with WETH, which has the same worth. */
function pool(
  tokens: readonly [Address, Address],
  fee: number,
  depthPercent: number,
  native = false,
): V4Pool {
  const [token0, token1] = tokens;
  const tickSpacing = fee / 50;
  const design = designPool({ address: MANAGER, token0, token1, fee, tickSpacing, depthPercent });
  return { design, key: keyOf(design, native) };
}

function keyOf({ token0, token1, fee, tickSpacing }: PoolDesign, native: boolean) {
  const currency0 = native ? NO_HOOKS : token0;
  return { currency0, currency1: token1, fee, tickSpacing, hooks: NO_HOOKS };
}

const pools: readonly V4Pool[] = [
  pool([WETH, USDC], 500, 6, true),
  pool([WETH, USDC], 3000, 8, true),
  pool([WETH, USDT], 500, 6, true),
  pool([WETH, WBTC], 3000, 8, true),
  pool([WBTC, USDC], 3000, 4),
  pool([DAI, USDC], 100, 2),
];

function idOf({ key }: V4Pool): Hex {
  const words = parseAbiParameters("address, address, uint24, int24, address");
  return keccak256(
    encodeAbiParameters(words, [key.currency0, key.currency1, key.fee, key.tickSpacing, key.hooks]),
  );
}

/**
 * Uniswap v4: the real manager, and pools without hooks around the market's prices, most of them of the native coin.
 */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: ["@uniswap/v4-core"],
  plan: async () => ({
    contracts: [{ address: MANAGER, creationCode: await managerCode() }],
    helpers: [
      { address: STATE_VIEW, runtimeCode: viewArtifact.runtimeCode as Hex },
      { address: SEEDER, runtimeCode: seederArtifact.runtimeCode as Hex },
    ],
    grants: pools.flatMap(grants),
    transactions: [
      {
        to: STATE_VIEW,
        data: encodeFunctionData({ abi, functionName: "open", args: [MANAGER] }),
        gas: 100_000,
      },
      { to: SEEDER, data: encodeFunctionData({ abi, functionName: "unwrap", args: [WETH] }), gas: 100_000 },
      ...pools.map(seed),
    ],
    ageing: pools.map(age),
    checks: pools.flatMap(checks),
    venues: [],
  }),
};

async function managerCode(): Promise<Hex> {
  const owner = encodeAbiParameters([{ type: "address" }], [DEPLOYER]);
  return creationCode("@uniswap/v4-core/out/PoolManager.sol/PoolManager.json", owner);
}

function grants({ design }: V4Pool): Grant[] {
  const { token0, token1, stock } = design;
  return [
    { holder: SEEDER, token: token0, amount: stock[0] * AGEING_STOCK },
    { holder: SEEDER, token: token1, amount: stock[1] * AGEING_STOCK },
  ];
}

function seed({ design, key }: V4Pool): SeedTransaction {
  const args = [MANAGER, key, design.sqrtPriceX96, design.positions] as const;
  return { to: SEEDER, data: encodeFunctionData({ abi, functionName: "seed", args }), gas: 16_000_000 };
}

function age({ design, key }: V4Pool): SeedTransaction {
  const args = [MANAGER, key, ageingPrices(design)] as const;
  return { to: SEEDER, data: encodeFunctionData({ abi, functionName: "age", args }), gas: 10_000_000 };
}

function checks(one: V4Pool): Check[] {
  const args = [idOf(one)] as const;
  return [
    {
      what: `price of the v4 pool ${args[0]}`,
      call: { to: STATE_VIEW, data: encodeFunctionData({ abi, functionName: "getSlot0", args }) },
      startsWith: toHex(one.design.sqrtPriceX96, { size: 32 }),
    },
    {
      what: `liquidity in range of the v4 pool ${args[0]}`,
      call: { to: STATE_VIEW, data: encodeFunctionData({ abi, functionName: "getLiquidity", args }) },
      startsWith: toHex(one.design.liquidityInRange, { size: 32 }),
    },
  ];
}
