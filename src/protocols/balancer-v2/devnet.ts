import { encodeFunctionData, type Hex, parseAbi, toHex } from "viem";
import factoryArtifact from "../../../contracts/devnet/out/BalancerFactory.json" with { type: "json" };
import stableArtifact from "../../../contracts/devnet/out/BalancerStablePool.json" with { type: "json" };
import vaultArtifact from "../../../contracts/devnet/out/BalancerVault.json" with { type: "json" };
import weightedArtifact from "../../../contracts/devnet/out/BalancerWeightedPool.json" with { type: "json" };
import type { Address, Deployment } from "../../core/types.ts";
import { DAI, USDC, USDT, BALANCER_VAULT as VAULT, WBTC, WETH } from "../../devnet/addresses.ts";
import { reference, worth } from "../../devnet/market.ts";
import { type DevnetProtocol, planOfModels, type SeedTransaction } from "../../devnet/plan.ts";

const WEIGHTED_FACTORY: Address = "0x00000000000000000000000000000000ba12fac0";
const STABLE_FACTORY: Address = "0x00000000000000000000000000000000ba12fac1";

const abi = parseAbi([
  "function open(address[] tokens, uint256[] weights, uint256 fee)",
  "function open(address[] tokens, uint256 amp, uint256 fee)",
  "function announce(address pool)",
  "function register(address pool, address[] tokens, uint256[] balances) returns (bytes32)",
  "function isPoolFromFactory(address pool) view returns (bool)",
]);

const PERCENT = 10n ** 16n;
const MILLION = 10n ** 6n;

type Coin = { readonly token: Address; readonly balance: bigint };
type Model = {
  readonly address: Address;
  readonly factory: Address;
  readonly code: string;
  readonly coins: readonly Coin[];
  readonly opening: Hex;
};

const tokensOf = (coins: readonly Coin[]) => coins.map(({ token }) => token);

/** A pool that is worth `weth`, each token its weight's part of that. Tokens in ascending order. */
function weighted(address: Address, weth: bigint, percents: readonly (readonly [Address, bigint])[]): Model {
  const coins = percents.map(([token, percent]) => ({
    token,
    balance: worth((weth * percent) / 100n, WETH, token),
  }));
  const weights = percents.map(([, percent]) => percent * PERCENT);
  const args = [tokensOf(coins), weights, (PERCENT * 3n) / 10n] as const;
  const opening = encodeFunctionData({ abi, functionName: "open", args });
  return { address, factory: WEIGHTED_FACTORY, code: weightedArtifact.runtimeCode, coins, opening };
}

/** A of 1000, with three digits more. */
function stable(address: Address, coins: readonly Coin[]): Model {
  const args = [tokensOf(coins), 1_000_000n, PERCENT / 25n] as const;
  const opening = encodeFunctionData({ abi, functionName: "open", args });
  return { address, factory: STABLE_FACTORY, code: stableArtifact.runtimeCode, coins, opening };
}

const pools: readonly Model[] = [
  weighted("0x00000000000000000000000000000000ba120001", reference(USDC).weth / 6n, [
    [WBTC, 30n],
    [USDC, 30n],
    [WETH, 40n],
  ]),
  weighted("0x00000000000000000000000000000000ba120002", reference(DAI).weth / 6n, [
    [DAI, 20n],
    [WETH, 80n],
  ]),
  stable("0x00000000000000000000000000000000ba120003", [
    { token: DAI, balance: 7n * MILLION * 10n ** 18n },
    { token: USDC, balance: 8n * MILLION * 10n ** 6n },
    { token: USDT, balance: 9n * MILLION * 10n ** 6n },
  ]),
];

const deployment: Deployment = {
  id: "balancer-v2",
  protocol: "balancer-v2",
  name: "Balancer_V2",
  factory: VAULT,
  fromBlock: 0,
  trusted: true,
  facts: { factories: `weighted=${WEIGHTED_FACTORY};stable-v2=${STABLE_FACTORY}` },
  source: "a model: contracts/devnet/BalancerVault.sol, BalancerWeightedPool.sol and BalancerStablePool.sol",
};

function seed({ address, factory, coins, opening }: Model): SeedTransaction[] {
  const balances = coins.map(({ balance }) => balance);
  const registration = [address, tokensOf(coins), balances] as const;
  return [
    { to: address, data: opening, gas: 1_000_000 },
    {
      to: factory,
      data: encodeFunctionData({ abi, functionName: "announce", args: [address] }),
      gas: 100_000,
    },
    {
      to: VAULT,
      data: encodeFunctionData({ abi, functionName: "register", args: registration }),
      gas: 1_000_000,
    },
  ];
}

/** One vault with two weighted pools and one of dollars. */
export const balancerV2Devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () =>
    planOfModels({
      helpers: [
        { address: VAULT, runtimeCode: vaultArtifact.runtimeCode as Hex },
        { address: WEIGHTED_FACTORY, runtimeCode: factoryArtifact.runtimeCode as Hex },
        { address: STABLE_FACTORY, runtimeCode: factoryArtifact.runtimeCode as Hex },
        ...pools.map(({ address, code }) => ({ address, runtimeCode: code as Hex })),
      ],
      grants: pools.flatMap(({ coins }) =>
        coins.map(({ token, balance }) => ({ holder: VAULT, token, amount: balance })),
      ),
      transactions: pools.flatMap(seed),
      checks: pools.map(({ address, factory }) => ({
        what: `factory of the Balancer pool ${address}`,
        call: {
          to: factory,
          data: encodeFunctionData({ abi, functionName: "isPoolFromFactory", args: [address] }),
        },
        startsWith: toHex(1, { size: 32 }),
      })),
    }),
};
