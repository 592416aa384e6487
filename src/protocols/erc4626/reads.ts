import { addressAt, callData, hasWords, uintAt } from "../../core/abi.ts";
import type { At, Call, Hex, Pool, Refusal } from "../../core/types.ts";
import { type Price, RAY, type State } from "./state.ts";

const ASSET: Hex = "0x38d52e0f";
const TOTAL_ASSETS: Hex = "0x01e1d114";
const TOTAL_SUPPLY: Hex = "0x18160ddd";
const MAX_DEPOSIT: Hex = "0x402d267d";
const PREVIEW_DEPOSIT: Hex = "0xef8b30f7";
const PREVIEW_REDEEM: Hex = "0x4cdad506";
const CHI: Hex = "0xc92aecc4";
const RHO: Hex = "0x20aba08b";
/** ssr() of the vault itself, dsr() of a pot. */
const SSR: Hex = "0x03607ceb";
const DSR: Hex = "0x487bf082";

/**
 * Odd amounts of several magnitudes: what rounds otherwise, or takes a fee, answers one of them otherwise. The last is
 * greater than any vault: one virtual unit moves an amount of the vault's own size by a hundredth of a unit, which floors
 * hide forty-nine times in fifty, but this one by many.
 */
const PROBES = [
  1_000_003n,
  1_000_000_000_000_000_007n,
  123_456_789_012_345_678_901_234_567n,
  2n ** 127n - 1n,
] as const;

/** Shares that OpenZeppelin's formula may add for one virtual unit of the asset: 10^offset. */
const MOST_OFFSET = 18;

/** Most growth a second that is believed: about 1,000 % a year, so that no rate makes the power explode. */
const MAX_RATE = RAY + RAY / 13_000_000n;

export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  if (answers.length > 0) return [];
  const to = pool.address;
  const asset: Call = { to, data: ASSET };
  if (pool.facts.kind === "savings") {
    const pot = typeof pool.facts.pot === "string" ? (pool.facts.pot as Hex) : undefined;
    const from = pot ?? to;
    const rate = pot === undefined ? SSR : DSR;
    return [asset, ...[CHI, RHO, rate].map((data) => ({ to: from, data }))];
  }
  return [
    asset,
    { to, data: TOTAL_ASSETS },
    { to, data: TOTAL_SUPPLY },
    { to, data: callData(MAX_DEPOSIT, 0n) },
    ...PROBES.map((amount) => ({ to, data: callData(PREVIEW_DEPOSIT, amount) })),
    ...PROBES.map((amount) => ({ to, data: callData(PREVIEW_REDEEM, amount) })),
  ];
}

export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  if (!answers.every((answer) => hasWords(answer, 1))) return { refusal: "a read of the vault failed" };
  if (addressAt(answers[0]!, 0) !== pool.tokens[0]) return { refusal: "asset() is not the asset on record" };
  const [first, second, third] = answers.slice(1).map((answer) => uintAt(answer, 0));
  const readFor = at.blockNumber;
  if (pool.facts.kind === "savings") {
    const rho = Number(second);
    if (first === 0n || third! < RAY || third! > MAX_RATE || rho > at.timestamp)
      return { refusal: "a savings rate that cannot be" };
    return { kind: "savings", chi: first!, rate: third!, rho, readFor };
  }
  const price = priceOf(first!, second!, answers.slice(4));
  if (price === undefined) return { refusal: "previews follow no formula that is known, or more than one" };
  return { kind: "shares", ...price, room: third!, readFor };
}

/**
 * The formula that gives every preview to the unit; undefined where none does, as with fees or an empty vault, and where
 * two do that would part at other amounts.
 */
function priceOf(assets: bigint, shares: bigint, previews: readonly Hex[]): Price | undefined {
  const plain: Price = { assets, shares };
  const virtual = Array.from({ length: MOST_OFFSET + 1 }, (_, offset) => ({
    assets: assets + 1n,
    shares: shares + 10n ** BigInt(offset),
  }));
  const answers = previews.map((preview) => uintAt(preview, 0));
  const gives = (price: Price) =>
    price.assets > 0n &&
    price.shares > 0n &&
    PROBES.every(
      (amount, k) =>
        answers[k] === (amount * price.shares) / price.assets &&
        answers[PROBES.length + k] === (amount * price.assets) / price.shares,
    );
  const [found, ...others] = [plain, ...virtual].filter(gives);
  const isAlike = (other: Price) => other.assets * found!.shares === found!.assets * other.shares;
  return others.every(isAlike) ? found : undefined;
}
