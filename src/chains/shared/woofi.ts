import type { Address, Deployment } from "../../core/types.ts";

/**
 * WOOFi's pool, which has the same address on every chain.
 *
 * @param quote the pool's quote token; another one on the chain refuses the pool
 * @param bases tokens to ask the pool for; one that it does not hold has no price
 */
export const woofi = (quote: Address, bases: readonly Address[]): Deployment => ({
  id: "woofi",
  protocol: "woofi",
  name: "WOOFi_V2",
  factory: "0x5520385bfcf07ec87c4c53a7d8d65595dff69fa4",
  fromBlock: undefined,
  trusted: false,
  facts: { version: "v2.1", tokens: [quote, ...bases].join() },
  source:
    "woonetwork/docs 218fb51 references/readme (pool) and VeloraDEX/paraswap-dex-lib aa9c75f src/dex/woo-fi-v2/config.ts (pool, quote token) agree; the other tokens are the chain's usual ones; not checked against the chain",
});
