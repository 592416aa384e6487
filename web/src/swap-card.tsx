import { useState } from "preact/hooks";
import { exactAmount, parseAmount, readableAmount } from "./amount.ts";
import type { Token } from "./api.ts";
import { type Form, inverted, type Pair, withToken } from "./form.ts";
import type { FeedState } from "./offer-feed.ts";
import type { ParsedSlippage } from "./percent.ts";
import { Settings } from "./settings.tsx";
import { TokenDisc } from "./token-disc.tsx";
import { TokenPicker } from "./token-picker.tsx";
import type { TokenShelf } from "./use-market.ts";

export type SwapCardProps = {
  readonly form: Form;
  readonly pair: Pair;
  readonly shelf: TokenShelf;
  readonly chainId: number | undefined;
  /** Why there are no chains to choose from. */
  readonly trouble: string | undefined;
  readonly slippage: ParsedSlippage;
  readonly feed: FeedState;
  readonly onChange: (part: Partial<Form>) => void;
};

/** The question: what is sold, what is bought, how much, on which terms. */
export function SwapCard(props: SwapCardProps) {
  const { form, pair, shelf, chainId, onChange } = props;
  const [picking, setPicking] = useState<"sell" | "buy">();
  const pick = (token: Token) => {
    if (!shelf.known.has(token.address)) shelf.learn(token);
    if (picking !== undefined) onChange(withToken(form, picking, token.address));
    setPicking(undefined);
  };
  return (
    <section class="card swap" aria-label="Swap">
      <SellField form={form} token={pair.sell} onChange={onChange} onPick={() => setPicking("sell")} />
      <div class="turn">
        <button type="button" class="turn-button" onClick={() => onChange(inverted(form))}>
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M6.5 3v13m0 0-3-3m3 3 3-3M13.5 17V4m0 0-3 3m3-3 3 3" />
          </svg>
          <span class="unseen">Swap the two tokens around</span>
        </button>
      </div>
      <BuyField feed={props.feed} token={pair.buy} onPick={() => setPicking("buy")} />
      <Settings form={form} slippage={props.slippage} onChange={onChange} />
      <Trouble platforms={props.trouble} shelf={shelf} />
      {picking !== undefined && chainId !== undefined && (
        <TokenPicker
          title={picking === "sell" ? "Choose what to sell" : "Choose what to buy"}
          chainId={chainId}
          shelf={shelf}
          onPick={pick}
          onClose={() => setPicking(undefined)}
        />
      )}
    </section>
  );
}

type SellFieldProps = {
  readonly form: Form;
  readonly token: Token | undefined;
  readonly onChange: (part: Partial<Form>) => void;
  readonly onPick: () => void;
};

function SellField({ form, token, onChange, onPick }: SellFieldProps) {
  const parsed = token === undefined ? undefined : parseAmount(form.amount, token.decimals);
  const wrong = parsed?.kind === "bad" ? parsed.text : undefined;
  return (
    <div class={wrong === undefined ? "field" : "field field-wrong"}>
      <label class="field-label" for="amount">
        You sell
      </label>
      <div class="field-row">
        <input
          id="amount"
          class={amountClass(form.amount)}
          inputMode="decimal"
          autocomplete="off"
          autocorrect="off"
          spellcheck={false}
          placeholder="0"
          maxLength={80}
          value={form.amount}
          aria-invalid={wrong !== undefined}
          aria-describedby="amount-note"
          onInput={(event) => onChange({ amount: event.currentTarget.value })}
        />
        <TokenButton token={token} side="sell" onPick={onPick} />
      </div>
      <p class="field-note" id="amount-note" role={wrong === undefined ? undefined : "alert"}>
        {wrong ?? token?.name ?? ""}
      </p>
    </div>
  );
}

type BuyFieldProps = {
  readonly feed: FeedState;
  readonly token: Token | undefined;
  readonly onPick: () => void;
};

function BuyField({ feed, token, onPick }: BuyFieldProps) {
  const offer = feed.kind === "offer" ? feed.offer : feed.kind === "failed" ? feed.last?.offer : undefined;
  const shown = offer === undefined || token === undefined ? undefined : { offer, token };
  return (
    <div class="field field-answer">
      <span class="field-label" id="bought-label">
        You receive
      </span>
      <div class="field-row">
        {shown === undefined ? (
          <output class="amount" id="bought" aria-labelledby="bought-label">
            <span class={feed.kind === "loading" ? "amount-wait" : "amount-none"}>
              {feed.kind === "loading" ? "" : "–"}
            </span>
          </output>
        ) : (
          <Bought amount={BigInt(shown.offer.amount_out_total)} token={shown.token} />
        )}
        <TokenButton token={token} side="buy" onPick={onPick} />
      </div>
      <p class="field-note">{token?.name ?? ""}</p>
    </div>
  );
}

function Bought({ amount, token }: { readonly amount: bigint; readonly token: Token }) {
  const text = readableAmount(amount, token.decimals, 9);
  return (
    <output class={amountClass(text)} id="bought" aria-labelledby="bought-label">
      <span title={`${exactAmount(amount, token.decimals)} ${token.symbol}`}>{text}</span>
    </output>
  );
}

/** Long amounts are written smaller, never cut. */
function amountClass({ length }: string): string {
  if (length > 15) return "amount amount-longest";
  if (length > 12) return "amount amount-longer";
  return length > 8 ? "amount amount-long" : "amount";
}

type TokenButtonProps = {
  readonly token: Token | undefined;
  readonly side: "sell" | "buy";
  readonly onPick: () => void;
};

function TokenButton({ token, side, onPick }: TokenButtonProps) {
  return (
    <button
      type="button"
      class="token-button"
      id={`pick-${side}`}
      aria-haspopup="dialog"
      title={token?.address}
      onClick={onPick}
    >
      <span class="unseen">{side === "sell" ? "Token to sell:" : "Token to buy:"}</span>
      {token === undefined ? (
        <span>Choose</span>
      ) : (
        <>
          <TokenDisc address={token.address} symbol={token.symbol} />
          <bdi>{token.symbol}</bdi>
        </>
      )}
      <svg class="chevron" viewBox="0 0 12 12" aria-hidden="true">
        <path d="m2.5 4.5 3.5 3.5 3.5-3.5" />
      </svg>
    </button>
  );
}

function Trouble({
  platforms,
  shelf,
}: {
  readonly platforms: string | undefined;
  readonly shelf: TokenShelf;
}) {
  const text = platforms ?? (shelf.list.kind === "failed" ? shelf.list.text : undefined);
  if (text === undefined) return null;
  return (
    <p class="notice notice-wrong" role="alert">
      {text} Trying again.
    </p>
  );
}
