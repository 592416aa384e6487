import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import type { Hex } from "../../../core/types.ts";
import { NodeFailure } from "../transport/failure.ts";
import type { Rpc } from "../transport/rpc.ts";
import type { ChainLog, Header } from "../types.ts";
import { mayHold } from "./bloom.ts";
import { createLogForms, type LogForms } from "./log-forms.ts";

/** Logs of a block as endpoints report them, without proof; undefined where no endpoint serves logs. */
export type Told = {
  readonly logs: readonly ChainLog[] | undefined;
  /** Logs that only one of two endpoints reports. */
  readonly disputed: readonly ChainLog[];
};

type ToldRequest = {
  readonly rpc: Rpc;
  readonly settings: { readonly deadlineMs: number; readonly attemptMs: number; readonly opinions: boolean };
  /** Called with the labels of endpoints that disagree about the logs of a block. */
  readonly onDispute: (labels: readonly string[], why: string) => void;
  readonly log: Logger;
};

/** Milliseconds for which no logs are asked for once no endpoint supports such requests. */
const CLOSED_MS = 60_000;

/**
 * Reads logs without proof. For the blocks that are `due`, a second endpoint is asked and the two lists are compared.
 */
export function createToldLogs({ rpc, settings, onDispute, log }: ToldRequest) {
  const forms = createLogForms(rpc, settings.deadlineMs);
  let closedUntil = Number.NEGATIVE_INFINITY;
  const say = saying(log);
  // Where eth_chainId fails too, the endpoints are down or broken, and the failure says nothing about logs.
  const answers = () =>
    rpc.request("eth_chainId", [], { deadlineMs: settings.attemptMs }).then(
      () => true,
      () => false,
    );
  const words = async (headers: readonly Header[], topics: readonly Hex[]) => {
    if (headers.length === 0 || performance.now() < closedUntil) return undefined;
    try {
      return await first(forms, headers, topics);
    } catch (error) {
      if (!isClosed(error) || !(await answers())) throw error;
      if (error.kind === "unsupported") closedUntil = performance.now() + CLOSED_MS;
      say(error);
      return undefined;
    }
  };
  return async (
    headers: readonly Header[],
    topics: readonly Hex[],
    due: ReadonlySet<Hex>,
  ): Promise<Told[]> => {
    const told = await words(headers, topics);
    if (told === undefined) return headers.map(() => ({ logs: undefined, disputed: [] }));
    const disputed = new Map<Hex, ChainLog[]>();
    const asked = settings.opinions ? headers.filter(({ hash }) => due.has(hash)) : [];
    const other = await second(forms, asked, topics, { without: told.by, deadlineMs: settings.attemptMs });
    for (const header of asked) {
      const own = told.logs.get(header.hash) as ChainLog[];
      const odd = difference(own, other?.logs.get(header.hash) ?? own);
      if (odd.length === 0) continue;
      disputed.set(header.hash, odd);
      const labels = [...told.by, ...(other?.by ?? [])];
      log.error(
        { endpoints: labels, block: header.number, logs: odd.length },
        "two endpoints disagree about logs",
      );
      onDispute(labels, `the logs of block ${header.number} are others at another endpoint`);
    }
    return headers.map(({ hash }) => ({ logs: told.logs.get(hash), disputed: disputed.get(hash) ?? [] }));
  };
}

/** Says why no logs are told: as a warning once, since endpoints are asked again and again. */
function saying(log: Logger): (failure: NodeFailure) => void {
  let level: "warn" | "debug" = "warn";
  return ({ message: why }) => {
    log[level]({ why }, "no endpoint tells logs: receipts are read, or the pools that may have changed");
    level = "debug";
  };
}

type Words = {
  readonly logs: ReadonlyMap<Hex, ChainLog[]>;
  /** Labels of the endpoints that reported the logs. */
  readonly by: ReadonlySet<string>;
};

/**
 * Reads the logs without comparing endpoints. A node at the head sometimes answers an empty list before it has indexed
 * the block. So, where the list is empty although the header's bloom has one of the topics, all logs of the block are
 * asked for, and their bloom must equal the header's.
 */
async function first(forms: LogForms, headers: readonly Header[], topics: readonly Hex[]): Promise<Words> {
  const told = await forms.ask(headers, topics);
  const wanted = new Set(topics);
  const isOdd = ({ hash, logsBloom }: Header) =>
    told.logs.get(hash)?.length === 0 && mayHold(logsBloom, topics);
  const logs = new Map(told.logs);
  for (const header of headers.filter(isOdd)) {
    const whole = await forms.whole(header);
    logs.set(
      header.hash,
      whole.filter((one) => wanted.has(one.topics[0] as Hex)),
    );
  }
  return { ...told, logs };
}

/** @returns undefined where no other endpoint answers */
async function second(
  forms: LogForms,
  headers: readonly Header[],
  topics: readonly Hex[],
  terms: { readonly without: ReadonlySet<string>; readonly deadlineMs: number },
): Promise<Words | undefined> {
  if (headers.length === 0) return undefined;
  return forms.ask(headers, topics, terms).catch((error: unknown) => {
    if (error instanceof NodeFailure) return undefined;
    throw error;
  });
}

function isClosed(error: unknown): error is NodeFailure {
  return error instanceof NodeFailure && (error.kind === "unsupported" || error.kind === "range");
}

/** Logs that only one of the two lists has. */
function difference(a: readonly ChainLog[], b: readonly ChainLog[]): ChainLog[] {
  const name = ({ address, topics, data, logIndex }: ChainLog) =>
    [logIndex, address, ...topics, data].join(" ");
  const [inA, inB] = [new Set(a.map(name)), new Set(b.map(name))];
  return [...a.filter((log) => !inB.has(name(log))), ...b.filter((log) => !inA.has(name(log)))];
}
