import { divDown, divUp, mulDown, mulUp, ONE } from "../fixed-point.ts";
import { sqrt } from "./gyro-pool-math.ts";

/**
 * Gyroscope's 2-CLP and 3-CLP: constant-product pools over virtual balances. Each balance is increased by an offset,
 * which confines prices to bounds. All values have 18 decimals; `undefined` stands for a revert. Every function is
 * O(1) except `threeOffsets`, which takes at most 3·255 steps of Newton's method.
 *
 * @source gyrostable/concentrated-lps contracts/2clp/Gyro2CLPMath.sol, contracts/3clp/Gyro3CLPMath.sol (7e9bd3b)
 */

const MAX_UINT256 = 2n ** 256n - 1n;

/** Real balances of both tokens of a trade, and their offsets as derived from the invariant. */
export type VirtualPair = {
  readonly balanceIn: bigint;
  readonly balanceOut: bigint;
  readonly offsetIn: bigint;
  readonly offsetOut: bigint;
};

/**
 * Virtual balances. The error of the invariant is covered by overestimating the side sold and underestimating the
 * side bought.
 */
export function virtual({
  balanceIn,
  balanceOut,
  offsetIn,
  offsetOut,
}: VirtualPair): readonly [bigint, bigint] {
  return [balanceIn + mulUp(offsetIn, ONE + 2n), balanceOut + mulDown(offsetOut, ONE - 1n)];
}

/** out = V_out·in / (V_in + in), rounded down; undefined if that exceeds the balance. */
export function outGivenIn(pair: VirtualPair, amountIn: bigint): bigint | undefined {
  const [virtualIn, virtualOut] = virtual(pair);
  const product = virtualOut * amountIn;
  if (product > MAX_UINT256 || virtualIn + amountIn === 0n) return undefined;
  const out = divDown(product / ONE, virtualIn + amountIn);
  return out > pair.balanceOut ? undefined : out;
}

/** in = V_in·out / (V_out - out), rounded up; undefined if `amountOut` exceeds the balance. */
export function inGivenOut(pair: VirtualPair, amountOut: bigint): bigint | undefined {
  const [virtualIn, virtualOut] = virtual(pair);
  if (amountOut > pair.balanceOut || amountOut >= virtualOut) return undefined;
  return divUp(mulUp(virtualIn, amountOut), virtualOut - amountOut);
}

export type TwoBounds = { readonly sqrtAlpha: bigint; readonly sqrtBeta: bigint };

/**
 * Virtual offsets of both tokens: L/√β and L·√α, where L is the root of
 *
 *   (1 - √(α/β))·L² - (y/√β + x·√α)·L - x·y = 0
 *
 * @source Gyro2CLPMath.sol _calculateInvariant, _calculateVirtualParameter0 and 1
 */
export function twoOffsets([x, y]: readonly bigint[], { sqrtAlpha, sqrtBeta }: TwoBounds) {
  if (x === undefined || y === undefined || x * x > MAX_UINT256 || y * y > MAX_UINT256) return undefined;
  const a = ONE - divDown(sqrtAlpha, sqrtBeta);
  const b = divDown(y, sqrtBeta) + mulDown(x, sqrtAlpha);
  const product = mulDown(x, y);
  const xSquare = mulDown(mulDown(mulDown(x, x), sqrtAlpha), sqrtAlpha);
  const mixed = divDown(mulDown(mulDown(product, 2n * ONE), sqrtAlpha), sqrtBeta);
  const ySquare = divDown(mulDown(y, y), mulUp(sqrtBeta, sqrtBeta));
  const root = sqrt(xSquare + mixed + ySquare + mulDown(mulDown(product, 4n * ONE), a));
  if (root === undefined) return undefined;
  const invariant = divDown(b + root, mulUp(a, 2n * ONE));
  return [divDown(invariant, sqrtBeta), mulDown(invariant, sqrtAlpha)] as const;
}

const MAX_BALANCE = 10n ** 29n;
const MAX_INVARIANT = 10n ** 34n;
const MOST_STEPS = 255;
const LEAST_STEPS = 5;
const SHRINKING = 8n;
/** Above this invariant the contract multiplies and divides in two parts to avoid overflow. */
const SIMPLE = 2n * 10n ** 31n;

type Cubic = {
  readonly b: bigint;
  readonly c: bigint;
  readonly d: bigint;
  readonly root3Alpha: bigint;
  /** Lower bound of the iterates; the contract reverts below it. */
  readonly least: bigint;
};

