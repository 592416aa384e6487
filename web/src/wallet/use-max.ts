import { useEffect, useRef } from "preact/hooks";
import type { Token } from "../api.ts";
import type { FeedState } from "../offer/offer-feed.ts";
import { gasNeed, needsMoreGas, type Pressed, sellable } from "./gas-reserve.ts";

type MaxFacts = {
  readonly token: Token | undefined;
  readonly balance: bigint | undefined;
  readonly feed: FeedState;
  readonly highFeeWei: bigint | undefined;
};

export type Max = {
  /** The largest amount that can be sold, in smallest units; 0 where it is not known. */
  readonly most: bigint;
  readonly press: () => void;
};

/** The "Max" button: fills in the largest amount, and lowers it at most once, when its own offer needs more gas. */
export function useMax({ token, balance, feed, highFeeWei }: MaxFacts, fill: (amount: bigint) => void): Max {
  const pressed = useRef<Pressed>(undefined);
  const need = gasNeed(feed, highFeeWei);
  const most = token === undefined || balance === undefined ? 0n : sellable(token.address, balance, need);
  useEffect(() => {
    if (pressed.current === undefined) return;
    const more = needsMoreGas(pressed.current, feed);
    if (more === undefined) return;
    if (more && most > 0n && most < pressed.current.amount) fill(most);
    pressed.current = undefined;
  }, [feed]);
  const press = () => {
    if (token !== undefined) pressed.current = { token: token.address, amount: most, gas: need.gas };
    fill(most);
  };
  return { most, press };
}
