/** Prefix of the page's keys in localStorage. */
const PREFIX = "braid.";

/** Reads a value from localStorage. @returns undefined where there is none, or it cannot be read */
export function readLocal(key: string): unknown {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Calls `listener` when another tab changes a value. @returns a function that removes the listener */
export function onLocalChange(key: string, listener: () => void): () => void {
  const filtered = (event: StorageEvent) => event.key === PREFIX + key && listener();
  addEventListener("storage", filtered);
  return () => removeEventListener("storage", filtered);
}

/** Stores a value in localStorage. Where that fails, it is silently not stored. @param value undefined = remove */
export function writeLocal(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // The storage is full or forbidden. The page works without it.
  }
}
