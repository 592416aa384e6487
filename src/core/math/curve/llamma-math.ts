import { isqrt } from "../roots.ts";

/**
 * The bands of Curve's lending AMM (LLAMMA) in integers, with the roundings of the Vyper contract. Within a band
 *
 *   (f + x)·(g + y) = invariant
 *
 * where x is the borrowed stablecoin, y the collateral, and p the oracle's price of y in x. Band n lies between
 * p_up(n) and p_up(n + 1) = p_up(n)·(A - 1)/A. Prices and amounts have 18 digits. Every function is O(1).
 */

const ONE = 10n ** 18n;
const TWO_96 = 2n ** 96n;

/**
 * ln(x) with 18 digits, from the binary logarithm computed bit by bit; rounded as in the contract.
 *
 * @param x ≥ 1, 18 digits
 * @source curvefi/curve-stablecoin contracts/ControllerFactory.vy ln_int
 */
export function lnInt(x: bigint): bigint {
  let rest = x;
  let log2 = 0n;
  for (let power = 128n; power > 0n; power /= 2n) {
    const factor = 2n ** power;
    if (rest >= factor * ONE) {
      rest /= factor;
      log2 += power * ONE;
    }
  }
  let digit = ONE;
  for (let step = 0; step < 59; step++) {
    if (rest >= 2n * ONE) {
      log2 += digit;
      rest /= 2n;
    }
    rest = (rest * rest) / ONE;
    digit /= 2n;
  }
  return (log2 * ONE) / 1442695040888963328n;
}

/** Coefficients of a rational approximation of ln on [1, 2), in units of 2^-96, after the leading 1 of either. */
const LN_ABOVE = [
  ...[3273285459638523848632254066296n, 24828157081833163892658089445524n],
  ...[43456485725739037958740375743393n, -11111509109440967052023855526967n],
  ...[-45023709667254063763336534515857n, -14706773417378608786704636184526n],
];
const LN_ABOVE_LAST = -795164235651350426258249787498n;
const LN_BELOW = [
  ...[
    5573035233440673466300451813936n,
    71694874799317883764090561454958n,
    283447036172924575727196451306956n,
  ],
  ...[401686690394027663651624208769553n, 204048457590392012362485061816622n],
  ...[31853899698501571402653359427138n, 909429971244387300277376558375n],
];

/**
 * ln(x) with 18 digits, from a rational approximation; about 1 in 100 values differs in its last digit from ln floored.
 *
 * @param x ≥ 1, 18 digits
 * @source pcaversaccio/snekmate utils/math.vy _wad_ln, which curve_stablecoin/AMM.vy calls since 2026
 */
export function lnWad(x: bigint): bigint {
  const exponent = BigInt(x.toString(2).length - 97);
  const part = x << -exponent;
  const horner = (coefficients: readonly bigint[]) =>
    coefficients.reduce((sum, next) => (sum === 0n ? part + next : ((sum * part) >> 96n) + next), 0n);
  const above = horner(LN_ABOVE) * part + LN_ABOVE_LAST * TWO_96;
  const ratio = above / horner(LN_BELOW);
  const scaled = ratio * 1677202110996718588342820967067443963516166n;
  const shift = exponent * 16597577552685614221487285958193947469193820559219878177908093499208371n;
  const offset = 600920179829731861736702779321621459595472258049074101567377883020018308n;
  return (scaled + shift + offset) >> 174n;
}

const LEAST_POWER = -41446531673892821376n;
const MOST_POWER = 135305999368893231589n;
const LN_2 = 54916777467707473351141471128n;

/** How a division by 2^96 rounds a negative number: older contracts truncate towards zero, newer ones floor. */
export type Shift = "truncated" | "floored";

const shifts: Readonly<Record<Shift, (value: bigint) => bigint>> = {
  truncated: (value) => value / TWO_96,
  floored: (value) => value >> 96n,
};

/**
 * exp(power) with 18 digits: a rational function times the nearest power of two. With truncation the wrong power of
 * two is taken if it is below one, which makes the result inexact by about 1e-13, as on chain.
 *
 * @returns undefined outside the contract's bounds
 * @source curvefi/curve-stablecoin contracts/AMM.vy _p_oracle_up until 2025, and curve_stablecoin/AMM.vy since
 */
