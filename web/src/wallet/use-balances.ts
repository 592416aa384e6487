import { useEffect, useState } from "preact/hooks";
import type { Hex } from "../../../packages/sdk/src/hex.ts";
import { balanceOf } from "../../../packages/sdk/src/wallet/chain.ts";
import { fromProvider } from "../../../packages/sdk/src/wallet/wallet.ts";
import type { Session } from "./session.ts";

/** Balances by lower-case token address, smallest units. */
export type Balances = ReadonlyMap<string, bigint>;

const NONE: Balances = new Map();
const REFRESH_MS = 6000;

/**
 * Balances of the connected account, read through its own wallet and refreshed while the page is visible.
 *
 * @param chainId of the tokens; there are no balances while the wallet is on another chain
 * @param turn    a change of this value refreshes at once
 */
export function useBalances(
  session: Session | undefined,
  chainId: number | undefined,
  tokens: readonly (string | undefined)[],
  turn: unknown,
): Balances {
  const [balances, setBalances] = useState<{ of: string; known: Balances }>({ of: "", known: NONE });
  const fits = session !== undefined && session.chainId === chainId;
  const key = fits ? [session.account, chainId, ...tokens].join(" ") : "";
  useEffect(() => {
    if (!fits) return;
    let over = false;
    const read = async () => {
      if (document.hidden) return;
      const known = await balancesOf(session, tokens);
      if (!over) setBalances({ of: key, known });
    };
    void read();
    const timer = setInterval(() => void read(), REFRESH_MS);
    return () => {
      over = true;
      clearInterval(timer);
    };
  }, [key, turn]);
  return balances.of === key ? balances.known : NONE;
}

/** Reads balances. A token whose balance cannot be read is left out, which does not block a swap. */
async function balancesOf(
  { wallet, account }: Session,
  tokens: readonly (string | undefined)[],
): Promise<Balances> {
  const owner = await fromProvider(wallet.provider, account as Hex);
  const wanted = [...new Set(tokens.filter((token) => token !== undefined))];
  const read = await Promise.all(
    wanted.map(
      async (token) => [token, await balanceOf(owner, token, account).catch(() => undefined)] as const,
    ),
  );
  return new Map(read.filter((entry): entry is [string, bigint] => entry[1] !== undefined));
}
