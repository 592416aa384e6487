/** A small made-up market for the page's states that a live one does not show on demand. Amounts only need to add up. */

export type FixtureToken = {
  readonly chainId: number;
  readonly address: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly logoURI: string;
  readonly is_active: boolean;
  readonly priority: number;
  readonly is_rfq_mode: boolean;
  readonly is_listed: boolean;
  readonly has_logo: boolean;
};

const CHAIN = 31337;

/** Symbol of a token whose logo the prepared service looks for and does not find. */
export const LOGOLESS = "TKN149";

function token(address: string, symbol: string, name: string, decimals: number): FixtureToken {
  return {
    chainId: CHAIN,
    address,
    name,
    symbol,
    decimals,
    // The page must never load it: the tests fail on any request to another origin.
    logoURI: "https://logos.invalid/token.png",
    is_active: true,
    priority: 2,
    is_rfq_mode: false,
    is_listed: true,
    // Of the tokens that say so, the prepared service has the picture of all but one.
    has_logo: ["ETH", "USDC", LOGOLESS].includes(symbol),
  };
}

export const ETH = {
  ...token("0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "ETH", "Ether", 18),
  priority: 1,
};
export const WETH = token("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", "WETH", "Wrapped Ether", 18);
export const USDC = token("0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", "USDC", "USD Coin", 6);
export const USDT = token("0xdac17f958d2ee523a2206206994597c13d831ec7", "USDT", "Tether USD", 6);
export const DAI = token("0x6b175474e89094c44da98b954eedeac495271d0f", "DAI", "Dai Stablecoin", 18);
export const WBTC = token("0x2260fac5e5542a773aa44fbcfedf7c193bc2c599", "WBTC", "Wrapped BTC", 8);
export const UNI = token("0x1f9840a85d5af5bf1d1762f925bdaddc4201f984", "UNI", "Uniswap", 18);
export const RARE = {
  ...token("0x00000000000000000000000000000000000000aa", "RARE", "Rarely Traded", 18),
  is_active: false,
};
export const HOSTILE = token(
  "0x00000000000000000000000000000000000000bb",
  `"><img src=x onerror=alert(1)>${"W".repeat(180)}`,
  `\u202Eevil ${"name ".repeat(60)}`,
  18,
);

const filler = Array.from({ length: 150 }, (_, k) =>
  token(`0x${(0x1000 + k).toString(16).padStart(40, "0")}`, `TKN${k}`, `Filler Token ${k}`, 18),
);
export const TOKENS: readonly FixtureToken[] = [
  ETH,
  WETH,
  USDC,
  USDT,
  DAI,
  WBTC,
  UNI,
  HOSTILE,
  ...filler,
  RARE,
];

/** Whole dollars in hundredths. */
const CENTS = new Map([
  [ETH, 351_208n],
  [WETH, 351_208n],
  [USDC, 100n],
  [USDT, 100n],
  [DAI, 100n],
  [WBTC, 6_410_000n],
  [UNI, 740n],
  [HOSTILE, 10n],
]);

/** A crossing: from, to, source, tenths of what is left of the token sold; 10 = all. */
type Plan = readonly (readonly [FixtureToken, FixtureToken, string, number])[];

const V2 = "Uniswap_V2";
const V3 = "Uniswap_V3";
const SUSHI = "SushiSwap_V2";
const WRAP = "WETH";

const BRAIDED: Plan = [
  [ETH, WETH, WRAP, 10],
  [WETH, USDC, V3, 5],
  [WETH, WBTC, V2, 3],
  [WETH, USDT, SUSHI, 6],
  [WETH, USDC, V2, 10],
  [WBTC, USDC, V3, 10],
  [USDT, DAI, V2, 3],
  [USDT, USDC, V3, 10],
  [DAI, USDC, SUSHI, 10],
];
const CHAIN_OF_FOUR: Plan = [
  [WBTC, WETH, V3, 10],
  [WETH, USDT, SUSHI, 10],
  [USDT, DAI, V2, 10],
  [DAI, UNI, V3, 10],
];
const SOURCES = [V2, V3, SUSHI, "Curve", "Balancer_V2", "DODO_V2", "PancakeSwap_V3", "Maverick"];
const TWENTY: Plan = Array.from(
  { length: 20 },
  (_, k) => [WETH, DAI, SOURCES[k % SOURCES.length]!, k === 19 ? 10 : k === 0 ? 4 : 1] as const,
);

export type PlannedRoute = { readonly plan: Plan; readonly impactBps: number };

/** The route between two tokens; undefined where nothing joins them. */
export function planFor(from: FixtureToken, to: FixtureToken): PlannedRoute | undefined {
  if (!CENTS.has(from) || !CENTS.has(to)) return undefined;
  if (from === ETH && to === USDC) return { plan: BRAIDED, impactBps: 37 };
  if (from === WBTC && to === UNI) return { plan: CHAIN_OF_FOUR, impactBps: 640 };
  if (from === UNI && to === WBTC) return { plan: [[from, to, V2, 10]], impactBps: 4_100 };
  if (from === WETH && to === DAI) return { plan: TWENTY, impactBps: 180 };
  return { plan: [[from, to, V2, 10]], impactBps: 4 };
}

/** Runs a plan over token registers, at the fixed prices less 0.3 % a crossing. */
export function run(plan: Plan, amount: bigint) {
  const held = new Map([[plan[0]![0], amount]]);
  return plan.map(([from, to, source, tenths]) => {
    const amountIn = ((held.get(from) ?? 0n) * BigInt(tenths)) / 10n;
    const amountOut = source === WRAP ? amountIn : convert(from, to, amountIn);
    held.set(from, (held.get(from) ?? 0n) - amountIn);
    held.set(to, (held.get(to) ?? 0n) + amountOut);
    return { from, to, source, amountIn, amountOut };
  });
}

/** What a route pays in all. */
export function paidIn(steps: ReturnType<typeof run>, to: FixtureToken): bigint {
  return steps.reduce((sum, step) => (step.to === to ? sum + step.amountOut : sum), 0n);
}

function convert(from: FixtureToken, to: FixtureToken, amount: bigint): bigint {
  const cents = amount * CENTS.get(from)! * 10n ** BigInt(to.decimals) * 997n;
  return cents / (CENTS.get(to)! * 10n ** BigInt(from.decimals) * 1000n);
}
