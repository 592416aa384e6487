import { useState } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import { Dialog } from "../dialog.tsx";
import { shortAddress } from "../route/labels.ts";
import type { Wallet } from "./discovery.ts";
import { TEST_ACCOUNT_ID } from "./test-account.ts";
import type { WalletDesk } from "./use-wallet.ts";

type WalletButtonProps = {
  readonly desk: WalletDesk;
  readonly isOpen: boolean;
  readonly onOpen: (open: boolean) => void;
};

/** Button with the connected account, or to connect a wallet, and its dialog. */
export function WalletButton({ desk, isOpen, onOpen }: WalletButtonProps) {
  const { session } = desk;
  return (
    <>
      <button
        type="button"
        class="wallet-button"
        id="wallet"
        aria-haspopup="dialog"
        onClick={() => onOpen(true)}
      >
        {session === undefined ? (
          <span>
            Connect<span class="roomy"> a wallet</span>
          </span>
        ) : (
          <>
            <WalletIcon wallet={session.wallet} />
            <code>{shortAddress(session.account)}</code>
          </>
        )}
      </button>
      {isOpen && (
        <Dialog
          title={session === undefined ? "Connect a wallet" : "Your wallet"}
          onClose={() => onOpen(false)}
        >
          {session === undefined ? (
            <Choice desk={desk} onDone={() => onOpen(false)} />
          ) : (
            <Connected desk={desk} />
          )}
        </Dialog>
      )}
    </>
  );
}

function Choice({ desk, onDone }: { readonly desk: WalletDesk; readonly onDone: () => void }) {
  const [waiting, setWaiting] = useState<string>();
  const open = async (wallet: Wallet) => {
    if (waiting !== undefined) return;
    setWaiting(wallet.id);
    const isConnected = await desk.open(wallet);
    setWaiting(undefined);
    if (isConnected) onDone();
  };
  return (
    <div class="wallets">
      {desk.wallets.map((wallet) => (
        <button
          key={wallet.id}
          type="button"
          class="wallet-row"
          aria-disabled={waiting !== undefined}
          onClick={() => open(wallet)}
        >
          <WalletIcon wallet={wallet} />
          <span class="wallet-words">
            <bdi>{wallet.id === TEST_ACCOUNT_ID ? "Use the devnet's test account" : wallet.name}</bdi>
            {wallet.id === TEST_ACCOUNT_ID && (
              <span class="wallet-more">A toy: play money of the test chain, signed by this service.</span>
            )}
            {waiting === wallet.id && <span class="wallet-more">Decide in your wallet…</span>}
          </span>
        </button>
      ))}
      {desk.wallets.length === 0 && <NoWallet />}
      {desk.trouble !== undefined && (
        <p class="notice notice-wrong" role="alert">
          {desk.trouble}
        </p>
      )}
    </div>
  );
}

/** Screens of phones and tablets, whose browsers have no wallets as extensions: wallets bring a browser instead. */
const HANDHELD = "(max-width: 560px), (pointer: coarse)";

function NoWallet() {
  if (!matchMedia(HANDHELD).matches)
    return (
      <p class="empty">
        No wallet was found in this browser. Install one that announces itself (EIP-6963), such as Rabby,
        MetaMask or Frame, and reload the page.
      </p>
    );
  return (
    <div class="elsewhere">
      <p>No wallet was found in this browser. Open this address in your wallet's browser:</p>
      <code id="here">{location.href}</code>
      <CopyButton id="copy-here" text={location.href} />
    </div>
  );
}

function Connected({ desk }: { readonly desk: WalletDesk }) {
  const { session } = desk;
  if (session === undefined) return null;
  return (
    <div class="wallets">
      <p class="wallet-row wallet-now">
        <WalletIcon wallet={session.wallet} />
        <span class="wallet-words">
          <bdi>{session.wallet.name}</bdi>
          <code class="wallet-more">{session.account}</code>
        </span>
      </p>
      <button type="button" class="quiet" id="disconnect" onClick={desk.close}>
        Disconnect
      </button>
    </div>
  );
}

function WalletIcon({ wallet }: { readonly wallet: Wallet }) {
  if (wallet.icon !== undefined)
    return <img class="wallet-icon" src={wallet.icon} alt="" width="28" height="28" />;
  return (
    <span class="wallet-icon wallet-letter" aria-hidden="true">
      {wallet.name.slice(0, 1).toUpperCase()}
    </span>
  );
}
