import type { Hex } from "viem";
import { encodeFunctionData, parseAbi, toHex } from "viem/utils";
import factoryArtifact from "../../../contracts/devnet/out/LiquidityBookFactory.json" with { type: "json" };
import pairArtifact from "../../../contracts/devnet/out/LiquidityBookPair.json" with { type: "json" };
import oldArtifact from "../../../contracts/devnet/out/LiquidityBookPairOld.json" with { type: "json" };
import { binPrice } from "../../core/math/bins/bin-math.ts";
import type { Address, Deployment } from "../../core/types.ts";
import { DAI, USDC, USDT, WETH } from "../../devnet/plan/addresses.ts";
import { reference, worth } from "../../devnet/plan/market.ts";
import { type DevnetProtocol, planOfModels, type SeedTransaction } from "../../devnet/plan/plan.ts";

const FACTORY: Address = "0x0000000000000000000000000000000011b00000";

const abi = parseAbi([
  "struct Parameters { uint16 baseFactor; uint16 filterPeriod; uint16 decayPeriod; uint16 reductionFactor; uint24 variableFeeControl; uint16 protocolShare; uint24 maxVolatility; }",
  "struct Volatility { uint24 accumulator; uint24 reference_; uint24 idReference; uint40 time; }",
  "struct Bin { uint128 x; uint128 y; }",
  "function open(address[2] tokens, uint16 step, Parameters parameters, Volatility volatility, uint24 first, uint24 active, Bin[] bins)",
  "function announce(address pair)",
  "function getBin(uint24 id) view returns (uint128 x, uint128 y)",
]);

const newer: Deployment = {
  id: "liquidity-book",
  protocol: "liquidity-book",
  name: "TraderJoe_V2.1",
  factory: FACTORY,
  fromBlock: 0,
  trusted: true,
  gasPermille: 610,
  facts: { version: "2.1" },
  source: "a model: contracts/devnet/liquidity-book/LiquidityBookFactory.sol and LiquidityBookPair.sol",
};

const older: Deployment = {
  ...newer,
  id: "liquidity-book-v20",
  name: "TraderJoe_V2.0",
  factory: "0x0000000000000000000000000000000011b20000",
  facts: { version: "2.0" },
  gasPermille: 760,
  source: "a model: contracts/devnet/liquidity-book/LiquidityBookFactory.sol and LiquidityBookPairOld.sol",
};

/** The bin whose price is 1. */
const REAL_ID = 2 ** 23;
/** Number of bins with reserves on each side of the active one. */
const SIDE = 30;

type Pair = {
  readonly of: Deployment;
  readonly address: Address;
  readonly tokens: readonly [Address, Address];
  readonly step: number;
  readonly baseFactor: number;
  readonly variableFeeControl: number;
  /** Smallest units of Y per smallest unit of X. */
  readonly price: number;
  /** Worth of a bin in smallest units of Y. */
  readonly depth: bigint;
};

const pairs: readonly Pair[] = [
  {
    of: newer,
    address: "0x0000000000000000000000000000000011b00001",
    tokens: [WETH, USDC],
    step: 20,
    baseFactor: 8000,
    variableFeeControl: 20_000,
    price: Number(worth(10n ** 24n, WETH, USDC)) / 1e24,
    depth: reference(USDC).amount / 500n,
  },
  {
    of: newer,
    address: "0x0000000000000000000000000000000011b00002",
    tokens: [USDC, USDT],
    step: 1,
    baseFactor: 20_000,
    variableFeeControl: 2_000_000,
    price: 1,
    depth: 100_000n * 10n ** 6n,
  },
  {
    of: older,
    address: "0x0000000000000000000000000000000011b20001",
    tokens: [WETH, USDT],
    step: 15,
    baseFactor: 10_000,
    variableFeeControl: 40_000,
    price: Number(worth(10n ** 24n, WETH, USDT)) / 1e24,
    depth: reference(USDT).amount / 500n,
  },
  {
    of: older,
    address: "0x0000000000000000000000000000000011b20002",
    tokens: [DAI, USDC],
    step: 2,
    baseFactor: 10_000,
    variableFeeControl: 1_000_000,
    price: 1e-12,
    depth: 100_000n * 10n ** 6n,
  },
];

/**
 * Makes the bin nearest to the price active: half a step is less than the base fee of each pair. All bins have the
 * same worth: Y below the active bin, X above it, half of each in it.
 */
function layout({ price, step, depth }: Pair) {
  const active = REAL_ID + Math.round(Math.log(price) / Math.log1p(step / 10_000));
  const bins = Array.from({ length: 2 * SIDE + 1 }, (_, k) => {
    const inX = (depth << 128n) / binPrice(active - SIDE + k, step)!;
    if (k === SIDE) return { x: inX / 2n, y: depth / 2n };
    return k < SIDE ? { x: 0n, y: depth } : { x: inX, y: 0n };
  });
  const total = (side: "x" | "y") => bins.reduce((sum, bin) => sum + bin[side], 0n);
  return { active, bins, totals: [total("x"), total("y")] as const };
}

function seed(pair: Pair): SeedTransaction[] {
  const { active, bins } = layout(pair);
  const { baseFactor, variableFeeControl } = pair;
  const periods = { filterPeriod: 30, decayPeriod: 600, reductionFactor: 5000 };
  const limits = { protocolShare: 1000, maxVolatility: 350_000 };
  const parameters = { baseFactor, variableFeeControl, ...periods, ...limits };
  const volatility = { accumulator: 0, reference_: 0, idReference: active, time: 0 };
  const args = [pair.tokens, pair.step, parameters, volatility, active - SIDE, SIDE, bins] as const;
  return [
    { to: pair.address, data: encodeFunctionData({ abi, functionName: "open", args }), gas: 3_000_000 },
    {
      to: pair.of.factory,
      data: encodeFunctionData({ abi, functionName: "announce", args: [pair.address] }),
      gas: 200_000,
    },
  ];
}

/** Two pairs each of versions 2.1 and 2.0. Their fee depends on recent price changes. */
export const devnet: DevnetProtocol = {
  deployments: [newer, older],
  packages: [],
  plan: async () =>
    planOfModels({
      helpers: [
        ...[newer, older].map(({ factory }) => ({
          address: factory,
          runtimeCode: factoryArtifact.runtimeCode as Hex,
        })),
        ...pairs.map(({ of, address }) => ({
          address,
          runtimeCode: (of === newer ? pairArtifact : oldArtifact).runtimeCode as Hex,
        })),
      ],
      grants: pairs.flatMap((pair) =>
        layout(pair).totals.map((amount, k) => ({ holder: pair.address, token: pair.tokens[k]!, amount })),
      ),
      transactions: pairs.flatMap(seed),
      checks: pairs.map((pair) => {
        const { active, bins } = layout(pair);
        return {
          what: `active bin of the Liquidity Book pair ${pair.address}`,
          call: {
            to: pair.address,
            data: encodeFunctionData({ abi, functionName: "getBin", args: [active] }),
          },
          startsWith: toHex(bins[SIDE]!.x, { size: 32 }),
        };
      }),
    }),
};
