const CHECK_MS = 250;

/**
 * Calls `end` once the process that started this one is gone. npm runs scripts through a shell, and a shell that is told
 * to end does not pass it on: without this, `npm start` leaves the service behind, holding its ports.
 *
 * @param startedBy the parent's id at the start; a change means that it has ended
 */
export function onOrphaned(end: () => void, startedBy: number = process.ppid): void {
  const timer = setInterval(() => {
    if (process.ppid === startedBy) return;
    clearInterval(timer);
    end();
  }, CHECK_MS);
  timer.unref();
}
