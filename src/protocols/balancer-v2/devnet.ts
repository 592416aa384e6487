import type { Hex } from "viem";
import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  keccak256,
  pad,
  parseAbi,
  parseAbiParameters,
  toFunctionSelector,
  toHex,
} from "viem/utils";
import seederArtifact from "../../../contracts/devnet/out/VaultSeeder.json" with { type: "json" };
import { writeNamed } from "../../core/named-addresses.ts";
import type { Address, Deployment } from "../../core/types.ts";
import {
  ACCOUNTS,
  DAI,
  DEPLOYER,
  TRADER,
  USDC,
  USDT,
  BALANCER_VAULT as VAULT,
  VAULT_SEEDER,
  WBTC,
  WETH,
} from "../../devnet/plan/addresses.ts";
import { reference, worth } from "../../devnet/plan/market.ts";
import { creationCode } from "../../devnet/plan/packages.ts";
import type { Check, DevnetProtocol, PlacedContract, SeedTransaction } from "../../devnet/plan/plan.ts";
import { joining } from "../../devnet/plan/vault-join.ts";

const TASKS = "@balancer-labs/v2-deployments/dist/tasks";

/** Addresses on Ethereum, from `output/mainnet.json` of each task. */
const AUTHORIZER: Address = "0xa331d84ec860bf466b4cdccfb4ac09a1b43f3ae6";
const FEE_PERCENTAGES: Address = "0x97207b095e4d5c9a6e4cfbfcd2c3358e03b90c4a";
const WEIGHTED_FACTORY: Address = "0x5dd94da3644ddd055fcf6b3e1aa310bb7801eb8b";
const STABLE_FACTORY: Address = "0x8df6efec5547e31b0eb7d1291b511ff8a2bf987c";
const COMPOSABLE_FACTORY: Address = "0xdba127fbc23fb20f5929c546af220a991b5c6e01";
export const QUERIES: Address = "0xe39b5e3b6d74016b2f6a9673d7d7493b6df549d5";
/** Created by the vault. */
const FEES_COLLECTOR: Address = "0xce88686553686da562ce7cea497ce749da109f9f";

const NOBODY: Address = "0x0000000000000000000000000000000000000000";
const ONE = 10n ** 18n;
const PERCENT = 10n ** 16n;
const MILLION = 10n ** 6n;
const DAY_SECONDS = 86_400n;
const NAMES = ["Braid devnet pool", "BDP"] as const;

const weightedAbi = parseAbi([
  "function create(string name, string symbol, address[] tokens, uint256[] weights, address[] rateProviders, uint256 swapFee, address owner)",
]);
const stableAbi = parseAbi([
  "function create(string name, string symbol, address[] tokens, uint256 amp, uint256 swapFee, address owner)",
]);
const composableAbi = parseAbi([
  "function create(string name, string symbol, address[] tokens, uint256 amp, address[] rateProviders, uint256[] durations, bool[] exemptions, uint256 swapFee, address owner)",
]);
const abi = parseAbi([
  "function hand(address token, address[] holders, uint256 amount)",
  "function isPoolFromFactory(address pool) view returns (bool)",
  "function getProtocolFeesCollector() view returns (address)",
  "function getSwapFeePercentage() view returns (uint256)",
  "function grantRole(bytes32 role, address account)",
  "function setSwapFeePercentage(uint256 percentage)",
]);

type Coin = { readonly token: Address; readonly balance: bigint };
type Pool = {
  readonly address: Address;
  readonly factory: Address;
  /** Coins in ascending order, without the pool's own shares. */
  readonly coins: readonly Coin[];
  /** Whether the pool's shares are among its tokens. */
  readonly isComposable: boolean;
  readonly creation: Hex;
};

const tokensOf = (coins: readonly Coin[]) => coins.map(({ token }) => token);

/** Address of a factory's pool; the factory's constructor creates two contracts before. */
function poolAt(factory: Address, serial: number): Address {
  return getContractAddress({ from: factory, nonce: BigInt(3 + serial) }).toLowerCase() as Address;
}

