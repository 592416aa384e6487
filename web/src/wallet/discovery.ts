import type { Provider } from "./provider.ts";

/** A wallet that can be connected. */
export type Wallet = {
  /** The wallet's reverse domain name, which is stable across reloads. */
  readonly id: string;
  readonly name: string;
  /** An image as a data URL; undefined where the wallet sent none that can be shown. */
  readonly icon: string | undefined;
  readonly provider: Provider;
};

type Announcement = {
  readonly info?: { readonly rdns?: unknown; readonly name?: unknown; readonly icon?: unknown };
  readonly provider?: Provider;
};

/** Image types that the page's Content-Security-Policy allows; an <img> element runs no scripts in them. */
const IMAGE = /^data:image\/(png|jpeg|webp|gif|svg\+xml)[;,]/i;
const MAX_ICON = 100_000;
const MAX_NAME = 40;

/**
 * Finds the wallets of this browser by EIP-6963. Where none announces itself, `window.ethereum` is used.
 *
 * @param show called with all wallets found so far, each time one is found
 * @returns a function that ends the search
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

/** The wallet of an announcement; undefined where the announcement is invalid. */
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
