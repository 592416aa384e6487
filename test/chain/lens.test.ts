import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeFunctionResult, encodeFunctionData, toHex } from "viem/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import lens from "../../contracts/lens/out/Lens.json" with { type: "json" };
import type { Hex } from "../../src/core/types.ts";
import { type Anvil, inPrivateFolder, startAnvil } from "../../src/devnet/node/anvil.ts";
import { claimPort } from "../../src/devnet/node/port.ts";
import { LENS_ADDRESS } from "../../src/edge/lens/artifact.ts";
import { createChain } from "./blocks/chain.ts";
import { realAccounts } from "./evm/real.ts";
import { STATE_VIEW } from "./model/families.ts";
import { isPair } from "./model/states.ts";
import { createBackend } from "./node/backend.ts";
import { profileOf } from "./node/profiles.ts";

/** The lens's own bytecode over the model, and over the protocols' bytecode on a real node: the answers, and what gas allows. */

/** `LENS_POOLS=2000` compares thousands. */
const POOLS = Number(process.env.LENS_POOLS ?? 150);
const chain = createChain({
  seed: 21,
  sizes: { v2: Math.ceil(POOLS * 0.7), v3: Math.ceil(POOLS * 0.2), v4: Math.ceil(POOLS * 0.1) },
  built: 3,
  busyHistory: false,
});
const { universe } = chain;
const GAS_CAPS = { "small-gas": 16_700_000, local: 50_000_000 } as const;
let anvil: Anvil;
const folder = mkdtempSync(join(tmpdir(), "braid-lens-"));

beforeAll(async () => {
  const genesis = {
    config: { chainId: 1 },
    timestamp: toHex(chain.head().timestamp),
    gasLimit: toHex(2_000_000_000),
    difficulty: "0x0",
    alloc: realAccounts(chain),
  };
  const path = join(folder, "genesis.json");
  writeFileSync(path, JSON.stringify(genesis));
  const port = await claimPort("127.0.0.1", 0);
  const options = ["--init", path, "--chain-id", "1", "--no-mining", "--no-request-size-limit"];
  anvil = await inPrivateFolder((home) => startAnvil({ host: "127.0.0.1", port, arguments: options }, home));
}, 120_000);

afterAll(async () => {
  await anvil?.kill();
  rmSync(folder, { recursive: true, force: true });
});

type Outcome = { readonly next: bigint; readonly list: Hex };
type Cap = keyof typeof GAS_CAPS;

async function both(functionName: string, args: readonly unknown[], cap: Cap) {
  const data = encodeFunctionData({ abi: lens.abi, functionName, args });
  const read = (answer: unknown): Outcome => {
    const [next, list] = decodeFunctionResult({ abi: lens.abi, functionName, data: answer as Hex }) as [
      bigint,
      Hex,
    ];
    return { next, list };
  };
  const override = { [LENS_ADDRESS]: { code: lens.runtimeCode } };
  const params = [{ to: LENS_ADDRESS, data, gas: toHex(GAS_CAPS[cap]) }, "latest", override];
  const fake = createBackend(chain, profileOf(cap)).answer("eth_call", params);
  const real = await anvil.rpc.call("eth_call", params);
  return { fake: read(fake), real: read(real) };
}

/** The same answer where the gas sufficed for all; else both stop at nearly the same place, and agree up to it. */
function compare({ fake, real }: { fake: Outcome; real: Outcome }): void {
  if (process.env.LENS_SHOW) console.log(`next: model ${fake.next}, real ${real.next}`);
  const shared = Math.min(fake.list.length, real.list.length);
  expect(Math.abs(Number(fake.next - real.next))).toBeLessThanOrEqual(1 + Number(real.next) * 0.02);
  expect(fake.list.slice(0, shared)).toBe(real.list.slice(0, shared));
  expect(shared).toBeGreaterThan(2);
}

const ZEROS = "00".repeat(32);

test.each(["small-gas", "local"] as const)("pairs counted out by a factory, gas of %s", async (cap) => {
  const [pairs] = universe.ranges;
  compare(await both("enumerate", [pairs!.factory, 0n, BigInt(pairs!.count)], cap));
});

test.each(["small-gas", "local"] as const)("pools with ticks of v3, gas of %s", async (cap) => {
  const pools = [...Array(universe.count).keys()].filter((pool) => universe.rangeOf(pool).kind === "v3");
  const asked = pools.map((pool) => {
    const target = universe.key(pool);
    const [, spacing] = universe.tier(pool);
    const heads = `${target}00043850c7bd${target.slice(2)}00041a686502`;
    return { heads, target, ...ticksOf(spacing, "0x5339c296", "0xf30dba93") };
  });
  compare(await both("ticks", [asked, 0n], cap));
});

test("pools with ticks of v4", async () => {
  const pools = [...Array(universe.count).keys()].filter((pool) => universe.rangeOf(pool).kind === "v4");
  const asked = pools.map((pool) => {
    const id = universe.key(pool).slice(2);
    const [, spacing] = universe.tier(pool);
    const heads = `${STATE_VIEW}0024c815641c${id}${STATE_VIEW.slice(2)}0024fa6793d5${id}`;
    return { heads, target: STATE_VIEW, ...ticksOf(spacing, `0x1c7ccb4c${id}`, `0xcaedab54${id}`) };
  });
  compare(await both("ticks", [asked, 0n], "local"));
});

function ticksOf(spacing: number, word: string, tick: string) {
  const end = Math.ceil(887_272 / spacing / 256);
  return {
    word: `${word}${ZEROS}`,
    tick: `${tick}${ZEROS}`,
    spacing,
    lowest: -end,
    highest: end,
    reach: 60,
    kept: 2,
  };
}

test("states of pairs, call by call", async () => {
  const pools = [...Array(universe.count).keys()].filter((pool) => {
    const state = chain.state(pool, chain.head());
    return state !== undefined && isPair(state);
  });
  const calls = pools.map((pool) => `${universe.key(pool).slice(2)}00040902f1ac`).join("");
  compare(await both("read", [`0x${calls}`, 0n, 200_000n], "local"));
});

test("pools of pairs of hubs, asked of the factories, with what they hold", async () => {
  const tokens = [...Array(12).keys()].map((n) => universe.tokens.address(n));
  const pairs = tokens
    .flatMap((_, a) => tokens.slice(a + 1).map((__, k) => hex2(a) + hex2(a + 1 + k)))
    .join("");
  const [v2] = universe.ranges;
  const sources = [{ target: v2!.factory, selector: "0xe6a43905", word: 0, hashed: false, keys: [] }];
  compare(await both("find", [sources, tokens, `0x${pairs}`, 0n], "local"));
});

const hex2 = (value: number) => value.toString(16).padStart(4, "0");
