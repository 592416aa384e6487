import { Agent, get } from "node:http";
import { FORCED_AFTER_MS, type Service, startService } from "../../../bench/bootstrap/service.ts";
import { createChain } from "../../chain/blocks/chain.ts";
import { createBackend } from "../../chain/node/backend.ts";
import { startFakeNode } from "../../chain/node/fake-node.ts";
import { profileOf } from "../../chain/node/profiles.ts";
import { type Case, must, pause } from "../case.ts";

/** The end of a process that is still being asked, as behind a load balancer that learns of it from /readyz. */

const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const PRICE = `/v1/1/price?fromTokenAddress=${WETH}&toTokenAddress=${USDC}&amount=1000000000000000`;
const LANES = 48;

type Outcome = { readonly status: number; readonly closes: boolean } | "refused" | "cut";

function ask(url: string, agent: Agent): Promise<Outcome> {
  return new Promise((resolve) => {
    const request = get(url, { agent }, (response) => {
      const { statusCode: status = 0, headers } = response;
      response.resume();
      response.on("end", () => resolve({ status, closes: headers.connection === "close" }));
      response.on("error", () => resolve("cut"));
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === "ECONNREFUSED" ? "refused" : "cut");
    });
  });
}

type Outcomes = Exclude<Outcome, "refused">[];

/** Asks over kept connections until the port is closed, and adds to the outcomes. */
async function askOn(url: string, outcomes: Outcomes): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  const lane = async () => {
    for (;;) {
      const outcome = await ask(url, agent);
      if (outcome === "refused") return;
      outcomes.push(outcome);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  agent.destroy();
}

/** What /readyz says until the port is closed, each time over a connection of its own. */
async function watchReady(url: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: false });
  const seen: number[] = [];
  for (;;) {
    const outcome = await ask(`${url}/readyz`, agent);
    if (outcome === "refused") return seen;
    if (outcome !== "cut") seen.push(outcome.status);
    await pause(50);
  }
}

async function ready(service: Service): Promise<void> {
  for (let tries = 0; (await service.page("/readyz")) === undefined; tries++) {
    must(tries < 1200, "the service is not ready");
    await pause(100);
  }
}

const ends: Case = {
  name: `SIGTERM under ${LANES} kept connections: /readyz fails first, every request is answered, connections are closed by their answers`,
  async run() {
    const chain = createChain({
      seed: 5,
      sizes: { v2: 600, v3: 300, v4: 150 },
      built: 20,
      busyHistory: false,
    });
    const node = await startFakeNode(createBackend(chain, profileOf("local")));
    try {
      for (let round = 0; round < 3; round++) {
        const service = await startService({ urls: [node.url], settings: { DRAIN_DELAY_MS: "2000" } });
        await ready(service);
        const outcomes: Outcomes = [];
        const asked = askOn(service.url + PRICE, outcomes);
        const watched = watchReady(service.url);
        while (outcomes.length < 2 * LANES) await pause(20);
        const [statuses] = await Promise.all([watched, asked, service.kill("SIGTERM")]);
        const cut = outcomes.filter((outcome) => outcome === "cut").length;
        must(cut === 0, `${cut} of ${outcomes.length} requests were cut off`);
        const answered = outcomes.filter((outcome) => outcome !== "cut");
        must(answered.filter(({ closes }) => !closes).length > 0, "no connection was kept before the end");
        must(
          answered.filter(({ closes }) => closes).length >= LANES,
          "connections were not closed by answers",
        );
        must(
          answered.every(({ status }) => [200, 503].includes(status)),
          "an answer is neither 200 nor 503",
        );
        must(statuses[0] === 200, "it was not ready before");
        must(statuses.includes(503), "/readyz did not fail while it answered on");
      }
    } finally {
      await node.close();
    }
  },
};

const idle: Case = {
  name: "SIGTERM with nobody connected ends at once, whatever the delay",
  async run() {
    const chain = createChain({ seed: 5, sizes: { v2: 60, v3: 30, v4: 15 }, built: 20, busyHistory: false });
    const node = await startFakeNode(createBackend(chain, profileOf("local")));
    try {
      const service = await startService({ urls: [node.url], settings: { DRAIN_DELAY_MS: "300000" } });
      // An end by force is not told from one in order but by its time.
      const start = performance.now();
      await service.kill("SIGTERM");
      must(performance.now() - start < FORCED_AFTER_MS - 10_000, "it waited for nobody");
    } finally {
      await node.close();
    }
  },
};

export const drainingCases: readonly Case[] = [ends, idle];
