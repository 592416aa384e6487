import { performance } from "node:perf_hooks";
import type { ServedChain } from "./service/ports/ports.ts";

const WIDTH = 24;
const EVERY_MS = 500;

type Terminal = { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown };

/**
 * Progress of a chain's discovery as a line of text; "" where the chain is ready or has no discovery. Times come before
 * the step, which a terminal of 80 columns does not hold whole.
 */
export function progressLine({ chain, market, discovery }: ServedChain, elapsedMs: number): string {
  const status = market.status();
  if (discovery === undefined || status.phase === "live") return "";
  const { step, done, total, requests, perSecond } = discovery.coverage();
  const share = total === 0 ? 0 : done / total;
  const filled = Math.round(share * WIDTH);
  const bar = "█".repeat(filled) + "░".repeat(WIDTH - filled);
  const seconds = Math.round(elapsedMs / 1000);
  const pace = perSecond === undefined ? "" : `, ${perSecond.toFixed(1)}/s`;
  const left = share > 0.1 ? `, ${Math.ceil((seconds * (1 - share)) / share)} s left` : "";
  const percent = Math.floor(share * 100);
  return `${chain.name} ${bar} ${percent} %  ${seconds} s${left}: ${step}, ${requests} requests${pace}`;
}

/** Shows the progress of all chains on a terminal until they are ready. @returns a function that removes the display */
export function showProgress(served: readonly ServedChain[], terminal: Terminal): () => void {
  if (terminal.isTTY !== true) return () => undefined;
  const start = performance.now();
  let shown = 0;
  const clear = () => {
    if (shown > 0) terminal.write(`\u001b[${shown}A\u001b[J`);
    shown = 0;
  };
  const timer = setInterval(() => {
    const lines = served.map((one) => progressLine(one, performance.now() - start)).filter(Boolean);
    clear();
    for (const line of lines) terminal.write(`${line.slice(0, (terminal.columns ?? 120) - 1)}\n`);
    shown = lines.length;
    if (lines.length === 0) clearInterval(timer);
  }, EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    clear();
  };
}
