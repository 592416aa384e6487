import * as Value from "typebox/value";

/** Most characters of an invalid value that an error message repeats. */
const MOST_SHOWN = 80;

/** Describes a schema error in an answer with levels: the JSON pointer, the value there, and the violated rule. */
export function faultOf(
  answer: unknown,
  { instancePath, message }: { instancePath: string; message: string },
): string {
  const value = JSON.stringify(Value.Pointer.Get(answer, instancePath)) ?? "nothing";
  return `levels${instancePath}: ${value.slice(0, MOST_SHOWN)}: ${message}`;
}
