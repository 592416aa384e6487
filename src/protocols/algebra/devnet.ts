import type { Hex } from "viem";
import {
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  keccak256,
  pad,
  parseAbi,
  toHex,
} from "viem/utils";
import seederArtifact from "../../../contracts/devnet/out/AlgebraSeeder.json" with { type: "json" };
import type { Address, Deployment, Facts } from "../../core/types.ts";
import { DAI, USDC, USDT, WBTC, WETH } from "../../devnet/plan/addresses.ts";
import { creationCode } from "../../devnet/plan/packages.ts";
import type { Check, DevnetPlan, DevnetProtocol, SeedTransaction } from "../../devnet/plan/plan.ts";
import { AGEING_STOCK, ageingPrices, designPool, type PoolDesign } from "../../devnet/plan/pool-design.ts";

const abi = parseAbi([
  "struct Position { int24 tickLower; int24 tickUpper; uint128 liquidity; }",
  "struct Pool { address token0; address token1; uint160 sqrtPriceX96; Position[] positions; }",
  "function seed(address factory, bytes creation, Pool wanted)",
  "function age(address pool, Pool wanted, uint160 low, uint160 high)",
  "function createPool(address tokenA, address tokenB)",
  "function createPool(address tokenA, address tokenB, bytes data)",
  "function setFactory(address factory)",
  "function setBaseFeeConfiguration(uint16 alpha1, uint16 alpha2, uint32 beta1, uint32 beta2, uint16 gamma1, uint16 gamma2, uint32 volumeBeta, uint16 volumeGamma, uint16 baseFee)",
  "function setDefaultFee(uint16 fee)",
  "function setDefaultTickspacing(int24 spacing)",
  "function setDefaultPluginFactory(address factory)",
  "function poolByPair(address tokenA, address tokenB) view returns (address)",
  "function globalState() view returns (uint160 price)",
  "function liquidity() view returns (uint128)",
]);

const SEEDER: Address = "0x00000000000000000000000000000000a19eb001";

/** One generation: its package, its addresses, and the pools that its factory creates. */
type Generation = {
  readonly deployment: Deployment;
  readonly artifacts: string;
  /** Creates the pools, and so determines their addresses. */
  readonly poolDeployer: Address;
  readonly orders: readonly Order[];
  /** Constructor arguments of the factory and of the pool deployer. */
  readonly factoryFor: readonly Address[];
  readonly deployerFor: readonly Address[];
  /** Makes the pools' plugins: its contract in the package of plugins, and its address. */
  readonly plugins?: { readonly contract: string; readonly address: Address };
  /** First calls by the owner. */
  readonly opening: readonly SeedTransaction[];
  /** The factory's call that creates a pool, and the owner's calls before it. */
  readonly creation: (design: PoolDesign) => Hex;
  readonly before: (design: PoolDesign) => readonly Hex[];
};

type Order = readonly [Address, Address, fee: number, tickSpacing: number, depthPercent: number];

const V1_FACTORY: Address = "0x00000000000000000000000000000000a19eb100";
const V1_POOL_DEPLOYER: Address = "0x00000000000000000000000000000000a19eb101";
const V1_VAULT: Address = "0x00000000000000000000000000000000a19eb102";
const V2_FACTORY: Address = "0x00000000000000000000000000000000a19eb300";
const INTEGRAL_FACTORY: Address = "0x00000000000000000000000000000000a19eb200";
const INTEGRAL = "@cryptoalgebra/integral-core";
const PLUGINS = "@cryptoalgebra/integral-base-plugin";

const deploymentOf = (name: string, factory: Address, source: string, facts: Facts): Deployment => ({
  id: name.toLowerCase().replace("_", "-"),
  protocol: "algebra",
  name,
  factory,
  fromBlock: 0,
  trusted: true,
  facts,
  source: `built by the devnet, bytecode of ${source}`,
});

/** Fees depend on volatility and volume, with the factory's configuration except for the fee of an idle pool. */
const v1: Generation = {
  deployment: deploymentOf("Algebra_V1", V1_FACTORY, "@cryptoalgebra/v1-core", { version: "v1" }),
  artifacts: "@cryptoalgebra/v1-core/artifacts/contracts",
  poolDeployer: V1_POOL_DEPLOYER,
  factoryFor: [V1_POOL_DEPLOYER, V1_VAULT],
  deployerFor: [],
  opening: [
    {
      to: V1_POOL_DEPLOYER,
      data: encodeFunctionData({ abi, functionName: "setFactory", args: [V1_FACTORY] }),
      gas: 100_000,
    },
  ],
  orders: [
    [USDC, WETH, 450, 60, 5],
    [WBTC, WETH, 2100, 60, 6],
  ],
  creation: ({ token0, token1 }) =>
    encodeFunctionData({ abi, functionName: "createPool", args: [token0, token1] }),
  before: ({ fee }) => [
    encodeFunctionData({
      abi,
      functionName: "setBaseFeeConfiguration",
      args: [2900, 12_000, 360, 60_000, 59, 8500, 0, 10, fee],
    }),
  ],
};

