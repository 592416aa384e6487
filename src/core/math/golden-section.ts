/** An argument and the value of the function there. */
export type Placed<T> = { readonly place: number; readonly found: T };

/** The interval to search, and the number of function evaluations, ≥ 2. */
export type Searched = { readonly from: number; readonly to: number; readonly places: number };

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * Minimises costOf(at(p)) over p in [from, to], for a cost that falls up to one argument and rises from there, by
 * golden-section search. Each evaluation shrinks the bracket to 0.62 of its length. If both inner points cost the
 * same, e.g. both Infinity, the search goes on with the larger arguments.
 *
 * @param at evaluated `places` times in all, once per argument
 * @param costOf the cost of a function value
 * @returns the cheapest of all arguments evaluated
 */
export function goldenSection<T>(
  at: (place: number) => T,
  costOf: (found: T) => number,
  { from, to, places }: Searched,
): Placed<T> {
  const asked = (place: number) => {
    const found = at(place);
    return { place, found, value: costOf(found) };
  };
  let low = from;
  let high = to;
  let a = asked(high - GOLDEN * (high - low));
  let b = asked(low + GOLDEN * (high - low));
  let best = a.value < b.value ? a : b;
  for (let k = 2; k < places; k++) {
    if (a.value < b.value) {
      [high, b] = [b.place, a];
      a = asked(high - GOLDEN * (high - low));
      if (a.value < best.value) best = a;
    } else {
      [low, a] = [a.place, b];
      b = asked(low + GOLDEN * (high - low));
      if (b.value < best.value) best = b;
    }
  }
  return best;
}