/** A pool worth `weth`, divided over its tokens by weight. Tokens in ascending order. */
function weighted(serial: number, weth: bigint, percents: readonly (readonly [Address, bigint])[]): Pool {
  const coins = percents.map(([token, percent]) => ({
    token,
    balance: worth((weth * percent) / 100n, WETH, token),
  }));
  const weights = percents.map(([, percent]) => percent * PERCENT);
  const providers = coins.map(() => NOBODY);
  const args = [...NAMES, tokensOf(coins), weights, providers, (PERCENT * 3n) / 10n, DEPLOYER] as const;
  return {
    address: poolAt(WEIGHTED_FACTORY, serial),
    factory: WEIGHTED_FACTORY,
    coins,
    isComposable: false,
    creation: encodeFunctionData({ abi: weightedAbi, functionName: "create", args }),
  };
}

const AMP = 1000n;
const STABLE_FEE = PERCENT / 25n;

function stable(coins: readonly Coin[]): Pool {
  const args = [...NAMES, tokensOf(coins), AMP, STABLE_FEE, DEPLOYER] as const;
  return {
    address: poolAt(STABLE_FACTORY, 0),
    factory: STABLE_FACTORY,
    coins,
    isComposable: false,
    creation: encodeFunctionData({ abi: stableAbi, functionName: "create", args }),
  };
}

/** A composable stable pool. Its shares are among its tokens, so selling a coin for them is a join. */
function composable(coins: readonly Coin[]): Pool {
  const [providers, durations] = [coins.map(() => NOBODY), coins.map(() => 0n)];
  const exemptions = coins.map(() => false);
  const terms = [AMP, providers, durations, exemptions, STABLE_FEE, DEPLOYER] as const;
  const args = [...NAMES, tokensOf(coins), ...terms] as const;
  return {
    address: poolAt(COMPOSABLE_FACTORY, 0),
    factory: COMPOSABLE_FACTORY,
    coins,
    isComposable: true,
    creation: encodeFunctionData({ abi: composableAbi, functionName: "create", args }),
  };
}

const pools: readonly Pool[] = [
  weighted(0, reference(USDC).weth / 6n, [
    [WBTC, 30n],
    [USDC, 30n],
    [WETH, 40n],
  ]),
  weighted(1, reference(DAI).weth / 6n, [
    [DAI, 20n],
    [WETH, 80n],
  ]),
  stable([
    { token: USDC, balance: 4n * MILLION * MILLION },
    { token: USDT, balance: 5n * MILLION * MILLION },
  ]),
  composable([
    { token: DAI, balance: 7n * MILLION * ONE },
    { token: USDC, balance: 8n * MILLION * MILLION },
    { token: USDT, balance: 9n * MILLION * MILLION },
  ]),
];

const deployment: Deployment = {
  ...{ id: "balancer-v2", protocol: "balancer-v2", name: "Balancer_V2" },
  ...{ factory: VAULT, fromBlock: 0, trusted: true },
  facts: {
    factories: writeNamed({
      weighted: WEIGHTED_FACTORY,
      "stable-v2": STABLE_FACTORY,
      "composable-stable": COMPOSABLE_FACTORY,
    }),
  },
  source: "built by the devnet at Ethereum's addresses, bytecode of @balancer-labs/v2-deployments",
};

