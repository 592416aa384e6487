import { addressAt, callData, hasWords, uintAt } from "../../core/abi.ts";
import { isSavingsRate } from "../../core/math/ray.ts";
import type { At, Call, Hex, Pool, Refusal } from "../../core/types.ts";
import { previewCalls, priceOf, pricesOfTotals } from "../shared/share-price.ts";
import type { State } from "./state.ts";

const ASSET: Hex = "0x38d52e0f";
const TOTAL_ASSETS: Hex = "0x01e1d114";
const TOTAL_SUPPLY: Hex = "0x18160ddd";
const MAX_DEPOSIT: Hex = "0x402d267d";
const CHI: Hex = "0xc92aecc4";
const RHO: Hex = "0x20aba08b";
/** ssr() of the vault, or dsr() of a pot */
const SSR: Hex = "0x03607ceb";
const DSR: Hex = "0x487bf082";

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
    ...previewCalls(to),
  ];
}

export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  if (!answers.every((answer) => hasWords(answer, 1))) return { refusal: "a read of the vault failed" };
  if (addressAt(answers[0]!, 0) !== pool.tokens[0]) return { refusal: "asset() is not the asset on record" };
  const [first, second, third] = answers.slice(1).map((answer) => uintAt(answer, 0));
  const readFor = at.blockNumber;
  if (pool.facts.kind === "savings") {
    const rho = Number(second);
    if (first === 0n || !isSavingsRate(third!) || rho > at.timestamp)
      return { refusal: "a savings rate that cannot be" };
    return { kind: "savings", chi: first!, rate: third!, rho, readFor };
  }
  const price = priceOf(pricesOfTotals(first!, second!), answers.slice(4));
  if (price === undefined) return { refusal: "previews follow no formula that is known, or more than one" };
  return { kind: "shares", ...price, room: third!, readFor };
}
