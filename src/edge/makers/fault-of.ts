import * as Value from "typebox/value";

/** Of a value that does not fit, so much is repeated. */
const MOST_SHOWN = 80;

/** What is wrong with an answer of levels: the place in it, the value there, and the rule. */
export function faultOf(
  answer: unknown,
  { instancePath, message }: { instancePath: string; message: string },
): string {
  const value = JSON.stringify(Value.Pointer.Get(answer, instancePath)) ?? "nothing";
  return `levels${instancePath}: ${value.slice(0, MOST_SHOWN)}: ${message}`;
}
