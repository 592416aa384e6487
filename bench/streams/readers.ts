import { Agent, type ClientRequest, get } from "node:http";

/** What readers of streams got since they were asked last. */
export type Heard = {
  /** Streams that are open. */
  readonly open: number;
  readonly offers: number;
  /** Failures and last words. */
  readonly others: number;
  /** By block: when its last offer arrived, Unix milliseconds. */
  readonly lastMs: Readonly<Record<number, number>>;
  /** By block: streams that were told of an offer in it. */
  readonly told: Readonly<Record<number, number>>;
};

/** Open streams of server-sent events. */
export type Readers = {
  heard(): Heard;
  close(): void;
};

/** Blocks told of: the newest ones. */
const MOST_BLOCKS = 1_000;

/**
 * Opens streams over connections of their own, stream k at the path k modulo their number.
 *
 * @returns once each stream has told something
 * @throws Error where one is refused, or ends before
 */
export async function openReaders(url: string, paths: readonly string[], count: number): Promise<Readers> {
  const agent = new Agent({ maxSockets: count });
  const tally = newTally();
  const streams = Array.from({ length: count }, (_, k) =>
    openOne(agent, `${url}${paths[k % paths.length]}`, tally),
  );
  const close = () => {
    for (const { request } of streams) request.destroy();
    agent.destroy();
  };
  try {
    await Promise.all(streams.map(({ begun }) => begun));
  } catch (error) {
    close();
    throw error;
  }
  return { heard: tally.heard, close };
}

type Tally = {
  opened(): void;
  closed(): void;
  frame(text: string): void;
  heard(): Heard;
};

function newTally(): Tally {
  let [open, offers, others] = [0, 0, 0];
  let [last, told] = [new Map<number, number>(), new Map<number, number>()];
  return {
    opened: () => void open++,
    closed: () => void open--,
    frame(text) {
      const block = /"block_number":(\d+)/.exec(text)?.[1];
      if (!text.startsWith("event: offer") || block === undefined) return void others++;
      offers++;
      last.set(Number(block), Date.now());
      told.set(Number(block), (told.get(Number(block)) ?? 0) + 1);
      if (last.size <= MOST_BLOCKS) return;
      const [oldest] = last.keys();
      last.delete(oldest!);
      told.delete(oldest!);
    },
    heard() {
      const lastMs = Object.fromEntries(last);
      const heard = { open, offers, others, lastMs, told: Object.fromEntries(told) };
      [offers, others] = [0, 0];
      [last, told] = [new Map(), new Map()];
      return heard;
    },
  };
}

function openOne(agent: Agent, url: string, tally: Tally): { request: ClientRequest; begun: Promise<void> } {
  const { promise: begun, resolve, reject } = Promise.withResolvers<void>();
  const request = get(url, { agent }, (response) => {
    if (response.statusCode !== 200) reject(new Error(`a stream was refused: ${response.statusCode}`));
    tally.opened();
    let rest = "";
    response.setEncoding("utf8");
    response.on("data", (text: string) => {
      const frames = (rest + text).split("\n\n");
      rest = frames.pop()!;
      for (const frame of frames) if (frame.startsWith("event:")) tally.frame(frame);
      if (frames.length > 0) resolve();
    });
    response.on("error", () => undefined);
    response.on("close", () => {
      tally.closed();
      reject(new Error("a stream ended"));
    });
  });
  request.on("error", reject);
  return { request, begun };
}
