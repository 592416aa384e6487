import type { Answer } from "../endpoint.ts";
import { logs as readLogs } from "../parse.ts";
import type { NodeFailure } from "../transport/failure.ts";
import type { Rpc } from "../transport/rpc.ts";
import type { ChainLog, LogRange } from "../types.ts";

export type RangeSettings = {
  /** Number of blocks in the first request, where the range names no width. */
  readonly firstWindow: number;
  /** Most blocks in one request. */
  readonly maxWindow: number;
  readonly deadlineMs: number;
};

/**
 * Logs of a long range in pages, oldest first. The number of blocks in a page doubles with each answer. A refusal
 * shrinks it to the width that the provider's text suggests, else to half; from then on it grows by a quarter with each
 * answer.
 *
 * @throws NodeFailure when even one block is refused
 */
export async function* logsInRange(
  rpc: Rpc,
  range: LogRange,
  settings: RangeSettings,
): AsyncGenerator<ChainLog[]> {
  let window = firstWindow(range, settings);
  let ceiling = settings.maxWindow;
  let growth = 2;
  let first = range.first;
  while (first <= range.last) {
    const last = Math.min(range.last, first + window - 1);
    const answer = await askRange(rpc, range, { first, last }, settings.deadlineMs);
    if (answer.ok) {
      yield readLogs(answer.result);
      first = last + 1;
      window = Math.min(ceiling, Math.ceil(window * growth));
    } else {
      const asked = last - first + 1;
      const suggested = suggestedWindow(answer.failure.message, first);
      window = narrower(answer.failure, asked, suggested?.blocks);
      if (suggested?.always === true) ceiling = Math.min(ceiling, window);
      growth = 1.25;
    }
  }
}

/** Logs of a part of a range, and the block at which the part begins. */
export type LogPage = { readonly first: number; readonly logs: ChainLog[] };

/**
 * Logs of a long range in pages, newest first. The number of blocks in a page grows and shrinks as in `logsInRange`.
 *
 * @throws NodeFailure when even one block is refused
 */
export async function* logsBackwards(
  rpc: Rpc,
  range: LogRange,
  settings: RangeSettings,
): AsyncGenerator<LogPage> {
  let window = firstWindow(range, settings);
  let ceiling = settings.maxWindow;
  let growth = 2;
  let last = range.last;
  while (last >= range.first) {
    const first = Math.max(range.first, last - window + 1);
    const answer = await askRange(rpc, range, { first, last }, settings.deadlineMs);
    if (answer.ok) {
      yield { first, logs: readLogs(answer.result) };
      last = first - 1;
      window = Math.min(ceiling, Math.ceil(window * growth));
    } else {
      const suggested = suggestedWindow(answer.failure.message, first);
      window = narrower(answer.failure, last - first + 1, suggested?.blocks);
      if (suggested?.always === true) ceiling = Math.min(ceiling, window);
      growth = 1.25;
    }
  }
}

function firstWindow({ width }: LogRange, { firstWindow, maxWindow }: RangeSettings): number {
  return width === undefined ? firstWindow : Math.min(Math.max(1, width), maxWindow);
}

async function askRange(
  rpc: Rpc,
  { addresses, topics }: LogRange,
  { first, last }: { first: number; last: number },
  deadlineMs: number,
): Promise<Answer> {
  const filter = {
    fromBlock: quantity(first),
    toBlock: quantity(last),
    address: addresses,
    topics: [topics],
  };
  const outside = (result: unknown) => {
    const stray = readLogs(result).some(({ blockNumber }) => blockNumber < first || blockNumber > last);
    return stray ? "logs from outside the range" : undefined;
  };
  const [answer] = await rpc.batch([{ method: "eth_getLogs", params: [filter] }], {
    ...{ block: last, deadlineMs, urgency: "background" },
    doubt: outside,
  });
  return answer as Answer;
}

const TOO_WIDE: ReadonlySet<string> = new Set(["range", "rpc", "unsupported"]);

function narrower(failure: NodeFailure, asked: number, suggested: number | undefined): number {
  if (asked <= 1 || !TOO_WIDE.has(failure.kind)) throw failure;
  return suggested !== undefined && suggested < asked ? suggested : Math.floor(asked / 2);
}

type SuggestedWindow = {
  readonly blocks: number;
  /** Whether the provider names a general limit, rather than a range that would fit this one request. */
  readonly always: boolean;
};

/**
 * The width that a provider's text names: as a range to try that begins at the requested block `first` ("Try with this
 * block range [0x10, 0x20]"), or as a limit in blocks ("limited to a 10 block range", "up to 2,000 blocks").
 */
export function suggestedWindow(text: string, first: number): SuggestedWindow | undefined {
  const pair = /\[\s*(0x[0-9a-f]+|\d+)\s*[,-]\s*(0x[0-9a-f]+|\d+)\s*\]/i.exec(text);
  if (pair !== null && Number(pair[1]) === first) {
    const blocks = Number(pair[2]) - first + 1;
    return blocks >= 1 ? { blocks, always: false } : undefined;
  }
  const limit = /(\d[\d,]*)\s*-?\s*(k)?\s*blocks?\b/i.exec(text);
  if (limit === null) return undefined;
  const blocks = Number(limit[1]?.replaceAll(",", "")) * (limit[2] === undefined ? 1 : 1000);
  return blocks >= 1 ? { blocks, always: true } : undefined;
}

function quantity(value: number): string {
  return `0x${value.toString(16)}`;
}
