import type { Hex } from "viem";
import { encodeFunctionData, pad, parseAbi, toHex } from "viem/utils";
import factoryArtifact from "../../../contracts/devnet/out/SolidlyFactory.json" with { type: "json" };
import pairArtifact from "../../../contracts/devnet/out/SolidlyPair.json" with { type: "json" };
import type { Address, Deployment } from "../../core/types.ts";
import { DAI, SOLIDLY_FACTORY, SOLIDLY_PAIRS, USDC, USDT, WBTC, WETH } from "../../devnet/plan/addresses.ts";
import { reference } from "../../devnet/plan/market.ts";
import type { Check, DevnetProtocol, Grant, SeedTransaction } from "../../devnet/plan/plan.ts";

type Pair = {
  readonly address: Address;
  readonly token0: Address;
  readonly token1: Address;
  readonly stable: boolean;
  readonly reserves: readonly [bigint, bigint];
};

const abi = parseAbi([
  "function announce(address pair, address token0, address token1, bool stable)",
  "function getPair(address token0, address token1, bool stable) view returns (address)",
  "function metadata() view returns (uint256, uint256, uint256, uint256, bool, address, address)",
]);

const deployment: Deployment = {
  id: "solidly",
  protocol: "solidly",
  name: "Solidly",
  factory: SOLIDLY_FACTORY,
  fromBlock: 0,
  trusted: true,
  gasPermille: 580,
  facts: { solver: "unit", feeCall: "curve" },
  source: "a model: contracts/devnet/solidly/SolidlyFactory.sol and SolidlyPair.sol",
};

/** Volatile pairs hold 1/`PART` of the deepest pair of their token. */
const PART = 20n;
const MILLION = 10n ** 6n;

const pairs: readonly Pair[] = [
  volatile(0, USDC),
  volatile(1, DAI),
  volatile(2, WBTC),
  stable(3, { token0: USDC, token1: USDT, reserves: [8n * MILLION * 10n ** 6n, 8n * MILLION * 10n ** 6n] }),
  stable(4, { token0: DAI, token1: USDC, reserves: [5n * MILLION * 10n ** 18n, 5n * MILLION * 10n ** 6n] }),
];

/** Five pairs at the market's prices. */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () => ({
    contracts: [],
    helpers: [
      { address: SOLIDLY_FACTORY, runtimeCode: factoryArtifact.runtimeCode as Hex },
      ...pairs.map(({ address }) => ({ address, runtimeCode: pairArtifact.runtimeCode as Hex })),
    ],
    grants: pairs.flatMap(grants),
    transactions: pairs.map(announce),
    ageing: [],
    checks: pairs.flatMap(checks),
    venues: [],
  }),
};

function volatile(index: number, token: Address): Pair {
  const { weth, amount } = reference(token);
  const [mine, wethPart] = [amount / PART, weth / PART];
  const tokenFirst = token < WETH;
  return {
    address: SOLIDLY_PAIRS[index]!,
    token0: tokenFirst ? token : WETH,
    token1: tokenFirst ? WETH : token,
    stable: false,
    reserves: tokenFirst ? [mine, wethPart] : [wethPart, mine],
  };
}

function stable(index: number, rest: Omit<Pair, "address" | "stable">): Pair {
  return { address: SOLIDLY_PAIRS[index]!, stable: true, ...rest };
}

/** A unit held by the factory, so that the first fee of each token does not pay for a fresh slot. */
function grants({ address, token0, token1, reserves }: Pair): Grant[] {
  return [
    { holder: address, token: token0, amount: reserves[0] },
    { holder: address, token: token1, amount: reserves[1] },
    { holder: SOLIDLY_FACTORY, token: token0, amount: 1n },
    { holder: SOLIDLY_FACTORY, token: token1, amount: 1n },
  ];
}

function announce({ address, token0, token1, stable }: Pair): SeedTransaction {
  const args = [address, token0, token1, stable] as const;
  return {
    to: SOLIDLY_FACTORY,
    data: encodeFunctionData({ abi, functionName: "announce", args }),
    gas: 1_000_000,
  };
}

function checks({ address, token0, token1, stable, reserves }: Pair): Check[] {
  const unit = (token: Address) => 10n ** (token === WETH || token === DAI ? 18n : token === WBTC ? 8n : 6n);
  const words = [unit(token0), unit(token1), ...reserves].map((value) => toHex(value, { size: 32 }).slice(2));
  return [
    {
      what: `address of the Solidly pair ${token0} ${token1}`,
      call: {
        to: SOLIDLY_FACTORY,
        data: encodeFunctionData({ abi, functionName: "getPair", args: [token0, token1, stable] }),
      },
      startsWith: pad(address),
    },
    {
      what: `state of the Solidly pair ${address}`,
      call: { to: address, data: encodeFunctionData({ abi, functionName: "metadata" }) },
      startsWith: `0x${words.join("")}`,
    },
  ];
}
