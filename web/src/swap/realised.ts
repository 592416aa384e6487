import type { Hex } from "../../../packages/sdk/src/hex.ts";
import { type Receipt, received } from "../../../packages/sdk/src/wallet/chain.ts";
import { fromProvider } from "../../../packages/sdk/src/wallet/wallet.ts";
import type { Provider } from "../wallet/provider.ts";

type Mined = {
  readonly provider: Provider;
  readonly account: string;
  readonly receipt: Receipt;
  /** The token bought. */
  readonly token: string;
  /** Smallest amount that must have been received, in smallest units. */
  readonly least: bigint;
};

/**
 * The amount that a mined swap paid to the account, read through the wallet's own node, so that the service need not be
 * trusted.
 *
 * @returns smallest units; undefined where the node cannot read it, for instance because it has no past states
 */
export async function realisedAmount(mined: Mined): Promise<bigint | undefined> {
  const { provider, account, receipt, token, least } = mined;
  const wallet = await fromProvider(provider, account as Hex);
  return received(wallet, receipt, { token, account, least }).catch(() => undefined);
}
