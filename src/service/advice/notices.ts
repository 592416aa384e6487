import type { Address } from "../../core/types.ts";
import type { ListedToken } from "../ports/ports.ts";
import type { BareOffer } from "../pricing/offer.ts";
import type { Notice, Severity } from "./types.ts";

const HIGH_IMPACT_BPS = 500;
const CRITICAL_IMPACT_BPS = 1_500;
const HIGH_SLIPPAGE_PPM = 50_000;
const CRITICAL_SLIPPAGE_PPM = 150_000;

export type NoticeFacts = {
  readonly slippagePpm: number;
  readonly suggestedSlippagePpm: number;
  /** Unvetted tokens that the route crosses between the token sold and the token bought. */
  readonly unvetted: readonly Address[];
  /** Names that the request gives as sources, and that are none of the chain. */
  readonly unknownSources: readonly string[];
  /** Milliseconds since the head was last confirmed, and the age from which its state is refused. */
  readonly ageMs: number;
  readonly limitMs: number;
  /** Milliseconds since the newest block came. */
  readonly headAgeMs: number;
  readonly blockTimeMs: number;
};

/** The notices of an offer, the most severe first. */
export function noticesOf(offer: BareOffer, facts: NoticeFacts): Notice[] {
  const found = [
    impactNotice(offer.priceImpactBps),
    slippageNotice(facts),
    unlistedNotice(offer.tokenIn, "token_in"),
    unlistedNotice(offer.tokenOut, "token_out"),
    unvettedNotice(facts),
    unknownNotice(facts),
    unprovenNotice(offer.optimality),
    staleNotice(facts),
    standstillNotice(facts),
  ].filter((notice) => notice !== undefined);
  return gravestFirst(found);
}

/** A copy sorted by severity, the most severe first; the sort is stable. */
export function gravestFirst(notices: readonly Notice[]): Notice[] {
  return [...notices].sort((a, b) => GRAVITY[a.severity] - GRAVITY[b.severity]);
}

const GRAVITY: Readonly<Record<Severity, number>> = { critical: 0, warning: 1, info: 2 };

function impactNotice(bps: number | undefined): Notice | undefined {
  if (bps === undefined || bps < HIGH_IMPACT_BPS) return undefined;
  return {
    code: "HIGH_PRICE_IMPACT",
    severity: bps >= CRITICAL_IMPACT_BPS ? "critical" : "warning",
    message: `This amount gets ${bps / 100} % less than a small one would.`,
    details: { price_impact_bps: bps },
  };
}

const percent = (ppm: number): number => ppm / 10_000;

function slippageNotice({ slippagePpm, suggestedSlippagePpm }: NoticeFacts): Notice | undefined {
  const details = { slippage: slippagePpm / 1_000, suggested_slippage: suggestedSlippagePpm / 1_000 };
  if (slippagePpm >= HIGH_SLIPPAGE_PPM) {
    return {
      code: "HIGH_SLIPPAGE",
      severity: slippagePpm >= CRITICAL_SLIPPAGE_PPM ? "critical" : "warning",
      message: `This allows a loss of ${percent(slippagePpm)} %; ${percent(suggestedSlippagePpm)} % is suggested.`,
      details,
    };
  }
  if (2 * slippagePpm >= suggestedSlippagePpm) return undefined;
  return {
    code: "LOW_SLIPPAGE",
    severity: "info",
    message: `The swap may revert: ${percent(slippagePpm)} % is allowed, ${percent(suggestedSlippagePpm)} % is suggested.`,
    details,
  };
}

function unlistedNotice(
  { address, symbol, isListed }: ListedToken,
  field: "token_in" | "token_out",
): Notice | undefined {
  if (isListed) return undefined;
  return {
    code: "UNLISTED_TOKEN",
    severity: "warning",
    message: `No public list names the token ${symbol} (${address}); anyone can choose a token's name.`,
    details: { field, token: address },
  };
}

function unvettedNotice({ unvetted }: NoticeFacts): Notice | undefined {
  if (unvetted.length === 0) return undefined;
  const tokens = unvetted.length === 1 ? "the token" : "the tokens";
  return {
    code: "UNVETTED_TOKEN",
    severity: "warning",
    message: `The route crosses ${tokens} ${unvetted.join(", ")}, whose code is not vetted: it may make the swap pay only the minimum, or revert.`,
    details: { tokens: unvetted.join(",") },
  };
}

/** Names longer than this in sum are not repeated whole: they are the caller's. */
const MOST_NAMED = 200;

function unknownNotice({ unknownSources }: NoticeFacts): Notice | undefined {
  if (unknownSources.length === 0) return undefined;
  const names = unknownSources.join(", ").slice(0, MOST_NAMED);
  return {
    code: "UNKNOWN_SOURCE",
    severity: "warning",
    message: `No source of this chain is called ${names}: the name was ignored.`,
    details: { names },
  };
}

function unprovenNotice(optimality: BareOffer["optimality"]): Notice | undefined {
  if (optimality.upperBound !== null) return undefined;
  return {
    code: "UNPROVEN_OPTIMUM",
    severity: "info",
    message: `Nothing proves how close this route is to the best: ${optimality.reason}.`,
    details: { reason: optimality.reason },
  };
}

function staleNotice({ ageMs, limitMs }: NoticeFacts): Notice | undefined {
  if (2 * ageMs < limitMs) return undefined;
  return {
    code: "STALE_SOON",
    severity: "warning",
    message: `The newest block was last confirmed ${Math.round(ageMs / 1_000)} s ago; after ${limitMs / 1_000} s nothing is priced.`,
    details: { age_ms: Math.round(ageMs), limit_ms: limitMs },
  };
}

/** A chain may skip some blocks: so many block times without one, and at least STANDSTILL_MS, are a standstill. */
const STANDSTILL_BLOCKS = 10;
const STANDSTILL_MS = 60_000;

function standstillNotice({ headAgeMs, blockTimeMs }: NoticeFacts): Notice | undefined {
  if (headAgeMs < Math.max(STANDSTILL_MS, STANDSTILL_BLOCKS * blockTimeMs)) return undefined;
  return {
    code: "NO_NEW_BLOCK",
    severity: "warning",
    message: `The nodes have had no new block for ${Math.round(headAgeMs / 1_000)} s: they or the chain stand still, and this price may be as old.`,
    details: { head_age_ms: Math.round(headAgeMs) },
  };
}
