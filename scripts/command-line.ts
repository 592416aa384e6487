import { readFileSync } from "node:fs";
import { type ParseArgsConfig, parseArgs } from "node:util";

/** Ends the command with code 2 and the message on stderr, without a stack trace: whoever typed it can repair it. */
export function refuse(message: string): never {
  process.stderr.write(`${message}\n--help prints what the command takes.\n`);
  process.exit(2);
}

/**
 * The first line of why something failed, from its innermost cause. Of addresses only the origin is kept: those of providers
 * hold keys.
 */
export function reasonOf(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  const { details, message } = inner as { readonly details?: unknown; readonly message?: unknown };
  const text = typeof details === "string" && details !== "" ? details : String(message ?? inner);
  const [line = ""] = text.split("\n");
  return line.replace(/\b(?:https?|wss?):\/\/[^\s"'<>]+/gi, originOf);
}

/** Where an address leads, without user, path and query: in these lie the keys of providers. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "an address";
}

/** An http address. Another text is refused by the name of its flag, and not repeated, since it may hold a key. */
export function addressFlag(flag: string, text: string | undefined): string {
  if (text !== undefined && /^https?:\/\//i.test(text) && URL.canParse(text)) return text;
  return refuse(`--${flag}: an address such as http://127.0.0.1:8545 is wanted`);
}

/** The http address of a service or node that answers, whatever it says; another is refused by the name of its flag. */
export async function answeringFlag(flag: string, text: string | undefined): Promise<string> {
  const url = addressFlag(flag, text);
  await fetch(url).then(
    (response) => response.body?.cancel(),
    (error: unknown) => refuse(`--${flag}: ${originOf(url)} does not answer: ${reasonOf(error)}`),
  );
  return url;
}

/** What whoever typed the command can repair: a file or a port. */
const REPAIRABLE = new Set([...["EADDRINUSE", "EACCES", "ENOENT", "EISDIR", "ENOTDIR", "EEXIST", "EROFS"]]);

/** Ends the command at a failure that nobody caught: with 2 and one line where it can be repaired, else with 1 and the stack. */
function endPlainly(error: Error): never {
  let inner = error;
  while (inner.cause instanceof Error) inner = inner.cause;
  const isRepairable =
    inner.name === "BadInput" || REPAIRABLE.has((inner as NodeJS.ErrnoException).code ?? "");
  if (!isRepairable || process.env.BRAID_DEBUG === "1") console.error(error);
  else process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(isRepairable ? 2 : 1);
}

/** The exit code where a reader that has seen enough, such as head, closed the pipe: what shells report after SIGPIPE. */
const PIPE_CLOSED = 141;

/**
 * The flags of the command that runs. `--help` prints how it is used, and ends it; what `parseArgs` does not accept is refused.
 * A failure that nobody catches afterwards ends it without a stack trace where it can be repaired.
 *
 * @param usage the comment that the command's own file begins with, unless given
 */
export function readFlags<T extends ParseArgsConfig>(
  config: T,
  usage = firstComment(),
): ReturnType<typeof parseArgs<T>> {
  process.once("uncaughtException", endPlainly);
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) =>
    process.exit(code === "EPIPE" ? PIPE_CLOSED : 1),
  );
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

/** A port; 0 is any that is free. */
export function portNumber(text: string | undefined): number {
  const port = wholeNumber("port", text, 0);
  return port <= 65_535 ? port : refuse(`--port: a whole number of at most 65535 is wanted, not "${text}"`);
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