/** Fees depend on volatility, with the factory's configuration: from 100 for an idle pool to 15,000. */
const v2: Generation = {
  deployment: deploymentOf("Algebra_V2", V2_FACTORY, "@cryptoalgebra/core", { version: "v2" }),
  artifacts: "@cryptoalgebra/core/artifacts/contracts",
  poolDeployer: "0x00000000000000000000000000000000a19eb301",
  factoryFor: ["0x00000000000000000000000000000000a19eb301"],
  // The first contract created by the factory's constructor is the community vault.
  deployerFor: [V2_FACTORY, getContractAddress({ from: V2_FACTORY, nonce: 0n }).toLowerCase() as Address],
  opening: [],
  orders: [
    [USDC, WETH, 100, 60, 5],
    [WBTC, USDC, 100, 60, 4],
  ],
  creation: ({ token0, token1 }) =>
    encodeFunctionData({ abi, functionName: "createPool", args: [token0, token1] }),
  before: () => [],
};

/** Without plugins: each pool keeps the factory's fee and spacing at its creation. */
const integral: Generation = {
  deployment: deploymentOf("Algebra_Integral", INTEGRAL_FACTORY, INTEGRAL, { version: "integral" }),
  artifacts: `${INTEGRAL}/artifacts/contracts`,
  poolDeployer: "0x00000000000000000000000000000000a19eb201",
  factoryFor: ["0x00000000000000000000000000000000a19eb201"],
  deployerFor: [INTEGRAL_FACTORY],
  opening: [],
  orders: [
    [WETH, USDT, 900, 30, 6],
    [DAI, USDC, 100, 5, 3],
  ],
  creation: ({ token0, token1 }) =>
    encodeFunctionData({ abi, functionName: "createPool", args: [token0, token1, "0x"] }),
  before: ({ fee, tickSpacing }) => [
    encodeFunctionData({ abi, functionName: "setDefaultFee", args: [fee] }),
    encodeFunctionData({ abi, functionName: "setDefaultTickspacing", args: [tickSpacing] }),
  ],
};

type Plugged = { readonly contract: string; readonly base: bigint; readonly orders: readonly Order[] };

/** A factory of Integral whose pools have plugins, with the defaults of both factories: fee 500, spacing 60. */
function plugged(name: string, plugin: string, { contract, base, orders }: Plugged): Generation {
  const address = (offset: bigint): Address => toHex(base + offset, { size: 20 });
  const [factory, poolDeployer, pluginFactory] = [address(0n), address(1n), address(2n)];
  const facts = { version: "integral", plugin, pluginFactory };
  const data = encodeFunctionData({ abi, functionName: "setDefaultPluginFactory", args: [pluginFactory] });
  return {
    ...integral,
    deployment: deploymentOf(name, factory, `${INTEGRAL} and ${PLUGINS}`, facts),
    poolDeployer,
    factoryFor: [poolDeployer],
    deployerFor: [factory],
    plugins: { contract, address: pluginFactory },
    opening: [{ to: factory, data, gas: 100_000 }],
    before: () => [],
    orders,
  };
}

/** Fees depend on volatility, from 100 for an idle pool to 15,000; the plugin replaces the pool's own in each swap. */
const adaptive = plugged("Algebra_Adaptive", "adaptive", {
  contract: "BasePluginV1Factory",
  base: 0xa19eb400n,
  orders: [[WBTC, USDT, 500, 60, 4]],
});

/** A base fee of 3,000, less against the last move of the price and more along it. */
const sliding = plugged("Algebra_Sliding", "sliding", {
  contract: "BasePluginV2Factory",
  base: 0xa19eb500n,
  orders: [[DAI, WETH, 500, 60, 4]],
});

const generations = [v1, v2, integral, adaptive, sliding] as const;

/** Two pools each of v1 and v2, with fees that depend on volatility, two of Integral, and two with plugins. */
export const devnet: DevnetProtocol = {
  deployments: generations.map(({ deployment }) => deployment),
  packages: ["@cryptoalgebra/v1-core", "@cryptoalgebra/core", INTEGRAL, PLUGINS],
  plan: async () => {
    const plans = await Promise.all(generations.map(planOf));
    return {
      contracts: plans.flatMap(({ contracts }) => contracts),
      helpers: [{ address: SEEDER, runtimeCode: seederArtifact.runtimeCode as Hex }],
      grants: plans.flatMap(({ grants }) => grants),
      transactions: plans.flatMap(({ transactions }) => transactions),
      ageing: plans.flatMap(({ ageing }) => ageing),
      checks: plans.flatMap(({ checks }) => checks),
      venues: [],
    };
  },
};

