import { setTimeout as wait } from "node:timers/promises";
import { pino } from "pino";
import { ethereum } from "../../src/chains/ethereum/ethereum.ts";
import type { Chain as ChainRecord } from "../../src/core/types.ts";
import { type RunningChain, serveChain } from "../../src/edge/serve-chain.ts";
import { defaultEdgeSettings } from "../../src/edge/settings.ts";
import { openTokenRegistry } from "../../src/edge/token-lists/registry.ts";
import { protocols } from "../../src/protocols/index.ts";
import { type Chain, createChain } from "../../test/chain/blocks/chain.ts";
import type { Traffic } from "../../test/chain/blocks/traffic.ts";
import { createBackend } from "../../test/chain/node/backend.ts";
import { type FakeNode, startFakeNode } from "../../test/chain/node/fake-node.ts";
import { profileOf } from "../../test/chain/node/profiles.ts";
import { countPurposes, saidOf } from "./purposes.ts";
import type { Bench, Row } from "./rows.ts";

/** What following the head costs an endpoint, in items, while nobody asks for a price: heads, logs, gas prices and audits. */

const SIZES = { v2: 5_000, v3: 1_500, v4: 500 };
const PATIENCE_MS = 1_200_000;
/** With fewer pools in the market, fewer than the deepest thousand are compared. */
const LEAST_POOLS = 1_000;
/** Blocks from which the habits of the endpoint and the sizes of its answers are learnt. */
const LEARNING_BLOCKS = 12;

type Measured = {
  readonly seed: number;
  readonly blockTimeMs: number;
  readonly blocks: number;
  readonly traffic: Traffic;
  /** Whether the endpoint is asked over a websocket. */
  readonly isSocket: boolean;
};

/** Deployments that the fake chain has, with another time between blocks. */
function recordOf({ universe }: Chain, blockTimeMs: number): ChainRecord {
  const ids = new Set(["wrapped-native", ...universe.ranges.map(({ id }) => id)]);
  return { ...ethereum, blockTimeMs, deployments: ethereum.deployments.filter(({ id }) => ids.has(id)) };
}

const isComplete = ({ discovery }: RunningChain) => discovery?.coverage().phase === "complete";

type Count = {
  readonly each: number;
  readonly perSecond: number;
  /** Items by what they serve: a block, or on a chain of several blocks a second each second. */
  readonly byPurpose: string;
  readonly said: string;
};

type Watched = {
  readonly node: FakeNode;
  readonly chain: Chain;
  readonly purposes: ReturnType<typeof countPurposes>;
};

/** Blocks at the chain's times, however long each takes to make. */
async function mined(chain: Chain, { blocks, blockTimeMs }: Pick<Measured, "blocks" | "blockTimeMs">) {
  const start = performance.now();
  for (let k = 1; k <= blocks; k++) {
    chain.mine();
    await wait(Math.max(0, start + k * blockTimeMs - performance.now()));
  }
}

/** Items from now on, until so many blocks were mined. */
async function counted({ node, chain, purposes }: Watched, measured: Measured): Promise<Count> {
  const { blocks, blockTimeMs } = measured;
  const methods = new Map(node.asked);
  const { items, bytesOut } = node.traffic;
  const before = purposes.counts();
  await mined(chain, { blocks, blockTimeMs });
  const by = [...node.asked].map(([method, count]) => [method, count - (methods.get(method) ?? 0)] as const);
  const parts = by.filter(([, count]) => count > 0).map(([method, count]) => `${method.slice(4)} ${count}`);
  const all = node.traffic.items - items;
  const megabytes = ((node.traffic.bytesOut - bytesOut) / 1e6).toFixed(1);
  const [each, perSecond] = [all / blocks, (1000 * all) / (blocks * blockTimeMs)];
  const purposesIn = (units: number) => saidOf(before, purposes.counts(), { items: all, units });
  return {
    each,
    perSecond,
    byPurpose: blockTimeMs < 1000 ? purposesIn((blocks * blockTimeMs) / 1000) : purposesIn(blocks),
    said: `${blocks} blocks, ${megabytes} MB: ${parts.join(", ")}`,
  };
}

