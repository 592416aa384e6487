import { ROUTER_ADDRESS } from "../../src/core/encoding/index.ts";
import { type Address, type Chain, type Deployment, NATIVE, type Pool } from "../../src/core/types.ts";
import type { ListedToken } from "../../src/service/ports/ports.ts";
import { listOrder } from "../../src/service/tokens.ts";

/** The market of the tests' world: its tokens, pools and chain. */

const E18 = 10n ** 18n;
const E6 = 10n ** 6n;
export const hex = (n: number): Address => `0x${n.toString(16).padStart(40, "0")}`;

export const WETH: Address = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
export const USDC: Address = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
export const USDT: Address = "0xdac17f958d2ee523a2206206994597c13d831ec7";
export const DAI: Address = "0x6b175474e89094c44da98b954eedeac495271d0f";
/** Listed and rarely used; no pool holds it. */
export const DUST: Address = hex(0xd057);
/** Listed with a pool of its own that nothing joins to the rest. */
export const LONELY: Address = hex(0x1023);
export const LONELY_TWIN: Address = hex(0x1024);
export const ALICE: Address = hex(0xa11ce);
export const BOB: Address = hex(0xb0b);
export const FEES: Address = hex(0xfee5);
export const ROUTER = ROUTER_ADDRESS;

function deployment(id: string, protocol: string, name: string): Deployment {
  return { id, protocol, name, factory: WETH, fromBlock: 0, trusted: true, facts: {}, source: "test" };
}

export const ethereum: Chain = {
  id: 1,
  name: "Ethereum",
  shortname: "eth",
  native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: WETH,
  multicall: hex(0xca11),
  blockTimeMs: 12_000,
  dollarTokens: [USDC, USDT, DAI],
  deployments: [
    deployment("wrapped-native", "wrapped-native", "WETH"),
    deployment("uniswap-v2", "uniswap-v2", "Uniswap_V2"),
    deployment("sushiswap", "uniswap-v2", "SushiSwap"),
  ],
};

const pair = (n: number, owner: string, a: Address, b: Address): Pool => ({
  id: hex(n),
  address: hex(n),
  protocol: "uniswap-v2",
  deployment: owner,
  tokens: a < b ? [a, b] : [b, a],
  stateIds: [hex(n)],
  facts: { feePpm: 3000 },
});

export type Funded = { readonly pool: Pool; readonly reserves: ReadonlyMap<Address, bigint> };
const funded = (pool: Pool, ...entries: [Address, bigint][]): Funded => ({
  pool,
  reserves: new Map(entries),
});

export const UNI_WETH_USDC = hex(0x501);
export const SUSHI_WETH_USDC = hex(0x502);

export const pairs: readonly Funded[] = [
  funded(pair(0x501, "uniswap-v2", WETH, USDC), [WETH, 10_000n * E18], [USDC, 20_000_000n * E6]),
  funded(pair(0x502, "sushiswap", WETH, USDC), [WETH, 5_000n * E18], [USDC, 10_000_000n * E6]),
  funded(pair(0x503, "uniswap-v2", USDC, DAI), [USDC, 5_000_000n * E6], [DAI, 5_000_000n * E18]),
  funded(pair(0x504, "sushiswap", WETH, USDT), [WETH, 2_000n * E18], [USDT, 4_000_000n * E6]),
  funded(pair(0x505, "uniswap-v2", LONELY, LONELY_TWIN), [LONELY, 1_000n * E18], [LONELY_TWIN, 1_000n * E18]),
];

function token(
  address: Address,
  symbol: string,
  decimals: number,
  more: Partial<ListedToken> = {},
): ListedToken {
  return {
    chainId: 1,
    address,
    name: `${symbol} token`,
    symbol,
    decimals,
    logoUri: "",
    isActive: true,
    priority: 3,
    isRfq: false,
    isListed: true,
    ...more,
  };
}

export const listed: readonly ListedToken[] = [
  token(NATIVE, "ETH", 18, { name: "Ether", priority: 1 }),
  token(WETH, "WETH", 18, { name: "Wrapped Ether", priority: 2 }),
  token(USDC, "USDC", 6, { name: "USD Coin" }),
  token(USDT, "USDT", 6, { name: "Tether USD" }),
  token(DAI, "DAI", 18, { name: "Dai Stablecoin" }),
  token(LONELY, "LONE", 18, { priority: 9, isListed: false }),
  token(LONELY_TWIN, "LTWIN", 18, { priority: 9 }),
  token(DUST, "DUST", 18, { isActive: false, priority: 50 }),
  token(USDC, "USDC", 6, { chainId: 10, name: "USD Coin" }),
].sort(listOrder);
