import { readFileSync } from "node:fs";
import { type ParseArgsConfig, parseArgs } from "node:util";

/** Ends the command with code 2 and the message on stderr, without a stack trace: whoever typed it can repair it. */
export function refuse(message: string): never {
  process.stderr.write(`${message}\n--help prints what the command takes.\n`);
  process.exit(2);
}

/**
 * The flags of the command that runs. `--help` prints how it is used, and ends it; what `parseArgs` does not accept is refused.
 *
 * @param usage the comment that the command's own file begins with, unless given
 */
export function readFlags<T extends ParseArgsConfig>(
  config: T,
  usage = firstComment(),
): ReturnType<typeof parseArgs<T>> {
  if (process.argv.slice(2).some((word) => word === "--help" || word === "-h")) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    return refuse((error as Error).message);
  }
}

/** A whole number of at least `least`; anything else is refused by the name of its flag. */
export function wholeNumber(flag: string, text: string | undefined, least: number): number {
  const value = numberOf(text);
  if (Number.isSafeInteger(value) && value >= least) return value;
  return refuse(`--${flag}: a whole number of at least ${least} is wanted, not "${text ?? ""}"`);
}

/** A finite number above 0; anything else is refused by the name of its flag. */
export function numberAboveZero(flag: string, text: string | undefined): number {
  const value = numberOf(text);
  if (value > 0 && value < Infinity) return value;
  return refuse(`--${flag}: a number above 0 is wanted, not "${text ?? ""}"`);
}

/** A seed of at least 0, or one by chance for the word "random". */
export function seedOf(text: string): number {
  return text === "random" ? Date.now() & 0x7fffffff : wholeNumber("seed", text, 0);
}

function numberOf(text = ""): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}

/** Of the file that was started, without its frame. */
function firstComment(): string {
  const comment = /\/\*\*(.*?)\*\//s.exec(readFileSync(process.argv[1]!, "utf8"))?.[1] ?? "";
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\* ?/, ""));
  return lines.join("\n").trim();
}
