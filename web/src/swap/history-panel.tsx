import type { Platform } from "../api.ts";
import { readableAmount } from "../offer/amount.ts";
import type { Past } from "./history.ts";
import { TransactionLink } from "./transaction-link.tsx";
import type { HistoryDesk } from "./use-history.ts";

type HistoryPanelProps = { readonly desk: HistoryDesk; readonly platforms: readonly Platform[] };

const STATES: Readonly<Record<Past["state"], string>> = {
  pending: "being mined",
  done: "done",
  reverted: "undone",
  replaced: "replaced",
  dropped: "not sent",
};

/** The swaps that were sent from this browser. The list never leaves the browser. */
export function HistoryPanel({ desk: { history, clear }, platforms }: HistoryPanelProps) {
  if (history.length === 0) return null;
  return (
    <section class="card history" aria-label="Your swaps">
      <div class="offer-head">
        <h2>Your swaps</h2>
        <button type="button" class="quiet" id="clear-history" onClick={clear}>
          Forget these
        </button>
      </div>
      <ul class="history-list">
        {history.map((past) => (
          <li key={past.id} class="history-row" data-state={past.state}>
            <span>
              {amountText(past.sold, past.sold.amount)} →{" "}
              {amountText(past.bought, past.realised ?? past.bought.amount)}
            </span>
            <time dateTime={new Date(past.sentMs).toISOString()}>
              {new Date(past.sentMs).toLocaleString()}
            </time>
            <span class={`state state-${past.state}`}>{STATES[past.state]}</span>
            <TransactionLink
              hash={past.id}
              platform={platforms.find(({ chainId }) => chainId === past.chainId)}
            />
          </li>
        ))}
      </ul>
      <p class="note-small">Kept in this browser only.</p>
    </section>
  );
}

function amountText({ symbol, decimals }: Past["sold"], amount: string): string {
  return `${readableAmount(BigInt(amount), decimals)} ${symbol}`;
}
