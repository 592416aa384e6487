import { createHash } from "node:crypto";
import type { Deps } from "../../service/deps.ts";
import type { ListedToken } from "../../service/ports/ports.ts";
import type { LogoPort } from "../../service/ports/ports-logos.ts";
import { chainList } from "../../service/tokens.ts";
import { presentToken } from "./present.ts";

/** A serialised response body and its ETag. */
export type Written = { readonly body: Buffer; readonly tag: string };

type WriterParts = { readonly deps: Pick<Deps, "pause">; readonly logos: LogoPort };

/** Tokens serialised before the event loop is yielded: about a fifth of a millisecond. */
const TOKENS_IN_A_ROW = 100;

/**
 * Serialises an object whose first property is a list of tokens as JSON. The list of a large chain has tens of
 * thousands of tokens and takes tens of milliseconds, so the event loop is yielded between parts.
 *
 * @param rest the other properties of the object
 */
export async function writeTokens(
  { deps, logos }: WriterParts,
  tokens: readonly ListedToken[],
  rest: Readonly<Record<string, unknown>> = {},
): Promise<Written> {
  const parts: Buffer[] = [];
  const hash = createHash("sha256");
  const write = (text: string) => {
    const bytes = Buffer.from(text);
    parts.push(bytes);
    hash.update(bytes);
  };
  write('{"tokens":[');
  for (let start = 0; start < tokens.length; start += TOKENS_IN_A_ROW) {
    if (start > 0) await deps.pause();
    const some = tokens.slice(start, start + TOKENS_IN_A_ROW);
    const text = some.map((one) => JSON.stringify(presentToken(one, logos.has(one)))).join(",");
    write(start > 0 ? `,${text}` : text);
  }
  const others = JSON.stringify(rest).slice(1);
  write(others === "}" ? "]}" : `],${others}`);
  return { body: Buffer.concat(parts), tag: `W/"${hash.digest("base64url").slice(0, 27)}"` };
}

/** Appends properties to the serialised body of a token list that has none. */
export function withOthers({ body }: Written, rest: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.concat([body.subarray(0, -1), Buffer.from(`,${JSON.stringify(rest).slice(1)}`)]);
}

type Kept = { readonly list: readonly ListedToken[]; readonly written: Promise<Written> };

/**
 * Creates the answers with the active tokens of a chain. An answer is cached until the chain's token list changes.
 *
 * @throws BraidError UNSUPPORTED_CHAIN
 */
export function createTokenAnswers(parts: WriterParts & { readonly deps: Deps }) {
  const kept = new Map<number, Kept>();
  return (chainId: number): Promise<Written> => {
    const list = chainList(parts.deps, chainId);
    const before = kept.get(chainId);
    if (before?.list === list) return before.written;
    const active = list.filter(({ isActive }) => isActive);
    const written = writeTokens(parts, active);
    kept.set(chainId, { list, written });
    return written;
  };
}
