const PPM = 1_000_000;

/**
 * The share of the input left by the fee, in lowest terms: with 997/1000 a quote costs a tenth less than with
 * 997000/10^6.
 */
type Share = { readonly keep: bigint; readonly of: bigint };

/** Cache by fee in ppm: a chain has about a dozen fees, and converting numbers to bigint costs a tenth of a quote. */
const shares = new Map<number, Share>();

function shareOf(feePpm: number): Share {
  let share = shares.get(feePpm);
  if (share === undefined) {
    const divisor = BigInt(commonDivisor(feePpm, PPM));
    share = { keep: BigInt(PPM - feePpm) / divisor, of: BigInt(PPM) / divisor };
    shares.set(feePpm, share);
  }
  return share;
}

function commonDivisor(a: number, b: number): number {
  return a === 0 ? b : commonDivisor(b % a, a);
}

/**
 * Output of a constant-product pair for an exact input.
 *
 *   out = floor( in·k·Rout / (Rin·10^6 + in·k) ),  k = 10^6 - feePpm
 *
 * Scaling numerator and denominator of the fee does not change the quotient, so parts per million also give the exact
 * output of forks that express fees in units of 1/1000, 1/10000 or 1/400.
 *
 * @returns smallest units of the token bought, rounded down; always less than `reserveOut`
 * @source Uniswap/v2-core contracts/UniswapV2Pair.sol swap: the largest output that passes its K check
 */
export function amountOut(amountIn: bigint, reserveIn: bigint, reserveOut: bigint, feePpm: number): bigint {
  const { keep, of } = shareOf(feePpm);
  const lessFee = amountIn * keep;
  return (lessFee * reserveOut) / (reserveIn * of + lessFee);
}

/**
 * The least input for which a constant-product pair pays `out`.
 *
 *   in = ceil( out·Rin·10^6 / (k·(Rout - out)) )
 *
 * UniswapV2Library.getAmountIn returns floor + 1 instead, which is one unit more if the division is exact.
 *
 * @param out less than `reserveOut`
 * @returns smallest units of the token sold, rounded up
 * @source Uniswap/v2-core contracts/UniswapV2Pair.sol swap: the least input that passes its K check
 */
export function amountIn(out: bigint, reserveIn: bigint, reserveOut: bigint, feePpm: number): bigint {
  const { keep, of } = shareOf(feePpm);
  const divisor = keep * (reserveOut - out);
  return (out * reserveIn * of + divisor - 1n) / divisor;
}
