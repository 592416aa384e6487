import { Agent, request } from "node:http";
import { percentile } from "./reading.ts";

/** What some clients saw that ask again as soon as they are answered. */
export type Seen = {
  readonly answers: number;
  /** Answers of 200. */
  readonly good: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
};

export type Load = {
  readonly url: string;
  readonly clients: number;
  readonly durationMs: number;
  /** The path of the n-th request. */
  readonly path: (n: number) => string;
  /** Between an answer and the client's next request. */
  readonly pauseMs?: number;
};

const ANSWER_MS = 30_000;
const FAILED = { status: 0, retryMs: 0 };

/**
 * Asks over keep-alive connections of its own, one a client, until the time is up; the requests in flight are waited for. A client that
 * is told when to come again does so then.
 */
export async function load({ url, clients, durationMs, path, pauseMs = 0 }: Load): Promise<Seen> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const samples: number[] = [];
  let [asked, good] = [0, 0];
  const began = performance.now();
  const client = async () => {
    for (let leftMs = durationMs; leftMs > 0; ) {
      const sent = performance.now();
      const { status, retryMs } = await get(agent, `${url}${path(asked++)}`);
      samples.push(performance.now() - sent);
      if (status === 200) good++;
      leftMs = durationMs - (performance.now() - began);
      const waitMs = Math.min(pauseMs + retryMs, leftMs);
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      // Counted down and not read from the clock: a timer may fire a moment before its time.
      leftMs -= waitMs;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - began) / 1000;
  agent.destroy();
  return {
    answers: samples.length,
    good,
    perSecond: good / seconds,
    p50Ms: percentile(samples, 0.5),
    p99Ms: percentile(samples, 0.99),
    maxMs: percentile(samples, 1),
  };
}

/** @returns the status, 0 where there was no answer, and after how long to ask again */
function get(agent: Agent, url: string): Promise<{ readonly status: number; readonly retryMs: number }> {
  return new Promise((resolve) => {
    const asked = request(url, { agent, timeout: ANSWER_MS }, (response) => {
      response.resume();
      const retryMs = 1_000 * Number(response.headers["retry-after"] ?? 0);
      response.once("end", () => resolve({ status: response.statusCode ?? 0, retryMs }));
      response.once("error", () => resolve(FAILED));
    });
    asked.once("timeout", () => asked.destroy());
    asked.once("error", () => resolve(FAILED));
    asked.end();
  });
}
