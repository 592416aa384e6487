import { describe, expect, test } from "vitest";
import { edgeSettings, readConfig } from "./config.ts";
import { defaultEdgeSettings } from "./edge/settings.ts";

describe("readConfig", () => {
  test("has a default for everything that a first start needs", () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      PORT: 8080,
      HOST: "127.0.0.1",
      DEVNET_CHAIN_ID: 31_337,
      DEVNET_PORT: 8545,
    });
    expect(config.DATA_DIR).toBeUndefined();
    expect(config.rpcUrls.size).toBe(0);
  });

  test("the settings of the edge have the edge's own defaults, and each can be set", () => {
    expect(edgeSettings(readConfig({ ROUTE_WORKERS: "0" }), 8)).toEqual(defaultEdgeSettings);
    const threadsOn = (cores: number) => edgeSettings(readConfig({}), cores).searchThreads;
    expect([1, 2, 8].map(threadsOn)).toEqual([1, 1, 7]);
    const env = {
      NODE_POLL_MS: "11",
      NODE_ATTEMPT_MS: "12",
      NODE_INDEX_DEADLINE_MS: "13",
      NODE_READ_DEADLINE_MS: "14",
      SELF_CHECK_BLOCKS: "15",
      SELF_CHECK_POOLS: "16",
      ACTIVE_DEPTH_NATIVE: "0.5",
      RANK_MS: "18",
      READ_BLOCKS: "1",
      NODE_MAX_BYTES: "70000",
      ROUTE_WORKERS: "19",
    };
    const values = Object.values(edgeSettings(readConfig(env), 1));
    expect(values.map(Number).toSorted((a, b) => a - b)).toEqual([
      0.5, 1, 11, 12, 13, 14, 15, 16, 18, 19, 70_000,
    ]);
    const two = { ROUTE_WORKERS: "3", RPC_URL_1: "http://a", RPC_URL_10: "http://b" };
    expect(edgeSettings(readConfig(two), 1).searchThreads).toBe(1);
    expect(readConfig({ TRUST_PROXY: "1" }).TRUST_PROXY).toBe(1);
    expect(() => readConfig({ NODE_ATTEMPT_MS: "0", SELF_CHECK_BLOCKS: "-1" })).toThrow(
      /NODE_ATTEMPT_MS: [\s\S]*SELF_CHECK_BLOCKS: /,
    );
  });

  test("reads numbers and switches from text, and takes an empty variable as unset", () => {
    const config = readConfig({ PORT: "0", DEVNET_TRAFFIC: "1", LOG_LEVEL: "" });
    expect(config).toMatchObject({ PORT: 0, DEVNET_TRAFFIC: true, LOG_LEVEL: "info" });
  });

  test("names every bad setting and its value at once", () => {
    const bad = { PORT: "70000", LOG_LEVEL: "loud", ROUTE_BUDGET_MS: "soon" };
    expect(() => readConfig(bad)).toThrow(
      /PORT: .*70000[\s\S]*LOG_LEVEL: .*loud[\s\S]*ROUTE_BUDGET_MS: .*soon/,
    );
  });

  test("a number with a fraction, or another word than one, is refused and not cut to a number", () => {
    for (const [key, text] of [
      ["DEVNET_PORT", "1.5"],
      ["RATE_LIMIT_PER_MINUTE", "false"],
      ["TRUST_PROXY", "true"],
      ["ACTIVE_DEPTH_NATIVE", "false"],
      ["ROUTE_WORKERS", "8 threads"],
      ["DEVNET_BLOCK_TIME_MS", "1500"],
      ["ACTIVE_DEPTH_NATIVE", "Infinity"],
    ] as const)
      expect(() => readConfig({ [key]: text }), key).toThrow(new RegExp(`${key}: must be .*got "${text}"`));
    expect(readConfig({ PORT: " 8081\n", READ_BLOCKS: "1\r" })).toMatchObject({
      PORT: 8081,
      READ_BLOCKS: true,
    });
  });

  test("a setting of spaces counts as unset, and takes no limit away", () => {
    expect(readConfig({ RATE_LIMIT_PER_MINUTE: " ", HOST: " " })).toEqual(readConfig({}));
  });

  test("a setting of few values names them", () => {
    expect(() => readConfig({ LOG_LEVEL: "loud" })).toThrow("must be one of fatal, error, warn, info, debug");
    expect(() => readConfig({ FETCH_LOGOS: "yes" })).toThrow('FETCH_LOGOS: must be 0 or 1 (got "yes")');
  });

  test("an RPC of a chain that is not known, or a URL that is none, is refused", () => {
    expect(() => readConfig({ RPC_URL_987654: "http://127.0.0.1:1" })).toThrow(/RPC_URL_987654/);
    expect(() => readConfig({ RPC_URL_x: "http://127.0.0.1:1" })).toThrow(/RPC_URL_x/);
    // Another spelling of a chain's id would replace the endpoints that the first one names.
    for (const key of ["RPC_URL_01", "RPC_URL_0x1", "RPC_URL_1e0"])
      expect(() => readConfig({ [key]: "http://127.0.0.1:1" }), key).toThrow(key);
  });
});

test("a stream of partial blocks belongs to a chain that has endpoints, and is a websocket", () => {
  const served = { RPC_URL_8453: "http://127.0.0.1:1" };
  const { flashblocksUrls } = readConfig({ ...served, FLASHBLOCKS_URL_8453: "ws://127.0.0.1:2" });
  expect([...flashblocksUrls]).toEqual([[8453, "ws://127.0.0.1:2"]]);
  expect(readConfig(served).flashblocksUrls.size).toBe(0);
  for (const bad of [
    { FLASHBLOCKS_URL_8453: "http://127.0.0.1:2" },
    { FLASHBLOCKS_URL_1: "ws://127.0.0.1:2" },
  ])
    expect(() => readConfig({ ...served, ...bad })).toThrow(/FLASHBLOCKS_URL_/);
});

test("a bad URL of an endpoint is named by its place, since it may hold a key", () => {
  const urls = "https://good.example/v2/key1, htps://mainnet.example/v3/key2";
  expect(() => readConfig({ RPC_URL_1: urls })).toThrow(
    "RPC_URL_1: not an http, https, ws or wss URL: number 2 of 2",
  );
  expect(() => readConfig({ RPC_URL_1: urls })).not.toThrow(/key2/);
});
