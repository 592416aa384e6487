/** What a function was found to be at a place. */
export type Placed<T> = { readonly place: number; readonly found: T };

/** Where a search looks, and how many places it asks. */
export type Searched = { readonly from: number; readonly to: number; readonly places: number };

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * The least of a function that falls to one place and rises from there, by golden section: each place that is asked narrows what is left
 * to 0.62 of it. Where two places are alike the larger half is kept.
 *
 * @param at the function; asked once a place, `places` ≥ 2 times in all
 * @param costOf what is to be least
 * @returns the least of all places that were asked
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
  let [low, high] = [from, to];
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
