import { encodeFunctionData, type Hex, parseAbi, toHex } from "viem";
import factoryArtifact from "../../contracts/devnet/out/AlgebraFactory.json" with { type: "json" };
import poolArtifact from "../../contracts/devnet/out/AlgebraV1Pool.json" with { type: "json" };
import { MAX_TICK, MIN_TICK, tickAtSqrtRatio } from "../core/math/tick-math.ts";
import { type LiveTickTable, withPosition } from "../core/math/tick-table.ts";
import type { Address, Deployment } from "../core/types.ts";
import { USDC, WBTC, WETH } from "./addresses.ts";
import { type DevnetProtocol, planOfModels, type SeedTransaction } from "./plan.ts";
import { designPool, type PoolDesign } from "./pool-design.ts";

const abi = parseAbi([
  "struct Opening { int24 index; uint128 total; int128 net; }",
  "function open(address[2] tokens, uint16 fee, uint160 price, int24 tick, Opening[] ticks)",
  "function announce(address pool)",
  "function globalState() view returns (uint160 price)",
]);

const FACTORY: Address = "0x00000000000000000000000000000000a19eb100";

const deployment: Deployment = {
  id: "algebra-v1",
  protocol: "algebra",
  name: "Algebra_V1",
  factory: FACTORY,
  fromBlock: 0,
  trusted: true,
  gasPermille: 500,
  facts: { version: "v1" },
  source: "a model: contracts/devnet/AlgebraFactory.sol and AlgebraV1Pool.sol",
};

/** Fees are what volatility would have left them at. */
const designs: readonly PoolDesign[] = [
  designPool({
    address: "0x00000000000000000000000000000000a19eb101",
    token0: USDC,
    token1: WETH,
    ...{ fee: 450, tickSpacing: 60, depthPercent: 5 },
  }),
  designPool({
    address: "0x00000000000000000000000000000000a19eb102",
    token0: WBTC,
    token1: WETH,
    ...{ fee: 2100, tickSpacing: 60, depthPercent: 6 },
  }),
];

function tableOf({ positions }: PoolDesign): LiveTickTable {
  const empty: LiveTickTable = { ticks: [], nets: [], grosses: [], lowest: MIN_TICK, highest: MAX_TICK };
  return positions.reduce(
    (table, { tickLower, tickUpper, liquidity }) =>
      withPosition(table, { lower: tickLower, upper: tickUpper, liquidity })!,
    empty,
  );
}

function seed(design: PoolDesign): SeedTransaction[] {
  const { address, token0, token1, fee, sqrtPriceX96 } = design;
  const { ticks, nets, grosses } = tableOf(design);
  const openings = ticks.map((index, k) => ({ index, total: grosses[k]!, net: nets[k]! }));
  const args = [[token0, token1], fee, sqrtPriceX96, tickAtSqrtRatio(sqrtPriceX96), openings] as const;
  return [
    { to: address, data: encodeFunctionData({ abi, functionName: "open", args }), gas: 3_000_000 },
    {
      to: FACTORY,
      data: encodeFunctionData({ abi, functionName: "announce", args: [address] }),
      gas: 200_000,
    },
  ];
}

/** Two pools whose swaps stop at the words of a bitmap, and whose fees stand still. */
export const algebraV1Devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () =>
    planOfModels({
      helpers: [
        { address: FACTORY, runtimeCode: factoryArtifact.runtimeCode as Hex },
        ...designs.map(({ address }) => ({ address, runtimeCode: poolArtifact.runtimeCode as Hex })),
      ],
      grants: designs.flatMap(({ address, token0, token1, stock }) => [
        { holder: address, token: token0, amount: stock[0] },
        { holder: address, token: token1, amount: stock[1] },
      ]),
      transactions: designs.flatMap(seed),
      checks: designs.map(({ address, sqrtPriceX96 }) => ({
        what: `price of the Algebra pool ${address}`,
        call: { to: address, data: encodeFunctionData({ abi, functionName: "globalState" }) },
        startsWith: toHex(sqrtPriceX96, { size: 32 }),
      })),
    }),
};
