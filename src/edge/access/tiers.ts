/** Limits of a key that is given none of its own; 0 = none. */
type Tier = { readonly perMinute: number; readonly perDay: number };

/** Requests without a key have the anonymous tier: RATE_LIMIT_PER_MINUTE for each address, and no quota. */
export const tiers = {
  basic: { perMinute: 600, perDay: 50_000 },
  standard: { perMinute: 6_000, perDay: 1_000_000 },
  partner: { perMinute: 60_000, perDay: 0 },
} as const satisfies Record<string, Tier>;

export type TierName = keyof typeof tiers;

export const isTier = (name: string): name is TierName => Object.hasOwn(tiers, name);
