import { BraidError } from "../../core/errors.ts";
import type { Hex } from "../../core/types.ts";
import type { NodePort, SimulationResult, Transaction } from "../../service/ports.ts";
import type { Answer } from "./endpoint.ts";
import { NodeFailure } from "./failure.ts";
import { fields, hex, integer, quantity } from "./parse.ts";
import type { Rpc } from "./rpc.ts";
import type { Request } from "./types.ts";

const LATEST = "latest";

/**
 * The services' reads of a node, on its newest state.
 *
 * @param deadlineMs a request that no endpoint answers within it is rejected with STALE_STATE
 */
export function createNodePort(rpc: Rpc, deadlineMs: number): NodePort {
  const ask = (requests: readonly Request[]) =>
    rpc.batch(requests, { deadlineMs }).catch((cause: unknown) => {
      throw asStale(cause);
    });
  return {
    async call(to, data) {
      const [answer] = await ask([{ method: "eth_call", params: [{ to, data }, LATEST] }]);
      return understand(answer as Answer, hex, () => "0x");
    },
    async getBalance(account) {
      const [answer] = await ask([{ method: "eth_getBalance", params: [account, LATEST] }]);
      return understand(answer as Answer, quantity);
    },
    simulate: async (transaction) => {
      const simulated = await simulateWhole(ask, transaction);
      return simulated ?? simulateByCall(ask, transaction);
    },
  };
}

type Ask = (requests: readonly Request[]) => Promise<Answer[]>;

/** The transaction as nodes take it. */
function fieldsOf({ from, to, data, value }: Transaction) {
  return { from, to, data, value: `0x${value.toString(16)}` };
}

/**
 * eth_simulateV1 and eth_estimateGas together: the first gives the result, the second the gas limit that is enough where
 * refunds and the gas held back from inner calls make it more than the gas used.
 *
 * @returns undefined where no node has the method
 */
async function simulateWhole(ask: Ask, transaction: Transaction): Promise<SimulationResult | undefined> {
  const call = fieldsOf(transaction);
  const [simulated, estimated] = await ask([
    { method: "eth_simulateV1", params: [{ blockStateCalls: [{ calls: [call] }] }, LATEST] },
    { method: "eth_estimateGas", params: [call, LATEST] },
  ]);
  if (simulated?.ok !== true) {
    const failure = simulated?.failure as NodeFailure;
    if (failure.kind === "reverted") return reverted(failure);
    if (failure.kind === "unsupported" || failure.kind === "rpc") return undefined;
    throw asStale(failure);
  }
  const result = understand(simulated, firstCall);
  const limit = estimated?.ok === true ? understand(estimated, quantity) : 0n;
  return result.ok && limit > result.gasUsed ? { ...result, gasUsed: limit } : result;
}

async function simulateByCall(ask: Ask, transaction: Transaction): Promise<SimulationResult> {
  const call = fieldsOf(transaction);
  const [called, estimated] = await ask([
    { method: "eth_call", params: [call, LATEST] },
    { method: "eth_estimateGas", params: [call, LATEST] },
  ]);
  for (const answer of [called, estimated]) {
    if (answer?.ok === false && answer.failure.kind === "reverted") return reverted(answer.failure);
  }
  return {
    ok: true,
    gasUsed: understand(estimated as Answer, quantity),
    data: understand(called as Answer, hex),
  };
}

function firstCall(result: unknown): SimulationResult {
  const block = fields(Array.isArray(result) ? result[0] : undefined);
  const call = fields(Array.isArray(block.calls) ? block.calls[0] : undefined);
  const ok = integer(call.status) === 1;
  const returned = hex(call.returnData ?? "0x");
  const error = call.error;
  const data =
    !ok && returned === "0x" && typeof error === "object" && error !== null ? errorData(error) : returned;
  return { ok, gasUsed: quantity(call.gasUsed), data };
}

function errorData(error: object): Hex {
  const data = "data" in error ? error.data : undefined;
  return typeof data === "string" && data.startsWith("0x") ? hex(data) : "0x";
}

function reverted({ data }: NodeFailure): SimulationResult {
  return { ok: false, gasUsed: 0n, data: data ?? "0x" };
}

function understand<T>(answer: Answer, read: (result: unknown) => T, whenReverted?: () => T): T {
  if (!answer.ok) {
    if (answer.failure.kind === "reverted" && whenReverted !== undefined) return whenReverted();
    throw asStale(answer.failure);
  }
  try {
    return read(answer.result);
  } catch (error) {
    throw asStale(error);
  }
}

function asStale(cause: unknown): unknown {
  if (!(cause instanceof NodeFailure)) return cause;
  return new BraidError("STALE_STATE", "No node of this chain answers at the moment.", {
    retryAfterSeconds: 2,
    cause,
  });
}
