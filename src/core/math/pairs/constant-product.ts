const PPM = 1_000_000;

/** What a fee leaves, as a share in lowest terms: 997 of 1000 is a tenth less work than 997000 of a million. */
type Share = { readonly keep: bigint; readonly of: bigint };

/** By fee: a chain knows some dozen, and turning numbers into integers costs a tenth of a quote. */
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
 * What the pair pays for an exact amount in.
 *
 *   out = floor( in·k·Rout / (Rin·10^6 + in·k) ),  k = 10^6 - feePpm
 *
 * The quotient does not change when numerator and denominator of the fee are scaled together,
 * so parts per million give the wei of forks that count in 1000, 10000 or 400.
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
 * The least amount in for which the pair pays `out`.
 *
 *   in = ceil( out·Rin·10^6 / (k·(Rout - out)) )
 *
 * The periphery asks for floor + 1: the same but where the division leaves nothing, and there this is one unit less.
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
