import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { counterChain, deployment } from "../../test/faults/counter.ts";
import { createFakeChain, poolAddress } from "../../test/faults/fake-chain.ts";
import { follow } from "../../test/faults/follow.ts";
import { chains } from "../chains/index.ts";
import { word } from "../core/abi.ts";
import type { Protocol } from "../core/protocol.ts";
import type { Address, Call, Deployment, Hex, Log, Pool } from "../core/types.ts";
import { arbitrariesOf } from "./conformance.fixture.ts";
import { protocols } from "./index.ts";
import type { Subject } from "./subject.ts";

/**
 * Requirements on every design if the chain's data is hostile: pools of unlisted factories, and reads that fail. A
 * design in the registry is tested here before it has tests of its own; if guessed answers cannot give a valid state,
 * its `arbitrary.ts` says so and its own tests cover this.
 */

const STRANGER: Address = "0x00000000000000000000000000000000000000fe";
const named: readonly bigint[] = [0xa1n, 0xb2n, 0xc3n];
const words = (values: readonly bigint[]): Hex => `0x${values.map((value) => word(value)).join("")}`;

/** The shapes of creation logs: few or many topics, with or without small numbers before the addresses. */
const SHAPES = shapes();

function shapes(): { readonly tail: readonly Hex[]; readonly data: Hex }[] {
  const tails = [[], ...[...named, 1n, 60n].flatMap((last) => [[last], [0xa1n, last], [0xa1n, 0xb2n, last]])];
  const heads = [[], [0n], [1n], [60n], [3000n, 60n]];
  return tails.flatMap((tail) =>
    heads.flatMap((head) =>
      [1, 2, 3, 8, 40].map((length) => ({
        tail: tail.map((value) => words([value])),
        data: words([...head, ...Array.from({ length }, (_, k) => named[k] ?? 0n)]),
      })),
    ),
  );
}

function logsOf(topic: Hex, address: Address): Log[] {
  return SHAPES.map(({ tail, data }) => ({ address, topics: [topic, ...tail], data }));
}

/**
 * Number of logs that announce a pool. A record without a fact that such a log needs throws, which announces no pool
 * either.
 */
function announced(p: Protocol, record: Deployment, emitter: Address): number {
  const logs = p.topics.flatMap((topic) => logsOf(topic, emitter));
  return logs.filter((log) => {
    try {
      return p.discover(log, record) !== undefined;
    } catch (error) {
      expect((error as Error).message).toContain(`deployment ${record.id}: `);
      return false;
    }
  }).length;
}

const WHOLE = 10n ** 18n;
const FIVE = words([5n]);
const FIRST = [Array(12).fill(0n), [1n], [18n], [WHOLE, WHOLE], [10n ** 27n]].map(words);
const PRICE_ONE = words([2n ** 96n, 0n, 0n, 0n]);

/** Plausible answers to a call of the pool: zeros, small numbers, one whole token, the call's argument, the pool's tokens. */
function guessesOf({ tokens }: Pool): (call: Call) => Hex[] {
  const coins = tokens.map((token) => BigInt(token));
  const ownTokens = coins.slice(0, 2).map((coin) => words([coin]));
  const last = [...ownTokens, PRICE_ONE, words([WHOLE, WHOLE, 5n, 7n, 1n, ...coins])];
  return ({ data }) => [...FIRST, data.length >= 74 ? `0x${data.slice(10, 74)}` : FIVE, ...last];
}

const selectorOf = ({ data }: Call) => data.slice(0, 10) as Hex;
const kindOf = (call: Call) => `${call.to}${selectorOf(call)}`;

type Reading = { readonly calls: readonly Call[]; readonly answers: readonly Hex[] };

type Answering = (guesses: readonly Hex[], call: Call, index: number) => Hex;

/** All reads of the pool, as far as the answers lead. */
function readingOf(p: Protocol, pool: Pool, answer: Answering): Reading {
  const [calls, answers]: [Call[], Hex[]] = [[], []];
  const guesses = guessesOf(pool);
  for (let round = 0; round < 8; round++) {
    const asked = p.reads(pool, answers);
    if (asked.length === 0) break;
    answers.push(...asked.map((call, k) => answer(guesses(call), call, calls.length + k)));
    calls.push(...asked);
  }
  return { calls, answers };
}

type Found = { readonly s: Subject; readonly reading: Reading; readonly answer: Answering };

/** Picks a random kind of answer for each kind of call. */
function drawn(stream: Iterator<number>): Answering {
  const kinds = new Map<string, number>();
  return (list, call) => {
    const draw = kinds.get(kindOf(call)) ?? (stream.next().value as number);
    kinds.set(kindOf(call), draw);
    return list[draw % list.length]!;
  };
}

