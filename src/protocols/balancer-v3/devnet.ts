import type { Hex } from "viem";
import { encodeFunctionData, parseAbi, toHex } from "viem/utils";
import hookArtifact from "../../../contracts/devnet/out/BalancerSurgeHook.json" with { type: "json" };
import ellipseArtifact from "../../../contracts/devnet/out/BalancerV3EllipsePool.json" with { type: "json" };
import queryArtifact from "../../../contracts/devnet/out/BalancerV3Query.json" with { type: "json" };
import readjustingArtifact from "../../../contracts/devnet/out/BalancerV3ReadjustingPool.json" with {
  type: "json",
};
import stableArtifact from "../../../contracts/devnet/out/BalancerV3StablePool.json" with { type: "json" };
import vaultArtifact from "../../../contracts/devnet/out/BalancerV3Vault.json" with { type: "json" };
import weightedArtifact from "../../../contracts/devnet/out/BalancerV3WeightedPool.json" with {
  type: "json",
};
import rateArtifact from "../../../contracts/devnet/out/FixedRate.json" with { type: "json" };
import factoryArtifact from "../../../contracts/devnet/out/GyroFactory.json" with { type: "json" };
import type { EclpParams } from "../../core/math/gyro/gyro-eclp-invariant.ts";
import { writeNamed } from "../../core/named-addresses.ts";
import type { Address, Deployment } from "../../core/types.ts";
import { DAI, USDC, USDT, BALANCER_V3_VAULT as VAULT, WBTC, WETH } from "../../devnet/plan/addresses.ts";
import { reference, worth } from "../../devnet/plan/market.ts";
import { type DevnetProtocol, planOfModels, type SeedTransaction } from "../../devnet/plan/plan.ts";
import recorded from "./vectors.json" with { type: "json" };
import { ellipse } from "./vectors.ts";

const HOOK: Address = "0x00000000000000000000000000000000ba13400c";
const RATE: Address = "0x00000000000000000000000000000000ba134a7e";
/** A contract that exists on the devnet only; it answers queries of swaps. */
export const QUERY: Address = "0x00000000000000000000000000000000ba130a5c";
/** Addresses of factories that acknowledge the pools named after them, and the code of those pools. */
const factories = {
  weighted: { address: "0x00000000000000000000000000000000ba13fac0", code: weightedArtifact.runtimeCode },
  stable: { address: "0x00000000000000000000000000000000ba13fac1", code: stableArtifact.runtimeCode },
  "gyro-e": { address: "0x00000000000000000000000000000000ba13fac2", code: ellipseArtifact.runtimeCode },
  reclamm: { address: "0x00000000000000000000000000000000ba13fac3", code: readjustingArtifact.runtimeCode },
} as const;
const NOBODY: Address = "0x0000000000000000000000000000000000000000";

const abi = parseAbi([
  "struct TokenConfig { address token; uint8 tokenType; address rateProvider; bool paysYieldFees; }",
  "struct Registration { address pool; address factory; TokenConfig[] tokens; uint256 swapFee; uint256 aggregateFee; address hook; uint256[] balances; }",
  "function register(Registration given)",
  "function announce(address pool)",
  "struct Ellipse { int128 c; int128 s; int128 lambda; int128 dSq; int128 tauAlphaX; int128 tauAlphaY; int128 tauBetaX; int128 tauBetaY; int128 u; int128 v; int128 w; int128 z; }",
  "struct ReadjustingTerms { uint128 shiftBase; uint64 margin; }",
  "struct PriceRatio { uint96 start; uint96 end; uint32 startTime; uint32 endTime; }",
  "function open(uint256[] weights)",
  "function open(Ellipse params)",
  "function open(address vault, ReadjustingTerms terms, PriceRatio ratio, uint256[2] virtuals, uint32 last)",
  "function open(uint256 from, uint256 to, uint256 duration)",
  "function open(address pool, uint256 threshold, uint256 maxFee)",
  "function open(uint256 rate)",
  "function getReservesOf(address token) view returns (uint256)",
]);

const PERCENT = 10n ** 16n;
const MILLION = 10n ** 6n;
const YEAR_SECONDS = 31_536_000n;
/** Part of each fee that leaves the pool: a half. */
const AGGREGATE_FEE = 50n * PERCENT;

type Coin = { readonly token: Address; readonly balance: bigint; readonly rateProvider?: Address };
type Model = {
  readonly address: Address;
  readonly design: keyof typeof factories;
  readonly hook: Address;
  readonly swapFee: bigint;
  readonly coins: readonly Coin[];
  readonly opening: Hex;
};

/** A pool of two tokens worth `weth`, divided over its tokens by weight. Tokens in ascending order. */
function weighted(
  address: Address,
  weth: bigint,
  parts: readonly (readonly [token: Address, percent: bigint, rateProvider?: Address])[],
): Model {
  const coins = parts.map(([token, percent, rateProvider]) => {
    const balance = worth((weth * percent) / 100n, WETH, token);
    return rateProvider === undefined ? { token, balance } : { token, balance, rateProvider };
  });
  const weights = parts.map(([, percent]) => percent * PERCENT);
  const opening = encodeFunctionData({ abi, functionName: "open", args: [weights] });
  return { address, design: "weighted", hook: NOBODY, swapFee: PERCENT / 4n, coins, opening };
}

/**
 * A stable pool, imbalanced by less than its fee. Its amplification doubles within a year; above an imbalance of a
 * fifth its fee rises to a tenth.
 */
