import type { Hex } from "viem";
import { NATIVE } from "./chain.ts";

export type ListedToken = { address: Hex; symbol: string; decimals: number };

/** One swap to be quoted, sent and checked. Fees and slippage in the API's units: 10 = 1 %. */
export type Case = {
  readonly tokenIn: ListedToken;
  readonly tokenOut: ListedToken;
  /** Share of the depth of the sold token in the pools that a first price names. */
  readonly depthShare: number;
  readonly sellFee: number;
  readonly buyFee: number;
  /** The bought token goes to a fresh account instead of the payer. */
  readonly otherRecipient: boolean;
  readonly slippage: string;
  readonly withGas: boolean;
  /** The wallet is named and the calldata is run before it is answered. */
  readonly validated: boolean;
  readonly walletIndex: number;
  /** The only sources to use; undefined = all. */
  readonly include?: readonly string[];
};

/** Seeded cases: pairs over all tokens, sizes spread over powers of ten, every option in every mix. */
export function makeCase(tokens: readonly ListedToken[], wrapped: ListedToken, random: () => number): Case {
  const chance = (share: number) => random() < share;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const native = tokens.find((token) => token.address === NATIVE)!;
  const others = tokens.filter((token) => token.address !== NATIVE && token.address !== wrapped.address);
  const side = () => (chance(0.2) ? native : chance(0.2) ? wrapped : pick(others));
  let [tokenIn, tokenOut] = chance(0.04) ? [native, wrapped] : [side(), side()];
  while (tokenIn === tokenOut) tokenOut = pick(others);
  if (tokenOut === wrapped && chance(0.5)) [tokenIn, tokenOut] = [tokenOut, tokenIn];
  return {
    tokenIn,
    tokenOut,
    depthShare: 10 ** (-5 + random() * (Math.log10(0.2) + 5)),
    sellFee: chance(0.35) ? pick([1, 3, 10, 37, 500]) : 0,
    buyFee: chance(0.35) ? pick([1, 3, 10, 37, 500]) : 0,
    otherRecipient: chance(0.4),
    slippage: pick(["1", "2.5", "10", "11.000000000000002", "50", "500"]),
    withGas: chance(0.4),
    validated: chance(0.5),
    walletIndex: Math.floor(random() * 9),
  };
}

export function describeCase(one: Case, amount: bigint): string {
  const options = [
    one.sellFee ? `sell fee ${one.sellFee}` : "",
    one.buyFee ? `buy fee ${one.buyFee}` : "",
    one.otherRecipient ? "other recipient" : "",
    one.withGas ? "with gas" : "",
    one.validated ? "validated" : "",
    `slippage ${one.slippage}`,
    one.include ? `by ${one.include.join("+")}` : "",
  ];
  return `${amount} ${one.tokenIn.symbol} → ${one.tokenOut.symbol} (${options.filter(Boolean).join(", ")})`;
}
