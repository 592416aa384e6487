/** Candidates for the first problem with their rank; owned by the workshop. */
export type Ranked = { count: number; edge: Int32Array; price: Float64Array };

export function emptyRanked(): Ranked {
  return { count: 0, edge: new Int32Array(1024), price: new Float64Array(1024) };
}

/** The rank that about `most` candidates reach, and none at or below `least`. */
export function barOf(rank: Float64Array, most: number, least = 0): number {
  const good = rank.filter((value) => value > least);
  return good.length <= most ? least : good.sort()[good.length - most]!;
}
