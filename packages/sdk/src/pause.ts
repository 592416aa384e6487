/** Milliseconds between two questions to a node that is behind. */
const ASK_AGAIN_MS = 500;

/** Asks a node that may be behind up to `most` times, until it knows. @throws the reason of a signal that is aborted */
export async function untilKnown<T>(
  ask: () => Promise<T | undefined>,
  most: number,
  signals: readonly AbortSignal[],
): Promise<T | undefined> {
  for (let asked = 1; ; asked++) {
    const answer = await ask();
    if (answer !== undefined || asked === most) return answer;
    await pause(ASK_AGAIN_MS, signals);
  }
}

/** Waits. @throws the reason of a signal that is aborted */
export function pause(ms: number, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = AbortSignal.any([...signals]);
    if (ended.aborted) return reject(ended.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(ended.reason);
    };
    const timer = setTimeout(() => {
      ended.removeEventListener("abort", stop);
      resolve();
    }, ms);
    ended.addEventListener("abort", stop, { once: true });
  });
}