const dollars: Model = {
  address: "0x00000000000000000000000000000000ba130003",
  design: "stable",
  hook: HOOK,
  swapFee: PERCENT / 50n,
  coins: [
    { token: DAI, balance: 7n * MILLION * 10n ** 18n },
    { token: USDC, balance: 68n * MILLION * 10n ** 5n },
    { token: USDT, balance: 72n * MILLION * 10n ** 5n },
  ],
  opening: encodeFunctionData({ abi, functionName: "open", args: [500_000n, 1_000_000n, YEAR_SECONDS] }),
};

/** E-CLP parameters in the models' format. */
export function ellipseTerms({ tauAlpha, tauBeta, ...rest }: EclpParams) {
  const [tauAlphaX, tauAlphaY, tauBetaX, tauBetaY] = [tauAlpha.x, tauAlpha.y, tauBeta.x, tauBeta.y];
  return { ...rest, tauAlphaX, tauAlphaY, tauBetaX, tauBetaY };
}

/**
 * Parameters of the recorded pool, since deriving them needs 38 digits: price bounds 0.9985 to 1.0002, concentrated
 * at 1.
 */
function recordedEllipse(): EclpParams {
  const vector = recorded.vectors.find(({ protocol }) => protocol === "balancer-v3-gyroe");
  const shape = vector && ellipse(vector.pool.state);
  if (shape?.kind !== "eclp") throw new Error("No ellipse is recorded.");
  return shape.params;
}

/** An E-CLP. It holds more of the second coin, since that puts its price at about 1. */
const alongAnEllipse: Model = {
  address: "0x00000000000000000000000000000000ba130004",
  design: "gyro-e",
  hook: NOBODY,
  swapFee: PERCENT / 100n,
  coins: [
    { token: DAI, balance: 5n * MILLION * 10n ** 18n },
    { token: USDT, balance: 8n * MILLION * 10n ** 6n },
  ],
  opening: encodeFunctionData({ abi, functionName: "open", args: [ellipseTerms(recordedEllipse())] }),
};

/**
 * Fourth root of the ratio of highest to lowest price, and the centeredness at the start: just within the range, so
 * that time alone does not move the price, and the first larger trade makes the pool readjust.
 */
const ROOT = { fourth: 1.3, margin: 0.5, centeredness: 0.505 } as const;
/** Factor per second by which an overvalued virtual balance shrinks, if a price may double within a day. */
const DAILY_SHIFT = 999_991_977_472_743_464n;

/** A ReCLAMM pool at the market's price; it holds more dollars than at the middle of its range. */
function readjusting(address: Address, weth: bigint): Model {
  const dollarsHeld = worth(weth, WETH, USDC);
  const { fourth, margin, centeredness: c } = ROOT;
  const root = fourth ** 2;
  const longer = (1 + c + Math.sqrt(1 + c * (c + 4 * root - 2))) / (2 * (root - 1));
  const held = (Number(weth) * (1 + longer)) / (1 + longer / c);
  const [wethHeld, wethAdded] = [held, (longer * held) / c].map((amount) => BigInt(Math.round(amount)));
  const dollarsAdded = BigInt(Math.round(Number(dollarsHeld) * longer)) * 10n ** 12n;
  const digits = (value: number) => BigInt(Math.round(value * 1e18));
  const ratio = { start: digits(fourth), end: digits(fourth), startTime: 0, endTime: 0 };
  const terms = { shiftBase: DAILY_SHIFT, margin: digits(margin) };
  const args = [VAULT, terms, ratio, [dollarsAdded, wethAdded!], 0] as const;
  return {
    ...{ address, design: "reclamm", hook: NOBODY, swapFee: PERCENT / 4n },
    coins: [
      { token: USDC, balance: dollarsHeld },
      { token: WETH, balance: wethHeld! },
    ],
    opening: encodeFunctionData({ abi, functionName: "open", args }),
  };
}

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
  alongAnEllipse,
  readjusting("0x00000000000000000000000000000000ba130005", reference(USDC).weth / 10n),
];

const deployment: Deployment = {
  id: "balancer-v3",
  protocol: "balancer-v3",
  name: "Balancer_V3",
  factory: VAULT,
  fromBlock: 0,
  trusted: true,
  facts: {
    factories: writeNamed(
      Object.fromEntries(Object.entries(factories).map(([name, { address }]) => [name, address])),
    ),
    hooks: writeNamed({ "stable-surge": HOOK }),
  },
  source: "a model: contracts/devnet/BalancerV3*.sol and BalancerSurgeHook.sol",
};

function seed({ address, design, hook, swapFee, coins, opening }: Model): SeedTransaction[] {
  const registration = {
    ...{ pool: address, factory: factories[design].address, hook, swapFee, aggregateFee: AGGREGATE_FEE },
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
    {
      to: factories[design].address,
      data: encodeFunctionData({ abi, functionName: "announce", args: [address] }),
      gas: 100_000,
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

/**
 * Vault v3 with two weighted pools, one of which has a rate, a stable pool with a surge fee, an E-CLP and a ReCLAMM
 * pool.
 */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () =>
    planOfModels({
      helpers: [
        { address: VAULT, runtimeCode: vaultArtifact.runtimeCode as Hex },
        { address: HOOK, runtimeCode: hookArtifact.runtimeCode as Hex },
        { address: RATE, runtimeCode: rateArtifact.runtimeCode as Hex },
        { address: QUERY, runtimeCode: queryArtifact.runtimeCode as Hex },
        ...Object.values(factories).map(({ address }) => {
          return { address, runtimeCode: factoryArtifact.runtimeCode as Hex };
        }),
        ...pools.map(({ address, design }) => ({ address, runtimeCode: factories[design].code as Hex })),
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
