import type { Protocol } from "../../src/core/protocol.ts";
import type { At, Call, Hex, Pool } from "../../src/core/types.ts";
import { MULTICALL3 } from "../../src/devnet/plan/addresses.ts";
import type { Rpc } from "../../src/devnet/rpc.ts";
import { decodeAggregate, encodeAggregate } from "../../src/edge/node/multicall.ts";
import { chunks } from "../../src/edge/node/pace/pace.ts";

/** Calls in one request; a request for the words of a tick bitmap holds up to a thousand. */
const CALLS_AT_ONCE = 500;

/** A pool's state, or its refusal, as a devnet has it at its newest block. */
export async function readState(rpc: Rpc, protocol: Protocol, pool: Pool, at: At): Promise<unknown> {
  const answers: Hex[] = [];
  for (let calls = protocol.reads(pool, answers); calls.length > 0; calls = protocol.reads(pool, answers))
    answers.push(...(await answersOf(rpc, calls)));
  return protocol.load(pool, answers, at);
}

async function answersOf(rpc: Rpc, calls: readonly Call[]): Promise<Hex[]> {
  const answers: Hex[] = [];
  for (const part of chunks(calls, CALLS_AT_ONCE)) {
    const answer = await rpc.call<Hex>("eth_call", [
      { to: MULTICALL3, data: encodeAggregate(part) },
      "latest",
    ]);
    const results = decodeAggregate(answer, part.length);
    if (results === undefined) throw new Error(`Multicall3 does not answer ${part.length} calls`);
    answers.push(...results.map(({ success, data }): Hex => (success ? data : "0x")));
  }
  return answers;
}