type Parts = Omit<DevnetPlan, "helpers" | "venues">;

async function planOf(generation: Generation): Promise<Parts> {
  const { artifacts, poolDeployer, factoryFor, deployerFor, orders, opening, deployment } = generation;
  const words = (addresses: readonly Address[]) =>
    encodeAbiParameters(
      addresses.map(() => ({ type: "address" }) as const),
      addresses,
    );
  const code = (name: string, made: readonly Address[]) =>
    creationCode(`${artifacts}/${name}.sol/${name}.json`, words(made));
  const poolCode = await code("AlgebraPool", []);
  const designs = orders.map((order) => design(order, poolDeployer, poolCode));
  return {
    contracts: [
      { address: deployment.factory, creationCode: await code("AlgebraFactory", factoryFor) },
      { address: poolDeployer, creationCode: await code("AlgebraPoolDeployer", deployerFor) },
      ...(await pluginsOf(generation)),
    ],
    grants: designs.flatMap(({ token0, token1, stock }) => [
      { holder: SEEDER, token: token0, amount: stock[0] * AGEING_STOCK },
      { holder: SEEDER, token: token1, amount: stock[1] * AGEING_STOCK },
    ]),
    transactions: [...opening, ...designs.flatMap((one) => seed(generation, one))],
    ageing: designs.map(age),
    checks: designs.flatMap((one) => checks(deployment.factory, one)),
  };
}

async function pluginsOf({ plugins, deployment }: Generation): Promise<DevnetPlan["contracts"]> {
  if (plugins === undefined) return [];
  const { contract, address } = plugins;
  const factory = encodeAbiParameters([{ type: "address" }], [deployment.factory]);
  const file = `${PLUGINS}/artifacts/contracts/${contract}.sol/${contract}.json`;
  return [{ address, creationCode: await creationCode(file, factory) }];
}

function design(order: Order, poolDeployer: Address, poolCode: Hex): PoolDesign {
  const [token0, token1, fee, tickSpacing, depthPercent] = order;
  const tokens = encodeAbiParameters([{ type: "address" }, { type: "address" }], [token0, token1]);
  const address = getContractAddress({
    opcode: "CREATE2",
    from: poolDeployer,
    salt: keccak256(tokens),
    bytecode: poolCode,
  });
  const lower = address.toLowerCase() as Address;
  return designPool({ address: lower, token0, token1, fee, tickSpacing, depthPercent });
}

function seed(
  { deployment: { factory }, before, creation }: Generation,
  pool: PoolDesign,
): SeedTransaction[] {
  const data = encodeFunctionData({ abi, functionName: "seed", args: [factory, creation(pool), pool] });
  return [
    ...before(pool).map((setting) => ({ to: factory, data: setting, gas: 100_000 })),
    { to: SEEDER, data, gas: 16_000_000 },
    age(pool),
  ];
}

/**
 * Trades the pool across the ticks of all its bounded positions and back: see `AlgebraSeeder.age`. Two blocks are
 * used, so that a timepoint has the volume of the first: v1's fee is known once a day's volume is known to be large.
 */
function age(pool: PoolDesign): SeedTransaction {
  const [low, high] = ageingPrices(pool);
  const data = encodeFunctionData({ abi, functionName: "age", args: [pool.address, pool, low, high] });
  return { to: SEEDER, data, gas: 10_000_000 };
}

function checks(
  factory: Address,
  { address, token0, token1, sqrtPriceX96, liquidityInRange }: PoolDesign,
): Check[] {
  const poolByPair = encodeFunctionData({ abi, functionName: "poolByPair", args: [token0, token1] });
  return [
    {
      what: `address of the Algebra pool ${token0} ${token1}`,
      call: { to: factory, data: poolByPair },
      startsWith: pad(address),
    },
    {
      what: `price of the Algebra pool ${address}`,
      call: { to: address, data: encodeFunctionData({ abi, functionName: "globalState" }) },
      startsWith: toHex(sqrtPriceX96, { size: 32 }),
    },
    {
      what: `liquidity in range of the Algebra pool ${address}`,
      call: { to: address, data: encodeFunctionData({ abi, functionName: "liquidity" }) },
      startsWith: toHex(liquidityInRange, { size: 32 }),
    },
  ];
}
