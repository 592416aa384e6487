import { describe, expect, test } from "vitest";
import { readConfig } from "./config.ts";

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

  test("an RPC of a chain that is not known, or a URL that is none, is refused", () => {
    expect(() => readConfig({ RPC_URL_987654: "http://127.0.0.1:1" })).toThrow(/RPC_URL_987654/);
    expect(() => readConfig({ RPC_URL_x: "http://127.0.0.1:1" })).toThrow(/RPC_URL_x/);
  });
});