/** The positions of the two tokens of a trade, by that of the third token. */
const TRADED = [
  [1, 2],
  [0, 2],
  [0, 1],
] as const;

/**
 * The virtual offset that all three tokens share: L·∛α, where L is the greatest root of
 *
 *   (1 - α)·L³ - Σx·∛α²·L² - (xy + yz + zx)·∛α·L - xyz = 0
 *
 * The contract multiplies xyz in the order sold, bought, third, rounding twice. The last digit of L may thus depend on
 * which token is not traded.
 *
 * @returns the offset by the position of the token that is not traded
 * @source Gyro3CLPMath.sol _calculateInvariant; Gyro3CLPPool.sol _calculateVirtualOffset
 */
export function threeOffsets(balances: readonly bigint[], root3Alpha: bigint): readonly bigint[] | undefined {
  const [x, y, z] = balances as readonly [bigint, bigint, bigint];
  if (balances.some((balance) => balance > MAX_BALANCE)) return undefined;
  const a = ONE - mulDown(mulDown(root3Alpha, root3Alpha), root3Alpha);
  const b = mulDown(mulDown(x + y + z, root3Alpha), root3Alpha);
  const c = mulDown(mulDown(x, y) + mulDown(y, z) + mulDown(z, x), root3Alpha);
  const root = sqrt(mulUp(b, b) + mulUp(a, c * 3n));
  if (root === undefined) return undefined;
  const minimum = divUp(b + root, a * 3n);
  const isWide = ONE - a < ONE / 2n;
  const start = mulUp(minimum, isWide ? 2n * ONE : (3n * ONE) / 2n);
  const cubic = { b, c, root3Alpha, least: mulUp(minimum, (13n * ONE) / 10n) };
  const invariants = TRADED.map(([i, j], third) => {
    const d = mulDown(mulDown(balances[i]!, balances[j]!), balances[third]!);
    return newton({ ...cubic, d }, start);
  });
  if (!invariants.every((invariant) => invariant !== undefined)) return undefined;
  return invariants.map((invariant) => mulDown(invariant, root3Alpha));
}

/**
 * Newton's method with the contract's stopping rule, which determines the last digits: it ends when steps no longer
 * shrink.
 */
function newton(cubic: Cubic, start: bigint): bigint | undefined {
  let root = start;
  let before: bigint | undefined;
  for (let step = 0; step < MOST_STEPS; step++) {
    const move = newtonMove(cubic, root);
    if (move === undefined) return undefined;
    if (isDone(move, step < LEAST_STEPS ? undefined : before)) return root;
    before = move < 0n ? -move : move;
    root += move;
  }
  return undefined;
}

/** @param before size of the last step; undefined while steps are still allowed to grow */
function isDone(move: bigint, before: bigint | undefined): boolean {
  const size = move < 0n ? -move : move;
  return size <= 1n || (before !== undefined && (move >= 0n || size >= before / SHRINKING));
}

/** x·(1 - α) computed as x - α·x: the factor 1 - α would carry the rounding error of α. */
function lessAlpha(x: bigint, times: (x: bigint) => bigint): bigint {
  return x - times(times(times(x)));
}

/** -f(L) / f'(L) */
function newtonMove({ b, c, d, root3Alpha, least }: Cubic, root: bigint): bigint | undefined {
  if (root > MAX_INVARIANT || root < least) return undefined;
  const square = mulDown(root, root);
  const times = (x: bigint) => mulDown(x, root3Alpha);
  const slope = lessAlpha(mulDown(root * 3n, root), times) - 2n * mulDown(root, b) - c;
  if (slope <= 0n) return undefined;
  if (root <= SIMPLE) {
    const falls = divDown(lessAlpha(mulDown(square, root), times), slope);
    const rises = divDown(mulDown(square, b) + mulDown(root, c), slope);
    return rises + divDown(d, slope) - falls;
  }
  // The contract's multiplication in two parts loses no digit, so `mulDown` gives the same result. Its division in
  // two parts does lose digits, so that is reproduced.
  const falls = divideInParts(lessAlpha(mulDown(square, root), times), slope, 10n ** 9n);
  const rises = divideInParts(mulDown(square, b) + mulDown(c, root), slope, 10n ** 12n);
  return rises + divDown(d, slope) - falls;
}

/** a·10^18 / b in two parts: a is multiplied by `part`, and b is divided by 10^18 / `part`, rounded up. */
function divideInParts(a: bigint, b: bigint, part: bigint): bigint {
  return (a * part) / (1n + (b - 1n) / (ONE / part));
}
