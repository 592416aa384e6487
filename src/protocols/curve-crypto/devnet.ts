import { encodeFunctionData, type Hex, parseAbi, toHex } from "viem";
import factoryArtifact from "../../../contracts/devnet/out/CryptoFactory.json" with { type: "json" };
import poolArtifact from "../../../contracts/devnet/out/CryptoSwap.json" with { type: "json" };
import type { Address, Deployment } from "../../core/types.ts";
import { USDC, WBTC, WETH } from "../../devnet/addresses.ts";
import { reference, worth } from "../../devnet/market.ts";
import { type DevnetProtocol, planOfModels, type SeedTransaction } from "../../devnet/plan.ts";

const FACTORY: Address = "0x00000000000000000000000000000000c04ec000";

const abi = parseAbi([
  "struct Terms { uint64 ann; uint64 gamma; uint64 feeGamma; uint64 allowedExtraProfit; uint32 midFee; uint32 outFee; uint64 adjustmentStep; uint32 period; uint8 decimals0; uint8 decimals1; }",
  "function open(address[2] coins, uint256 price, Terms terms)",
  "function announce(address pool, address[2] coins)",
  "function balances(uint256 k) view returns (uint256)",
]);

type Coin = { readonly token: Address; readonly unit: bigint; readonly balance: bigint };
type Model = { readonly address: Address; readonly coins: readonly [Coin, Coin] };

/** Holds so much of its first coin, and of the second what is worth a little less. */
function model(address: Address, [token, unit]: Listed, [other, otherUnit]: Listed, amount: bigint): Model {
  const second = (worth(amount, token, other) * 97n) / 100n;
  return {
    address,
    coins: [
      { token, unit, balance: amount },
      { token: other, unit: otherUnit, balance: second },
    ],
  };
}

type Listed = readonly [token: Address, unit: bigint];

const usdc: Listed = [USDC, 10n ** 6n];
const weth: Listed = [WETH, 10n ** 18n];
const wbtc: Listed = [WBTC, 10n ** 8n];

const pools: readonly Model[] = [
  model("0x00000000000000000000000000000000c04ec001", usdc, weth, reference(USDC).amount / 8n),
  model("0x00000000000000000000000000000000c04ec002", wbtc, weth, reference(WBTC).amount / 8n),
];

/** What pools of volatile coins are opened with: A = 10, fees from 0.26 % to 0.45 %. */
const TERMS = {
  ann: 400_000n,
  gamma: 145_000_000_000_000n,
  feeGamma: 230_000_000_000_000n,
  allowedExtraProfit: 2_000_000_000_000n,
  midFee: 26_000_000,
  outFee: 45_000_000,
  adjustmentStep: 146_000_000_000_000n,
  period: 866,
  ...{ decimals0: 0, decimals1: 0 },
};

const deployment: Deployment = {
  id: "curve-crypto",
  protocol: "curve-crypto",
  name: "Curve_Crypto",
  factory: FACTORY,
  fromBlock: 0,
  trusted: true,
  facts: {},
  source: "a model: contracts/devnet/CryptoSwap.sol",
};

function seed({ address, coins: [first, second] }: Model): SeedTransaction[] {
  const tokens = [first.token, second.token] as const;
  const price = (worth(second.unit, second.token, first.token) * 10n ** 18n) / first.unit;
  return [
    {
      to: address,
      data: encodeFunctionData({ abi, functionName: "open", args: [tokens, price, TERMS] }),
      gas: 2_000_000,
    },
    {
      to: FACTORY,
      data: encodeFunctionData({ abi, functionName: "announce", args: [address, tokens] }),
      gas: 100_000,
    },
  ];
}

/** Two pools of two coins, of the newer generation. */
export const curveCryptoDevnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () =>
    planOfModels({
      helpers: [
        { address: FACTORY, runtimeCode: factoryArtifact.runtimeCode as Hex },
        ...pools.map(({ address }) => ({ address, runtimeCode: poolArtifact.runtimeCode as Hex })),
      ],
      grants: pools.flatMap(({ address, coins }) =>
        coins.map(({ token, balance }) => ({ holder: address, token, amount: balance })),
      ),
      transactions: pools.flatMap(seed),
      checks: pools.flatMap(({ address, coins }) =>
        coins.map(({ token, balance }, k) => ({
          what: `balance of ${token} in the Curve pool ${address}`,
          call: {
            to: address,
            data: encodeFunctionData({ abi, functionName: "balances", args: [BigInt(k)] }),
          },
          startsWith: toHex(balance, { size: 32 }),
        })),
      ),
    }),
};
