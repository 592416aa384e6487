import type { Hex } from "viem";
import { encodeFunctionData, parseAbi, toHex } from "viem/utils";
import factoryArtifact from "../../../contracts/devnet/out/MaverickFactory.json" with { type: "json" };
import poolArtifact from "../../../contracts/devnet/out/MaverickPool.json" with { type: "json" };
import type { Address, Deployment } from "../../core/types.ts";
import { DAI, USDC, WBTC, WETH } from "../../devnet/plan/addresses.ts";
import { grantsOf, type LaidOut, layout, whole } from "../../devnet/plan/following-bins.ts";
import { reference, worth } from "../../devnet/plan/market.ts";
import { type DevnetProtocol, planOfModels, type SeedTransaction } from "../../devnet/plan/plan.ts";

const FACTORY: Address = "0x00000000000000000000000000000000a2e00000";

const abi = parseAbi([
  "struct Opening { int32 tick; uint8 kind; uint128 a; uint128 b; }",
  "function open(address[2] tokens, uint64 fee, uint32 spacing, uint64 ratio, int32 active, Opening[] bins)",
  "function announce(address pool)",
  "function getState() view returns (int32 activeTick)",
]);

const deployment: Deployment = {
  id: "maverick",
  protocol: "maverick",
  name: "Maverick_V1",
  factory: FACTORY,
  fromBlock: 0,
  trusted: true,
  gasPermille: 850,
  facts: {},
  source: "a model: contracts/devnet/maverick/MaverickFactory.sol and MaverickPool.sol",
};

type Order = LaidOut & {
  /** 18 digits. */
  readonly fee: bigint;
  /** Part of the fee that leaves the pool, in thousandths. */
  readonly protocolFeeRatio: bigint;
};

const ETHER = 10n ** 18n;

const orders: readonly Order[] = [
  {
    address: "0x00000000000000000000000000000000a2e00001",
    tokens: [USDC, WETH],
    decimals: [6, 18],
    price: whole(worth(1000n * ETHER, WETH, USDC), 6) / 1000,
    depth: whole(reference(USDC).amount, 6) / 12,
    ...{ tickSpacing: 50, side: 12, fee: ETHER / 2000n, protocolFeeRatio: 100n, follows: true },
  },
  {
    address: "0x00000000000000000000000000000000a2e00002",
    tokens: [WBTC, WETH],
    decimals: [8, 18],
    price: whole(worth(1000n * ETHER, WETH, WBTC), 8) / 1000,
    depth: whole(reference(WBTC).amount, 8) / 20,
    ...{ tickSpacing: 198, side: 8, fee: ETHER / 500n, protocolFeeRatio: 0n, follows: true },
  },
  {
    address: "0x00000000000000000000000000000000a2e00003",
    tokens: [DAI, USDC],
    decimals: [18, 6],
    price: 1.000_02,
    depth: 5e6,
    ...{ tickSpacing: 1, side: 10, fee: ETHER / 10_000n, protocolFeeRatio: 0n, follows: false },
  },
];

function seed(order: Order): SeedTransaction[] {
  const { address, tokens, fee, tickSpacing, protocolFeeRatio } = order;
  const { active, bins } = layout(order);
  const args = [tokens, fee, tickSpacing, protocolFeeRatio, active, bins] as const;
  return [
    { to: address, data: encodeFunctionData({ abi, functionName: "open", args }), gas: 8_000_000 },
    {
      to: FACTORY,
      data: encodeFunctionData({ abi, functionName: "announce", args: [address] }),
      gas: 200_000,
    },
  ];
}

/** Two pools with bins that follow the price, and one with static bins. */
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
        what: `active tick of the Maverick pool ${order.address}`,
        call: { to: order.address, data: encodeFunctionData({ abi, functionName: "getState" }) },
        startsWith: toHex(BigInt.asUintN(256, BigInt(layout(order).active)), { size: 32 }),
      })),
    }),
};
