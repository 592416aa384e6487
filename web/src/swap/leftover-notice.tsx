import { useEffect, useRef, useState } from "preact/hooks";
import { exactAmount, readableAmount } from "../offer/amount.ts";
import type { NamedToken } from "../route/labels.ts";
import type { Leftover } from "./leftover.ts";

type LeftoverProps = {
  readonly left: Leftover;
  readonly token: NamedToken;
  readonly onRevoke: (left: Leftover, signal: AbortSignal) => Promise<string | undefined>;
};

type Revoking =
  | { readonly kind: "no" | "waiting" | "done" }
  | { readonly kind: "failed"; readonly text: string };

/** What the router may still take after a swap, and the button that takes it back. */
export function LeftoverNotice({ left, token, onRevoke }: LeftoverProps) {
  const [state, setState] = useState<Revoking>({ kind: "no" });
  const gone = useRef(new AbortController());
  useEffect(() => () => gone.current.abort(), []);
  const start = async () => {
    setState({ kind: "waiting" });
    const text = await onRevoke(left, gone.current.signal).catch(() => undefined);
    if (gone.current.signal.aborted) return;
    setState(text === undefined ? { kind: "done" } : { kind: "failed", text });
  };
  if (state.kind === "done")
    return (
      <p class="note-small" role="status">
        Revoked: the router may take no <bdi>{token.symbol}</bdi> of yours any more.
      </p>
    );
  return (
    <div class="notice notice-caution" id="leftover" title={titleOf(left, token)}>
      <p>{wordsOf(left, token)}</p>
      <button
        type="button"
        class="quiet"
        id="revoke"
        disabled={state.kind === "waiting"}
        onClick={() => void start()}
      >
        {state.kind === "waiting" ? "Confirm it in your wallet…" : "Revoke it"}
      </button>
      {state.kind === "failed" && <p role="alert">{state.text}</p>}
    </div>
  );
}

/** From here on an allowance is called unlimited: tokens count such amounts as one that is never used up. */
const UNLIMITED = 1n << 95n;

function wordsOf({ amount }: Leftover, { symbol, decimals }: NamedToken): string {
  if (amount === undefined) return `Your approval of ${symbol} was sent before, and may stay.`;
  const most =
    amount >= UNLIMITED ? "any amount of your" : `up to ${readableAmount(amount, decimals)} of your`;
  return `The router may still take ${most} ${symbol} when you swap: this allowance stays until it is used or revoked.`;
}

function titleOf({ amount }: Leftover, { symbol, decimals }: NamedToken): string | undefined {
  return amount === undefined ? undefined : `${exactAmount(amount, decimals)} ${symbol}`;
}
