import type { Hex } from "viem";
import { encodeFunctionData, parseAbi, toHex } from "viem/utils";
import rateArtifact from "../../../contracts/devnet/out/FixedRate.json" with { type: "json" };
import ellipseArtifact from "../../../contracts/devnet/out/GyroEclpPool.json" with { type: "json" };
import factoryArtifact from "../../../contracts/devnet/out/GyroFactory.json" with { type: "json" };
import threeArtifact from "../../../contracts/devnet/out/GyroThreePool.json" with { type: "json" };
import twoArtifact from "../../../contracts/devnet/out/GyroTwoPool.json" with { type: "json" };
import type { EclpParams } from "../../core/math/gyro/gyro-eclp-invariant.ts";
import { writeNamed } from "../../core/named-addresses.ts";
import type { Address, Deployment } from "../../core/types.ts";
import { BALANCER_VAULT, DAI, USDC, USDT, VAULT_SEEDER, WETH } from "../../devnet/plan/addresses.ts";
import { reference, worth } from "../../devnet/plan/market.ts";
import { type DevnetProtocol, planOfModels, type SeedTransaction } from "../../devnet/plan/plan.ts";
import { joining } from "../../devnet/plan/vault-join.ts";

const TWO_FACTORY: Address = "0x000000000000000000000000000000009f20fac0";
const ELLIPSE_FACTORY: Address = "0x000000000000000000000000000000009f20fac1";
const THREE_FACTORY: Address = "0x000000000000000000000000000000009f20fac2";
/** Rate provider with the price of WETH in dollars. */
const RATE: Address = "0x000000000000000000000000000000009f20a7e0";
const NOBODY: Address = "0x0000000000000000000000000000000000000000";

const abi = parseAbi([
  "struct Params { int128 c; int128 s; int128 lambda; int128 dSq; int128 tauAlphaX; int128 tauAlphaY; int128 tauBetaX; int128 tauBetaY; int128 u; int128 v; int128 w; int128 z; }",
  "function open(address[] tokens, uint128[2] bounds, uint256 fee)",
  "function open(address[] tokens, int256[2] bounds, Params params, uint256 fee, address[2] providers)",
  "function open(address[] tokens, uint256 root3Alpha, uint256 fee)",
  "function open(uint256 rate)",
  "function announce(address pool)",
  "function register(address vault, address[] tokens)",
  "function isPoolFromFactory(address pool) view returns (bool)",
]);

const deployment: Deployment = {
  id: "gyroscope",
  protocol: "gyroscope",
  name: "Gyroscope",
  factory: BALANCER_VAULT,
  fromBlock: 0,
  trusted: true,
  facts: { factories: writeNamed({ "2clp": TWO_FACTORY, "3clp": THREE_FACTORY, eclp: ELLIPSE_FACTORY }) },
  source:
    "a model: contracts/devnet/gyroscope/GyroTwoPool.sol, GyroThreePool.sol and GyroEclpPool.sol, on the real vault of balancer-v2",
};

const ONE = 10n ** 18n;
const MILLION = 10n ** 6n;
const FEE = ONE / 5000n;

type Model = {
  readonly address: Address;
  readonly factory: Address;
  readonly code: string;
  /** In ascending order. */
  readonly tokens: readonly Address[];
  readonly balances: readonly bigint[];
  readonly opening: Hex;
};

type Holding = Pick<Model, "address" | "tokens" | "balances">;

/** @param bounds square roots of the price bounds, token 1 per token 0, 18 decimals */
function two(holding: Holding, bounds: readonly [bigint, bigint], fee: bigint): Model {
  const args = [holding.tokens, bounds, fee] as const;
  const opening = encodeFunctionData({ abi, functionName: "open", args });
  return { ...holding, factory: TWO_FACTORY, code: twoArtifact.runtimeCode, opening };
}

/**
 * A 2-CLP from a third below the market's price to a half above it, worth `weth` in token 1. Both tokens have 18
 * decimals.
 */
function aroundTheMarket(address: Address, tokens: readonly [Address, Address], weth: number): Model {
  const root = Math.sqrt(Number(worth(ONE * ONE, tokens[0], tokens[1])) / 1e36);
  const [low, high] = [root * Math.sqrt(2 / 3), root * Math.sqrt(3 / 2)];
  const liquidity = weth / (root - low + root ** 2 * (1 / root - 1 / high));
  const balances = [liquidity * (1 / root - 1 / high), liquidity * (root - low)];
  const [first, second] = balances.map((balance) => BigInt(Math.round(balance)));
  const bounds = [low, high].map((bound) => BigInt(Math.round(bound * 1e18)));
  return two({ address, tokens, balances: [first!, second!] }, [bounds[0]!, bounds[1]!], FEE * 5n);
}

/**
 * Price bounds 0.98 to 1/0.98, concentrated at 1. The parameters are those of a pool on Polygon, since deriving them
 * needs 38 digits.
 */
