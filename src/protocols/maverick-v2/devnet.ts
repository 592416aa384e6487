import type { Hex } from "viem";
import { encodeFunctionData, parseAbi } from "viem/utils";
import factoryArtifact from "../../../contracts/devnet/out/MaverickV2Factory.json" with { type: "json" };
import poolArtifact from "../../../contracts/devnet/out/MaverickV2Pool.json" with { type: "json" };
import { word } from "../../core/abi.ts";
import { TICK_POSITIONS } from "../../core/math/maverick-ticks/maverick-v2-math.ts";
import type { Address, Deployment } from "../../core/types.ts";
import { DAI, USDT, WBTC } from "../../devnet/plan/addresses.ts";
import { grantsOf, type LaidOut, layout, whole } from "../../devnet/plan/following-bins.ts";
import { reference, worth } from "../../devnet/plan/market.ts";
import { type DevnetProtocol, planOfModels, type SeedTransaction } from "../../devnet/plan/plan.ts";

const FACTORY: Address = "0x00000000000000000000000000000000a2e20000";

const abi = parseAbi([
  "struct Terms { uint64 feeA; uint64 feeB; uint32 spacing; uint32 lookback; uint8 ratio; int32 active; int64 position; int64 weighted; }",
  "struct Opening { int32 tick; uint8 kind; uint128 a; uint128 b; uint128 supply; }",
  "function open(address[2] tokens, Terms terms, Opening[] bins)",
  "function announce(address pool)",
  "function tickSpacing() view returns (uint256)",
]);

const deployment: Deployment = {
  id: "maverick-v2",
  protocol: "maverick-v2",
  name: "Maverick_V2",
  factory: FACTORY,
  fromBlock: 0,
  trusted: true,
  facts: {},
  source: "a model: contracts/devnet/maverick/MaverickV2Factory.sol and MaverickV2Pool.sol",
};

type Order = LaidOut & {
  /** Of a sale of A and of a sale of B, 18 digits. */
  readonly fees: readonly [bigint, bigint];
  /** Part of the fee that leaves the pool, in thousandths. */
  readonly ratio: number;
  /** Seconds over which the price is weighted. */
  readonly lookback: number;
};

const ETHER = 10n ** 18n;

const orders: readonly Order[] = [
  {
    address: "0x00000000000000000000000000000000a2e20001",
    tokens: [WBTC, USDT],
    decimals: [8, 6],
    price: whole(worth(10n ** 12n, USDT, WBTC), 8) / 1e6,
    depth: whole(reference(WBTC).amount, 8) / 20,
    ...{ tickSpacing: 100, side: 10, fees: [ETHER / 1000n, ETHER / 500n], ratio: 100, lookback: 60 },
    follows: true,
  },
  {
    address: "0x00000000000000000000000000000000a2e20002",
    tokens: [DAI, USDT],
    decimals: [18, 6],
    price: 1.000_02,
    depth: 2e6,
    ...{ tickSpacing: 1, side: 10, fees: [ETHER / 10_000n, ETHER / 10_000n], ratio: 0, lookback: 3600 },
    follows: false,
  },
];

function seed(order: Order): SeedTransaction[] {
  const { address, tokens, fees, tickSpacing, ratio, lookback } = order;
  const { active, bins } = layout(order);
  // The price rests in the middle of the active tick.
  const position = BigInt(active) * TICK_POSITIONS + TICK_POSITIONS / 2n;
  const terms = {
    ...{ feeA: fees[0], feeB: fees[1], spacing: tickSpacing, lookback, ratio, active },
    ...{ position, weighted: position },
  };
  const openings = bins.map((bin) => ({ ...bin, supply: bin.a + bin.b }));
  const opens = encodeFunctionData({ abi, functionName: "open", args: [tokens, terms, openings] });
  const announces = encodeFunctionData({ abi, functionName: "announce", args: [address] });
  return [
    { to: address, data: opens, gas: 12_000_000 },
    { to: FACTORY, data: announces, gas: 200_000 },
  ];
}

/** A pool whose bins around the price follow it, with a fee for each direction, and one with static bins. */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () =>
    planOfModels({
      helpers: [
        { address: FACTORY, runtimeCode: factoryArtifact.runtimeCode as Hex },
        ...orders.map(({ address }) => ({ address, runtimeCode: poolArtifact.runtimeCode as Hex })),
      ],
      grants: grantsOf(orders),
      transactions: orders.flatMap(seed),
      checks: orders.map((order) => ({
        what: `tick spacing of the Maverick v2 pool ${order.address}`,
        call: { to: order.address, data: encodeFunctionData({ abi, functionName: "tickSpacing" }) },
        startsWith: `0x${word(order.tickSpacing)}`,
      })),
    }),
};
