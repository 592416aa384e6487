import type { Hex } from "../../../core/types.ts";
import type { Answer } from "../endpoint.ts";
import { logs as readLogs } from "../parse.ts";
import { NodeFailure } from "../transport/failure.ts";
import type { RequestOptions, Rpc } from "../transport/rpc.ts";
import type { ChainLog, Header } from "../types.ts";
import { bloomOf, mayHold } from "./bloom.ts";

/** Logs by block hash, and the labels of the endpoints that reported them. */
type Words = { readonly logs: Map<Hex, ChainLog[]>; readonly by: ReadonlySet<string> };
type Terms = Pick<RequestOptions, "without" | "deadlineMs">;

/** Forms of requests for the logs of single blocks: where an endpoint does not support one form, another is used. */
export type LogForms = {
  /** Logs whose topic0 is one of `topics`. @throws NodeFailure `unsupported` or `range` where no form is left */
  ask(headers: readonly Header[], topics: readonly Hex[], terms?: Terms): Promise<Words>;
  /** Every log of one block, accepted only where the bloom of the list equals the header's. @throws NodeFailure */
  whole(header: Header): Promise<ChainLog[]>;
};

export function createLogForms(rpc: Rpc, deadlineMs: number): LogForms {
  let takesHash = true;
  const options = (headers: readonly Header[], terms: Terms): RequestOptions => ({
    ...{ deadlineMs, urgency: "head", block: Math.max(...headers.map(({ number }) => number)) },
    ...terms,
  });
  const request = (header: Header, filter: object) => {
    const name = `0x${header.number.toString(16)}`;
    const where = takesHash ? { blockHash: header.hash } : { fromBlock: name, toBlock: name };
    return { method: "eth_getLogs", params: [{ ...where, ...filter }] };
  };
  const each: Each = async (headers, topics, terms) => {
    const wasByHash = takesHash;
    const answers = await rpc.batch(
      headers.map((header) => request(header, { topics: [topics] })),
      {
        ...options(headers, terms),
        doubt: (result, k) => doubtOf(readLogs(result), headers[k] as Header, wasByHash),
      },
    );
    if (!wasByHash || !answers.some(isUnsupported)) return answers;
    takesHash = false;
    const others = await each(headers, topics, terms);
    // Where both forms are refused, the block hash is not what is not supported.
    if (others.some(isUnsupported)) takesHash = true;
    return others;
  };
  const range: Each = async (headers, topics, terms) => {
    const name = (header: Header | undefined) => `0x${header!.number.toString(16)}`;
    const filter = { fromBlock: name(headers[0]), toBlock: name(headers.at(-1)), topics: [topics] };
    const byNumber = new Map(headers.map((header) => [header.number, header]));
    return rpc.batch([{ method: "eth_getLogs", params: [filter] }], {
      ...options(headers, terms),
      doubt: (result) => doubtOfRange(readLogs(result), byNumber),
    });
  };
  const ask = asking({ each, range });
  return {
    ask: (headers, topics, terms = {}) => ask(headers, topics, terms),
    async whole(header) {
      const byHash = takesHash;
      const { method, params } = request(header, {});
      const result = await rpc.request(method, params, {
        ...options([header], {}),
        doubt(answer) {
          const logs = readLogs(answer);
          if (bloomOf(logs) === header.logsBloom) return doubtOf(logs, header, byHash);
          return `${logs.length} logs do not make up the bloom of block ${header.number}`;
        },
      });
      return readLogs(result);
    },
  };
}

type Each = (headers: readonly Header[], topics: readonly Hex[], terms: Terms) => Promise<Answer[]>;

/**
 * Consecutive blocks are asked for as one range; the topics of a block whose answer is too large are halved until it
 * fits.
 */
