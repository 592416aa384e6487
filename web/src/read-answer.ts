import type { Offer, Platform, Token } from "./api.ts";

type Check = (value: unknown) => boolean;

const isAmount: Check = (value) => typeof value === "string" && /^\d{1,100}$/.test(value);
const isInteger: Check = (value) => typeof value === "string" && /^-?\d{1,100}$/.test(value);
const isDecimal: Check = (value) => typeof value === "string" && /^\d{1,100}(\.\d{1,100})?$/.test(value);
const isNumber: Check = (value) => typeof value === "number" && Number.isFinite(value);
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isDecimals: Check = (value) => isCount(value) && (value as number) <= 255;
const isText: Check = (value) => typeof value === "string";
const orNull = (check: Check) => (value: unknown) => value === null || check(value);
const orAbsent = (check: Check) => (value: unknown) => value === undefined || check(value);

/** Whether a value is an object whose fields all pass their checks. */
const hasFields = (checks: Readonly<Record<string, Check>>) => (value: unknown) =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(checks).every(([name, check]) => check((value as Record<string, unknown>)[name]));
const isList = (check: Check) => (value: unknown) => Array.isArray(value) && value.every(check);

/** The fields without which there is no offer. */
const isOffer = hasFields({
  amount_out_total: isAmount,
  estimate_gas_total: isAmount,
  gas_price: isAmount,
  token_in: isText,
  token_out: isText,
  routes: isList(hasFields({ type: isText, protocol_name: isText, percent: isNumber })),
});

const isStep = hasFields({
  pool: isText,
  protocol: isText,
  deployment: isText,
  token_in: isText,
  token_out: isText,
  amount_in: isAmount,
  amount_out: isAmount,
});
const isNamedToken = hasFields({ address: isText, symbol: orAbsent(isText), decimals: orAbsent(isDecimals) });

/** The fields that not every service sends. */
const OPTIONAL: Readonly<Record<string, Check>> = {
  amount_in: isAmount,
  min_amount_out: isAmount,
  fee_recipient_amount: isAmount,
  sell_fee_amount: isAmount,
  block_number: (value) => isCount(value) || isAmount(value),
  price_impact_bps: orNull(isNumber),
  amount_in_usd: orNull(isDecimal),
  amount_out_usd: orNull(isDecimal),
  min_amount_out_usd: orNull(isDecimal),
  gas_usd: orNull(isDecimal),
  net_out: orNull(isInteger),
  suggested_slippage: isNumber,
  warnings: Array.isArray,
  route_graph: hasFields({ tokens: isList(isNamedToken), steps: isList(isStep) }),
  optimality: hasFields({ reason: orAbsent(orNull(isText)) }),
};

/**
 * The offer in an answer. A proxy, or a service of another version, may answer anything: optional fields that are not
 * as the API says are left out.
 *
 * @returns undefined where a required field is not as the API says
 */
export function readOffer(answer: unknown): Offer | undefined {
  return isOffer(answer) ? fitting(answer as Offer, OPTIONAL) : undefined;
}

/** The value without the optional fields that fail their checks. */
function fitting<T extends object>(value: T, checks: Readonly<Record<string, Check>>): T {
  const fields = Object.entries(value);
  return Object.fromEntries(fields.filter(([name, each]) => checks[name]?.(each) ?? true)) as T;
}

const isToken = hasFields({
  chainId: isCount,
  address: (value) => isText(value) && /^0x[0-9a-f]{40}$/i.test(value as string),
  name: isText,
  symbol: isText,
  decimals: isDecimals,
});
const isPlatform = hasFields({ chainId: isCount, name: isText });
/** The fields of a chain that not every service sends. */
const OPTIONAL_OF_PLATFORM: Readonly<Record<string, Check>> = {
  gas_unit: isText,
  native_symbol: isText,
  block_time_ms: isNumber,
  explorer_url: isText,
  devnet_rpc_url: isText,
};

/** The tokens of an answer that the page can show, with their addresses in lower case. */
export function tokensIn(answer: unknown): readonly Token[] {
  const { tokens } = Object(answer) as { tokens?: unknown };
  const found = (Array.isArray(tokens) ? tokens.filter(isToken) : []) as Token[];
  return found.map((token) => ({ ...token, address: token.address.toLowerCase() }));
}

/** The chains of an answer that can be chosen. */
export function platformsIn(answer: unknown): readonly Platform[] {
  const { platforms } = Object(answer) as { platforms?: unknown };
  const found = (Array.isArray(platforms) ? platforms.filter(isPlatform) : []) as Platform[];
  return found.map((platform) => fitting(platform, OPTIONAL_OF_PLATFORM));
}
