/**
 * Solves n linear equations by Gauss-Jordan elimination with partial pivoting, in O(n³).
 *
 * @param rows n coefficients and the right side each; overwritten
 * @returns the unknowns; undefined if the matrix is singular
 */
export function solveLinear(rows: Float64Array[]): Float64Array | undefined {
  for (let k = 0; k < rows.length; k++) {
    const pivot = pivotOf(rows, k);
    [rows[k], rows[pivot]] = [rows[pivot]!, rows[k]!];
    const by = rows[k]![k]!;
    if (!(Math.abs(by) > 0)) return undefined;
    addTimes(rows[k]!, rows[k]!, 1 / by - 1);
    for (const row of rows) if (row !== rows[k]) addTimes(row, rows[k]!, -row[k]!);
  }
  return Float64Array.from(rows, (row) => row.at(-1)!);
}

function addTimes(to: Float64Array, row: Float64Array, times: number): void {
  if (times !== 0) for (let k = 0; k < to.length; k++) to[k]! += times * row[k]!;
}

function pivotOf(rows: readonly Float64Array[], k: number): number {
  let pivot = k;
  for (let row = k + 1; row < rows.length; row++)
    if (Math.abs(rows[row]![k]!) > Math.abs(rows[pivot]![k]!)) pivot = row;
  return pivot;
}
