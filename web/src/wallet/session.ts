import type { Wallet } from "./discovery.ts";

/** A connected wallet: its account and the chain that it is on. */
export type Session = {
  readonly wallet: Wallet;
  /** Lower case. */
  readonly account: string;
  readonly chainId: number;
};

/** What a session tells whoever opened it. `undefined` = the wallet is no longer connected. */
type Show = (session: Session | undefined) => void;

/**
 * Connects to a wallet and follows its account and chain.
 *
 * @param quietly true: only where the user connected before, without a question
 * @returns ends the following; the wallet itself is left as it is
 * @throws what the wallet threw
 */
export async function connect(wallet: Wallet, show: Show, quietly = false): Promise<() => void> {
  const { provider } = wallet;
  const method = quietly ? "eth_accounts" : "eth_requestAccounts";
  const [accounts, chainId] = await Promise.all([
    provider.request({ method }) as Promise<readonly string[]>,
    provider.request({ method: "eth_chainId" }),
  ]);
  let session = sessionOf(wallet, accounts, chainOf(chainId));
  show(session);
  const onAccounts = (next: never) => {
    session = sessionOf(wallet, next, session?.chainId ?? 0);
    show(session);
  };
  const onChain = (next: never) => {
    if (session === undefined) return;
    session = { ...session, chainId: chainOf(next) };
    show(session);
  };
  const onEnd = () => show(undefined);
  const listeners = [
    ["accountsChanged", onAccounts],
    ["chainChanged", onChain],
    ["disconnect", onEnd],
  ] as const;
  for (const [event, listener] of listeners) provider.on?.(event, listener);
  return () => {
    for (const [event, listener] of listeners) provider.removeListener?.(event, listener);
  };
}

function sessionOf(wallet: Wallet, accounts: readonly string[], chainId: number): Session | undefined {
  const [first] = Array.isArray(accounts) ? accounts : [];
  return typeof first === "string" ? { wallet, account: first.toLowerCase(), chainId } : undefined;
}

/** Wallets answer a hex text; some send a number. */
function chainOf(value: unknown): number {
  return Number(value);
}