async function contracts(): Promise<PlacedContract[]> {
  const code = (artifact: string, types: string, values: readonly unknown[]) =>
    creationCode(`${TASKS}/${artifact}.json`, encodeAbiParameters(parseAbiParameters(types), values));
  const months = [90n * DAY_SECONDS, 30n * DAY_SECONDS] as const;
  const version = [VAULT, FEE_PERCENTAGES, "", ""] as const;
  return [
    {
      address: AUTHORIZER,
      creationCode: await code("20210418-authorizer/artifact/Authorizer", "address", [DEPLOYER]),
    },
    {
      address: VAULT,
      creationCode: await code("20210418-vault/artifact/Vault", "address, address, uint256, uint256", [
        ...[AUTHORIZER, WETH],
        ...months,
      ]),
    },
    {
      address: FEE_PERCENTAGES,
      creationCode: await code(
        "20220725-protocol-fee-percentages-provider/artifact/ProtocolFeePercentagesProvider",
        "address, uint256, uint256",
        [VAULT, ONE, ONE],
      ),
      isLate: true,
    },
    {
      address: WEIGHTED_FACTORY,
      creationCode: await code(
        "20230206-weighted-pool-v3/artifact/WeightedPoolFactory",
        "address, address, string, string",
        version,
      ),
    },
    {
      address: STABLE_FACTORY,
      creationCode: await code("20220609-stable-pool-v2/artifact/StablePoolFactory", "address", [VAULT]),
    },
    {
      address: QUERIES,
      creationCode: await code("20220721-balancer-queries/artifact/BalancerQueries", "address", [VAULT]),
      isLate: true,
    },
    {
      address: COMPOSABLE_FACTORY,
      creationCode: await code(
        "20230206-composable-stable-pool-v3/artifact/ComposableStablePoolFactory",
        "address, address, string, string",
        version,
      ),
    },
  ];
}

/** Sets the protocol's part of swap fees to a half, as on Ethereum; pools read it when created. */
function feesFirst(): SeedTransaction[] {
  const selector = toFunctionSelector("setSwapFeePercentage(uint256)");
  const action = keccak256(concat([pad(FEES_COLLECTOR), selector]));
  const grant = encodeFunctionData({ abi, functionName: "grantRole", args: [action, DEPLOYER] });
  const set = encodeFunctionData({ abi, functionName: "setSwapFeePercentage", args: [50n * PERCENT] });
  return [
    { to: AUTHORIZER, data: grant, gas: 200_000 },
    { to: FEES_COLLECTOR, data: set, gas: 200_000 },
  ];
}

function seed({ address, factory, coins, isComposable, creation }: Pool): SeedTransaction[] {
  const shares = isComposable ? [{ token: address, balance: 0n }] : [];
  const listed = [...coins, ...shares].sort((a, b) => (a.token < b.token ? -1 : 1));
  const balances = listed.map(({ balance }) => balance);
  return [
    { to: factory, data: creation, gas: 12_000_000 },
    joining({ address, tokens: tokensOf(listed), balances }),
    ...(isComposable ? [handing(address)] : []),
  ];
}

/** Gives shares to every wallet. */
function handing(token: Address): SeedTransaction {
  const args = [token, [...ACCOUNTS, TRADER], (MILLION * ONE) / 4n] as const;
  return {
    to: VAULT_SEEDER,
    data: encodeFunctionData({ abi, functionName: "hand", args }),
    gas: 1_000_000,
  };
}

function checks(): Check[] {
  const collector = encodeFunctionData({ abi, functionName: "getProtocolFeesCollector" });
  const fee = encodeFunctionData({ abi, functionName: "getSwapFeePercentage" });
  return [
    {
      what: "fees collector of Balancer's vault",
      call: { to: VAULT, data: collector },
      startsWith: pad(FEES_COLLECTOR),
    },
    {
      what: "the protocol's part of swap fees",
      call: { to: FEES_COLLECTOR, data: fee },
      startsWith: toHex(50n * PERCENT, { size: 32 }),
    },
    ...pools.map(({ address, factory }) => ({
      what: `factory of the Balancer pool ${address}`,
      call: {
        to: factory,
        data: encodeFunctionData({ abi, functionName: "isPoolFromFactory", args: [address] }),
      },
      startsWith: toHex(1, { size: 32 }),
    })),
  ];
}

/** Balancer's Vault v2: two weighted pools and two of dollars, one of which has its shares among its tokens. */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: ["@balancer-labs/v2-deployments"],
  plan: async () => ({
    contracts: await contracts(),
    helpers: [{ address: VAULT_SEEDER, runtimeCode: seederArtifact.runtimeCode as Hex }],
    grants: pools.flatMap(({ coins }) =>
      coins.map(({ token, balance }) => ({ holder: VAULT_SEEDER, token, amount: balance })),
    ),
    transactions: [...feesFirst(), ...pools.flatMap(seed)],
    ageing: [],
    checks: checks(),
    venues: [],
  }),
};
