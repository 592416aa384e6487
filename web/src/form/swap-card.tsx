import { useState } from "preact/hooks";
import { NATIVE, type PriceRequest, soldIn, type Token } from "../api.ts";
import { AmountField } from "../offer/amount-field.tsx";
import { type FeedState, newestOf } from "../offer/offer-feed.ts";
import { actionOf, type GasFacts } from "../swap/action.ts";
import { rememberToken } from "../tokens/recent.ts";
import { TokenPicker } from "../tokens/token-picker.tsx";
import type { TokenShelf } from "../use-market.ts";
import { hasFault, inverted, isSameToken, withToken } from "./form.ts";
import { Settings } from "./settings.tsx";
import type { SwapCardProps } from "./swap-card-props.ts";

/** The swap form: tokens, amount and settings. */
export function SwapCard(props: SwapCardProps) {
  const { form, shelf, chainId, onChange } = props;
  const [picking, setPicking] = useState<"sell" | "buy">();
  const pick = (token: Token) => {
    if (!shelf.known.has(token.address)) shelf.learn(token);
    rememberToken(token.chainId, token.address);
    if (picking !== undefined) onChange(withToken(form, picking, token.address));
    setPicking(undefined);
  };
  const isSame = isSameToken(props.pair);
  return (
    <section class={isSame ? "card swap swap-same" : "card swap"} aria-label="Swap">
      <AmountField {...props} field="sell" onPick={() => setPicking("sell")} />
      <div class="turn">
        <button type="button" class="turn-button" onClick={() => onChange(inverted(form))}>
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M6.5 3v13m0 0-3-3m3 3 3-3M13.5 17V4m0 0-3 3m3-3 3 3" />
          </svg>
          <span class="unseen">Swap the two tokens around</span>
        </button>
      </div>
      <AmountField {...props} field="buy" onPick={() => setPicking("buy")} />
      {isSame && (
        <p class="notice notice-wrong" role="alert">
          Choose two different tokens.
        </p>
      )}
      <Settings
        form={form}
        slippage={props.slippage}
        suggested={suggestedIn(props.feed)}
        onChange={onChange}
      />
      <ActionButton {...props} />
      <Trouble platforms={props.trouble} shelf={shelf} />
      {picking !== undefined && chainId !== undefined && (
        <TokenPicker
          title={picking === "sell" ? "Choose what to sell" : "Choose what to buy"}
          chainId={chainId}
          shelf={shelf}
          account={props.desk.session?.account}
          onPick={pick}
          onClose={() => setPicking(undefined)}
        />
      )}
    </section>
  );
}

/**
 * Slippage that the service suggests for the offer, or for the one before it while a newer one is loading, in thousandths.
 */
function suggestedIn(feed: FeedState): number | undefined {
  return newestOf(feed)?.offer.suggested_slippage;
}

/**
 * The main button: connect, switch the chain or swap. While none is possible, it is disabled and says why, and can still
 * have the focus, which a dialog that it opened gives back to it.
 */
function ActionButton(props: SwapCardProps) {
  const { desk, feed, pair } = props;
  const { session, platform, request, balances } = desk;
  const sold = pair.sell;
  const offer = feed.kind === "offer" ? feed : undefined;
  const needed = offer === undefined ? soldOf(request) : soldIn(offer.offer, offer.request);
  const balance = sold === undefined ? undefined : balances.get(sold.address);
  const action = actionOf({
    session,
    platform,
    request,
    hasFault: hasFault(props.form, pair),
    hasTokens: pair.sell !== undefined && pair.buy !== undefined && !isSameToken(pair),
    hasOffer: offer !== undefined,
    isRefused: feed.kind === "failed" && !feed.failure.passing,
    sold,
    needed,
    balance,
    gas: gasOf(props),
  });
  return (
    <>
      <button
        type="button"
        class="primary"
        id="act"
        data-action={action.kind}
        aria-disabled={action.kind === "blocked"}
        onClick={() => action.kind !== "blocked" && desk.act(action.kind)}
      >
        {action.label}
      </button>
      {desk.trouble !== undefined && session !== undefined && (
        <p class="notice notice-wrong" role="alert">
          {desk.trouble}
        </p>
      )}
    </>
  );
}

function gasOf({ desk, feed, pair, shelf }: SwapCardProps): GasFacts {
  const { platform, balances } = desk;
  const offer = feed.kind === "offer" ? feed.offer : undefined;
  return {
    symbol: platform?.native_symbol ?? shelf.known.get(NATIVE)?.symbol ?? "of the native coin",
    fee: offer && BigInt(offer.estimate_gas_total) * BigInt(offer.gas_price),
    balance: balances.get(NATIVE),
    isSold: pair.sell?.address === NATIVE,
  };
}

/** The amount sold, where the request gives it. */
function soldOf(request: PriceRequest | undefined): bigint | undefined {
  return request?.side === "SELL" ? request.amount : undefined;
}

function Trouble({
  platforms,
  shelf,
}: {
  readonly platforms: string | undefined;
  readonly shelf: TokenShelf;
}) {
  const text = platforms ?? (shelf.list.kind === "failed" ? `${shelf.list.text} Trying again.` : undefined);
  if (text === undefined) return null;
  return (
    <p class="notice notice-wrong" role="alert">
      {text}
    </p>
  );
}
