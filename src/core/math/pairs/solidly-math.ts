/**
 * Solidly's stable pairs: x³y + y³x = k over reserves x, y in 18-digit units. The reserve y for a given x is found by
 * Newton's method with the roundings of the contracts, in at most 255 steps of O(1).
 */

const ONE = 10n ** 18n;
const MAX_UINT256 = 2n ** 256n - 1n;
/** Iteration limit of the contracts: after it, solver "unit" takes the last iterate, the others revert. */
const MAX_STEPS = 255;

/**
 * How a pair solves for its new reserve.
 *
 * - `unit`: Solidly's own and Velodrome v1: ends when a step moves y by at most one unit, or after all steps.
 * - `nearest`: Velodrome v2 on Optimism, and Aerodrome: ends at the least y whose k is large enough.
 * - `nearestPlain`: Velodrome v2 on all other chains: the same, without the second scaling by the tokens' decimals.
 */
export type Solver = "unit" | "nearest" | "nearestPlain";

/** `10^decimals` of both tokens, in the pair's order. */
export type Units = readonly [bigint, bigint];

/**
 * x·y·(x² + y²) in 18 digits, each product rounded down.
 *
 * @returns undefined if the contract's uint256 overflows
 * @source aerodrome-finance/contracts contracts/Pool.sol _f
 */
function productFirst(x: bigint, y: bigint): bigint | undefined {
  const xx = x * x;
  const yy = y * y;
  if (xx > MAX_UINT256 || yy > MAX_UINT256) return undefined;
  const product = ((x * y) / ONE) * (xx / ONE + yy / ONE);
  return product > MAX_UINT256 ? undefined : product / ONE;
}

/** x³ in 36 digits, as the contracts hold it before its last division. */
function cube(x: bigint): bigint {
  return ((x * x) / ONE) * x;
}

/** x·y³ + x³·y in 18 digits, each product rounded down. @source velodrome-finance/v1 contracts/Pair.sol _f */
function cubesFirst(x: bigint, y: bigint): bigint | undefined {
  const [cubeX, cubeY] = [cube(x), cube(y)];
  const left = x * (cubeY / ONE);
  const right = (cubeX / ONE) * y;
  const isTooWide = cubeX > MAX_UINT256 || cubeY > MAX_UINT256 || left > MAX_UINT256 || right > MAX_UINT256;
  return isTooWide ? undefined : left / ONE + right / ONE;
}

/** ∂k/∂y in 18 digits; the same in all versions. 0, by which a contract does not divide, if its uint256 overflows. */
function slope(x: bigint, y: bigint): bigint {
  const [rest, cubed] = [3n * x * ((y * y) / ONE), cube(x)];
  return rest > MAX_UINT256 || cubed > MAX_UINT256 ? 0n : rest / ONE + cubed / ONE;
}

/**
 * The pair's k in 18 digits, from balances in smallest units.
 *
 * @returns undefined if the contract's uint256 overflows
 * @source aerodrome-finance/contracts contracts/Pool.sol _k
 */
export function stableInvariant(balances: readonly [bigint, bigint], units: Units): bigint | undefined {
  return productFirst((balances[0] * ONE) / units[0], (balances[1] * ONE) / units[1]);
}

type Problem = { readonly x: bigint; readonly k: bigint; readonly y: bigint };

/** @source velodrome-finance/v1 contracts/Pair.sol _get_y */
function solveToUnit({ x, k, y: start }: Problem): bigint | undefined {
  let y = start;
  for (let step = 0; step < MAX_STEPS; step++) {
    const reached = cubesFirst(x, y);
    const d = slope(x, y);
    if (reached === undefined || d === 0n) return undefined;
    const short = reached < k;
    const dy = ((short ? k - reached : reached - k) * ONE) / d;
    y += short ? dy : -dy;
    if (y < 0n) return undefined;
    if (dy <= 1n) return y;
  }
  return y;
}

/** A step of the iteration; `done` if `y` is the answer. */
type Next = { readonly y: bigint; readonly done: boolean };

/**
 * A step from below the target.
 *
 * If the step rounds to 0, the contract evaluates k at y + 1. With `units` it does so by `_k`, which expects smallest
 * units but gets 18-digit units: with fewer than 18 decimals the result is always large enough, or overflows.
 */
function rise({ x, k, y }: Problem, dy: bigint, units: Units | undefined): Next | undefined {
  if (dy > 0n) return { y: y + dy, done: false };
  const beside = units === undefined ? productFirst(x, y + 1n) : stableInvariant([x, y + 1n], units);
  return beside === undefined ? undefined : { y: y + 1n, done: beside > k };
}

/** A step from above the target; if it rounds to 0, the answer is the least y whose k is large enough. */
function sink({ x, k, y }: Problem, dy: bigint): Next | undefined {
  if (dy > 0n) return dy > y ? undefined : { y: y - dy, done: false };
  const beside = productFirst(x, y - 1n);
  if (beside === undefined) return undefined;
  return beside < k ? { y, done: true } : { y: y - 1n, done: false };
}

function stepToNearest(problem: Problem, units: Units | undefined): Next | undefined {
  const { x, k, y } = problem;
  const reached = productFirst(x, y);
  const d = slope(x, y);
  if (reached === undefined || d === 0n) return undefined;
  if (reached === k) return { y, done: true };
  return reached < k
    ? rise(problem, ((k - reached) * ONE) / d, units)
    : sink(problem, ((reached - k) * ONE) / d);
}

/**
 * @param units undefined for the solver that does not scale a second time
 * @source aerodrome-finance/contracts contracts/Pool.sol _get_y; velodrome-finance/superchain-contracts src/pools/Pool.sol
 */
function solveToNearest({ x, k, y }: Problem, units: Units | undefined): bigint | undefined {
  let next: Next | undefined = { y, done: false };
  for (let step = 0; step < MAX_STEPS; step++) {
    next = stepToNearest({ x, k, y: next.y }, units);
    if (next === undefined || next.done) return next?.y;
  }
  return undefined;
}

/** State of a stable pair. */
export type StablePair = {
  /** Smallest units, in the pair's order. */
  readonly reserves: readonly [bigint, bigint];
  readonly units: Units;
  readonly solver: Solver;
};

/**
 * Output of a stable pair for `amountIn` of token `i`, in smallest units after the fee.
 *
 * @returns smallest units of the other token, rounded down; undefined if the contract reverts
 * @source aerodrome-finance/contracts contracts/Pool.sol _getAmountOut
 */
export function stableAmountOut(
  { reserves, units, solver }: StablePair,
  i: number,
  amountIn: bigint,
): bigint | undefined {
  const k = stableInvariant(reserves, units);
  if (k === undefined) return undefined;
  const j = 1 - i;
  const reserveIn = (reserves[i]! * ONE) / units[i]!;
  const reserveOut = (reserves[j]! * ONE) / units[j]!;
  const problem = { x: reserveIn + (amountIn * ONE) / units[i]!, k, y: reserveOut };
  const scaled = solver === "nearest" ? units : undefined;
  const y = solver === "unit" ? solveToUnit(problem) : solveToNearest(problem, scaled);
  if (y === undefined || y > reserveOut) return undefined;
  return ((reserveOut - y) * units[j]!) / ONE;
}
