import type { Hex } from "viem";
import { encodeFunctionData, parseAbi, toHex } from "viem/utils";
import oracleArtifact from "../../../contracts/devnet/out/WooOracle.json" with { type: "json" };
import poolArtifact from "../../../contracts/devnet/out/WooPool.json" with { type: "json" };
import type { Address, Deployment } from "../../core/types.ts";
import { USDC, WBTC, WETH } from "../../devnet/plan/addresses.ts";
import { reference, worth } from "../../devnet/plan/market.ts";
import { type DevnetProtocol, planOfModels } from "../../devnet/plan/plan.ts";

const POOL: Address = "0x00000000000000000000000000000000f00f0001";
const ORACLE: Address = "0x00000000000000000000000000000000f00f0002";

const abi = parseAbi([
  "struct TokenInfo { uint192 reserve; uint16 feeRate; uint128 maxGamma; uint128 maxNotionalSwap; }",
  "struct Listing { uint128 price; uint64 spread; uint64 coeff; uint8 decimals; }",
  "function open(address oracle, address[] tokens, TokenInfo[] infos)",
  "function open(address pool, uint256 staleSeconds, address[] bases, Listing[] listings)",
  "function tokenInfos(address token) view returns (uint192 reserve, uint16 feeRate, uint128 maxGamma, uint128 maxNotionalSwap)",
]);

/** Tokens, the quote token first; reserves in smallest units. */
const tokens: readonly { readonly token: Address; readonly unit: bigint; readonly reserve: bigint }[] = [
  { token: USDC, unit: 10n ** 6n, reserve: reference(USDC).amount / 10n },
  { token: WETH, unit: 10n ** 18n, reserve: reference(USDC).weth / 10n },
  { token: WBTC, unit: 10n ** 8n, reserve: reference(WBTC).amount / 10n },
];

const PRICE_DECIMALS = 8;
/** Nobody posts prices on the devnet: they stay valid until trades move them. */
const STALE_SECONDS = 315_360_000n;
/** A spread of 0.05 %, and 1.55e-9 more per dollar. */
const TERMS = { spread: 5n * 10n ** 14n, coeff: 1_550_000_000n, decimals: PRICE_DECIMALS };

const deployment: Deployment = {
  id: "woofi",
  protocol: "woofi",
  name: "WOOFi_V2",
  factory: POOL,
  fromBlock: 0,
  trusted: true,
  gasPermille: 690,
  facts: { version: "v2.1", tokens: tokens.map(({ token }) => token).join(",") },
  source: "a model: contracts/devnet/woofi/WooPool.sol and WooOracle.sol",
};

function openPool(): Hex {
  const infos = tokens.map((_, k) => ({
    reserve: 0n,
    feeRate: k === 0 ? 0 : 25,
    maxGamma: 3n * 10n ** 15n,
    maxNotionalSwap: 10n ** 12n,
  }));
  return encodeFunctionData({
    abi,
    functionName: "open",
    args: [ORACLE, tokens.map(({ token }) => token), infos],
  });
}

function openOracle(): Hex {
  const bases = tokens.slice(1);
  const listings = bases.map(({ token, unit }) => ({
    ...TERMS,
    price: worth(unit * 10n ** BigInt(PRICE_DECIMALS), token, USDC) / tokens[0]!.unit,
  }));
  const args = [POOL, STALE_SECONDS, bases.map(({ token }) => token), listings] as const;
  return encodeFunctionData({ abi, functionName: "open", args });
}

/** One pool of three tokens at its own oracle's prices. */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () =>
    planOfModels({
      helpers: [
        { address: POOL, runtimeCode: poolArtifact.runtimeCode as Hex },
        { address: ORACLE, runtimeCode: oracleArtifact.runtimeCode as Hex },
      ],
      grants: tokens.map(({ token, reserve }) => ({ holder: POOL, token, amount: reserve })),
      transactions: [
        { to: ORACLE, data: openOracle(), gas: 1_000_000 },
        { to: POOL, data: openPool(), gas: 1_000_000 },
      ],
      checks: tokens.map(({ token, reserve }) => ({
        what: `reserve of ${token} in the WOOFi pool`,
        call: { to: POOL, data: encodeFunctionData({ abi, functionName: "tokenInfos", args: [token] }) },
        startsWith: toHex(reserve, { size: 32 }),
      })),
    }),
};
