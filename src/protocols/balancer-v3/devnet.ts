import { encodeFunctionData, type Hex, parseAbi, toHex } from "viem";
import hookArtifact from "../../../contracts/devnet/out/BalancerSurgeHook.json" with { type: "json" };
import queryArtifact from "../../../contracts/devnet/out/BalancerV3Query.json" with { type: "json" };
import stableArtifact from "../../../contracts/devnet/out/BalancerV3StablePool.json" with { type: "json" };
import vaultArtifact from "../../../contracts/devnet/out/BalancerV3Vault.json" with { type: "json" };
import weightedArtifact from "../../../contracts/devnet/out/BalancerV3WeightedPool.json" with {
  type: "json",
};
import rateArtifact from "../../../contracts/devnet/out/FixedRate.json" with { type: "json" };
import type { Address, Deployment } from "../../core/types.ts";
import { DAI, USDC, USDT, WBTC, WETH } from "../../devnet/addresses.ts";
import { reference, worth } from "../../devnet/market.ts";
import { type DevnetProtocol, planOfModels, type SeedTransaction } from "../../devnet/plan.ts";

const VAULT: Address = "0x00000000000000000000000000000000ba130000";
const HOOK: Address = "0x00000000000000000000000000000000ba13400c";
const RATE: Address = "0x00000000000000000000000000000000ba134a7e";
/** A contract of the devnet alone: it answers what a swap would. */
export const QUERY: Address = "0x00000000000000000000000000000000ba130a5c";
/** Names that the vault's registrations carry; nothing stands there. */
const WEIGHTED_FACTORY: Address = "0x00000000000000000000000000000000ba13fac0";
const STABLE_FACTORY: Address = "0x00000000000000000000000000000000ba13fac1";
const NOBODY: Address = "0x0000000000000000000000000000000000000000";

const abi = parseAbi([
  "struct TokenConfig { address token; uint8 tokenType; address rateProvider; bool paysYieldFees; }",
  "struct Registration { address pool; address factory; TokenConfig[] tokens; uint256 swapFee; uint256 aggregateFee; address hook; uint256[] balances; }",
  "function register(Registration given)",
  "function open(address[] tokens, uint256[] weights, uint256 fee)",
  "function open(uint256 from, uint256 to, uint256 duration)",
  "function open(address pool, uint256 threshold, uint256 maxFee)",
  "function open(uint256 rate)",
  "function getReservesOf(address token) view returns (uint256)",
]);

const PERCENT = 10n ** 16n;
const MILLION = 10n ** 6n;
const YEAR_SECONDS = 31_536_000n;
/** Half of each fee leaves the pool. */
const AGGREGATE_FEE = 50n * PERCENT;

type Coin = { readonly token: Address; readonly balance: bigint; readonly rateProvider?: Address };
type Model = {
  readonly address: Address;
  readonly factory: Address;
  readonly hook: Address;
  readonly swapFee: bigint;
  readonly coins: readonly Coin[];
  readonly opening: Hex;
};

/** A pool of two tokens that is worth `weth`, each token its weight's part of that. Tokens in ascending order. */
function weighted(
  address: Address,
  weth: bigint,
  parts: readonly (readonly [token: Address, percent: bigint, rateProvider?: Address])[],
): Model {
  const coins = parts.map(([token, percent, rateProvider]) => {
    const balance = worth((weth * percent) / 100n, WETH, token);
    return rateProvider === undefined ? { token, balance } : { token, balance, rateProvider };
  });
  const tokens = parts.map(([token]) => token);
  const weights = parts.map(([, percent]) => percent * PERCENT);
  const opening = encodeFunctionData({ abi, functionName: "open", args: [tokens, weights, 0n] });
  return { address, factory: WEIGHTED_FACTORY, hook: NOBODY, swapFee: PERCENT / 4n, coins, opening };
}

