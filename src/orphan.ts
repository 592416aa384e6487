/** Interval at which the parent process id is checked. */
const CHECK_MS = 250;

/** Environment by which a process that was started otherwise counts as a script of npm, and ends when its parent does. */
export const AS_SCRIPT = { npm_lifecycle_event: "start" };

/** Whether npm started this process, or a process that wants it to end with itself. */
export const isScript = (): boolean => process.env.npm_lifecycle_event !== undefined;

/**
 * Calls `end` once the parent process has ended. npm runs scripts in a shell, which does not forward SIGTERM: without
 * this, a terminated `npm start` leaves the service running with its ports bound.
 *
 * `end` is called one interval after the parent was found to have ended, so that a signal which was sent to both is
 * handled first: where the event loop was busy, timers run before the handlers of signals that have already arrived.
 *
 * @param startedBy process id of the parent at the start; once it differs, the parent has ended
 */
export function onOrphaned(end: () => void, startedBy: number = process.ppid): void {
  const timer = setInterval(() => {
    if (process.ppid === startedBy) return;
    clearInterval(timer);
    setTimeout(end, CHECK_MS).unref();
  }, CHECK_MS);
  timer.unref();
}