export function expInt(power: bigint, shift: Shift): bigint | undefined {
  if (power <= LEAST_POWER || power >= MOST_POWER) return undefined;
  const down = shifts[shift];
  const full = (power * TWO_96) / ONE;
  const k = down((full * TWO_96) / LN_2 + 2n ** 95n);
  const x = full - k * LN_2;
  const y = down((x + 1346386616545796478920950773328n) * x) + 57155421227552351082224309758442n;
  const p =
    (down((y + x - 94201549194550492254356042504812n) * y) + 28719021644029726153956944680412240n) * x +
    4385272521454847904659076985693276n * TWO_96;
  let q = down((x - 2855989394907223263936484059900n) * x) + 50020603652535783019961831881945n;
  q = down(q * x) - 533845033583426703283633433725380n;
  q = down(q * x) + 3604857256930695427073651918091429n;
  q = down(q * x) - 14423608567350463180887372962807573n;
  q = down(q * x) + 26449188498355588339934803723976023n;
  return ((p / q) * 3822833074963236453042738258902158003155416615667n) >> (195n - k);
}

/**
 * The upper price of band `n`, 18 digits.
 *
 * @param logRatio ln(A / (A - 1)), 18 digits
 * @returns undefined if the contract reverts (too far from the base price), or if the price is so low that it would
 *   divide by zero
 */
export function upperPrice(
  n: number,
  basePrice: bigint,
  { logRatio, shift }: { readonly logRatio: bigint; readonly shift: Shift },
): bigint | undefined {
  const factor = expInt(-BigInt(n) * logRatio, shift);
  if (factor === undefined || factor <= 1000n) return undefined;
  const price = (basePrice * factor) / ONE;
  return price === 0n ? undefined : price;
}

/** The holdings of one band, its upper price, and the oracle's price. */
export type Band = {
  readonly x: bigint;
  readonly y: bigint;
  readonly price: bigint;
  readonly upper: bigint;
};

/**
 * y0: a band's liquidity in units of y, equal to y if x = 0 and p = p_up. It is the positive root of
 *
 *   p·A·y0² - y0·(p_up·(A-1)·x/p + p²/p_up·A·y) - x·y = 0
 *
 * @source curvefi/curve-stablecoin contracts/AMM.vy _get_y0
 */
function balanceAt({ x, y, price, upper }: Band, a: bigint): bigint {
  let b = x === 0n ? 0n : (upper * (a - 1n) * x) / price;
  if (y !== 0n) b += (((a * price * price) / upper) * y) / ONE;
  if (x === 0n || y === 0n) return (b * ONE) / (a * price);
  const inner = b * b + ((4n * a * price * y) / ONE) * x;
  return ((b + isqrt(inner)) * ONE) / (2n * a * price);
}

/** (f + x)·(g + y) = invariant within a band. */
export type Curvature = { readonly f: bigint; readonly g: bigint; readonly invariant: bigint };

/** @source curvefi/curve-stablecoin contracts/AMM.vy calc_swap_out */
export function curvatureOf(band: Band, a: bigint): Curvature {
  const { x, y, price, upper } = band;
  const y0 = balanceAt(band, a);
  const f = (((a * y0 * price) / upper) * price) / ONE;
  const g = ((a - 1n) * y0 * upper) / price;
  return { f, g, invariant: (f + x) * (g + y) };
}

/**
 * A band's dynamic fee: a quarter of the relative distance of the oracle's price from the band, 18 digits; 0 inside
 * it.
 *
 * @source curvefi/curve-stablecoin contracts/AMM.vy get_dynamic_fee
 */
export function bandFee({ price, upper }: Pick<Band, "price" | "upper">, a: bigint): bigint {
  const low = (((price * price) / upper) * price) / upper;
  const high = (((low * a) / (a - 1n)) * a) / (a - 1n);
  if (price < low) return ((low - price) * (ONE / 4n)) / low;
  return price > high ? ((price - high) * (ONE / 4n)) / price : 0n;
}
