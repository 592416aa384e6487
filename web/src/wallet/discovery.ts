import type { Provider } from "./provider.ts";

/** A wallet that can be connected. */
export type Wallet = {
  /** Stays the same over reloads: the reverse domain name of the wallet's maker. */
  readonly id: string;
  readonly name: string;
  /** An image as a data address; undefined where the wallet sent something else. */
  readonly icon: string | undefined;
  readonly provider: Provider;
};

type Announcement = {
  readonly info?: { readonly rdns?: unknown; readonly name?: unknown; readonly icon?: unknown };
  readonly provider?: Provider;
};

/** Only images that the page's content policy shows, and that are drawn without running anything. */
const IMAGE = /^data:image\/(png|jpeg|webp|gif|svg\+xml)[;,]/i;
const MAX_ICON = 100_000;
const MAX_NAME = 40;

/**
 * Finds the wallets of this browser by EIP-6963, and the one that only sets `window.ethereum`.
 *
 * @param show gets all wallets known so far, whenever one more is found
 * @returns ends the search
 */
export function discoverWallets(show: (wallets: readonly Wallet[]) => void): () => void {
  const found = new Map<string, Wallet>();
  const hear = (event: Event) => {
    const wallet = walletOf((event as CustomEvent<Announcement>).detail);
    if (wallet === undefined || found.has(wallet.id)) return;
    found.set(wallet.id, wallet);
    show([...found.values()]);
  };
  addEventListener("eip6963:announceProvider", hear);
  dispatchEvent(new Event("eip6963:requestProvider"));
  const legacy = (globalThis as { ethereum?: Provider }).ethereum;
  if (found.size === 0 && typeof legacy?.request === "function") {
    show([{ id: "window.ethereum", name: "Browser wallet", icon: undefined, provider: legacy }]);
  }
  return () => removeEventListener("eip6963:announceProvider", hear);
}

/** The wallet that an announcement describes; undefined where it describes none. */
export function walletOf(announced: Announcement | null | undefined): Wallet | undefined {
  const { info, provider } = announced ?? {};
  const rdns = typeof info?.rdns === "string" ? info.rdns : "";
  if (rdns === "" || typeof provider?.request !== "function") return undefined;
  const name = typeof info?.name === "string" && info.name.trim() !== "" ? info.name.trim() : rdns;
  const icon = typeof info?.icon === "string" && IMAGE.test(info.icon) ? info.icon : undefined;
  return {
    id: rdns,
    name: [...name].slice(0, MAX_NAME).join(""),
    icon: icon !== undefined && icon.length <= MAX_ICON ? icon : undefined,
    provider,
  };
}
