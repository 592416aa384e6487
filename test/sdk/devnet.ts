import type { Hex } from "viem";
import { afterAll, beforeAll } from "vitest";
import { createBraid, parseAmount, type Token } from "../../packages/sdk/src/index.ts";
import { ONE_THREAD, type Stack, startStack } from "../support/stack.ts";
import { rpcOf } from "./wallets.ts";

/** The service with its devnet for the tests of one file, and the tokens that they name. */

export const CHAIN = 31_337;
export const MNEMONIC = "test test test test test test test test test test test junk";

export function useDevnet() {
  let stack: Stack | undefined;
  let braid: ReturnType<typeof createBraid> | undefined;
  let tokens: readonly Token[] = [];
  beforeAll(async () => {
    stack = await startStack(ONE_THREAD);
    braid = createBraid({ url: stack.url });
    tokens = await braid.tokens({ chainID: CHAIN });
  });
  afterAll(() => stack?.stop());
  const token = (symbol: string): Token => tokens.find((each) => each.symbol === symbol)!;
  return {
    get url() {
      return stack!.url;
    },
    get rpcUrl() {
      return stack!.rpc;
    },
    get braid() {
      return braid!;
    },
    address: (symbol: string): Hex => token(symbol).address,
    units: (text: string, symbol: string) => parseAmount(text, token(symbol).decimals),
    rpc: <T>(method: string, params: readonly unknown[] = []) => rpcOf(stack!.rpc)<T>(method, params),
  };
}
