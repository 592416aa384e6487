import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Manners } from "../../../scripts/maker/desk.ts";
import { type Maker, startMaker } from "../../../scripts/maker/serve.ts";
import { devnetAccount } from "../../../scripts/maker/sign.ts";
import { DEVNET_PAIRS } from "../../../scripts/maker/tokens.ts";
import { startStack } from "../../support/stack.ts";
import { type Undo, withTeardown } from "../../support/teardown.ts";
import { type Api, api } from "../api.ts";
import { connect, type TestChain } from "../chain.ts";
import { openWallet, WALLET } from "./wallet.ts";

/** Who makes: an account or a contract wallet by Braid's interface, an account that pushes its levels, or one by AirSwap's. */
export type MakerKind = "account" | "contract" | "pushing" | "airswap";

/** A service with one maker on a fresh devnet. */
export type MakerStack = {
  readonly chain: TestChain;
  readonly api: Api;
  readonly url: string;
  /** How the maker behaves; may be changed. */
  readonly manners: Manners;
  readonly maker: Maker;
  readonly random: () => number;
  health(): Promise<MakerRow>;
  stop(): Promise<void>;
};

export type MakerRow = {
  phase: string;
  pairs: number;
  orders: Record<string, number>;
  fade_rate: number;
  trouble: string | null;
};

export const MAKER_ACCOUNT = 9;
const SECRET = "a secret of the tests only";

/**
 * @param rivals entries of the makers file beside the reference maker, which their server is not of
 * @throws Error where it does not get ready; nothing of it runs then
 */
export const startMakerStack = (
  random: () => number,
  kind: MakerKind,
  rivals: readonly object[] = [],
): Promise<MakerStack> => withTeardown((undo) => openMakerStack(random, { kind, rivals }, undo));

async function openMakerStack(
  random: () => number,
  { kind, rivals }: { readonly kind: MakerKind; readonly rivals: readonly object[] },
  undo: Undo,
): Promise<Omit<MakerStack, "stop">> {
  const manners: Manners = { fade: 0, slowMs: 0, lie: undefined };
  const account = devnetAccount(MAKER_ACCOUNT);
  const wallet = kind === "contract" ? WALLET : undefined;
  const airSwap = kind === "airswap";
  const secret = airSwap ? undefined : SECRET;
  const options = { account, wallet, airSwap, pairs: DEVNET_PAIRS, port: 0, secret, manners, random };
  const maker = await startMaker(options);
  undo(maker.stop);
  const folder = mkdtempSync(join(tmpdir(), "makers-"));
  undo(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "makers.json");
  const entry = { name: "Reference", chain_id: 31_337, address: wallet ?? account.address, url: maker.url };
  const isPushing = kind === "pushing";
  const terms = airSwap ? { protocol: "airswap", pairs: DEVNET_PAIRS } : { secret, push: isPushing };
  const own = { ...entry, contract: kind === "contract", ...terms };
  writeFileSync(file, JSON.stringify({ makers: [own, ...rivals] }));
  const stack = await startStack({ DEVNET_BLOCK_TIME_MS: "0", MAKERS_FILE: file, MAKERS_PORT: "0" });
  undo(stack.stop);
  const chain = await connect(stack.rpc);
  if (wallet !== undefined) await openWallet(chain, account.address, [...new Set(DEVNET_PAIRS.flat())]);
  const ask = api(stack.url);
  const health = async (): Promise<MakerRow> => {
    const { chains } = await ask<{ chains: { makers: MakerRow[] }[] }>("/health");
    return chains[0]!.makers[0]!;
  };
  await maker.quote(chain.rpc, isPushing ? { url: stack.pushUrl!, name: "Reference" } : undefined);
  await chain.mine();
  await until(async () => (await health()).phase === "live");
  return { chain, api: ask, url: stack.url, manners, maker, random, health };
}

/** @throws Error where it does not come true within ten seconds */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await isTrue()) return;
    await wait(100);
  }
  throw new Error("nothing changed in ten seconds");
}
