import type { Address, Deployment } from "../../core/types.ts";

/**
 * iZiSwap. Its factory's address differs from chain to chain, and some addresses are another contract of iZiSwap elsewhere.
 *
 * @param since why no creation log is older than `fromBlock`; undefined for block 0
 */
export const iziswap = (factory: Address, fromBlock: number, since?: string): Deployment => ({
  id: "iziswap",
  protocol: "iziswap",
  name: "IZiSwap",
  factory,
  fromBlock,
  trusted: true,
  facts: {},
  source: `izumiFinance/iZiSwap-periphery \`7eb1911\` scripts/deployed.js, a public inventory agrees; ${since === undefined ? "first block unknown" : `first block: ${since}`}; not checked against the chain`,
});