/** Finds random answers that the design accepts as a tradable pool. */
function findReadings(p: Protocol, subjects: fc.Arbitrary<Subject>, numRuns: number): Found[] {
  const found: Found[] = [];
  const trials = fc.tuple(subjects, fc.infiniteStream(fc.nat()));
  for (const [s, stream] of fc.sample(trials, { numRuns, seed: 5 })) {
    const answer = drawn(stream);
    const reading = readingOf(p, s.pool, answer);
    if (reading.calls.length > 0 && !isRefused(p, s, reading)) found.push({ s, reading, answer });
    if (found.length === WANTED) break;
  }
  return found;
}

function isRefused(p: Protocol, s: Subject, { answers }: Reading): boolean {
  const state = p.load(s.pool, answers, s.at) as object;
  if ("refusal" in state) expect(state.refusal).toMatch(/\w/);
  return "refusal" in state || ("sqrtPriceX96" in state && state.sqrtPriceX96 === 0n);
}

const WANTED = 2;
/** Trials until so many are found, and where none is expected. */
const TRIALS = 2000;
const VAIN_TRIALS = 200;

/** Indexes of the first call of each kind, and of the last call. */
function someOf({ calls }: Reading): number[] {
  const kinds = new Map<string, number>();
  calls.forEach((call, k) => {
    const kind = kindOf(call);
    if (!kinds.has(kind)) kinds.set(kind, k);
  });
  return [...new Set([...kinds.values(), calls.length - 1])];
}

test.each(chains)(
  "on $name, what cannot be read is refused, counted by its reason and never offered",
  async (chain) => {
    const fake = createFakeChain();
    fake.mine([{ kind: "create", pool: poolAddress(0) }]);
    const { deployments, wrappedNative } = chain;
    const records = deployments.filter(({ protocol }) => protocol !== "wrapped-native");
    const pools = records.flatMap((record) => protocols.get(record.protocol)!.seeds(record));
    const here = { ...counterChain(), wrappedNative, deployments: [deployment, ...records] };
    const follower = follow(fake, { chain: here, beside: [...protocols.values()] });
    await follower.catchUp();
    const { refused, quarantined } = follower.market.port.counts();
    expect(Object.values(refused).reduce((sum, count) => sum + count, 0)).toBe(pools.length);
    for (const reason of Object.keys(refused)) expect(reason).toMatch(/\w+ \w+/);
    expect(quarantined).toBe(0);
    expect([...follower.engine.offered.keys()]).toEqual([poolAddress(0)]);
  },
);

describe.each([...protocols.values()])("$name", async (p) => {
  const { subjects, mayLack = [], ...flags } = await arbitrariesOf(p);
  const { isBeyondGuesses = false, hasUnguessedReads = isBeyondGuesses } = flags;
  const all = chains.flatMap(({ deployments }) => deployments.filter((one) => one.protocol === p.name));
  // A design knows a record by its facts.
  const records = [...new Map(all.map((record) => [JSON.stringify(record.facts), record])).values()];
  const isListedOnly = records.every((record) => p.seeds(record).length > 0);

  test("a creation log announces a pool of the listed factory, and none of another", () => {
    for (const record of records) expect(announced(p, record, STRANGER)).toBe(0);
    const found = records.reduce((sum, record) => sum + announced(p, record, record.factory), 0);
    if (isListedOnly || isBeyondGuesses) expect(found).toBe(0);
    else expect(found).toBeGreaterThan(0);
  });

  test("a pool of which one read fails is refused with a reason, unless contracts of its kind may lack it", () => {
    const found = findReadings(p, subjects, hasUnguessedReads ? VAIN_TRIALS : TRIALS);
    for (const { s, reading, answer } of found)
      for (const k of someOf(reading)) {
        const failing: Answering = (list, call, index) => {
          const said = answer(list, call, index);
          return index === k ? "0x" : said;
        };
        const call = reading.calls[k]!;
        const isOptional = mayLack.includes(selectorOf(call));
        expect(isOptional || isRefused(p, s, readingOf(p, s.pool, failing)), selectorOf(call)).toBe(true);
      }
    const isRead = p.reads(fc.sample(subjects, { numRuns: 1, seed: 1 })[0]!.pool, []).length > 0;
    expect(p.isUnread === true).toBe(!isRead);
    if (isRead && !hasUnguessedReads) expect(found).toHaveLength(WANTED);
    else expect(found).toEqual([]);
  });
});
