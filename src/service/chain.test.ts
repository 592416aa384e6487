import { describe, expect, test } from "vitest";
import { BraidError } from "../core/errors.ts";
import type { Head } from "../core/types.ts";
import { reachBlock, unfitness } from "./chain.ts";
import { type Deps, defaultServiceSettings } from "./deps.ts";
import type { ServedChain } from "./ports/ports.ts";
import type { ChainStatus } from "./ports/ports-status.ts";

const head: Head = { number: 7, hash: "0x7", parentHash: "0x6", timestamp: 70 };

const served = (status: ChainStatus, blockTimeMs: number) =>
  ({ chain: { id: 1, blockTimeMs }, market: { status: () => status } }) as unknown as ServedChain;

describe("fitness to be priced", () => {
  test.each([
    [0, undefined],
    [30_000, undefined],
    [30_001, "block 7 was last confirmed 30 s ago, the limit is 30 s"],
    [95_000, "block 7 was last confirmed 95 s ago, the limit is 30 s"],
  ])("a head of %s ms", (ageMs, reason) => {
    expect(unfitness(served({ phase: "live", head, ageMs }, 2_500), 30_000)).toBe(reason);
  });

  test("says of each endpoint that cannot be used why that is", () => {
    const endpoints = () => [{ trouble: undefined }, { trouble: "is of another chain: another genesis" }];
    const status: ChainStatus = { phase: "live", head, ageMs: 95_000 };
    const one = { ...served(status, 2_500), endpoints } as unknown as ServedChain;
    expect(unfitness(one, 30_000)).toBe(
      "block 7 was last confirmed 95 s ago, the limit is 30 s; endpoint 2 is of another chain: another genesis",
    );
  });

  test("where no search can run", () => {
    const status: ChainStatus = { phase: "live", head, ageMs: 0, searchTrouble: "no thread starts" };
    expect(unfitness(served(status, 2_500), 30_000)).toBe("no thread starts");
  });

  test("while the first state is built", () => {
    const status: ChainStatus = { phase: "starting", reason: "no node answers" };
    expect(unfitness(served(status, 2_500), 1)).toContain("no node answers");
  });

  test("on a chain with slow blocks the limit is three block times", () => {
    const status = (ageMs: number): ChainStatus => ({ phase: "live", head, ageMs });
    expect(unfitness(served(status(36_000), 12_000), 30_000)).toBeUndefined();
    expect(unfitness(served(status(36_001), 12_000), 30_000)).toContain("the limit is 36 s");
  });
});

describe("a block that the caller has seen", () => {
  const settings = { ...defaultServiceSettings, minBlockWaitMs: 40 };
  const deps = { settings, monotonicMs: () => 0 } as unknown as Deps;
  const following = (comes: boolean) => {
    const asked: number[][] = [];
    const waitFor = async (...args: number[]) => {
      asked.push(args);
      return comes;
    };
    return { asked, chain: { id: 1, blockTimeMs: 2_500 }, market: { waitFor } };
  };

  test("is waited for as long as the settings say", async () => {
    const one = following(true);
    await reachBlock(deps, one as unknown as ServedChain, 9);
    expect(one.asked).toEqual([[9, 40]]);
    await reachBlock(deps, one as unknown as ServedChain, undefined);
    expect(one.asked.length).toBe(1);
  });

  test("is refused when it does not arrive, with the time until the next block", async () => {
    const failure = await reachBlock(deps, following(false) as unknown as ServedChain, 9).catch(
      (error) => error,
    );
    expect(failure).toBeInstanceOf(BraidError);
    expect([failure.reason, failure.retryAfterSeconds]).toEqual(["STALE_STATE", 3]);
    expect(failure.details).toEqual([{ field: "min_block", reason: "not reached yet", value: 9 }]);
  });
});