const ELLIPSE: EclpParams = {
  c: 707106781186547524n,
  s: 707106781186547524n,
  lambda: 2500n * ONE,
  dSq: 99999999999999999886624093342106115200n,
  tauAlpha: {
    x: -99921684096872623630266893017017594088n,
    y: 3956898690236155895758568963473896725n,
  },
  tauBeta: {
    x: 99921684096872623626859806443439155895n,
    y: 3956898690236155981796108700303143085n,
  },
  u: 99921684096872623515276234437562471024n,
  v: 3956898690236155934291169066298950059n,
  w: 43018769868414623130n,
  z: -1703543286789219094n,
};
const ELLIPSE_BOUNDS = [980000000000000000n, 1020408163265306122n] as const;

/** Parameters in the model's format. */
export function ellipseTerms({ tauAlpha, tauBeta, ...rest }: EclpParams) {
  return {
    ...rest,
    tauAlphaX: tauAlpha.x,
    tauAlphaY: tauAlpha.y,
    tauBetaX: tauBeta.x,
    tauBetaY: tauBeta.y,
  };
}

function ellipse(holding: Holding, providers: readonly [Address, Address]): Model {
  const args = [holding.tokens, ELLIPSE_BOUNDS, ellipseTerms(ELLIPSE), FEE, providers] as const;
  const opening = encodeFunctionData({ abi, functionName: "open", args });
  return { ...holding, factory: ELLIPSE_FACTORY, code: ellipseArtifact.runtimeCode, opening };
}

/** @param root3Alpha cube root of the lowest price of any token in another, 18 decimals */
function three(holding: Holding, root3Alpha: bigint): Model {
  const args = [holding.tokens, root3Alpha, FEE] as const;
  const opening = encodeFunctionData({ abi, functionName: "open", args });
  return { ...holding, factory: THREE_FACTORY, code: threeArtifact.runtimeCode, opening };
}

/** Dollars per WETH at the start, 18 decimals. */
const DOLLARS = worth(ONE * MILLION * MILLION, WETH, USDC);
const WETH_OF_ELLIPSE = 5_000n * ONE;

const models: readonly Model[] = [
  two(
    {
      address: "0x000000000000000000000000000000009f200001",
      tokens: [USDC, USDT],
      balances: [3n * MILLION * MILLION, 3n * MILLION * MILLION],
    },
    [997496867163000167n, 1002496882788171068n],
    FEE,
  ),
  aroundTheMarket(
    "0x000000000000000000000000000000009f200002",
    [DAI, WETH],
    Number(reference(DAI).weth) / 10,
  ),
  ellipse(
    {
      address: "0x000000000000000000000000000000009f200003",
      tokens: [DAI, USDC],
      balances: [4n * MILLION * ONE, 4n * MILLION * MILLION],
    },
    [NOBODY, NOBODY],
  ),
  three(
    {
      address: "0x000000000000000000000000000000009f200004",
      tokens: [DAI, USDC, USDT],
      balances: [2n * MILLION * ONE, 2n * MILLION * MILLION, 2n * MILLION * MILLION],
    },
    995_000_000_000_000_000n,
  ),
  ellipse(
    {
      address: "0x000000000000000000000000000000009f200005",
      tokens: [USDC, WETH],
      balances: [worth(WETH_OF_ELLIPSE, WETH, USDC), WETH_OF_ELLIPSE],
    },
    [NOBODY, RATE],
  ),
];

function seed({ address, factory, tokens, balances, opening }: Model): SeedTransaction[] {
  return [
    { to: address, data: opening, gas: 1_000_000 },
    {
      to: factory,
      data: encodeFunctionData({ abi, functionName: "announce", args: [address] }),
      gas: 100_000,
    },
    {
      to: address,
      data: encodeFunctionData({ abi, functionName: "register", args: [BALANCER_VAULT, tokens] }),
      gas: 1_000_000,
    },
    joining({ address, tokens, balances }),
  ];
}

const rated = encodeFunctionData({ abi, functionName: "open", args: [DOLLARS] });

/**
 * Two 2-CLPs, a 3-CLP and two E-CLPs, one of them with a rate, on the vault of the Balancer v2 pools, whose plan
 * deploys the vault and the seeder.
 */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () =>
    planOfModels({
      helpers: [
        { address: TWO_FACTORY, runtimeCode: factoryArtifact.runtimeCode as Hex },
        { address: ELLIPSE_FACTORY, runtimeCode: factoryArtifact.runtimeCode as Hex },
        { address: THREE_FACTORY, runtimeCode: factoryArtifact.runtimeCode as Hex },
        { address: RATE, runtimeCode: rateArtifact.runtimeCode as Hex },
        ...models.map(({ address, code }) => ({ address, runtimeCode: code as Hex })),
      ],
      grants: models.flatMap(({ tokens, balances }) =>
        tokens.map((token, k) => ({ holder: VAULT_SEEDER, token, amount: balances[k]! })),
      ),
      transactions: [{ to: RATE, data: rated, gas: 100_000 }, ...models.flatMap(seed)],
      checks: models.map(({ address, factory }) => ({
        what: `factory of the Gyroscope pool ${address}`,
        call: {
          to: factory,
          data: encodeFunctionData({ abi, functionName: "isPoolFromFactory", args: [address] }),
        },
        startsWith: toHex(1, { size: 32 }),
      })),
    }),
};
