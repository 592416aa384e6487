import type { Hex } from "viem";
import { encodeFunctionData, parseAbi, toHex } from "viem/utils";
import marketArtifact from "../../../contracts/devnet/out/Llamma.json" with { type: "json" };
import type { Address, Deployment } from "../../core/types.ts";
import { DAI, USDC, WBTC, WETH } from "../../devnet/plan/addresses.ts";
import { reference, worth } from "../../devnet/plan/market.ts";
import { type DevnetProtocol, planOfModels } from "../../devnet/plan/plan.ts";

const abi = parseAbi([
  "struct Given { address[2] coins; uint16 a; uint64 fee; uint64 adminFee; bool isNewer; uint128 basePrice; uint256 price; int32 activeBand; int32 minBand; int32 maxBand; int32 first; uint256[] x; uint256[] y; }",
  "function open(Given given)",
  "function bands_x(int256 n) view returns (uint256)",
  "function bands_y(int256 n) view returns (uint256)",
]);

const ONE = 10n ** 18n;
/** Number of nonempty bands on either side of the active band, 0. */
const BANDS = 10;

type Coin = { readonly token: Address; readonly decimals: number };
type Market = {
  readonly address: Address;
  readonly coins: readonly [Coin, Coin];
  readonly a: number;
  /** 18 digits. */
  readonly fee: bigint;
  readonly isNewer: boolean;
  /** Smallest units of the first coin in all bands; the second coin is worth a tenth more. */
  readonly depth: bigint;
};

const markets: readonly Market[] = [
  {
    address: "0x00000000000000000000000000000000c04e11a1",
    coins: [
      { token: DAI, decimals: 18 },
      { token: WETH, decimals: 18 },
    ],
    ...{ a: 70, fee: 2n * 10n ** 15n, isNewer: true, depth: reference(DAI).amount / 8n },
  },
  {
    address: "0x00000000000000000000000000000000c04e11a2",
    coins: [
      { token: USDC, decimals: 6 },
      { token: WBTC, decimals: 8 },
    ],
    ...{ a: 100, fee: 3n * 10n ** 15n, isNewer: false, depth: reference(USDC).amount / 10n },
  },
];

type Bands = { readonly price: bigint; readonly x: readonly bigint[]; readonly y: readonly bigint[] };

/** The bands: borrowed coin below the active band, collateral above it, half of both in it. */
function bandsOf({ coins: [lent, collateral], depth }: Market): Bands {
  const unit = 10n ** BigInt(collateral.decimals);
  const price = worth(unit, collateral.token, lent.token) * 10n ** BigInt(18 - lent.decimals);
  const part = (depth * 10n ** BigInt(18 - lent.decimals)) / BigInt(2 * BANDS + 1);
  const share = (n: number, isLent: boolean) => {
    const halves = n === 0 ? 1n : n < 0 === isLent ? 2n : 0n;
    return isLent ? part * halves : (((part * halves * 11n) / 10n) * ONE) / price;
  };
  const numbers = Array.from({ length: 2 * BANDS + 1 }, (_, k) => k - BANDS);
  return { price, x: numbers.map((n) => share(n, true)), y: numbers.map((n) => share(n, false)) };
}

function openingOf(market: Market): Hex {
  const { coins, a, fee, isNewer } = market;
  const bands = bandsOf(market);
  const given = {
    ...{ coins: [coins[0].token, coins[1].token] as const, a, fee, isNewer, adminFee: ONE / 10n },
    // Puts the price in the middle of the active band.
    ...{ ...bands, basePrice: (bands.price * BigInt(2 * a)) / BigInt(2 * a - 1) },
    ...{ activeBand: 0, minBand: -BANDS, maxBand: BANDS, first: -BANDS },
  };
  return encodeFunctionData({ abi, functionName: "open", args: [given] });
}

/** Smallest units of both coins in all bands. */
function heldBy(market: Market): readonly [bigint, bigint] {
  const { x, y } = bandsOf(market);
  const [first, second] = [x, y].map((amounts, k) => {
    const unit = 10n ** BigInt(18 - market.coins[k]!.decimals);
    return amounts.reduce((sum, amount) => sum + amount, 0n) / unit + 1n;
  });
  return [first!, second!];
}

const listed = markets.map(
  ({ address, coins }) => `${address} llamma ${coins.map(({ token }) => token).join(",")}`,
);

const deployment: Deployment = {
  id: "curve-llamma",
  protocol: "curve-llamma",
  name: "Curve_LLAMMA",
  factory: markets[0]!.address,
  fromBlock: 0,
  trusted: true,
  gasPermille: 700,
  facts: { pools: listed.join(";") },
  source: "a model: contracts/devnet/curve/Llamma.sol",
};

/** Two lending markets, one of each generation, with constant oracle prices. */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () =>
    planOfModels({
      helpers: markets.map(({ address }) => ({ address, runtimeCode: marketArtifact.runtimeCode as Hex })),
      grants: markets.flatMap((market) =>
        heldBy(market).map((amount, k) => ({
          ...{ holder: market.address, token: market.coins[k]!.token, amount },
        })),
      ),
      transactions: markets.map((market) => ({
        ...{ to: market.address, data: openingOf(market), gas: 3_000_000 },
      })),
      checks: markets.flatMap((market) =>
        (["bands_x", "bands_y"] as const).map((functionName, k) => ({
          what: `coin ${k} in the active band of ${market.address}`,
          call: { to: market.address, data: encodeFunctionData({ abi, functionName, args: [0n] }) },
          startsWith: toHex((k === 0 ? bandsOf(market).x : bandsOf(market).y)[BANDS]!, { size: 32 }),
        })),
      ),
    }),
};
