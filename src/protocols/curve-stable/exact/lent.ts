import type { Holdings, State } from "../state.ts";

const ONE = 10n ** 18n;

/** Worth of a unit of a cToken in its underlying coin, 18 digits, rounded down; 0 if there is no unit. */
export function worthOf({ assets, shares }: Holdings): bigint {
  return shares === 0n ? 0n : (assets * ONE) / shares;
}

/** A change of a cToken's holdings by a deposit, or a withdrawal with both numbers negative. */
type Move = { readonly coin: number; readonly assets: bigint; readonly shares: bigint };

/** The state with the holdings of a cToken changed, and with the worth and the rate that follow; the same of other coins. */
export function lentMore(state: State, { coin, assets, shares }: Move): State {
  const { lent, worth, rates } = state;
  if (lent === undefined || worth === null) return state;
  const held = lent.holdings[coin]!;
  const holdings = { assets: held.assets + assets, shares: held.shares + shares };
  const now = worthOf(holdings);
  // A pool that held every unit and redeems them leaves no rate: the last one stays.
  if (now === 0n) return state;
  return {
    ...state,
    lent: { ...lent, holdings: lent.holdings.with(coin, holdings) },
    worth: worth.with(coin, now),
    rates: rates.with(coin, (rates[coin]! / worth[coin]!) * now),
  };
}
