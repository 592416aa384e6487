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
import seederArtifact from "../../../contracts/devnet/out/IZiSeeder.json" with { type: "json" };
import { sqrtRatioAtTick } from "../../core/math/concentrated/tick-math.ts";
import type { Address, Deployment } from "../../core/types.ts";
import { DAI, DEPLOYER, USDC, USDT, WETH } from "../../devnet/plan/addresses.ts";
import { creationCode } from "../../devnet/plan/packages.ts";
import type { Check, DevnetProtocol, PlacedContract, SeedTransaction } from "../../devnet/plan/plan.ts";
import { AGEING_STOCK, designPool } from "../../devnet/plan/pool-design.ts";

const abi = parseAbi([
  "struct Position { int24 left; int24 right; uint128 liquidity; }",
  "struct Order { int24 point; bool sellsX; uint128 amount; }",
  "struct Pool { address tokenX; address tokenY; uint24 fee; int24 point; Position[] positions; Order[] orders; }",
  "function seed(address factory, Pool wanted)",
  "function age(address pool, Pool wanted, int24 low, int24 high)",
  "function pool(address tokenX, address tokenY, uint24 fee) view returns (address)",
  "function state() view returns (uint160 sqrtPrice_96)",
  "function limitOrderData(int24 point) view returns (uint128 sellingX)",
]);

const PACKAGE = "@izumifinance/iziswap_core";
const FACTORY: Address = "0x0000000000000000000000000000000012150000";
const SEEDER: Address = "0x00000000000000000000000000000000121500ff";
/** The factory's modules, in the order of its constructor's arguments. */
const MODULES = [
  ["swapX2Y", "SwapX2YModule", "0x0000000000000000000000000000000012150001"],
  ["swapY2X", "SwapY2XModule", "0x0000000000000000000000000000000012150002"],
  ["liquidity", "LiquidityModule", "0x0000000000000000000000000000000012150003"],
  ["limitOrder", "LimitOrderModule", "0x0000000000000000000000000000000012150004"],
  ["flash", "FlashModule", "0x0000000000000000000000000000000012150005"],
] as const satisfies readonly (readonly [file: string, contract: string, address: Address])[];

/** Percent of the liquidity providers' fees that the protocol keeps; 50 on Ethereum. */
const CHARGE_PERCENT = 50;
/** `designPool` counts in liquidity of Uniswap v3, whose unit holds as much as this part of one of iZiSwap's. */
const LIQUIDITY_PER_V3 = Math.sqrt(1.0001) - 1;
/** The widest positions reach this many point deltas to each side. */
const WIDEST = 600;
/** Limit orders: where they lie, in point deltas from the price, and their part of the pool's stock in per mille. */
const ORDERS = [
  [2, 4],
  [7, 8],
  [23, 12],
] as const;

const deployment: Deployment = {
  id: "iziswap",
  protocol: "iziswap",
  name: "IZiSwap",
  factory: FACTORY,
  fromBlock: 0,
  trusted: true,
  facts: {},
  source: `built by the devnet, bytecode of ${PACKAGE}`,
};

/** Fees in parts per million, with the point deltas that the factory has for them. */
const PAIRS = [
  [USDC, WETH, 2000, 40, 5],
  [USDC, USDT, 400, 8, 4],
  [DAI, USDC, 100, 1, 3],
] as const;

type Pair = (typeof PAIRS)[number];

/** A pool with its positions and limit orders, at the point nearest to the market's price. */
type Design = {
  readonly address: Address;
  readonly tokenX: Address;
  readonly tokenY: Address;
  readonly fee: number;
  readonly point: number;
  readonly positions: readonly {
    readonly left: number;
    readonly right: number;
    readonly liquidity: bigint;
  }[];
  readonly orders: readonly { readonly point: number; readonly sellsX: boolean; readonly amount: bigint }[];
  /** Upper bound of the tokens that positions and orders need. */
  readonly stock: readonly [bigint, bigint];
};

/** Three pools with the fees of three point deltas, each with limit orders on both sides of its price. */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [PACKAGE],
  plan: async () => {
    const poolCode = await artifact("iZiSwapPool", "iZiSwapPool");
    const designs = PAIRS.map((pair) => design(pair, poolCode));
    return {
      contracts: await contracts(),
      helpers: [{ address: SEEDER, runtimeCode: seederArtifact.runtimeCode as Hex }],
      grants: designs.flatMap(({ tokenX, tokenY, stock }) => [
        { holder: SEEDER, token: tokenX, amount: stock[0] * AGEING_STOCK },
        { holder: SEEDER, token: tokenY, amount: stock[1] * AGEING_STOCK },
      ]),
      transactions: designs.map(seed),
      ageing: designs.map(age),
      checks: designs.flatMap(checks),
      venues: [],
    };
  },
};

