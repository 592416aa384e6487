import { enoughSlippage } from "../../../packages/sdk/src/swap/undone.ts";
import type { Platform, PriceRequest } from "../api.ts";
import { exactAmount, readableAmount } from "../offer/amount.ts";
import type { NamedToken } from "../route/labels.ts";
import type { Leftover } from "./leftover.ts";
import { LeftoverNotice } from "./leftover-notice.tsx";
import type { RevertCause } from "./quote.ts";
import { TransactionLink } from "./transaction-link.tsx";
import type { Ended, SwapDesk } from "./use-swap.ts";

type OutcomeProps = {
  readonly end: Ended;
  readonly left: Leftover | undefined;
  readonly onRevoke: SwapDesk["revoke"];
  readonly request: PriceRequest;
  readonly nameOf: (address: string) => NamedToken;
  readonly platform: Platform | undefined;
  readonly onAgain: (request: PriceRequest, slippagePercent: number | undefined) => void;
  readonly onClose: () => void;
};

/** The result of a swap, and a button for the next action. */
export function Outcome(props: OutcomeProps) {
  const { end, left, request, platform, onAgain, onClose, onRevoke, nameOf } = props;
  const wanted = end.kind === "reverted" ? slippageFor(end) : undefined;
  return (
    <div class="outcome" data-end={end.kind}>
      <p
        class={end.kind === "mined" ? "outcome-good" : "notice notice-wrong"}
        role={end.kind === "mined" ? "status" : "alert"}
      >
        {wordsOf(end, wanted)}
      </p>
      {end.kind === "mined" && <Received {...props} end={end} />}
      {end.kind !== "refused" && <TransactionLink hash={end.hash} platform={platform} />}
      {left !== undefined && <LeftoverNotice left={left} token={nameOf(left.token)} onRevoke={onRevoke} />}
      {end.kind === "mined" ? (
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      ) : (
        <button type="button" class="primary" id="again" onClick={() => onAgain(request, wanted)}>
          {wanted === undefined ? "Try again" : `Try again with ${wanted} % slippage`}
        </button>
      )}
    </div>
  );
}

function wordsOf(end: Ended, wanted: number | undefined): string {
  if (end.kind === "mined") return "Swapped.";
  if (end.kind === "refused") return end.text;
  if (end.kind === "reverted") return undoneWords(end, wanted);
  if (end.kind === "replaced")
    return "Your wallet sent another transaction in the place of this swap. Nothing was swapped by this one.";
  return "The network no longer knows this transaction. Check your wallet before you send it again.";
}

type Undone = Extract<Ended, { kind: "reverted" }>;

function undoneWords({ cause }: Undone, wanted: number | undefined): string {
  if (cause !== undefined && !isMinimum(cause))
    return `The swap was undone: ${cause.text.replace(/\.?$/, ".")} You keep your tokens and paid only gas.`;
  const moved = wanted === undefined ? "" : ` A slippage of ${wanted} % would have done.`;
  return `The swap was undone: the market moved, and less than your minimum would have arrived (min return). You keep your tokens and paid only gas.${moved}`;
}

const isMinimum = ({ text }: RevertCause): boolean => text.includes("min return");

/**
 * Slippage in percent with which a reverted swap would have succeeded, or with which it succeeds now; undefined where
 * neither is known, or where the minimum was not the cause.
 */
function slippageFor({ quote, now, cause }: Undone): number | undefined {
  if (cause !== undefined && !isMinimum(cause)) return undefined;
  const present = now && BigInt(now.amount_out_total);
  return enoughSlippage(BigInt(quote.amount_out_total), cause?.wouldHavePaid ?? present);
}

type ReceivedProps = Pick<OutcomeProps, "request" | "nameOf"> & {
  readonly end: Extract<Ended, { kind: "mined" }>;
};

/** Received and quoted amounts, exact to the smallest unit. */
function Received({ end: { quote, realised }, request, nameOf }: ReceivedProps) {
  const token = nameOf(request.tokenOut);
  const quoted = BigInt(quote.amount_out_total);
  const exact = (value: bigint) => `${exactAmount(value, token.decimals)} ${token.symbol}`;
  if (realised === undefined)
    return (
      <p class="note-small">Your wallet's node does not say what arrived; quoted were {exact(quoted)}.</p>
    );
  const difference = realised - quoted;
  return (
    <dl class="facts">
      <div class="fact" data-fact="Received">
        <dt>Received</dt>
        <dd title={exact(realised)}>
          {readableAmount(realised, token.decimals)} {token.symbol}
          <span class="fact-more">{exact(realised)}</span>
        </dd>
      </div>
      <div class="fact" data-fact="Quoted">
        <dt>Quoted</dt>
        <dd>
          {difference === 0n ? "exactly this" : exact(quoted)}
          {difference !== 0n && (
            <span class="fact-more">
              {difference > 0n ? "more" : "less"} arrived: {exact(difference > 0n ? difference : -difference)}
            </span>
          )}
        </dd>
      </div>
    </dl>
  );
}
