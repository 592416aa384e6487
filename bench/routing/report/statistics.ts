/** The element of a sorted list below which `share` of it lies; NaN of an empty one. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function quantileOf(values: readonly number[], share: number): number {
  return quantile(
    [...values].sort((x, y) => x - y),
    share,
  );
}
