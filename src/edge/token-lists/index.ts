import { type Address, NATIVE } from "../../core/types.ts";
import data from "../../devnet/data/tokens.json" with { type: "json" };
import type { ListedToken, ServedChain, TokenPort } from "../../service/ports.ts";

type Row = { address: string; name: string; symbol: string; decimals: number };

/** Tokens of the devnet's own list, until lists of real chains join them. */
export async function openTokenIndex(options: {
  readonly chains: readonly ServedChain[];
}): Promise<TokenPort & { close(): Promise<void> }> {
  const listed = new Map(options.chains.map(({ chain }) => [chain.id, tokensOf(chain.id)]));
  return {
    get: (chainId, address) => listed.get(chainId)?.find((token) => token.address === address),
    all: (chainId) => listed.get(chainId) ?? [],
    close: async () => undefined,
  };
}

function tokensOf(chainId: number): readonly ListedToken[] {
  const rest = { chainId, logoUri: "", isActive: true, isRfq: false };
  const native = { ...rest, address: NATIVE, name: "Ether", symbol: "ETH", decimals: 18, priority: 1 };
  const rows = (data as unknown as { tokens: Row[] }).tokens;
  return [
    native,
    ...rows.map((row) => ({ ...rest, ...row, address: row.address.toLowerCase() as Address, priority: 2 })),
  ];
}
