/** What this browser keeps for the page. A browser that keeps nothing is no fault: the page then forgets. */

const PREFIX = "braid.";

/** @returns undefined where nothing is kept, or what is kept cannot be read */
export function readLocal(key: string): unknown {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param value undefined = forget it */
export function writeLocal(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // A full or forbidden store: what is on the screen stays right.
  }
}
