import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import type { Hex } from "../../core/types.ts";
import type { Answer } from "../node/endpoint.ts";
import { hex } from "../node/parse.ts";
import type { Pinned, PinnedCall } from "../node/pinned.ts";
import { NodeFailure } from "../node/transport/failure.ts";
import type { BlockRef } from "../node/types.ts";
import { LENS_ADDRESS, lensCode } from "./artifact.ts";
import { onceData } from "./layout.ts";

/** A way to run the lens by `eth_call`: the call itself, and how its result is read from the node's answer. */
type Form = {
  readonly name: string;
  readonly callOf: (data: Hex) => PinnedCall;
  /** @returns undefined where the node does not support this form; @throws NodeFailure where the run itself failed */
  readonly resultOf: (answer: Answer) => Hex | undefined;
};

/** Failure kinds by which a node says that it does not support the form of a request. */
const UNKNOWN: ReadonlySet<string> = new Set(["unsupported", "rpc"]);

const overriding: Form = {
  name: "state override",
  callOf: (data) => ({
    to: LENS_ADDRESS,
    data,
    overrides: { [LENS_ADDRESS]: { code: lensCode.runtimeCode } },
  }),
  resultOf(answer) {
    if (!answer.ok) {
      if (UNKNOWN.has(answer.failure.kind)) return undefined;
      throw answer.failure;
    }
    const result = hex(answer.result);
    // A node that ignores the override calls an address without code, which answers nothing.
    return result === "0x" ? undefined : result;
  },
};

const once: Form = {
  name: "creation",
  callOf: (data) => ({ data: onceData(lensCode.onceInitCode, lensCode.initCode, data) }),
  resultOf(answer) {
    if (answer.ok) return undefined;
    const { kind, data } = answer.failure;
    if (UNKNOWN.has(kind)) return undefined;
    if (kind !== "reverted") throw answer.failure;
    if (data === undefined || data.length < 194) throw answer.failure;
    return data;
  },
};

/** Refusals in a row after which the next form is used: one odd answer decides nothing. */
const REFUSALS = 2;
/**
 * Time after which a refused form is tried again: some errors of a busy node, such as a timeout of the call, cannot be
 * told from a refusal.
 */
const RETRY_MS = 60_000;

/** A form with its refusals in a row, and the time before which it is not tried. */
type Trial = { readonly form: Form; refusals: number; pausedUntil: number };

/** Runs the lens in the first form that the endpoints support; a form that is refused is tried again a minute later. */
export function createForms(pinned: Pinned, log: Logger) {
  const trials = [overriding, once].map((form): Trial => ({ form, refusals: 0, pausedUntil: 0 }));
  const usable = () => trials.find(({ pausedUntil }) => performance.now() >= pausedUntil);
  const refuse = (trial: Trial) => {
    trial.refusals++;
    if (trial.refusals < REFUSALS) return;
    // The first refusal of a form is a warning, those of later trials are for debugging.
    const level = trial.refusals === REFUSALS ? "warn" : "debug";
    log[level]({ form: trial.form.name }, "no endpoint runs the lens in this form");
    trial.pausedUntil = performance.now() + RETRY_MS;
  };
  const ask = async (data: Hex, block: BlockRef): Promise<Hex> => {
    for (let trial = usable(); trial !== undefined; trial = usable()) {
      const { form } = trial;
      const [answer] = await pinned([form.callOf(data)], block);
      const result = form.resultOf(answer as Answer);
      if (result === undefined) refuse(trial);
      else {
        trial.refusals = 0;
        trial.pausedUntil = 0;
        return result;
      }
    }
    throw new NodeFailure("unsupported", "no endpoint runs the lens");
  };
  return { ask, isUsable: () => usable() !== undefined };
}
