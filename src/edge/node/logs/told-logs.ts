import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import type { Hex } from "../../../core/types.ts";
import { NodeFailure } from "../transport/failure.ts";
import type { Rpc } from "../transport/rpc.ts";
import type { ChainLog, Header } from "../types.ts";
import { mayHold } from "./bloom.ts";
import { createLogForms, type LogForms } from "./log-forms.ts";

/** Logs of a block as endpoints tell them; undefined where none does. */
export type Told = {
  readonly logs: readonly ChainLog[] | undefined;
  /** Those that a second endpoint does not tell, or that only it tells. */
  readonly disputed: readonly ChainLog[];
};

type ToldRequest = {
  readonly rpc: Rpc;
  readonly settings: { readonly deadlineMs: number; readonly attemptMs: number; readonly opinions: boolean };
  /** Told of two endpoints that say different things of a block. */
  readonly onDispute: (labels: readonly string[], why: string) => void;
  readonly log: Logger;
};

/** Endpoints that tell no logs are asked again after this. */
const CLOSED_MS = 60_000;

/** Logs on the word of endpoints: a second one is asked about blocks that are `due`. */
export function createToldLogs({ rpc, settings, onDispute, log }: ToldRequest) {
  const forms = createLogForms(rpc, settings.deadlineMs);
  let closedUntil = Number.NEGATIVE_INFINITY;
  // An endpoint whose every answer is too large, or is refused, is broken: that says nothing of its logs.
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
      log.warn({ why: error.message }, "no endpoint tells logs: pools that may have changed are read again");
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

type Words = {
  readonly logs: ReadonlyMap<Hex, ChainLog[]>;
  /** Labels of who told. */
  readonly by: ReadonlySet<string>;
};

/**
 * A node that follows the head sometimes answers "none" before it has indexed the block. Where the header's bloom has one
 * of the topics, all logs of the block are asked for, and must make up the bloom.
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

/** @returns undefined where no other endpoint says anything */
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

/** Logs that only one of the lists has. */
function difference(a: readonly ChainLog[], b: readonly ChainLog[]): ChainLog[] {
  const name = ({ address, topics, data, logIndex }: ChainLog) =>
    [logIndex, address, ...topics, data].join(" ");
  const [inA, inB] = [new Set(a.map(name)), new Set(b.map(name))];
  return [...a.filter((log) => !inB.has(name(log))), ...b.filter((log) => !inA.has(name(log)))];
}
