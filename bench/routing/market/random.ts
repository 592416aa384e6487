/** A seeded generator: the same seed gives the same market on every machine. */
export type Random = {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform integer in [0, n). */
  below(n: number): number;
  /** Uniform in [low, high). */
  between(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
};

/** @source Sebastiano Vigna, splitmix; the 32-bit variant with the constants of MurmurHash3's finaliser */
export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return ((z ^ (z >>> 16)) >>> 0) / 2 ** 32;
  };
  const below = (n: number) => Math.floor(next() * n);
  return {
    next,
    below,
    between: (low, high) => low + (high - low) * next(),
    pick: (list) => list[below(list.length)]!,
  };
}
