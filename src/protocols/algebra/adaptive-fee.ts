/**
 * Parameters of the adaptive fee: the sum of two sigmoids of volatility (height alpha, centre beta, width gamma),
 * which in v1 is the height of a sigmoid of volume.
 */
export type FeeConfig = {
  readonly alpha1: number;
  readonly alpha2: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly gamma1: number;
  readonly gamma2: number;
  /** v1 only, as is `volumeGamma`; 0 if volume does not matter. */
  readonly volumeBeta: number;
  readonly volumeGamma: number;
  /** Parts per million, like the alphas and the fee. */
  readonly baseFee: number;
};

/** α / (1 + e^((β - x) / γ)) */
type Sigmoid = { readonly alpha: number; readonly beta: number; readonly gamma: number };

/** e^(x/γ)·γ^n by a series, for x < 6γ; n differs between generations. */
type Exponential = { readonly degree: bigint; readonly of: (x: bigint, gamma: bigint) => bigint };

const MAX_UINT16 = 65_535;
const E20 = 10n ** 20n;
/** e^0 … e^5 and e^0.5, times 10^20, with the contract's digits. */
const POWERS_OF_E = [
  100000000000000000000n,
  271828182845904523536n,
  738905609893065022723n,
  2008553692318766774092n,
  5459815003314423907811n,
  14841315910257660342111n,
] as const;
const SQRT_E = 164872127070012814684n;

/** v1: the first nine terms of the series around 0. @source AlgebraV1 contracts/libraries/AdaptiveFee.sol exp */
const eightTerms: Exponential = {
  degree: 8n,
  of: (x, g) => {
    let sum = g ** 8n + x * g ** 7n;
    sum += (x ** 2n * g ** 6n) / 2n;
    sum += (x ** 3n * g ** 5n) / 6n;
    sum += (x ** 4n * g ** 4n) / 24n;
    sum += (x ** 5n * g ** 3n) / 120n;
    sum += (x ** 6n * g ** 2n) / 720n;
    return sum + (x ** 7n * g) / 5040n + x ** 8n / 40_320n;
  },
};

/**
 * v2: the first five terms of the series around the next lower multiple of 1/2. @source Algebra v2.0
 * contracts/libraries/AdaptiveFee.sol expXg4
 */
const fourTerms: Exponential = {
  degree: 4n,
  of: (whole, g) => {
    const quotient = whole / g;
    let near = POWERS_OF_E[Number(quotient < 5n ? quotient : 5n)]!;
    let x = whole % g;
    if (x >= g / 2n) {
      x -= g / 2n;
      near = (near * SQRT_E) / E20;
    }
    const sum = g ** 4n + x * g ** 3n + (x ** 2n * g ** 2n) / 2n + (x ** 3n * g * 4n + x ** 4n) / 24n;
    return (sum * near) / E20;
  },
};

/** The sigmoid at x, rounded down: at most alpha, and nondecreasing in x. */
function sigmoid({ alpha, beta, gamma }: Sigmoid, x: bigint, { degree, of }: Exponential): number {
  const a = BigInt(alpha);
  const b = BigInt(beta);
  const g = BigInt(gamma);
  const distance = x > b ? x - b : b - x;
  if (distance >= 6n * g) return x > b ? alpha : 0;
  const one = g ** degree;
  const power = of(distance, g);
  return Number(x > b ? (a * power) / (one + power) : (a * one) / (one + power));
}

function ofVolatility(config: FeeConfig, volatility: bigint, exponential: Exponential): number {
  const { alpha1, alpha2, beta1, beta2, gamma1, gamma2 } = config;
  const x = volatility / 15n;
  const sum =
    sigmoid({ alpha: alpha1, beta: beta1, gamma: gamma1 }, x, exponential) +
    sigmoid({ alpha: alpha2, beta: beta2, gamma: gamma2 }, x, exponential);
  return Math.min(sum, MAX_UINT16);
}

/**
 * The fee of v1 in parts per million as a function of volume: base fee plus a sigmoid of volume, whose height is the
 * sum of both sigmoids of volatility.
 *
 * @param volatility average over the window, squared ticks
 * @returns function of the volume: the sum over the window of geometric mean of both amounts over liquidity, in units
 *   of 2^-7; nondecreasing
 * @source cryptoalgebra/AlgebraV1 contracts/libraries/AdaptiveFee.sol getFee
 */
export function feesOfV1(config: FeeConfig, volatility: bigint): (volume: bigint) => number {
  const alpha = ofVolatility(config, volatility, eightTerms);
  const { volumeBeta: beta, volumeGamma: gamma, baseFee } = config;
  return (volume) => (baseFee + sigmoid({ alpha, beta, gamma }, volume, eightTerms)) & MAX_UINT16;
}

/** The fee of v2 in parts per million. @source cryptoalgebra/Algebra v2.0 contracts/libraries/AdaptiveFee.sol getFee */
export function feeOfV2(config: FeeConfig, volatility: bigint): number {
  return (config.baseFee + ofVolatility(config, volatility, fourTerms)) & MAX_UINT16;
}
