import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { NATIVE } from "../core/types.ts";
import { readTokenLists } from "../edge/token-lists/lists.ts";
import { protocols } from "../protocols/index.ts";
import { chains } from "./index.ts";

const lists = readTokenLists();
const ADDRESS = /^0x[0-9a-f]{40}$/;

/** Chains of which no public source has the hash of block 0; the first endpoint's is taken. */
const WITHOUT_GENESIS: readonly number[] = [143, 9745];
/** Chains on which no DEX of Uniswap v2's design is listed. */
const WITHOUT_PAIRS: readonly number[] = [9745, 34443];
/** Chains with fewer than three tokens of a dollar that public lists name. */
const FEW_DOLLARS: readonly number[] = [480, 1868, 7777777];

test("ids, names and short names are each given once, and the chains are ordered by id", () => {
  const ids = chains.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  for (const key of ["name", "shortname"] as const)
    expect(new Set(chains.map((chain) => chain[key])).size).toBe(chains.length);
});

test("no exchange that the README gives as not listed has a record", () => {
  const readme = readFileSync(new URL("README.md", import.meta.url), "utf8");
  const [, table = ""] = /^Not listed, and why:\n\n([\s\S]*?)\n\n/m.exec(readme)!;
  const absent = [...table.matchAll(/^\| ([^|]+) \|/gm)].slice(1).flatMap(([, names]) => names!.split(", "));
  expect(absent.length).toBeGreaterThan(20);
  const wireNames = absent.map((name) => name.toLowerCase().replaceAll(" ", "_"));
  const records = chains.flatMap(({ deployments }) => deployments.map(({ name }) => name.toLowerCase()));
  const isNamed = (record: string) =>
    wireNames.some((name) => record === name || record.startsWith(`${name}_`));
  expect(records.filter(isNamed)).toEqual([]);
});

describe.each(chains)("$name", (chain) => {
  test("addresses are lower case and not the native coin's", () => {
    const factories = chain.deployments.map(({ factory }) => factory);
    for (const address of [chain.wrappedNative, chain.multicall, ...factories]) {
      expect(address).toMatch(ADDRESS);
      expect(address).not.toBe(NATIVE);
    }
  });

  test("its dollar tokens are listed as such, each once", () => {
    const dollars = chain.dollarTokens ?? [];
    expect(dollars.length).toBeGreaterThanOrEqual(FEW_DOLLARS.includes(chain.id) ? 1 : 3);
    expect(new Set(dollars).size).toBe(dollars.length);
    for (const address of dollars) expect(lists.get(chain.id, address)?.symbol).toMatch(/USD|DAI/i);
  });

  test("short name, coin and block time are sensible", () => {
    expect(chain.shortname).toMatch(/^[a-z]{2,8}$/);
    expect(chain.native).toMatchObject({ decimals: 18, gasUnit: chain.id === 43114 ? "nAVAX" : "GWEI" });
    expect(chain.blockTimeMs).toBeGreaterThanOrEqual(250);
  });

  test("its first block is its own; Avalanche's test network has the same one", () => {
    if (WITHOUT_GENESIS.includes(chain.id)) return expect(chain.genesis).toBeUndefined();
    expect(chain.genesis).toMatch(/^0x[0-9a-f]{64}$/);
    expect(chains.filter(({ genesis }) => genesis === chain.genesis)).toEqual([chain]);
  });

  test("every deployment is of a design that there is, with ids, names and factories of its own", () => {
    for (const deployment of chain.deployments) {
      expect(protocols.has(deployment.protocol)).toBe(true);
      expect(deployment.id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      const { fromBlock = 0 } = deployment;
      expect(Number.isSafeInteger(fromBlock) && fromBlock >= 0).toBe(true);
    }
    // Protocols may share a vault, with factories or wrappers of their own.
    const owned = chain.deployments.map((one) => ({ ...one, factory: `${one.protocol} ${one.factory}` }));
    for (const key of ["id", "name", "factory"] as const)
      expect(new Set(owned.map((one) => one[key])).size).toBe(owned.length);
  });

  test("every record says where it comes from, and whether the chain was asked", () => {
    for (const { id, source } of chain.deployments)
      expect(source, id).toMatch(/; (not )?checked against the chain$/);
  });

  test("a record that announces pools says where its first block is from, or that it is not known", () => {
    for (const { id, fromBlock, source } of chain.deployments) {
      if (fromBlock === undefined) continue;
      if (fromBlock === 0) expect(source, id).toMatch(/first block unknown|genesis/);
      else expect(source, id).toMatch(/first blocks?\b(?! unknown)|no older than /);
    }
  });

  test("pairs state their fee in parts per million, or that each says its own", () => {
    const pairs = chain.deployments.filter(({ protocol }) => protocol === "uniswap-v2");
    expect(pairs.length > 0).toBe(!WITHOUT_PAIRS.includes(chain.id));
    for (const { id, facts } of pairs) {
      if (facts.fees !== undefined) {
        expect(["camelot", "factory", "pair", "swapFee"].map((fees) => ({ fees }))).toContainEqual(facts);
        continue;
      }
      expect(facts.feePpm, id).toBeGreaterThanOrEqual(100);
      expect(facts.feePpm, id).toBeLessThanOrEqual(10_000);
    }
  });

  test("a record of Slipstream says where blocks follow each other faster than its fee modules assume", () => {
    const ofModules = chain.deployments.filter(
      ({ protocol, facts }) =>
        protocol === "uniswap-v3" && facts.keys === "tickSpacing" && facts.fees === undefined,
    );
    for (const { id, facts } of ofModules)
      expect(Math.min(2, Number(facts.blockSeconds ?? 2)) * 1000, id).toBeLessThanOrEqual(chain.blockTimeMs);
  });

  test("every record's seeds can be read, each pool once, and a base pool stands beside its metapools", () => {
    const pools = chain.deployments.flatMap((record) => protocols.get(record.protocol)!.seeds(record));
    const ids = new Set(pools.map(({ id }) => id));
    expect(ids.size).toBe(pools.length);
    for (const pool of pools) for (const id of pool.stateIds) expect(ids.has(id)).toBe(true);
  });

  test("a record announces no pool of another factory", () => {
    const nobody = "0x00000000000000000000000000000000000000fe";
    for (const record of chain.deployments) {
      const protocol = protocols.get(record.protocol)!;
      for (const topic of protocol.topics) {
        const topics = [topic, ...Array(3).fill(`0x${"00".repeat(31)}01`)];
        const data = `0x${"00".repeat(31)}40${"00".repeat(640)}` as const;
        expect(protocol.discover({ address: nobody, topics, data }, record)).toBeUndefined();
      }
    }
  });

  test("the wrapped coin is a deployment, and its pool wraps the native coin", () => {
    const wrapper = chain.deployments.filter(({ protocol }) => protocol === "wrapped-native");
    expect(wrapper.map(({ factory }) => factory)).toEqual([chain.wrappedNative]);
    const [pool] = protocols.get("wrapped-native")!.seeds(wrapper[0]!);
    expect(pool?.tokens).toEqual([NATIVE, chain.wrappedNative]);
  });
});
