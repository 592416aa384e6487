import { startStack } from "../../../../test/support/stack.ts";

const CHAIN = 31337;
const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

export type Token = { readonly address: string; readonly symbol: string };

/** What the benches read of an offer; a refusal has none of it. */
export type Offer = {
  readonly amount_in?: string;
  readonly amount_out_total?: string;
  readonly price_impact_bps?: number;
  readonly optimality?: {
    readonly upper_bound: string | null;
    readonly gap_bps: number | null;
    readonly gap_legs: number | null;
    readonly reason: string | null;
  };
  readonly search?: { readonly complete: boolean; readonly ms: number };
};

export type Asked = {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly side?: "SELL" | "BUY";
  /** Whether routes are chosen net of gas. */
  readonly withGas: boolean;
};

/** The service as a newcomer starts it, on a devnet that makes no blocks: all prices are of one state. */
export type DevnetService = {
  readonly tokens: readonly Token[];
  readonly price: (asked: Asked) => Promise<Offer>;
  /** How much of a token so much of the native coin buys; 0 where nothing routes. */
  readonly worth: (token: Token, eth: number, withGas: boolean) => Promise<bigint>;
  readonly stop: () => Promise<unknown>;
};

export async function startDevnetService(): Promise<DevnetService> {
  const stack = await startStack({ DEVNET_BLOCK_TIME_MS: "0" });
  const get = async (path: string) => (await fetch(`${stack.url}/v1/${CHAIN}/${path}`)).json();
  const price = async ({ from, to, amount, side = "SELL", withGas }: Asked) =>
    (await get(
      `price?fromTokenAddress=${from}&toTokenAddress=${to}&amount=${amount}&side=${side}&withGas=${withGas}`,
    )) as Offer;
  const worth = async ({ address }: Token, eth: number, withGas: boolean) => {
    const amount = BigInt(Math.round(eth * 1e18));
    if (address === NATIVE) return amount;
    return BigInt((await price({ from: NATIVE, to: address, amount, withGas })).amount_out_total ?? 0);
  };
  const { tokens } = (await get("tokens")) as { tokens: Token[] };
  return { tokens, price, worth, stop: stack.stop };
}
