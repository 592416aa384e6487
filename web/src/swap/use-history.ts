import { useCallback, useEffect, useState } from "preact/hooks";
import { fateOf } from "../../../packages/sdk/src/fate/fate.ts";
import type { Hex } from "../../../packages/sdk/src/hex.ts";
import { fromProvider } from "../../../packages/sdk/src/wallet/wallet.ts";
import { soldIn, type Token } from "../api.ts";
import { tokenNamer } from "../route/labels.ts";
import type { Session } from "../wallet/session.ts";
import { onHistoryChange, type Past, readHistory, withPast, writeHistory } from "./history.ts";
import { realisedAmount } from "./realised.ts";
import { PATIENCE } from "./run.ts";
import type { Ended, SwapEvent } from "./use-swap.ts";

export type HistoryDesk = {
  readonly history: readonly Past[];
  readonly tell: (event: SwapEvent) => void;
  readonly clear: () => void;
};

const POLL_MS = 3000;

/** The swap history, which all tabs share. Swaps that were pending at a reload are followed again once their wallet is connected. */
export function useHistory(session: Session | undefined, known: ReadonlyMap<string, Token>): HistoryDesk {
  const [history, setHistory] = useState(readHistory);
  const change = useCallback((next: (before: readonly Past[]) => readonly Past[]) => {
    setHistory((before) => {
      // Another tab may have written since. Nothing is stored where the browser has no storage.
      const stored = readHistory();
      const after = next(stored.length > 0 ? stored : before);
      writeHistory(after);
      return after;
    });
  }, []);
  useEffect(() => onHistoryChange(() => setHistory(readHistory())), []);
  useEffect(
    () => (session === undefined ? undefined : follow(session, readHistory(), change)),
    [session, change],
  );
  const tell = (event: SwapEvent) => {
    change((before) => {
      if (event.kind === "sent") return withPast(before, sentPast(event, session?.account ?? "", known));
      const past = before.find(({ id }) => id === event.id);
      return past === undefined ? before : withPast(before, { ...past, ...endOf(event.end) });
    });
  };
  return {
    history,
    tell,
    clear: () => change((before) => before.filter(({ state }) => state === "pending")),
  };
}

function sentPast(
  { id, request, quote }: Extract<SwapEvent, { kind: "sent" }>,
  account: string,
  known: ReadonlyMap<string, Token>,
): Past {
  const nameOf = tokenNamer(known, quote.route_graph?.tokens);
  return {
    id,
    chainId: request.chainId,
    account,
    sentMs: Date.now(),
    sold: { ...nameOf(request.tokenIn), amount: String(soldIn(quote, request)) },
    bought: { ...nameOf(request.tokenOut), amount: quote.amount_out_total },
    state: "pending",
  };
}

function endOf(end: Ended): Partial<Past> {
  if (end.kind === "mined") return { state: "done", realised: end.realised?.toString() };
  return end.kind === "refused" ? { state: "dropped" } : { state: end.kind };
}

/** Follows the account's swaps that are pending in a history. @returns a function that ends it */
function follow(
  { wallet: { provider }, account, chainId }: Session,
  history: readonly Past[],
  change: (next: (before: readonly Past[]) => readonly Past[]) => void,
): () => void {
  const gone = new AbortController();
  const mine = history.filter(
    (past) => past.state === "pending" && past.chainId === chainId && past.account === account,
  );
  for (const past of mine) {
    void (async () => {
      const wallet = await fromProvider(provider, account as Hex);
      const chain = { chainID: past.chainId, pollMs: POLL_MS };
      const following = { wallet, ...chain, patience: PATIENCE, signals: [gone.signal] };
      const fate = await fateOf(past.id, following).catch(() => undefined);
      if (fate === undefined) return;
      if (fate.kind !== "mined") return change((before) => withPast(before, { ...past, state: fate.kind }));
      const { receipt } = fate;
      const done = BigInt(receipt.status) === 1n;
      const mined = { provider, account, receipt, token: past.bought.address, least: 0n };
      const realised = done ? (await realisedAmount(mined))?.toString() : undefined;
      change((before) => withPast(before, { ...past, state: done ? "done" : "reverted", realised }));
    })();
  }
  return () => gone.abort();
}