function asking({ each, range }: { readonly each: Each; readonly range: Each }): LogForms["ask"] {
  let mostInRange = Number.POSITIVE_INFINITY;
  const one = async (
    header: Header,
    answer: Answer,
    topics: readonly Hex[],
    terms: Terms,
  ): Promise<Words> => {
    if (answer.ok) return sorted([header], [answer]);
    if (answer.failure.kind !== "range" || topics.length < 2) throw answer.failure;
    const half = Math.ceil(topics.length / 2);
    const parts = [topics.slice(0, half), topics.slice(half)];
    return merged(await Promise.all(parts.map((part) => ask([header], part, terms))));
  };
  const ask = async (
    headers: readonly Header[],
    topics: readonly Hex[],
    terms: Terms = {},
  ): Promise<Words> => {
    if (headers.length > 1 && headers.length <= mostInRange && isRun(headers)) {
      const [answer] = (await range(headers, topics, terms)) as [Answer];
      if (answer.ok) return sorted(headers, [answer]);
      if (!isTooMuch(answer.failure)) throw answer.failure;
      mostInRange = Math.floor(headers.length / 2);
      return ask(headers, topics, terms);
    }
    const answers = await each(headers, topics, terms);
    return merged(
      await Promise.all(headers.map((header, k) => one(header, answers[k] as Answer, topics, terms))),
    );
  };
  return ask;
}

/** Joins the logs of a block that were asked for in parts, in the order of their indices. */
function merged(parts: readonly Words[]): Words {
  const logs = new Map<Hex, ChainLog[]>();
  for (const part of parts)
    for (const [hash, list] of part.logs) logs.set(hash, [...(logs.get(hash) ?? []), ...list]);
  for (const list of logs.values()) list.sort((a, b) => a.logIndex - b.logIndex);
  return { logs, by: new Set(parts.flatMap(({ by }) => [...by])) };
}

function sorted(headers: readonly Header[], answers: readonly Answer[]): Words {
  const logs = new Map(headers.map(({ hash }): [Hex, ChainLog[]] => [hash, []]));
  for (const answer of answers) {
    for (const log of answer.ok ? readLogs(answer.result) : []) logs.get(log.blockHash)?.push(log);
  }
  return { logs, by: new Set(answers.flatMap(({ by }) => (by === undefined ? [] : [by]))) };
}

function isRun(headers: readonly Header[]): boolean {
  return headers.every(({ number }, k) => number === headers[0]!.number + k);
}

function isUnsupported(answer: Answer): boolean {
  return !answer.ok && answer.failure.kind === "unsupported";
}

function isTooMuch({ kind }: NodeFailure): boolean {
  return kind === "range" || kind === "unsupported" || kind === "rpc";
}

type Logs = ReturnType<typeof readLogs>;

/**
 * Why these logs cannot be the block's; undefined where they can. Asked for by number, logs of another block mean a
 * reorg.
 *
 * @throws NodeFailure `missing` after such a reorg
 */
function doubtOf(logs: Logs, header: Header, byHash: boolean): string | undefined {
  if (logs.some(({ blockHash }) => blockHash !== header.hash)) {
    if (!byHash) throw new NodeFailure("missing", `another block has the number ${header.number} now`);
    return "logs of another block";
  }
  return outside(logs, header);
}

function doubtOfRange(logs: Logs, headers: ReadonlyMap<number, Header>): string | undefined {
  for (const log of logs) {
    const header = headers.get(log.blockNumber);
    if (header === undefined) return "logs from outside the range";
    const doubt = doubtOf([log], header, false);
    if (doubt !== undefined) return doubt;
  }
  return undefined;
}

/**
 * Why the block's bloom excludes one of these logs; undefined where it excludes none, or where the header's hash was
 * not verified, so that the bloom may be the wrong one.
 */
function outside(logs: Logs, { isSealed, logsBloom, number }: Header): string | undefined {
  if (!isSealed || logsBloom.length !== 514) return undefined;
  const isIn = ({ address, topics }: Logs[number]) =>
    [address, ...topics].every((value) => mayHold(logsBloom, [value]));
  return logs.every(isIn) ? undefined : `logs that the bloom of block ${number} does not hold`;
}
