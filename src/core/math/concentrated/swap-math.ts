import {
  amount0Down,
  amount0Up,
  amount1Down,
  amount1Up,
  divRoundingUp,
  priceAfterInput,
  priceAfterOutput,
} from "./sqrt-price-math.ts";

/** Result of one step of a swap over constant liquidity. */
type SwapStep = {
  readonly price: bigint;
  /** Smallest units of the token sold, fee included. */
  readonly taken: bigint;
  readonly amountOut: bigint;
};

/** Input of one step. `target` is the square-root price that it may not pass; it determines the direction. */
type Stretch = {
  readonly price: bigint;
  readonly target: bigint;
  readonly liquidity: bigint;
  readonly feePpm: number;
};

const PPM = 1_000_000n;
const Q96 = 2 ** 96;

/**
 * One step of a swap over constant liquidity, exact to the contract's last unit. O(1).
 *
 * @param remaining > 0: amount still to be sold, fee included; < 0: amount still to be bought
 * @source Uniswap/v3-core contracts/libraries/SwapMath.sol computeSwapStep. If a sale ends before the target, the fee
 *   is all of the remaining input, so an exact input is consumed to the unit.
 */
export function swapStep(stretch: Stretch, remaining: bigint): SwapStep {
  return remaining >= 0n ? sellStep(stretch, remaining) : buyStep(stretch, -remaining);
}

function sellStep(stretch: Stretch, remaining: bigint): SwapStep {
  const { price, target, liquidity, feePpm } = stretch;
  const lessFee = (remaining * BigInt(1_000_000 - feePpm)) / PPM;
  // The input up to the target is the most expensive value here; in most cases doubles show that it is not reached.
  if (!fallsShort(stretch, lessFee)) {
    const toTarget = amountInFor(price, target, liquidity);
    if (lessFee >= toTarget)
      return {
        price: target,
        taken: withFee(toTarget, feePpm),
        amountOut: amountOutFor(price, target, liquidity),
      };
  }
  const next = priceAfterInput(price, liquidity, lessFee, price >= target);
  return {
    price: next,
    // Rounding can end a step on its target although the input falls short of it: the contract then takes the
    // ordinary fee.
    taken: next === target ? withFee(amountInFor(price, next, liquidity), feePpm) : remaining,
    amountOut: amountOutFor(price, next, liquidity),
  };
}

/** Whether `lessFee` certainly does not reach the target: the margin of 1e-12 exceeds the error of doubles by far. */
function fallsShort({ price, target, liquidity }: Stretch, lessFee: bigint): boolean {
  const needed =
    price >= target
      ? ((Number(liquidity) * Q96) / Number(price)) * (Number(price - target) / Number(target))
      : (Number(liquidity) * Number(target - price)) / Q96;
  return Number(lessFee) < needed * (1 - 1e-12);
}

function buyStep({ price, target, liquidity, feePpm }: Stretch, remaining: bigint): SwapStep {
  const toTarget = amountOutFor(price, target, liquidity);
  const next =
    remaining >= toTarget ? target : priceAfterOutput(price, liquidity, remaining, price >= target);
  const delivered = next === target ? toTarget : amountOutFor(price, next, liquidity);
  return {
    price: next,
    taken: withFee(amountInFor(price, next, liquidity), feePpm),
    amountOut: delivered > remaining ? remaining : delivered,
  };
}

/** A net input plus its fee, rounded up. */
function withFee(amountIn: bigint, feePpm: number): bigint {
  if (amountIn === 0n) return 0n;
  return amountIn + divRoundingUp(amountIn * BigInt(feePpm), BigInt(1_000_000 - feePpm));
}

function amountInFor(price: bigint, next: bigint, liquidity: bigint): bigint {
  return price >= next ? amount0Up(next, price, liquidity) : amount1Up(price, next, liquidity);
}

function amountOutFor(price: bigint, next: bigint, liquidity: bigint): bigint {
  return price >= next ? amount1Down(next, price, liquidity) : amount0Down(price, next, liquidity);
}
