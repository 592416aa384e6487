import type { Request } from "../types.ts";
import { NodeFailure } from "./failure.ts";

type Answer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly failure: NodeFailure };

/** So many refusals of one method in a row, while others are answered, say that it is closed and not that there is haste. */
const REFUSALS = 3;

/**
 * Tells a method that an endpoint does not offer from a limit of its pace: some refuse the one in the words of the other
 * ("limit exceeded"), for ever.
 */
export function createClosedMethods() {
  /** Refusals in a row, and whether another method was answered since the first of them. */
  const refused = new Map<string, { count: number; others: number }>();
  const note = (method: string, isLimit: boolean, isOk: boolean) => {
    if (isOk) {
      refused.delete(method);
      for (const entry of refused.values()) entry.others++;
    } else if (isLimit) {
      const entry = refused.get(method) ?? { count: 0, others: 0 };
      entry.count++;
      refused.set(method, entry);
    }
  };
  const isClosed = (method: string) => {
    const entry = refused.get(method);
    return entry !== undefined && entry.count >= REFUSALS && entry.others >= REFUSALS;
  };
  return {
    /** The answers, with refusals of closed methods as `unsupported`. */
    told(requests: readonly Request[], answers: readonly Answer[]): Answer[] {
      return answers.map((answer, k) => {
        const { method } = requests[k] as Request;
        const isLimit = !answer.ok && answer.failure.kind === "rate-limit";
        note(method, isLimit, answer.ok);
        if (!isLimit || !isClosed(method)) return answer;
        return { ok: false, failure: new NodeFailure("unsupported", `${method} is always refused`) };
      });
    },
  };
}
