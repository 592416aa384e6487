import type { Hex } from "../../core/types.ts";
import { bloomOf, mayHold } from "./bloom.ts";
import { logs as readLogs } from "./parse.ts";
import type { Rpc } from "./rpc.ts";
import type { ChainLog, Header } from "./types.ts";

/**
 * All logs of each block that begin with one of `topics`, pinned by block hash.
 *
 * A node that follows the head sometimes answers "none" before it has indexed the block. Where the header's bloom has one
 * of the topics, an empty answer is checked: all logs of the block are asked for, and must make up the header's bloom.
 *
 * @throws NodeFailure `missing` where no node knows a block, `refused` where no node's answer fits its header
 */
export async function logsOfBlocks(
  rpc: Rpc,
  headers: readonly Header[],
  topics: readonly Hex[],
  deadlineMs: number,
): Promise<ChainLog[][]> {
  if (headers.length === 0) return [];
  const requests = headers.map(({ hash }) => ({
    method: "eth_getLogs",
    params: [{ blockHash: hash, topics: [topics] }],
  }));
  const block = Math.max(...headers.map((header) => header.number));
  const answers = await rpc.batch(requests, {
    ...{ block, deadlineMs, urgency: "head" },
    doubt: (result, k) => foreign(readLogs(result), headers[k] as Header),
  });
  const wanted = new Set(topics);
  return Promise.all(
    answers.map(async (answer, k) => {
      if (!answer.ok) throw answer.failure;
      const header = headers[k] as Header;
      const logs = readLogs(answer.result);
      if (logs.length > 0 || !mayHold(header.logsBloom, topics)) return logs.filter(among(wanted));
      return (await allLogs(rpc, header, deadlineMs)).filter(among(wanted));
    }),
  );
}

const among = (topics: ReadonlySet<Hex>) => (log: ChainLog) => topics.has(log.topics[0] as Hex);

/** Every log of one block, accepted only where the list explains the header's bloom. */
async function allLogs(rpc: Rpc, header: Header, deadlineMs: number): Promise<ChainLog[]> {
  const result = await rpc.request("eth_getLogs", [{ blockHash: header.hash }], {
    ...{ block: header.number, deadlineMs, urgency: "head" },
    doubt: (answer) => {
      const logs = readLogs(answer);
      if (bloomOf(logs) === header.logsBloom) return foreign(logs, header);
      return `${logs.length} logs do not make up the bloom of block ${header.number}`;
    },
  });
  return readLogs(result);
}

function foreign(logs: readonly { blockHash: Hex }[], header: Header): string | undefined {
  return logs.every(({ blockHash }) => blockHash === header.hash) ? undefined : "logs of another block";
}
