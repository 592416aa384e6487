/** Candidates for the first problem with their rank; owned by the workshop. */
export type Ranked = { count: number; edge: Int32Array; price: Float64Array };

export function emptyRanked(): Ranked {
  return { count: 0, edge: new Int32Array(1024), price: new Float64Array(1024) };
}
