import { encodeFunctionData, type Hex, parseAbi, toHex } from "viem";
import factoryArtifact from "../../../contracts/devnet/out/AlgebraFactory.json" with { type: "json" };
import integralArtifact from "../../../contracts/devnet/out/AlgebraIntegralPool.json" with { type: "json" };
import v1Artifact from "../../../contracts/devnet/out/AlgebraV1Pool.json" with { type: "json" };
import { MAX_TICK, MIN_TICK, tickAtSqrtRatio } from "../../core/math/tick-math.ts";
import { type LiveTickTable, withPosition } from "../../core/math/tick-table.ts";
import type { Address, Deployment } from "../../core/types.ts";
import { DAI, USDC, USDT, WBTC, WETH } from "../../devnet/addresses.ts";
import { type DevnetProtocol, planOfModels, type SeedTransaction } from "../../devnet/plan.ts";
import { designPool, type PoolDesign } from "../../devnet/pool-design.ts";

const abi = parseAbi([
  "struct Opening { int24 index; uint128 total; int128 net; }",
  "function open(address[2] tokens, uint16 fee, uint160 price, int24 tick, Opening[] ticks)",
  "function announce(address pool)",
  "function globalState() view returns (uint160 price)",
]);

const V1_FACTORY: Address = "0x00000000000000000000000000000000a19eb100";
const INTEGRAL_FACTORY: Address = "0x00000000000000000000000000000000a19eb200";

const deployments: readonly Deployment[] = [
  {
    id: "algebra-v1",
    protocol: "algebra",
    name: "Algebra_V1",
    factory: V1_FACTORY,
    fromBlock: 0,
    trusted: true,
    facts: { version: "v1" },
    source: "a model: contracts/devnet/AlgebraFactory.sol and AlgebraV1Pool.sol",
  },
  {
    id: "algebra-integral",
    protocol: "algebra",
    name: "Algebra_Integral",
    factory: INTEGRAL_FACTORY,
    fromBlock: 0,
    trusted: true,
    facts: { version: "integral" },
    source: "a model: contracts/devnet/AlgebraFactory.sol and AlgebraIntegralPool.sol",
  },
];

type Model = { readonly factory: Address; readonly code: Hex; readonly design: PoolDesign };
type Terms = Pick<PoolDesign, "fee" | "tickSpacing" | "depthPercent">;

function v1(address: Address, [token0, token1]: readonly [Address, Address], terms: Terms): Model {
  const design = designPool({ address, token0, token1, ...terms });
  return { factory: V1_FACTORY, code: v1Artifact.runtimeCode as Hex, design };
}

function integral(address: Address, [token0, token1]: readonly [Address, Address], terms: Terms): Model {
  const design = designPool({ address, token0, token1, ...terms });
  return { factory: INTEGRAL_FACTORY, code: integralArtifact.runtimeCode as Hex, design };
}

/** v1 has one spacing. Fees are what volatility would have left them at. */
const models: readonly Model[] = [
  v1("0x00000000000000000000000000000000a19eb101", [USDC, WETH], {
    ...{ fee: 450, tickSpacing: 60, depthPercent: 5 },
  }),
  v1("0x00000000000000000000000000000000a19eb102", [WBTC, WETH], {
    ...{ fee: 2100, tickSpacing: 60, depthPercent: 6 },
  }),
  integral("0x00000000000000000000000000000000a19eb201", [WETH, USDT], {
    ...{ fee: 900, tickSpacing: 60, depthPercent: 6 },
  }),
  integral("0x00000000000000000000000000000000a19eb202", [DAI, USDC], {
    ...{ fee: 100, tickSpacing: 5, depthPercent: 3 },
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

function seed({ factory, design }: Model): SeedTransaction[] {
  const { address, token0, token1, fee, sqrtPriceX96 } = design;
  const { ticks, nets, grosses } = tableOf(design);
  const openings = ticks.map((index, k) => ({ index, total: grosses[k]!, net: nets[k]! }));
  const args = [[token0, token1], fee, sqrtPriceX96, tickAtSqrtRatio(sqrtPriceX96), openings] as const;
  return [
    { to: address, data: encodeFunctionData({ abi, functionName: "open", args }), gas: 3_000_000 },
    {
      to: factory,
      data: encodeFunctionData({ abi, functionName: "announce", args: [address] }),
      gas: 200_000,
    },
  ];
}

/** Two pools of v1, whose swaps stop at the words of a bitmap, and two of Integral, whose ticks are a list. */
export const algebraDevnet: DevnetProtocol = {
  deployments,
  packages: [],
  plan: async () =>
    planOfModels({
      helpers: [
        ...deployments.map(({ factory }) => ({
          address: factory,
          runtimeCode: factoryArtifact.runtimeCode as Hex,
        })),
        ...models.map(({ code, design }) => ({ address: design.address, runtimeCode: code })),
      ],
      grants: models.flatMap(({ design: { address, token0, token1, stock } }) => [
        { holder: address, token: token0, amount: stock[0] },
        { holder: address, token: token1, amount: stock[1] },
      ]),
      transactions: models.flatMap(seed),
      checks: models.map(({ design: { address, sqrtPriceX96 } }) => ({
        what: `price of the Algebra pool ${address}`,
        call: { to: address, data: encodeFunctionData({ abi, functionName: "globalState" }) },
        startsWith: toHex(sqrtPriceX96, { size: 32 }),
      })),
    }),
};
