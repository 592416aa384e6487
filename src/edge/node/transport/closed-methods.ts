import type { Request } from "../types.ts";
import { NodeFailure } from "./failure.ts";

type Answer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly failure: NodeFailure };

/**
 * Refusals of a method in a row, and answers of other methods since the first, after which the method counts as not
 * offered.
 */
const REFUSALS = 3;

/**
 * Distinguishes a method that an endpoint does not offer from a rate limit: some endpoints refuse such a method for
 * ever with the error of a rate limit ("limit exceeded").
 */
export function createClosedMethods() {
  /** By method: refusals in a row, and the number of answers of other methods since the first of these refusals. */
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
    /** The answers, where rate-limit refusals of methods that count as not offered become `unsupported`. */
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
