import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Maker, type Manners, startMaker } from "../../../scripts/maker/serve.ts";
import { devnetAccount } from "../../../scripts/maker/sign.ts";
import { DEVNET_PAIRS } from "../../../scripts/maker/tokens.ts";
import { startStack } from "../../support/stack.ts";
import { type Api, api } from "../api.ts";
import { connect, type TestChain } from "../chain.ts";
import { openWallet, WALLET } from "./wallet.ts";

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

const MAKER_ACCOUNT = 9;
const SECRET = "a secret of the tests only";

/** @param isContract whether the maker's account is a contract wallet */
export async function startMakerStack(random: () => number, isContract: boolean): Promise<MakerStack> {
  const manners: Manners = { fade: 0, slowMs: 0, lie: undefined };
  const account = devnetAccount(MAKER_ACCOUNT);
  const wallet = isContract ? WALLET : undefined;
  const options = { account, wallet, pairs: DEVNET_PAIRS, port: 0, secret: SECRET, manners, random };
  const maker = await startMaker(options);
  const folder = mkdtempSync(join(tmpdir(), "makers-"));
  const file = join(folder, "makers.json");
  const entry = { name: "Reference", chain_id: 31_337, address: wallet ?? account.address, url: maker.url };
  writeFileSync(file, JSON.stringify({ makers: [{ ...entry, contract: isContract, secret: SECRET }] }));
  const stack = await startStack({ DEVNET_BLOCK_TIME_MS: "0", MAKERS_FILE: file });
  const chain = await connect(stack.rpc);
  if (isContract) await openWallet(chain, account.address, [...new Set(DEVNET_PAIRS.flat())]);
  const ask = api(stack.url);
  const health = async (): Promise<MakerRow> => {
    const { chains } = await ask<{ chains: { makers: MakerRow[] }[] }>("/health");
    return chains[0]!.makers[0]!;
  };
  await maker.quote(chain.rpc);
  await chain.mine();
  await until(async () => (await health()).phase === "live");
  return {
    ...{ chain, api: ask, url: stack.url, manners, maker, random, health },
    async stop() {
      await maker.stop();
      await stack.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** @throws Error where it does not come true within ten seconds */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await isTrue()) return;
    await wait(100);
  }
  throw new Error("nothing changed in ten seconds");
}
