import type { Hex } from "viem";
import { encodeAbiParameters, encodeFunctionData, pad, parseAbi, toHex } from "viem/utils";
import seederArtifact from "../../../contracts/devnet/out/PoolSeeder.json" with { type: "json" };
import type { Address, Deployment } from "../../core/types.ts";
import poolFile from "../../devnet/data/uniswap-v3.json" with { type: "json" };
import { POOL_SEEDER, WETH } from "../../devnet/plan/addresses.ts";
import { creationCode } from "../../devnet/plan/packages.ts";
import type {
  Check,
  DevnetProtocol,
  PlacedContract,
  SeedTransaction,
  Venue,
} from "../../devnet/plan/plan.ts";
import { AGEING_STOCK, ageingPrices, designPool, type PoolDesign } from "../../devnet/plan/pool-design.ts";

const FACTORY: Address = "0x1f98431c8ad98523631ae4a59f267346ea31f984";
const SWAP_ROUTER: Address = "0xe592427a0aece92de3edee1f18e0157c05861564";

/**
 * Peripheral contracts. All but TickLens take (factory, WETH) as constructor arguments, the position manager one
 * more.
 */
const PERIPHERY = {
  "SwapRouter.sol/SwapRouter.json": SWAP_ROUTER,
  "lens/QuoterV2.sol/QuoterV2.json": "0x61ffe014ba17989e743c5f6cb21bf9697530b21e",
  "lens/TickLens.sol/TickLens.json": "0xbfd8137f7d1516d3ea5ca83523914859ec47f573",
  "NonfungiblePositionManager.sol/NonfungiblePositionManager.json":
    "0xc36442b4a4522e871399cd717abdd847ab11fe88",
} as const satisfies Record<string, Address>;

const abi = parseAbi([
  "struct Position { int24 tickLower; int24 tickUpper; uint128 liquidity; }",
  "struct Pool { address token0; address token1; uint24 fee; uint160 sqrtPriceX96; Position[] positions; }",
  "struct ExactInputSingle { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "function seed(address factory, Pool wanted)",
  "function age(address pool, Pool wanted, uint160 low, uint160 high)",
  "function enableFeeAmount(uint24 fee, int24 tickSpacing)",
  "function getPool(address token0, address token1, uint24 fee) view returns (address)",
  "function slot0() view returns (uint160)",
  "function liquidity() view returns (uint128)",
  "function exactInputSingle(ExactInputSingle params)",
]);

const deployment: Deployment = {
  id: "uniswap-v3",
  protocol: "uniswap-v3",
  name: "Uniswap_V3",
  factory: FACTORY,
  fromBlock: 0,
  trusted: true,
  facts: {},
  source: "built by the devnet at Ethereum's address, bytecode of @uniswap/v3-core",
};

const designs: readonly PoolDesign[] = poolFile.pools.map((row) =>
  designPool({
    ...row,
    address: row.address as Address,
    token0: row.token0 as Address,
    token1: row.token1 as Address,
  }),
);

/** Uniswap v3: real pool addresses, invented positions around the market's prices. */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: ["@uniswap/v3-core"],
  plan: async () => ({
    contracts: await contracts(),
    helpers: [{ address: POOL_SEEDER, runtimeCode: seederArtifact.runtimeCode as Hex }],
    grants: designs.flatMap(({ token0, token1, stock }) => [
      { holder: POOL_SEEDER, token: token0, amount: stock[0] * AGEING_STOCK },
      { holder: POOL_SEEDER, token: token1, amount: stock[1] * AGEING_STOCK },
    ]),
    ageing: designs.map(age),
    transactions: [
      {
        to: FACTORY,
        data: encodeFunctionData({ abi, functionName: "enableFeeAmount", args: [100, 1] }),
        gas: 100_000,
      },
      ...designs.map(seed),
    ],
    checks: designs.flatMap(checks),
    venues: designs.map(venue),
  }),
};

async function contracts(): Promise<PlacedContract[]> {
  const addresses = [FACTORY, WETH, pad("0x", { size: 20 })] as const;
  const periphery = Object.entries(PERIPHERY).map(async ([file, address]) => {
    const count = file.startsWith("lens/TickLens") ? 0 : file.startsWith("Nonfungible") ? 3 : 2;
    const types = addresses.slice(0, count).map(() => ({ type: "address" }) as const);
    const constructorArguments = encodeAbiParameters(types, addresses.slice(0, count));
    const path = `@uniswap/v3-periphery/artifacts/contracts/${file}`;
    return { address, creationCode: await creationCode(path, constructorArguments) };
  });
  const factoryFile = "@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json";
  return [
    { address: FACTORY, creationCode: await creationCode(factoryFile) },
    ...(await Promise.all(periphery)),
  ];
}

function seed(design: PoolDesign): SeedTransaction {
  const data = encodeFunctionData({ abi, functionName: "seed", args: [FACTORY, design] });
  return { to: POOL_SEEDER, data, gas: 16_000_000 };
}

/** Trades the pool across the ticks of all its bounded positions and back: see `PoolSeeder.age`. */
function age(design: PoolDesign): SeedTransaction {
  const [low, high] = ageingPrices(design);
  const data = encodeFunctionData({ abi, functionName: "age", args: [design.address, design, low, high] });
  return { to: POOL_SEEDER, data, gas: 10_000_000 };
}

function checks(design: PoolDesign): Check[] {
  const { address, token0, token1, fee } = design;
  const getPool = encodeFunctionData({ abi, functionName: "getPool", args: [token0, token1, fee] });
  return [
    {
      what: `address of pool ${token0} ${token1} ${fee}`,
      call: { to: FACTORY, data: getPool },
      startsWith: pad(address),
    },
    {
      what: `price of pool ${address}`,
      call: { to: address, data: encodeFunctionData({ abi, functionName: "slot0" }) },
      startsWith: toHex(design.sqrtPriceX96, { size: 32 }),
    },
    {
      what: `liquidity in range of pool ${address}`,
      call: { to: address, data: encodeFunctionData({ abi, functionName: "liquidity" }) },
      startsWith: toHex(design.liquidityInRange, { size: 32 }),
    },
  ];
}

function venue(design: PoolDesign): Venue {
  const tokens = [design.token0, design.token1] as const;
  const squared = (sqrtPriceX96: number) => (sqrtPriceX96 / 2 ** 96) ** 2;
  return {
    address: design.address,
    tokens,
    depth: design.stock,
    price: squared(Number(design.sqrtPriceX96)),
    spender: SWAP_ROUTER,
    read: { to: design.address, data: encodeFunctionData({ abi, functionName: "slot0" }) },
    priceOf: (answer) => squared(Number(answer.slice(0, 66))),
    trade: (i, amountIn, trader) => {
      const params = {
        tokenIn: tokens[i],
        tokenOut: tokens[1 - i]!,
        fee: design.fee,
        recipient: trader,
        deadline: 2n ** 32n,
        amountIn,
        amountOutMinimum: 0n,
        sqrtPriceLimitX96: 0n,
      };
      const data = encodeFunctionData({ abi, functionName: "exactInputSingle", args: [params] });
      return { to: SWAP_ROUTER, data };
    },
  };
}
