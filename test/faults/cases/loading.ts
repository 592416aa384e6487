import { defaultEdgeSettings } from "../../../src/edge/settings.ts";
import { type Profile, profileOf } from "../../chain/node/profiles.ts";
import { FAULTS, type Fault } from "../../chain/node/spoil.ts";
import { type Case, must, pause } from "../case.ts";
import { mustBeExact, openTrial, type Trial, type TrialOptions } from "../mainnet.ts";

/** Faults while the first state is being built. */

async function trial(options: TrialOptions, work: (trial: Trial) => Promise<void>): Promise<void> {
  const opened = await openTrial(options);
  try {
    await work(opened);
  } finally {
    await opened.close();
  }
}

/** A start against an endpoint of this kind arrives, follows, and is exact. */
function arrives(name: string, profile: Profile, options: TrialOptions = {}): Case {
  return {
    name: `a start against ${name} arrives and is exact`,
    run: () =>
      trial({ ...options, profiles: [profile] }, async (one) => {
        await one.arrived("the first head");
        one.chain.mine();
        await one.arrived("the next head");
        mustBeExact(one);
      }),
  };
}

/** The fault begins soon after the start, and ends. */
function interrupted(fault: Fault): Case {
  return {
    name: `an endpoint that answers with ${fault} for 2 s while it is read is read to the end`,
    run: () =>
      trial({ profiles: [{ ...profileOf("local"), latencyMs: 5 }] }, async (one) => {
        const [node] = one.nodes;
        await one.until(() => node!.traffic.items > 12, "the load begins");
        node!.fault = fault;
        await pause(2000);
        node!.fault = "none";
        await one.arrived("the first head");
        mustBeExact(one);
      }),
  };
}

const OF_LOADING: readonly Fault[] = FAULTS.filter((fault) => fault !== "none" && fault !== "wrong-chain");

const limited = (name: string, perSecond = 120): Profile => ({
  ...profileOf(name),
  perSecond,
  burst: perSecond,
  latencyMs: 5,
});

/** Blocks keep coming while the state is read, and the node forgets those that are older than a few. */
const outrun: Case = {
  name: "a load that outlives the node's states arrives and is exact",
  run: () =>
    trial({ profiles: [{ ...profileOf("local"), stateBlocks: 4, latencyMs: 60 }] }, async (one) => {
      const timer = setInterval(() => one.chain.mine(), 1000);
      await one
        .until(() => one.served.market.status().phase === "live", "the first state")
        .finally(() => clearInterval(timer));
      await one.arrived("the newest head");
      mustBeExact(one);
    }),
};

/** After a gap of many blocks most of them are not due for a proof, so that logs are asked for by topics alone. */
const unfiltered: Case = {
  name: "an endpoint that refuses filters without addresses is followed after a gap of 20 blocks",
  run: () =>
    trial({ profiles: [profileOf("publicnode")] }, async (one) => {
      await one.arrived("the first head");
      one.nodes[0]!.fault = "hang";
      for (let k = 0; k < 20; k++) one.chain.mine();
      one.nodes[0]!.fault = "none";
      await one.arrived("the head after the gap");
      mustBeExact(one);
    }),
};

/** A block whose logs are larger than what is taken from a node. */
function tooLarge(name: string, swaps: number, maxBytes: number): Case {
  return {
    name: `a block whose logs are over ${name}, the largest answer that is taken, is followed`,
    run: () =>
      trial({ settings: { maxBytes, attemptMs: 5000 } }, async (one) => {
        await one.arrived("the first head");
        const { bytesOut } = one.nodes[0]!.traffic;
        one.chain.mine({ swaps });
        await one.arrived(`the block with ${swaps} swaps`);
        must(one.nodes[0]!.traffic.bytesOut - bytesOut > maxBytes, "the block was not as large as that");
        mustBeExact(one);
      }),
  };
}

export const loadingCases: readonly Case[] = [
  ...OF_LOADING.map(interrupted),
  arrives("limits that answer Retry-After, items counted", limited("public")),
  arrives("limits that answer a text, batches of three", limited("drpc")),
  arrives("limits that answer each item with an error", limited("quicknode")),
  arrives("an endpoint without getLogs", { ...profileOf("bsc-dataseed"), perSecond: 0 }),
  arrives("an endpoint that shows 10 blocks of logs", {
    ...profileOf("alchemy-free"),
    perSecond: 0,
    latencyMs: 0,
  }),
  arrives("an endpoint that finds at most 10,000 logs", {
    ...profileOf("infura"),
    perSecond: 0,
    latencyMs: 0,
  }),
  arrives("a node that keeps 128 states", profileOf("pruned")),
  arrives("an endpoint without state overrides", profileOf("no-overrides")),
  arrives("an endpoint that takes no block hash", profileOf("no-block-hash")),
  arrives("an endpoint with 16.7 M gas a call", profileOf("small-gas")),
  arrives("a chain whose clock is two hours behind", profileOf("local"), {
    chain: { headTimestamp: Math.floor(Date.now() / 1000) - 7200 },
  }),
  arrives("a chain whose clock is two hours ahead", profileOf("local"), {
    chain: { headTimestamp: Math.floor(Date.now() / 1000) + 7200 },
  }),
  outrun,
  unfiltered,
  tooLarge("3 MB", 3_000, 3_000_000),
  tooLarge("64 MB", 32_000, defaultEdgeSettings.maxBytes),
];
