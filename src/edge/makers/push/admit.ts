import { isSigned } from "../wire/signed-request.ts";
import type { Pusher, Refusal } from "./pusher.ts";
import { told } from "./unread.ts";

export const MAKER_HEADER = "x-braid-maker";

/** Age from which signed levels are refused, milliseconds; documented in docs/makers.md. */
const MOST_AGE_MS = 2_000;
/** How far a maker's clock may be ahead of this server's, milliseconds. */
const MOST_AHEAD_MS = 2_000;
/** Most pushes of one maker in a second: each of them is a commit to the market. */
const MOST_A_SECOND = 4;

export type Clocks = { readonly unixMs: () => number; readonly monotonicMs: () => number };

/** Headers and body of a push. The timestamp is Unix time in milliseconds, as text. */
export type Signed = { readonly timestamp: string; readonly signature: string; readonly body: Buffer };

/** Result of checking a push: the age of its signature in milliseconds, or the reason why it is refused. */
export type Admission = { readonly ageMs: number } | { readonly refusal: Refusal };

/** The last accepted timestamp of one maker, and the monotonic times of its pushes in the last second. */
type Past = { lastTimestamp: number; readonly times: number[] };

/**
 * Admits pushes that are signed with the maker's secret, recent, newer than its last push, and at most MOST_A_SECOND a
 * second. Where the clock was set back, the first push counts as newer. An unsigned push changes no state, so nobody else
 * can use up a maker's allowance.
 */
export function createAdmission(clocks: Clocks): (pusher: Pusher, signed: Signed) => Admission {
  const known = new Map<Pusher, Past>();
  return (pusher, { timestamp, signature, body }) => {
    const { secret } = pusher;
    if (!isSigned({ secret, timestamp, line: "POST /levels", body }, signature))
      return refused(401, notSigned(pusher.name));
    const past = known.get(pusher) ?? { lastTimestamp: 0, times: [] };
    known.set(pusher, past);
    const at = Number(timestamp);
    const refusal = untimely(timestamp, past, clocks.unixMs()) ?? tooMany(pusher, past, clocks.monotonicMs());
    if (refusal !== undefined) return { refusal };
    past.lastTimestamp = at;
    return { ageMs: Math.max(0, clocks.unixMs() - at) };
  };
}

/** Message for an unknown name and for a bad signature alike, so that it does not disclose which makers exist. */
export const notSigned = (name: string): string =>
  `${MAKER_HEADER}: ${told(name)}: no maker that pushes levels has this name, or x-braid-signature is not its own`;

const refused = (status: number, why: string): Admission => ({ refusal: { status, why } });

function untimely(text: string, { lastTimestamp }: Past, nowMs: number): Refusal | undefined {
  const at = Number(text);
  const why = (reason: string): Refusal => ({
    status: 400,
    why: `x-braid-timestamp: ${told(text)}: ${reason}`,
  });
  if (!Number.isSafeInteger(at)) return why("not Unix time in milliseconds");
  if (nowMs - at >= MOST_AGE_MS)
    return why(`${nowMs - at} ms ago, where levels are used for ${MOST_AGE_MS} ms`);
  if (at - nowMs > MOST_AHEAD_MS) return why(`${at - nowMs} ms ahead of this server's clock`);
  // A last push so far ahead of the clock was accepted before the clock was set back.
  const isSetBack = lastTimestamp - nowMs > MOST_AHEAD_MS;
  if (at > lastTimestamp || isSetBack) return undefined;
  return why(`not above that of the push before, ${lastTimestamp}`);
}

function tooMany({ name }: Pusher, { times }: Past, nowMs: number): Refusal | undefined {
  while (times[0] !== undefined && nowMs - times[0] >= 1_000) times.shift();
  if (times.length >= MOST_A_SECOND)
    return {
      status: 429,
      why: `${MAKER_HEADER}: ${told(name)}: more than ${MOST_A_SECOND} pushes in a second`,
    };
  times.push(nowMs);
  return undefined;
}
