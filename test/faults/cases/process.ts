import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch, type Service, startService } from "../../../bench/bootstrap/service.ts";
import { type Chain, createChain } from "../../chain/blocks/chain.ts";
import { wrongIn } from "../../chain/exact.ts";
import { mix } from "../../chain/model/hash.ts";
import { createBackend } from "../../chain/node/backend.ts";
import { type FakeNode, startFakeNode } from "../../chain/node/fake-node.ts";
import { profileOf } from "../../chain/node/profiles.ts";
import { type Case, must, pause } from "../case.ts";

/** Faults of the whole process, started as a user starts it. */

const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const ONE = { from: WETH, to: USDC, amount: 10n ** 18n };
const PATIENCE_MS = 300_000;

type Setting = { readonly chain: Chain; readonly node: FakeNode; readonly dataDir: string };

async function onChain(work: (setting: Setting) => Promise<void>): Promise<void> {
  const chain = createChain({ seed: 9, sizes: { v2: 600, v3: 300, v4: 150 }, built: 20, busyHistory: false });
  const node = await startFakeNode(createBackend(chain, profileOf("local")));
  const dataDir = mkdtempSync(join(tmpdir(), "braid-faults-"));
  try {
    await work({ chain, node, dataDir });
  } finally {
    await node.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Waits for a price of the newest block, and checks it. */
async function exactPrice(chain: Chain, service: Service): Promise<void> {
  const limit = performance.now() + PATIENCE_MS;
  for (;;) {
    const offer = await service.price(ONE);
    if (offer !== undefined) {
      const wrong = wrongIn(chain, offer);
      must(wrong === undefined, `a price is wrong: ${wrong}`);
      if (offer.block_hash === chain.head().hash) return;
    }
    must(performance.now() < limit, "no price of the newest block");
    await pause(100);
  }
}

type Load = { readonly answered: number; readonly reset: number };

/** Asks over kept connections until `over`: what is cut without an answer counts as reset, a refused connection does not. */
async function load(url: string, over: () => boolean): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  let [answered, reset] = [0, 0];
  const one = () =>
    new Promise<boolean>((resolve) => {
      const asked = request(
        `${url}/v1/1/price?fromTokenAddress=${WETH}&toTokenAddress=${USDC}&amount=1000000000000000`,
        { agent },
      );
      asked.on("response", (response) => {
        response.resume();
        response.on("end", () => {
          answered++;
          resolve(true);
        });
        response.on("error", () => {
          reset++;
          resolve(false);
        });
      });
      asked.on("error", (error: NodeJS.ErrnoException) => {
        if (error.code !== "ECONNREFUSED") reset++;
        resolve(false);
      });
      asked.end();
    });
  const lane = async () => {
    while (!over() && (await one()));
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  agent.destroy();
  return { answered, reset };
}

const drains: Case = {
  name: "SIGTERM under keep-alive load resets no connection",
  run: () =>
    onChain(async ({ chain, node }) => {
      const service = await startService({ urls: [node.url] });
      try {
        await exactPrice(chain, service);
        const asking = load(service.url, () => false);
        await pause(1500);
        await service.kill("SIGTERM");
        const { answered, reset } = await asking;
        must(answered > 20, `only ${answered} requests were answered`);
        must(reset === 0, `${reset} of ${answered + reset} requests were cut off`);
      } finally {
        await service.kill("SIGKILL");
      }
    }),
};

/** Longest life of a process that is killed, from its start on: most are killed while they start or read, some later. */
const LIFE_MS = 6_000;
/** Every so many kills a process lives until it priced the newest block. */
const CHECKED_EVERY = 25;

/** @param times how often the process is killed at a moment of its start or life that the seed chooses */
export function kills(times: number, seed: number): Case {
  const exact = async ({ chain, node, dataDir }: Setting) => {
    const service = await startService({ urls: [node.url], dataDir });
    try {
      await exactPrice(chain, service);
    } finally {
      await service.kill("SIGKILL");
    }
  };
  return {
    name: `kill -9 × ${times} on one data folder, at any moment from the start on: every ${CHECKED_EVERY}th and the last start are exact`,
    run: (told) =>
      onChain(async (setting) => {
        const { chain, node, dataDir } = setting;
        for (let k = 0; k < times; k++) {
          told?.(`${k} of ${times}`);
          const child = launch({ urls: [node.url], dataDir });
          const over = once(child, "exit");
          await pause(mix(seed, k) % LIFE_MS);
          must(child.exitCode === null, `start ${k} ended by itself with ${child.exitCode}`);
          child.kill("SIGKILL");
          await over;
          if (k % 5 === 0) chain.mine();
          if (k % CHECKED_EVERY === CHECKED_EVERY - 1) await exact(setting);
        }
        await exact(setting);
      }),
  };
}

/** A second process on the same folder must be refused, and leave the first one alone. */
const second: Case = {
  name: "a second process on the same data folder is refused",
  run: () =>
    onChain(async ({ chain, node, dataDir }) => {
      const first = await startService({ urls: [node.url], dataDir });
      try {
        const refused = await startService({ urls: [node.url], dataDir }).then(
          async (service) => {
            await service.kill("SIGKILL");
            return false;
          },
          () => true,
        );
        must(refused, "it was not refused");
        await exactPrice(chain, first);
      } finally {
        await first.kill("SIGKILL");
      }
    }),
};

export const processCases: readonly Case[] = [drains, second];
