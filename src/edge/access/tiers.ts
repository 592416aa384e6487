/** Limits, in requests, of a key without limits of its own; 0 = no limit. */
type Tier = { readonly perMinute: number; readonly perDay: number };

/**
 * Tiers of keys. Requests without a key are limited by RATE_LIMIT_PER_MINUTE for each IP address, without a daily
 * quota.
 */
export const tiers = {
  basic: { perMinute: 600, perDay: 50_000 },
  standard: { perMinute: 6_000, perDay: 1_000_000 },
  partner: { perMinute: 60_000, perDay: 0 },
} as const satisfies Record<string, Tier>;

export type TierName = keyof typeof tiers;

export const isTier = (name: string): name is TierName => Object.hasOwn(tiers, name);
