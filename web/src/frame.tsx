import type { ComponentChildren } from "preact";
import type { Platform } from "./api.ts";

type HeaderProps = {
  readonly platforms: readonly Platform[];
  readonly chainId: number | undefined;
  readonly onChain: (chainId: number) => void;
  /** Shown at the end of the header. */
  readonly children: ComponentChildren;
};

export function Header({ platforms, chainId, onChain, children }: HeaderProps) {
  return (
    <header class="masthead">
      <a class="brand" href="/" aria-label="Braid">
        <img src="/mark.svg" alt="" width="30" height="30" />
        <span>Braid</span>
      </a>
      <nav class="masthead-links">
        <a href="/docs">Docs</a>
        <label class="chain">
          <span class="unseen">Chain</span>
          <select
            value={chainId ?? ""}
            disabled={platforms.length === 0}
            onChange={(event) => onChain(Number(event.currentTarget.value))}
          >
            {platforms.length === 0 && <option value="">No chain yet</option>}
            {platforms.length > 0 && chainId === undefined && <option value="">Choose a chain</option>}
            {platforms.map((platform) => (
              <option key={platform.chainId} value={platform.chainId}>
                {platform.name}
              </option>
            ))}
          </select>
        </label>
        {children}
      </nav>
    </header>
  );
}

export function Footer() {
  return (
    <footer class="footer">
      {/* Shown where the header has no room for it. */}
      <nav class="footer-links" aria-label="Documentation">
        <a href="/docs">Documentation</a>
      </nav>
      <p>
        Braid is an open DEX aggregator under the MIT licence. Everything on this page comes from the machine
        that serves it: no tracking, no outside request. Check what your wallet asks you to sign.
      </p>
    </footer>
  );
}
