/**
 * Result of a call, or the reason of a signal that is aborted before the call ends. The call is not made where a signal
 * is aborted already. It may be waiting for somebody who never answers, such as the owner of a wallet.
 *
 * @throws the reason of a signal that is aborted
 */
export async function untilAborted<T>(
  signals: readonly AbortSignal[],
  call: () => T | Promise<T>,
): Promise<T> {
  for (const signal of signals) signal.throwIfAborted();
  const ended = AbortSignal.any([...signals]);
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(ended.reason);
    ended.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([call(), aborted]);
  } finally {
    ended.removeEventListener("abort", stop);
  }
}
