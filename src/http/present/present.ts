import { type BraidError, failures } from "../../core/errors.ts";
import type { Chain } from "../../core/types.ts";
import type { Deps } from "../../service/deps.ts";
import type { GasLevel, GasLevels, ListedToken, TestWalletPort } from "../../service/ports/ports.ts";
import { tokensOf } from "../../service/pricing/flow.ts";
import type { Offer } from "../../service/pricing/offer.ts";
import { deploymentOf } from "../../service/pricing/route-summary.ts";
import { slugOf, statusFor } from "../status.ts";
import { presentAdvice } from "./present-advice.ts";

/** Converts results of the use cases to API answers: renames fields and formats bigints as decimal text. */

/** @param hasLogo whether the service may have a logo of the token */
export function presentToken(token: ListedToken, hasLogo: boolean) {
  return {
    chainId: token.chainId,
    address: token.address,
    name: token.name,
    symbol: token.symbol,
    decimals: token.decimals,
    logoURI: token.logoUri,
    is_active: token.isActive,
    priority: token.priority,
    is_rfq_mode: token.isRfq,
    is_listed: token.isListed,
    has_logo: hasLogo,
  };
}

export function presentPlatform(
  { id, name, shortname, native, explorer, blockTimeMs }: Chain,
  testWallet: TestWalletPort | undefined,
) {
  const isDevnet = testWallet?.chainId === id;
  return {
    chainId: id,
    name,
    shortname,
    native_symbol: native.symbol,
    gas_unit: native.gasUnit,
    block_time_ms: blockTimeMs,
    ...(explorer === undefined ? {} : { explorer_url: explorer }),
    ...(isDevnet ? { devnet_rpc_url: testWallet.rpcUrl } : {}),
  };
}

/** The fields that price and quote share. @param quoteId id of the stored record; undefined where none is stored */
export function presentOffer(deps: Deps, offer: Offer, quoteId?: string) {
  return {
    amount_out_total: offer.amountOut.toString(),
    estimate_gas_total: offer.gas.toString(),
    token_in: offer.tokenIn.address,
    token_out: offer.tokenOut.address,
    gas_price: offer.gasPriceWei.toString(),
    fee_recipient_amount: offer.buyFee.toString(),
    routes: offer.shares.map(({ type, protocolName, percent, pools }) => ({
      type,
      protocol_name: protocolName,
      percent,
      pools: [...pools],
    })),
    amount_in: offer.amountIn.toString(),
    side: offer.side === "in" ? "SELL" : "BUY",
    min_amount_out: offer.minimumOut.toString(),
    sell_fee_amount: offer.sellFee.toString(),
    ...(offer.priceImpactBps === undefined ? {} : { price_impact_bps: offer.priceImpactBps }),
    block_number: offer.head.number,
    block_hash: offer.head.hash,
    route_graph: presentGraph(deps, offer),
    optimality: presentOptimality(offer),
    search: {
      ...{ complete: offer.search.complete, ms: offer.search.ms },
      waited_ms: Math.round(1_000 * offer.waitedMs) / 1_000,
    },
    ...presentCoverage(deps, offer),
    warnings: [...offer.warnings],
    issues: null,
    ...presentAdvice(offer, quoteId),
    valid_until: offer.head.timestamp + deps.settings.deadlineSeconds,
  };
}

/** The discovery progress; no field once discovery is complete. */
function presentCoverage(deps: Deps, { chain }: Offer) {
  const coverage = deps.chains.get(chain.id)?.discovery?.coverage();
  if (coverage === undefined || coverage.phase === "complete") return {};
  const { tokens, pools, phase } = coverage;
  return { coverage: { tokens, pools, phase, complete: false } };
}

function presentGraph(deps: Deps, { chain, route }: Offer) {
  const addresses = [...new Set([route.tokenIn, ...route.steps.flatMap(tokensOf)])];
  return {
    tokens: addresses.map((address) => {
      const token = deps.tokens.get(chain.id, address);
      return {
        address,
        symbol: token?.symbol ?? "",
        decimals: token?.decimals ?? 0,
        is_listed: token?.isListed ?? false,
      };
    }),
    steps: route.steps.map((step) => {
      const [sold, bought] = tokensOf(step);
      const { id, name } = deploymentOf(chain, step.pool);
      return {
        pool: step.pool.id,
        protocol: name,
        deployment: id,
        token_in: sold,
        token_out: bought,
        amount_in: step.amountIn.toString(),
        amount_out: step.amountOut.toString(),
        share_q32: step.shareQ32,
      };
    }),
  };
}

function presentOptimality({ optimality, side }: Offer) {
  if (optimality.upperBound === null) return { ...UNPROVEN, reason: optimality.reason };
  const { lowerBound, gasPriceWei, marketArbitrageWei } = optimality;
  return {
    upper_bound: optimality.upperBound.toString(),
    gap_bps: optimality.gapBps,
    upper_bound_net: optimality.upperBoundNet.toString(),
    gap_net_bps: optimality.gapNetBps,
    gap_legs: optimality.gapLegs,
    gas_price: gasPriceWei?.toString() ?? null,
    max_legs: optimality.maxLegs,
    market_arbitrage: marketArbitrageWei?.toString() ?? null,
    ...(side === "out" ? { lower_bound: lowerBound?.toString() ?? null } : {}),
    reason: optimality.reason ?? null,
  };
}

const UNPROVEN = {
  upper_bound: null,
  gap_bps: null,
  upper_bound_net: null,
  gap_net_bps: null,
  gap_legs: null,
  gas_price: null,
  max_legs: null,
  market_arbitrage: null,
} as const;

/** A failure inside a 200 answer: an error body without the fields about the HTTP request. */
export function presentFailure(failure: BraidError) {
  const { number, title } = failures[failure.reason];
  return {
    error: failure.message,
    message: failure.message,
    code: number,
    reason: failure.reason,
    details: [...failure.details],
    type: `/errors/${slugOf(failure.reason)}`,
    title,
    status: statusFor(failure),
  };
}

const GWEI_DIGITS = 9;

/** Wei as plain decimal GWEI, exact: 14257000000n → "14.257". */
export function gwei(amountWei: bigint): string {
  const digits = amountWei.toString().padStart(GWEI_DIGITS + 1, "0");
  const whole = digits.slice(0, -GWEI_DIGITS);
  const fraction = digits.slice(-GWEI_DIGITS).replace(/0+$/, "");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

function presentLevel(level: GasLevel) {
  return {
    price: gwei(level.priceWei),
    maxPriorityFeePerGas: gwei(level.maxPriorityFeePerGasWei),
    maxFeePerGas: gwei(level.maxFeePerGasWei),
  };
}

export function presentGasPrices({ baseFeeWei, low, medium, high }: GasLevels) {
  return {
    baseFee: gwei(baseFeeWei),
    low: gwei(low.priceWei),
    medium: gwei(medium.priceWei),
    high: gwei(high.priceWei),
    lowInfo: presentLevel(low),
    mediumInfo: presentLevel(medium),
    highInfo: presentLevel(high),
  };
}