function artifact(file: string, contract: string, constructorArguments: Hex = "0x"): Promise<Hex> {
  return creationCode(`${PACKAGE}/artifacts/contracts/${file}.sol/${contract}.json`, constructorArguments);
}

async function contracts(): Promise<readonly PlacedContract[]> {
  const modules = MODULES.map(async ([file, contract, address]) => ({
    address,
    creationCode: await artifact(file, contract),
  }));
  const addresses = [DEPLOYER, ...MODULES.map(([, , address]) => address)];
  const types = [...addresses.map(() => ({ type: "address" })), { type: "uint24" }];
  const constructorArguments = encodeAbiParameters(types, [...addresses, CHARGE_PERCENT]);
  const factory = await artifact("iZiSwapFactory", "iZiSwapFactory", constructorArguments);
  return [...(await Promise.all(modules)), { address: FACTORY, creationCode: factory }];
}

function design([tokenX, tokenY, fee, delta, depthPercent]: Pair, poolCode: Hex): Design {
  const salt = keccak256(
    encodeAbiParameters(
      [{ type: "address" }, { type: "address" }, { type: "uint24" }],
      [tokenX, tokenY, fee],
    ),
  );
  const create2 = { opcode: "CREATE2", from: FACTORY, salt, bytecode: poolCode } as const;
  const address = getContractAddress(create2).toLowerCase() as Address;
  const pool = designPool({ address, token0: tokenX, token1: tokenY, fee, tickSpacing: delta, depthPercent });
  const point = Math.round((2 * Math.log(Number(pool.sqrtPriceX96) / 2 ** 96)) / Math.log(1.0001));
  const middle = Math.floor(point / delta);
  const within = (tick: number) => Math.min(Math.max(tick / delta, middle - WIDEST), middle + WIDEST) * delta;
  const orders = ORDERS.flatMap(([distance, perMille]) => {
    const part = (side: 0 | 1) => (pool.stock[side] * BigInt(perMille)) / 1000n;
    return [
      { point: (middle + distance) * delta, sellsX: true, amount: part(0) },
      { point: (middle - distance) * delta, sellsX: false, amount: part(1) },
    ];
  });
  return {
    ...{ address, tokenX, tokenY, fee, point, orders },
    positions: pool.positions.map(({ tickLower, tickUpper, liquidity }) => ({
      left: within(tickLower),
      right: within(tickUpper),
      liquidity: BigInt(Math.floor(Number(liquidity) * LIQUIDITY_PER_V3)),
    })),
    stock: [pool.stock[0] * 2n, pool.stock[1] * 2n],
  };
}

function seed(pool: Design): SeedTransaction {
  const data = encodeFunctionData({ abi, functionName: "seed", args: [FACTORY, pool] });
  return { to: SEEDER, data, gas: 16_000_000 };
}

/** Trades the pool across all its points and back, and fills its limit orders: see `IZiSeeder.age`. */
function age(pool: Design): SeedTransaction {
  const points = pool.positions.flatMap(({ left, right }) => [left, right]);
  const args = [pool.address, pool, Math.min(...points) - 1, Math.max(...points) + 1] as const;
  return { to: SEEDER, data: encodeFunctionData({ abi, functionName: "age", args }), gas: 10_000_000 };
}

function checks({ address, tokenX, tokenY, fee, point, orders }: Design): Check[] {
  const order = orders[0]!;
  return [
    {
      what: `address of the iZiSwap pool ${tokenX} ${tokenY}`,
      call: {
        to: FACTORY,
        data: encodeFunctionData({ abi, functionName: "pool", args: [tokenX, tokenY, fee] }),
      },
      startsWith: pad(address),
    },
    {
      what: `price of the iZiSwap pool ${address}`,
      call: { to: address, data: encodeFunctionData({ abi, functionName: "state" }) },
      startsWith: toHex(sqrtRatioAtTick(point), { size: 32 }),
    },
    {
      what: `first limit order of the iZiSwap pool ${address}`,
      call: {
        to: address,
        data: encodeFunctionData({ abi, functionName: "limitOrderData", args: [order.point] }),
      },
      startsWith: toHex(order.amount, { size: 32 }),
    },
  ];
}
