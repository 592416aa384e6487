import type { Wallet } from "./discovery.ts";

/** A connected wallet, with its account and current chain. */
export type Session = {
  readonly wallet: Wallet;
  /** Lower case. */
  readonly account: string;
  readonly chainId: number;
};

/** Called with the session after each change; undefined = the wallet is not connected. */
type Show = (session: Session | undefined) => void;

/**
 * Connects to a wallet and follows its account and chain.
 *
 * @param quietly true: without a prompt, which only works if the user has connected this page before
 * @returns a function that removes the listeners; it does not disconnect the wallet
 * @throws the wallet's error
 */
export async function connect(wallet: Wallet, show: Show, quietly = false): Promise<() => void> {
  const { provider } = wallet;
  const method = quietly ? "eth_accounts" : "eth_requestAccounts";
  const [accounts, chainId] = await Promise.all([
    provider.request({ method }) as Promise<readonly string[]>,
    provider.request({ method: "eth_chainId" }),
  ]);
  // A wallet that is locked has no accounts, and still a chain.
  let now = { accounts, chainId: chainOf(chainId) };
  const tell = () => show(sessionOf(wallet, now.accounts, now.chainId));
  tell();
  const onAccounts = (next: never) => {
    now = { ...now, accounts: next };
    tell();
  };
  const onChain = (next: never) => {
    now = { ...now, chainId: chainOf(next) };
    tell();
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

/** Parses a chain id. Wallets send hexadecimal text, and some a number. */
function chainOf(value: unknown): number {
  return Number(value);
}