async function follow(measured: Measured): Promise<Count & { readonly pools: number }> {
  const { seed, traffic, blockTimeMs, isSocket } = measured;
  const chain = createChain({
    ...{ seed, sizes: SIZES, built: 40, busyHistory: false, traffic },
    blockSeconds: blockTimeMs / 1000,
  });
  const profile = {
    ...profileOf("public"),
    name: "unlimited",
    perSecond: 0,
    latencyMs: 40,
    logs: profileOf("local").logs,
  };
  const purposes = countPurposes(chain);
  const node = await startFakeNode(createBackend(chain, profile, purposes.watch), { profile });
  chain.onBlock(() => node.push());
  const log = pino({ level: "silent" });
  const tokens = openTokenRegistry(undefined, log);
  const served = serveChain({
    ...{ chain: recordOf(chain, blockTimeMs), registry: protocols, router: ethereum.wrappedNative },
    ...{ tokens, settings: defaultEdgeSettings, log },
    endpoints: [isSocket ? node.farUrl.replace("http", "ws") : node.farUrl],
  });
  try {
    await served.start();
    const limit = performance.now() + PATIENCE_MS;
    while (!isComplete(served)) {
      if (performance.now() > limit)
        throw new Error(`the discovery does not end: ${JSON.stringify(served.discovery?.coverage())}`);
      await wait(blockTimeMs);
      chain.mine();
    }
    await mined(chain, { blocks: LEARNING_BLOCKS, blockTimeMs });
    purposes.inMarket([...served.pools()].map(({ id }) => id));
    const count = await counted({ node, chain, purposes }, measured);
    return { ...count, pools: served.market.counts().pools };
  } finally {
    await served.stop();
    await node.close();
    tokens.close();
  }
}

/** Whole turns of what is compared: each eight blocks, or each 128 of a fast chain. */
const MAINNET = {
  blockTimeMs: 12_000,
  blocks: 24,
  traffic: { swaps: 60, positions: 6, creationEvery: 4 },
};
const ARBITRUM = {
  blockTimeMs: 250,
  blocks: 256,
  traffic: { swaps: 3, positions: 1, creationEvery: 50 },
};

/** Mainnet and Arbitrum, over http and over a websocket, at the same time: most of it is waiting for blocks. */
export async function followingRows({ seed, say }: Pick<Bench, "seed" | "say">): Promise<Row[]> {
  const rows = [false, true].flatMap((isSocket) => {
    const by = isSocket ? "websocket" : "http";
    return [mainnetRow({ seed, say, isSocket, by }), arbitrumRow({ seed, say, isSocket, by })];
  });
  return Promise.all(rows);
}

type Way = Pick<Bench, "seed" | "say"> & { readonly isSocket: boolean; readonly by: string };

async function mainnetRow({ seed, say, isSocket, by }: Way): Promise<Row> {
  const { each, byPurpose, said, pools } = await follow({ seed, isSocket, ...MAINNET });
  say(`mainnet, ${by}: ${said}`);
  return {
    name: `following a block of mainnet, ${by}`,
    bar: "≤ 4 items a block",
    measured: `${each.toFixed(1)} items a block (${byPurpose}), ${pools} pools`,
    ok: each <= 4 && pools >= LEAST_POOLS,
  };
}

async function arbitrumRow({ seed, say, isSocket, by }: Way): Promise<Row> {
  const { perSecond, byPurpose, said, pools } = await follow({ seed, isSocket, ...ARBITRUM });
  say(`Arbitrum, ${by}: ${said}`);
  return {
    name: `following blocks of 250 ms as on Arbitrum, ${by}`,
    bar: "≤ 8 items/s",
    measured: `${perSecond.toFixed(1)} items/s (${byPurpose}), ${pools} pools`,
    ok: perSecond <= 8 && pools >= LEAST_POOLS,
  };
}
