import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Platform } from "../api.ts";
import { readLocal, writeLocal } from "../local.ts";
import { switchChain } from "./chain.ts";
import { discoverWallets, type Wallet } from "./discovery.ts";
import { walletFault } from "./provider.ts";
import { connect, type Session } from "./session.ts";
import { testAccount } from "./test-account.ts";

export type WalletDesk = {
  readonly wallets: readonly Wallet[];
  readonly session: Session | undefined;
  /** Last error message of connecting or switching the chain. */
  readonly trouble: string | undefined;
  /** @returns whether it is connected now */
  readonly open: (wallet: Wallet) => Promise<boolean>;
  readonly close: () => void;
  readonly toChain: (platform: Platform) => Promise<void>;
};

/** Storage key of the wallet connected last, which is connected again after a reload. */
const LAST = "wallet";

/** The wallets of this browser, and the connected one. @param hasDevnet whether the devnet's test account is offered */
export function useWallet(hasDevnet: boolean): WalletDesk {
  const [found, setFound] = useState<readonly Wallet[]>([]);
  const [trouble, setTrouble] = useState<string>();
  const { session, turn, enter, leave } = useSession(setTrouble);
  const tried = useRef(false);
  useEffect(() => discoverWallets(setFound), []);
  const wallets = useMemo(() => (hasDevnet ? [...found, testAccount()] : found), [found, hasDevnet]);
  useEffect(() => {
    const last = wallets.find((wallet) => wallet.id === readLocal(LAST));
    if (last === undefined || tried.current) return;
    tried.current = true;
    void enter(last, true);
  }, [wallets, enter]);

  const toChain = async (platform: Platform) => {
    if (session === undefined) return;
    const before = turn.current;
    try {
      await switchChain(session.wallet.provider, platform);
      // Some wallets switch the chain without an event.
      if (turn.current === before) await enter(session.wallet, true);
    } catch (error) {
      const { kind, text } = walletFault(error);
      setTrouble(kind === "failed" && error instanceof Error ? error.message : text);
    }
  };
  const open = (wallet: Wallet) => {
    // The user has chosen: the wallet of the last visit, which may announce itself only now, is not connected any more.
    tried.current = true;
    return enter(wallet, false);
  };
  return { wallets, session, trouble, open, close: leave, toChain };
}

/** At most one connected wallet, which is stored so that it is connected again after a reload. */
function useSession(setTrouble: (text: string | undefined) => void) {
  const [session, setSession] = useState<Session>();
  const unfollow = useRef<() => void>(undefined);
  // The number of the last connection or disconnection. The answer of a wallet to an earlier one comes too late.
  const turn = useRef(0);
  const show = useCallback((next: Session | undefined) => {
    setSession(next);
    if (next === undefined) writeLocal(LAST, undefined);
  }, []);
  const enter = useCallback(
    async (wallet: Wallet, quietly: boolean) => {
      const mine = ++turn.current;
      const isLast = () => mine === turn.current;
      unfollow.current?.();
      unfollow.current = undefined;
      try {
        const end = await connect(wallet, (next) => isLast() && show(next), quietly);
        if (!isLast()) {
          end();
          return false;
        }
        unfollow.current = end;
        writeLocal(LAST, wallet.id);
        setTrouble(undefined);
        return true;
      } catch (error) {
        if (!quietly && isLast()) setTrouble(walletFault(error).text);
        return false;
      }
    },
    [show, setTrouble],
  );
  const leave = () => {
    turn.current += 1;
    unfollow.current?.();
    unfollow.current = undefined;
    show(undefined);
  };
  return { session, turn, enter, leave };
}
