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
