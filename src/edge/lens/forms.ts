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

/** Runs the lens in the first form that the endpoints support; a form that is refused is not tried again. */
export function createForms(pinned: Pinned, log: Logger) {
  const forms = [overriding, once];
  let refusals = 0;
  const ask = async (data: Hex, block: BlockRef): Promise<Hex> => {
    for (;;) {
      const form = forms[0];
      if (form === undefined) throw new NodeFailure("unsupported", "no endpoint runs the lens");
      const [answer] = await pinned([form.callOf(data)], block);
      const result = form.resultOf(answer as Answer);
      if (result !== undefined) {
        refusals = 0;
        return result;
      }
      if (++refusals < REFUSALS || forms[0] !== form) continue;
      refusals = 0;
      forms.shift();
      log.warn({ form: form.name }, "no endpoint runs the lens in this form");
    }
  };
  return { ask, isUsable: () => forms.length > 0 };
}
