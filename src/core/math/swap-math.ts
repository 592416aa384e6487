import {
  amount0Down,
  amount0Up,
  amount1Down,
  amount1Up,
  divRoundingUp,
  priceAfterInput,
  priceAfterOutput,
} from "./sqrt-price-math.ts";

/** One stretch of a swap over constant liquidity. */
type SwapStep = {
  readonly price: bigint;
  /** Smallest units of the token sold, without the fee. */
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** Smallest units of the token sold, beside `amountIn`. */
  readonly fee: bigint;
};

/** What a stretch runs over; `target` is the price that it may not pass and tells the direction. */
type Stretch = {
  readonly price: bigint;
  readonly target: bigint;
  readonly liquidity: bigint;
  readonly feePpm: number;
};

const PPM = 1_000_000n;

/**
 * Swaps within one stretch, to the unit of the contract.
 *
 * @param remaining > 0: still to be sold, fee included; < 0: still to be bought
 * @source Uniswap/v3-core contracts/libraries/SwapMath.sol computeSwapStep; the fee on a stretch that is not walked to
 *         its end is all that is left, so that an exact input is consumed to the unit
 */
export function swapStep(stretch: Stretch, remaining: bigint): SwapStep {
  return remaining >= 0n ? sellStep(stretch, remaining) : buyStep(stretch, -remaining);
}

function sellStep({ price, target, liquidity, feePpm }: Stretch, remaining: bigint): SwapStep {
  const zeroForOne = price >= target;
  const fee = BigInt(feePpm);
  const lessFee = (remaining * (PPM - fee)) / PPM;
  const toTarget = amountInFor(price, target, liquidity);
  if (lessFee >= toTarget)
    return {
      price: target,
      amountIn: toTarget,
      amountOut: amountOutFor(price, target, liquidity),
      fee: divRoundingUp(toTarget * fee, PPM - fee),
    };
  const next = priceAfterInput(price, liquidity, lessFee, zeroForOne);
  const amountIn = amountInFor(price, next, liquidity);
  return {
    price: next,
    amountIn,
    amountOut: amountOutFor(price, next, liquidity),
    // Rounding can end a stretch on its target although the input fell short: the contract then takes the plain fee.
    fee: next === target ? divRoundingUp(amountIn * fee, PPM - fee) : remaining - amountIn,
  };
}

function buyStep({ price, target, liquidity, feePpm }: Stretch, remaining: bigint): SwapStep {
  const fee = BigInt(feePpm);
  const toTarget = amountOutFor(price, target, liquidity);
  const next =
    remaining >= toTarget ? target : priceAfterOutput(price, liquidity, remaining, price >= target);
  const amountIn = amountInFor(price, next, liquidity);
  const delivered = amountOutFor(price, next, liquidity);
  return {
    price: next,
    amountIn,
    amountOut: delivered > remaining ? remaining : delivered,
    fee: divRoundingUp(amountIn * fee, PPM - fee),
  };
}

function amountInFor(price: bigint, next: bigint, liquidity: bigint): bigint {
  return price >= next ? amount0Up(next, price, liquidity) : amount1Up(price, next, liquidity);
}

function amountOutFor(price: bigint, next: bigint, liquidity: bigint): bigint {
  return price >= next ? amount1Down(next, price, liquidity) : amount0Down(price, next, liquidity);
}
