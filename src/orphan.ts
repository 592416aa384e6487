/** Interval at which the parent process id is checked. */
const CHECK_MS = 250;

/**
 * Calls `end` once the parent process has ended. npm runs scripts in a shell, which does not forward SIGTERM: without
 * this, a terminated `npm start` leaves the service running with its ports bound.
 *
 * @param startedBy process id of the parent at the start; once it differs, the parent has ended
 */
export function onOrphaned(end: () => void, startedBy: number = process.ppid): void {
  const timer = setInterval(() => {
    if (process.ppid === startedBy) return;
    clearInterval(timer);
    end();
  }, CHECK_MS);
  timer.unref();
}
