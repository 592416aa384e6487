import type { Hex } from "viem";
import { encodeFunctionData, parseAbi, toHex } from "viem/utils";
import factoryArtifact from "../../../contracts/devnet/out/CryptoFactory.json" with { type: "json" };
import pairArtifact from "../../../contracts/devnet/out/CryptoSwap.json" with { type: "json" };
import threeArtifact from "../../../contracts/devnet/out/CryptoSwapThree.json" with { type: "json" };
import type { Address, Deployment } from "../../core/types.ts";
import { USDC, USDT, WBTC, WETH } from "../../devnet/plan/addresses.ts";
import { reference, worth } from "../../devnet/plan/market.ts";
import { type DevnetProtocol, planOfModels, type SeedTransaction } from "../../devnet/plan/plan.ts";

const FACTORY: Address = "0x00000000000000000000000000000000c04ec000";
const FACTORY_OF_THREE: Address = "0x00000000000000000000000000000000c04ec100";

const abi = parseAbi([
  "struct Terms { uint64 ann; uint64 gamma; uint64 feeGamma; uint64 allowedExtraProfit; uint32 midFee; uint32 outFee; uint64 adjustmentStep; uint32 period; uint8[3] decimals; }",
  "function open(address[2] coins, uint256 price, Terms terms)",
  "function open(address[3] coins, uint256[2] prices, Terms terms)",
  "function announce(address pool, address[2] coins)",
  "function announceThree(address pool, address[3] coins)",
  "function balances(uint256 k) view returns (uint256)",
]);

const MILLION = 1_000_000n;

type Listed = readonly [token: Address, unit: bigint];

/** A pool, its balances, and the prices of the other coins in the first, 18 digits. */
type Model = {
  readonly address: Address;
  readonly tokens: readonly Address[];
  readonly balances: readonly bigint[];
  readonly prices: readonly bigint[];
};

/**
 * A pool whose other coins are worth slightly less than its first, so that all directions have different prices.
 *
 * @param lessPpm how much less, in ppm: small enough that the price stays within the pool's lowest fee of the
 *   market's
 */
function model(
  address: Address,
  [amount, lessPpm]: readonly [bigint, bigint],
  [[first, unit], ...others]: readonly [Listed, ...Listed[]],
): Model {
  const worthLess = (token: Address) => (worth(amount, first, token) * (MILLION - lessPpm)) / MILLION;
  return {
    address,
    tokens: [first, ...others.map(([token]) => token)],
    balances: [amount, ...others.map(([token]) => worthLess(token))],
    prices: others.map(([token, digits]) => (worth(digits, token, first) * 10n ** 18n) / unit),
  };
}

const usdc: Listed = [USDC, 10n ** 6n];
const usdt: Listed = [USDT, 10n ** 6n];
const weth: Listed = [WETH, 10n ** 18n];
const wbtc: Listed = [WBTC, 10n ** 8n];

const pairs: readonly Model[] = [
  model("0x00000000000000000000000000000000c04ec001", [reference(USDC).amount / 8n, 4000n], [usdc, weth]),
  model("0x00000000000000000000000000000000c04ec002", [reference(WBTC).amount / 8n, 4000n], [wbtc, weth]),
];

const three = model(
  "0x00000000000000000000000000000000c04ec101",
  [reference(USDT).amount / 8n, 200n],
  [usdt, wbtc, weth],
);

/** Opening parameters of pools of volatile coins: A = 10, fees from 0.26 % to 0.45 %. */
const TERMS = {
  ann: 400_000n,
  gamma: 145_000_000_000_000n,
  feeGamma: 230_000_000_000_000n,
  allowedExtraProfit: 2_000_000_000_000n,
  midFee: 26_000_000,
  outFee: 45_000_000,
  adjustmentStep: 146_000_000_000_000n,
  period: 866,
  decimals: [0, 0, 0],
} as const;

/** Opening parameters for three coins: A = 6.3, a smaller gamma, fees from 0.03 % to 0.3 %. */
const TERMS_OF_THREE = {
  ...TERMS,
  ann: 1_707_629n,
  gamma: 11_809_167_828_997n,
  feeGamma: 500_000_000_000_000n,
  midFee: 3_000_000,
  outFee: 30_000_000,
} as const;

const listed = {
  protocol: "curve-crypto",
  fromBlock: 0,
  trusted: true,
  gasPermille: 910,
} as const;
const deployments: readonly Deployment[] = [
  {
    ...listed,
    ...{ id: "curve-crypto", name: "Curve_Crypto", factory: FACTORY, facts: { factory: "twocrypto-ng" } },
    source: "a model: contracts/devnet/curve/CryptoSwap.sol",
  },
  {
    ...listed,
    ...{ id: "curve-tricrypto", name: "Curve_Tricrypto", factory: FACTORY_OF_THREE },
    facts: { factory: "tricrypto-ng" },
    gasPermille: 875,
    source: "a model: contracts/devnet/curve/CryptoSwapThree.sol",
  },
];

type Pair<T> = readonly [T, T];
type Triple<T> = readonly [T, T, T];

const opening = (to: Address, data: Hex): SeedTransaction => ({ to, data, gas: 3_000_000 });
const announcing = (to: Address, data: Hex): SeedTransaction => ({ to, data, gas: 500_000 });

function seedPair({ address, tokens, prices }: Model): SeedTransaction[] {
  const coins = tokens as Pair<Address>;
  const args = [coins, prices[0]!, TERMS] as const;
  return [
    opening(address, encodeFunctionData({ abi, functionName: "open", args })),
    announcing(FACTORY, encodeFunctionData({ abi, functionName: "announce", args: [address, coins] })),
  ];
}

function seedThree({ address, tokens, prices }: Model): SeedTransaction[] {
  const coins = tokens as Triple<Address>;
  const args = [coins, prices as Pair<bigint>, TERMS_OF_THREE] as const;
  const announcement = encodeFunctionData({ abi, functionName: "announceThree", args: [address, coins] });
  return [
    opening(address, encodeFunctionData({ abi, functionName: "open", args })),
    announcing(FACTORY_OF_THREE, announcement),
  ];
}

const codeOf = ({ runtimeCode }: { readonly runtimeCode: string }) => runtimeCode as Hex;
const pools = [...pairs, three];

/** Two pools of two coins and one of three coins, of the newer generation. */
export const devnet: DevnetProtocol = {
  deployments,
  packages: [],
  plan: async () =>
    planOfModels({
      helpers: [
        ...[FACTORY, FACTORY_OF_THREE].map((address) => ({ address, runtimeCode: codeOf(factoryArtifact) })),
        ...pairs.map(({ address }) => ({ address, runtimeCode: codeOf(pairArtifact) })),
        { address: three.address, runtimeCode: codeOf(threeArtifact) },
      ],
      grants: pools.flatMap(({ address, tokens, balances }) =>
        tokens.map((token, k) => ({ holder: address, token, amount: balances[k]! })),
      ),
      transactions: [...pairs.flatMap(seedPair), ...seedThree(three)],
      checks: pools.flatMap(({ address, tokens, balances }) =>
        tokens.map((token, k) => ({
          what: `balance of ${token} in the Curve pool ${address}`,
          call: {
            to: address,
            data: encodeFunctionData({ abi, functionName: "balances", args: [BigInt(k)] }),
          },
          startsWith: toHex(balances[k]!, { size: 32 }),
        })),
      ),
    }),
};
