import { soldIn, type Token } from "../api.ts";
import { type Form, missingToken } from "../form/form.ts";
import type { SwapCardProps } from "../form/swap-card-props.ts";
import { doubtOf } from "../tokens/doubt.ts";
import { TokenDisc } from "../tokens/token-disc.tsx";
import { useMax } from "../wallet/use-max.ts";
import { dollars, exactAmount, parseAmount, readableAmount, typedAmount } from "./amount.ts";
import type { FeedState } from "./offer-feed.ts";

type AmountFieldProps = SwapCardProps & { readonly field: "sell" | "buy"; readonly onPick: () => void };

const FIELDS = {
  sell: { id: "amount", label: "You sell", side: "SELL" },
  buy: { id: "bought", label: "You receive", side: "BUY" },
} as const;

/**
 * One side of the swap: token and amount. The typed amount is the request's; the other field shows that of the offer.
 */
export function AmountField(props: AmountFieldProps) {
  const { field, form, pair, feed, onChange, onPick } = props;
  const { id, label, side } = FIELDS[field];
  const token = pair[field];
  const shown = form.side === side ? typed(form, token) : answered(feed, token);
  const { text, exact, placeholder, state } = shown;
  const doubt = token && doubtOf(token, props.shelf.known);
  const isLoaded = props.shelf.list.kind === "ready";
  const wrong = shown.wrong ?? (isLoaded ? missingToken(form[field], token, props.shelf.absent) : undefined);
  return (
    <div class={wrong === undefined ? "field" : "field field-wrong"}>
      <label class="field-label" for={id}>
        {label}
      </label>
      <div class="field-row">
        <input
          id={id}
          class={`${amountClass(text)}${STATE_CLASS[state]}`}
          inputMode="decimal"
          autocomplete="off"
          autocorrect="off"
          spellcheck={false}
          placeholder={placeholder}
          maxLength={80}
          value={text}
          title={exact}
          aria-invalid={wrong !== undefined}
          aria-describedby={`${id}-note`}
          onInput={(event) => onChange({ side, amount: event.currentTarget.value })}
        />
        <TokenButton token={token} side={field} onPick={onPick} />
      </div>
      {doubt !== undefined && <p class="doubt">{doubt}</p>}
      <div class="field-foot">
        <p class="field-note" id={`${id}-note`} role={wrong === undefined ? undefined : "alert"}>
          {wrong ?? usdOf(feed, field) ?? token?.name ?? ""}
        </p>
        <Balance {...props} token={token} />
      </div>
    </div>
  );
}

/** Value of this side in US dollars; undefined where it is not known. */
function usdOf(feed: FeedState, field: "sell" | "buy"): string | undefined {
  if (feed.kind !== "offer") return undefined;
  const usd = field === "sell" ? feed.offer.amount_in_usd : feed.offer.amount_out_usd;
  return usd === null || usd === undefined ? undefined : dollars(usd);
}

/** The account's balance of the token; for the token sold, with a button for the largest amount. */
function Balance({
  field,
  token,
  desk,
  feed,
  onChange,
}: AmountFieldProps & { readonly token: Token | undefined }) {
  const balance = token === undefined ? undefined : desk.balances.get(token.address);
  const { most, press } = useMax({ token, balance, feed, highFeeWei: desk.highFeeWei }, (amount) =>
    onChange({ side: "SELL", amount: exactAmount(amount, token?.decimals ?? 0) }),
  );
  if (token === undefined || balance === undefined) return null;
  const text = `${readableAmount(balance, token.decimals)} ${token.symbol}`;
  return (
    <p class="balance" id={`balance-${field}`} title={exactAmount(balance, token.decimals)}>
      Balance {text}
      {field === "sell" && most > 0n && (
        <button type="button" class="link-button" id="max" onClick={press}>
          Max
        </button>
      )}
    </p>
  );
}

type Shown = {
  readonly text: string;
  readonly exact?: string;
  readonly wrong?: string | undefined;
  readonly placeholder: string;
  /** "old": the amount is that of the last offer, because there is no newer one. */
  readonly state: "current" | "waiting" | "old";
};

const STATE_CLASS = { current: "", waiting: " amount-wait", old: " faint" } as const;

function typed({ amount }: Form, token: Token | undefined): Shown {
  const wrong = token === undefined ? undefined : faultOf(amount, token);
  return { text: amount, wrong, placeholder: "0", state: "current" };
}

/** The amount of the offer for the field that was not typed in. */
function answered(feed: FeedState, token: Token | undefined): Shown {
  const known = feed.kind === "offer" ? feed : feed.kind === "failed" ? feed.last : undefined;
  if (known === undefined || token === undefined)
    return feed.kind === "loading"
      ? { text: "", placeholder: "", state: "waiting" }
      : { text: "", placeholder: "–", state: "current" };
  const { offer, request } = known;
  const up = request.side === "BUY";
  const amount = up ? soldIn(offer, request) : BigInt(offer.amount_out_total);
  const exact = `${exactAmount(amount, token.decimals)} ${token.symbol}`;
  const state = feed.kind === "offer" ? "current" : "old";
  return { text: typedAmount(amount, token.decimals, { up }), exact, placeholder: "–", state };
}

function faultOf(amount: string, token: Token): string | undefined {
  const parsed = parseAmount(amount, token.decimals);
  return parsed.kind === "bad" ? parsed.text : undefined;
}

/** Style class: long amounts get a smaller font and are never cut. */
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
          <TokenDisc token={token} />
          <bdi>{token.symbol}</bdi>
        </>
      )}
      <svg class="chevron" viewBox="0 0 12 12" aria-hidden="true">
        <path d="m2.5 4.5 3.5 3.5 3.5-3.5" />
      </svg>
    </button>
  );
}
