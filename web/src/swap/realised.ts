import type { Hex } from "../../../packages/sdk/src/hex.ts";
import { type Receipt, received } from "../../../packages/sdk/src/swap/chain.ts";
import { fromProvider } from "../../../packages/sdk/src/swap/wallet.ts";
import type { Provider } from "../wallet/provider.ts";

type Mined = {
  readonly provider: Provider;
  readonly account: string;
  readonly receipt: Receipt;
  /** The token bought. */
  readonly token: string;
  /** Smallest units that must have arrived. */
  readonly least: bigint;
};

/**
 * What a mined swap paid its account, read from the chain by the wallet's own node: nobody has to be believed.
 *
 * @returns smallest units; undefined where the wallet's node cannot say: it keeps no balances of past blocks
 */
export async function realisedAmount(mined: Mined): Promise<bigint | undefined> {
  const { provider, account, receipt, token, least } = mined;
  const wallet = await fromProvider(provider, account as Hex);
  return received(wallet, receipt, { token, account, least }).catch(() => undefined);
}
