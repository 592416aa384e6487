import type { Hex } from "viem";
import {
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  keccak256,
  pad,
  parseAbi,
  parseAbiParameters,
  toHex,
} from "viem/utils";
import deployerArtifact from "../../contracts/devnet/out/PancakeV3Deployer.json" with { type: "json" };
import type { Address, Deployment } from "../core/types.ts";
import { DAI, POOL_SEEDER, USDC, USDT, WBTC, WETH } from "./plan/addresses.ts";
import { creationCode } from "./plan/packages.ts";
import type { Check, DevnetProtocol, SeedTransaction } from "./plan/plan.ts";
import { AGEING_STOCK, ageingPrices, designPool, type PoolDesign } from "./plan/pool-design.ts";

/** Addresses on Ethereum. Pool addresses are derived from the pool deployer's, so they are also those on Ethereum. */
const FACTORY: Address = "0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865";
const DEPLOYER_OF_POOLS: Address = "0x41ff9aa7e16b8b1a8a8dc4f0efacd93d02d071c9";
/** Address whose code is the init code of the pools; the model of the deployer reads it from there. */
const INIT_CODE: Address = "0x00000000000000000000000000000000ca4e0001";
const ARTIFACTS = "@pancakeswap/v3-core/artifacts/contracts";

const abi = parseAbi([
  "struct Position { int24 tickLower; int24 tickUpper; uint128 liquidity; }",
  "struct Pool { address token0; address token1; uint24 fee; uint160 sqrtPriceX96; Position[] positions; }",
  "function open(address factory, address initCode)",
  "function seed(address factory, Pool wanted)",
  "function age(address pool, Pool wanted, uint160 low, uint160 high)",
  "function getPool(address token0, address token1, uint24 fee) view returns (address)",
  "function slot0() view returns (uint160)",
]);

const deployment: Deployment = {
  id: "pancakeswap-v3",
  protocol: "uniswap-v3",
  name: "PancakeSwap_V3",
  factory: FACTORY,
  fromBlock: 0,
  trusted: true,
  gasPermille: 1210,
  facts: {},
  source:
    "built by the devnet at Ethereum's address, bytecode of @pancakeswap/v3-core; the pool deployer is a model",
};

type Order = readonly [Address, Address, fee: number, tickSpacing: number, depthPercent: number];

const orders: readonly Order[] = [
  [USDC, WETH, 500, 10, 5],
  [WETH, USDT, 2500, 50, 8],
  [WBTC, WETH, 2500, 50, 6],
  [DAI, USDC, 100, 1, 2],
];

/** PancakeSwap v3: a fork of Uniswap v3 with other callback names, another fee tier and another Swap event. */
export const pancakeV3Devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: ["@pancakeswap/v3-core"],
  plan: async () => {
    const initCode = await creationCode(`${ARTIFACTS}/PancakeV3Pool.sol/PancakeV3Pool.json`);
    const poolDeployer = encodeAbiParameters([{ type: "address" }], [DEPLOYER_OF_POOLS]);
    const factoryFile = `${ARTIFACTS}/PancakeV3Factory.sol/PancakeV3Factory.json`;
    const designs = orders.map((order) => design(order, initCode));
    const open = encodeFunctionData({ abi, functionName: "open", args: [FACTORY, INIT_CODE] });
    return {
      contracts: [{ address: FACTORY, creationCode: await creationCode(factoryFile, poolDeployer) }],
      helpers: [
        { address: DEPLOYER_OF_POOLS, runtimeCode: deployerArtifact.runtimeCode as Hex },
        { address: INIT_CODE, runtimeCode: initCode },
      ],
      grants: designs.flatMap(({ token0, token1, stock }) => [
        { holder: POOL_SEEDER, token: token0, amount: stock[0] * AGEING_STOCK },
        { holder: POOL_SEEDER, token: token1, amount: stock[1] * AGEING_STOCK },
      ]),
      transactions: [{ to: DEPLOYER_OF_POOLS, data: open, gas: 200_000 }, ...designs.map(seed)],
      ageing: designs.map(age),
      checks: designs.flatMap(checks),
      venues: [],
    };
  },
};

function design([token0, token1, fee, tickSpacing, depthPercent]: Order, initCode: Hex): PoolDesign {
  const words = parseAbiParameters("address, address, uint24");
  const salt = keccak256(encodeAbiParameters(words, [token0, token1, fee]));
  const address = getContractAddress({
    opcode: "CREATE2",
    from: DEPLOYER_OF_POOLS,
    salt,
    bytecode: initCode,
  });
  const lower = address.toLowerCase() as Address;
  return designPool({ address: lower, token0, token1, fee, tickSpacing, depthPercent });
}

function seed(pool: PoolDesign): SeedTransaction {
  const data = encodeFunctionData({ abi, functionName: "seed", args: [FACTORY, pool] });
  return { to: POOL_SEEDER, data, gas: 16_000_000 };
}

function age(pool: PoolDesign): SeedTransaction {
  const [low, high] = ageingPrices(pool);
  const data = encodeFunctionData({ abi, functionName: "age", args: [pool.address, pool, low, high] });
  return { to: POOL_SEEDER, data, gas: 10_000_000 };
}

function checks({ address, token0, token1, fee, sqrtPriceX96 }: PoolDesign): Check[] {
  const args = [token0, token1, fee] as const;
  return [
    {
      what: `address of the PancakeSwap v3 pool ${token0} ${token1} ${fee}`,
      call: { to: FACTORY, data: encodeFunctionData({ abi, functionName: "getPool", args }) },
      startsWith: pad(address),
    },
    {
      what: `price of the PancakeSwap v3 pool ${address}`,
      call: { to: address, data: encodeFunctionData({ abi, functionName: "slot0" }) },
      startsWith: toHex(sqrtPriceX96, { size: 32 }),
    },
  ];
}
