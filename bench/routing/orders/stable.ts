/** D of a stableswap pool in doubles. */
export function invariant(held: readonly number[], ann: number): number {
  const n = held.length;
  const sum = held.reduce((total, amount) => total + amount, 0);
  let d = sum;
  for (let k = 0; k < 255; k++) {
    const product = held.reduce((p, amount) => (p * d) / (n * amount), d);
    const next = ((ann * sum + product * n) * d) / ((ann - 1) * d + (n + 1) * product);
    if (Math.abs(next - d) <= d * 1e-16) return next;
    d = next;
  }
  return d;
}
