import { expect } from "vitest";
import type { Protocol } from "../core/protocol.ts";
import type { At, Call, Facts, Hex, Pool, Refusal, Side } from "../core/types.ts";

/**
 * A pool as its own contract ran in an EVM: what its reads answered, and the swaps and logs that followed. A test
 * follows the logs as the indexer does, and quotes each swap before it.
 */
export type RecordedPool = {
  readonly pool: string;
  readonly tokens: readonly string[];
  /** Answers by contract and call data; those that are zero are left out. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly rows: readonly Row[];
};

type Row = {
  /** Unix time of the block, in seconds. */
  readonly time: number;
  readonly logs: readonly { readonly topics: readonly string[]; readonly data: string }[];
  /** The swap of the block; absent where its logs are those of a position or of a setting. */
  readonly side?: string;
  readonly i?: number;
  readonly amount?: string;
  readonly amountIn?: string;
  readonly amountOut?: string;
};

const ZEROS: Hex = `0x${"0".repeat(64 * 8)}`;

export function poolOf(
  { pool: id, tokens }: RecordedPool,
  protocol: { readonly name: Pool["protocol"] },
  facts: Facts,
): Pool {
  const address = id as Hex;
  const named = { id, address, protocol: protocol.name, deployment: "recorded" };
  return { ...named, tokens: tokens as readonly Hex[], stateIds: [address], facts };
}

/** The answers to all rounds of a pool's reads. */
export function answersTo(
  reads: (pool: Pool, answers: readonly Hex[]) => readonly Call[],
  pool: Pool,
  answer: (call: Call) => Hex,
): Hex[] {
  const given: Hex[] = [];
  for (let calls = reads(pool, given); calls.length > 0; calls = reads(pool, given))
    given.push(...calls.map(answer));
  return given;
}

/** @param change replaces answers */
export function loaded<S, M>(
  recorded: RecordedPool,
  protocol: Protocol<S, M>,
  pool: Pool,
  change: (call: Call, answer: Hex) => Hex = (_call, answer) => answer,
): S | Refusal {
  const answerOf = (call: Call): Hex =>
    change(call, (recorded.answers[call.to]?.[call.data] as Hex | undefined) ?? ZEROS);
  return protocol.load(pool, answersTo(protocol.reads, pool, answerOf), {
    blockNumber: 1,
    timestamp: recorded.rows[0]!.time - 1,
  });
}

/**
 * Follows all rows, and expects every quote to be what the contract paid.
 *
 * @param isKnown whether the state can quote at a time; a swap for which it cannot is not quoted
 * @param onLog called with the state after each log
 * @returns the number of swaps that were quoted, and the last state
 */
export function followed<S, M>(
  recorded: RecordedPool,
  protocol: Protocol<S, M>,
  pool: Pool,
  {
    isKnown = () => true,
    onLog = () => undefined,
  }: {
    readonly isKnown?: (state: S, time: number) => boolean;
    readonly onLog?: (state: S, log: Row["logs"][number]) => void;
  },
): { readonly quoted: number; readonly state: S } {
  let state = loaded(recorded, protocol, pool) as S;
  let quoted = 0;
  for (const [k, row] of recorded.rows.entries()) {
    const at = { blockNumber: k + 2, timestamp: row.time };
    if (row.side !== undefined && isKnown(state, row.time)) {
      expectQuote(row, protocol, { state, pool, at });
      quoted++;
    }
    for (const log of row.logs) {
      if (!protocol.topics.includes(log.topics[0] as Hex)) continue;
      const told = { address: pool.address, topics: log.topics as Hex[], data: log.data as Hex };
      const after = protocol.apply(state, told, at);
      expect(after).not.toBe("reload");
      state = after as S;
      onLog(state, log);
    }
  }
  return { quoted, state };
}

type Situation<S> = { readonly state: S; readonly pool: Pool; readonly at: At };

function expectQuote<S, M>(row: Row, protocol: Protocol<S, M>, { state, pool, at }: Situation<S>): void {
  const { i = 0, side, amount = "", amountIn = "", amountOut = "" } = row;
  const quote = protocol.quote({ get: () => state }, pool, i, 1 - i, BigInt(amount), side as Side, at);
  expect([quote?.amountIn, quote?.amountOut]).toEqual([BigInt(amountIn), BigInt(amountOut)]);
}
