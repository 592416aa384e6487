import { NATIVE, type Platform, type PriceRequest, type Token } from "../api.ts";
import { Dialog } from "../dialog.tsx";
import { tokenNamer } from "../route/labels.ts";
import { doubtOf } from "../tokens/doubt.ts";
import { Outcome } from "./outcome.tsx";
import { ReviewPanel } from "./review-panel.tsx";
import type { Step } from "./run.ts";
import { TransactionLink } from "./transaction-link.tsx";
import type { SwapDesk, SwapState } from "./use-swap.ts";

type SwapDialogProps = {
  readonly desk: SwapDesk;
  readonly known: ReadonlyMap<string, Token>;
  readonly platform: Platform | undefined;
  readonly gasUnit: string;
  /** Starts a swap again, with a new slippage where one is given. */
  readonly onAgain: (request: PriceRequest, slippagePercent: number | undefined) => void;
};

const TITLES: Readonly<Record<SwapState["kind"], string>> = {
  idle: "",
  quoting: "Review the swap",
  review: "Review the swap",
  running: "Swapping",
  ended: "Your swap",
};

/** Dialog for a swap, from its review to its result. */
export function SwapDialog(props: SwapDialogProps) {
  const { desk, known, platform } = props;
  const { state } = desk;
  if (state.kind === "idle") return null;
  return (
    <Dialog title={TITLES[state.kind]} onClose={desk.close}>
      {state.kind === "quoting" && (
        <p class="empty" role="status">
          Fetching the newest quote…
        </p>
      )}
      {state.kind === "review" && (
        <ReviewPanel
          review={state}
          nameOf={tokenNamer(known, state.shown.route_graph?.tokens)}
          doubtAt={doubtIn(known)}
          native={known.get(NATIVE)}
          gasUnit={props.gasUnit}
          desk={desk}
        />
      )}
      {state.kind === "running" && <Running step={state.step} platform={platform} />}
      {state.kind === "ended" && (
        <Outcome
          end={state.end}
          left={state.left}
          onRevoke={desk.revoke}
          request={state.request}
          nameOf={tokenNamer(known)}
          platform={platform}
          onAgain={props.onAgain}
          onClose={desk.close}
        />
      )}
    </Dialog>
  );
}

/** The warning about a token, which the review repeats: between the choice of a token and its purchase lies a click. */
function doubtIn(known: ReadonlyMap<string, Token>) {
  return (address: string) => {
    const token = known.get(address);
    return token && doubtOf(token, known);
  };
}

function Running({ step, platform }: { readonly step: Step; readonly platform: Platform | undefined }) {
  const hash = step.kind === "approving" || step.kind === "pending" ? step.hash : undefined;
  return (
    <div class="running" role="status">
      <span class="spinner" aria-hidden="true" />
      <p class="running-words">{wordsOf(step)}</p>
      {hash !== undefined && <TransactionLink hash={hash} platform={platform} />}
      {step.kind === "pending" && (
        <p class="note-small">
          {hash === undefined
            ? "You may close this: your wallet goes on, and the list below has the swap once it is mined."
            : "You may close this: the swap goes on, and the list below keeps it."}
        </p>
      )}
    </div>
  );
}

function wordsOf(step: Step): string {
  if (step.kind === "approve")
    return step.of === 1
      ? "Approve the amount in your wallet."
      : `Approve in your wallet (${step.number} of ${step.of}).`;
  if (step.kind === "approving") return "The approval is being mined…";
  if (step.kind === "prepare") return "Asking your wallet…";
  if (step.kind === "quote") return "Asking for a new quote…";
  if (step.kind === "sign") return "Sign the permission in your wallet.";
  return step.kind === "confirm" ? "Confirm the swap in your wallet." : "The swap is being mined…";
}