/** Its amplification doubles within a year; beyond a fifth of imbalance its fee rises to a tenth. */
const dollars: Model = {
  address: "0x00000000000000000000000000000000ba130003",
  factory: STABLE_FACTORY,
  hook: HOOK,
  swapFee: PERCENT / 50n,
  coins: [
    { token: DAI, balance: 7n * MILLION * 10n ** 18n },
    { token: USDC, balance: 6n * MILLION * 10n ** 6n },
    { token: USDT, balance: 8n * MILLION * 10n ** 6n },
  ],
  opening: encodeFunctionData({ abi, functionName: "open", args: [500_000n, 1_000_000n, YEAR_SECONDS] }),
};

const pools: readonly Model[] = [
  weighted("0x00000000000000000000000000000000ba130001", reference(USDC).weth / 5n, [
    [USDC, 30n],
    [WETH, 70n],
  ]),
  weighted("0x00000000000000000000000000000000ba130002", reference(WBTC).weth / 5n, [
    [WBTC, 50n, RATE],
    [WETH, 50n],
  ]),
  dollars,
];

const deployment: Deployment = {
  id: "balancer-v3",
  protocol: "balancer-v3",
  name: "Balancer_V3",
  factory: VAULT,
  fromBlock: 0,
  trusted: true,
  facts: { factories: `weighted=${WEIGHTED_FACTORY};stable=${STABLE_FACTORY}`, surgeHooks: HOOK },
  source:
    "a model: contracts/devnet/BalancerV3Vault.sol, BalancerV3WeightedPool.sol, BalancerV3StablePool.sol and BalancerSurgeHook.sol",
};

function seed({ address, factory, hook, swapFee, coins, opening }: Model): SeedTransaction[] {
  const registration = {
    ...{ pool: address, factory, hook, swapFee, aggregateFee: AGGREGATE_FEE },
    tokens: coins.map(({ token, rateProvider = NOBODY }) => {
      return { token, tokenType: rateProvider === NOBODY ? 0 : 1, rateProvider, paysYieldFees: false };
    }),
    balances: coins.map(({ balance }) => balance),
  };
  return [
    { to: address, data: opening, gas: 1_000_000 },
    {
      to: VAULT,
      data: encodeFunctionData({ abi, functionName: "register", args: [registration] }),
      gas: 2_000_000,
    },
  ];
}

const opening = (to: Address, data: Hex): SeedTransaction => ({ to, data, gas: 200_000 });
const surge = [dollars.address, 20n * PERCENT, 10n * PERCENT] as const;

function reserveOf(token: Address): bigint {
  return pools
    .flatMap(({ coins }) => coins)
    .reduce((sum, coin) => (coin.token === token ? sum + coin.balance : sum), 0n);
}

/** One vault with two weighted pools, one of them with a rate, and one of dollars whose fee surges. */
export const balancerV3Devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () =>
    planOfModels({
      helpers: [
        { address: VAULT, runtimeCode: vaultArtifact.runtimeCode as Hex },
        { address: HOOK, runtimeCode: hookArtifact.runtimeCode as Hex },
        { address: RATE, runtimeCode: rateArtifact.runtimeCode as Hex },
        { address: QUERY, runtimeCode: queryArtifact.runtimeCode as Hex },
        ...pools.map(({ address, factory }) => ({
          address,
          runtimeCode: (factory === STABLE_FACTORY ? stableArtifact : weightedArtifact).runtimeCode as Hex,
        })),
      ],
      grants: pools.flatMap(({ coins }) =>
        coins.map(({ token, balance }) => ({ holder: VAULT, token, amount: balance })),
      ),
      transactions: [
        opening(RATE, encodeFunctionData({ abi, functionName: "open", args: [1_152_000_000_000_000_007n] })),
        opening(HOOK, encodeFunctionData({ abi, functionName: "open", args: surge })),
        ...pools.flatMap(seed),
      ],
      checks: [DAI, USDC, USDT, WBTC, WETH].map((token) => ({
        what: `reserve of ${token} in Balancer's third vault`,
        call: { to: VAULT, data: encodeFunctionData({ abi, functionName: "getReservesOf", args: [token] }) },
        startsWith: toHex(reserveOf(token), { size: 32 }),
      })),
    }),
};
