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

/** Calls `hear` when another tab changes a value. @returns a function that ends it */
export function hearLocal(key: string, hear: () => void): () => void {
  const listen = (event: StorageEvent) => event.key === PREFIX + key && hear();
  addEventListener("storage", listen);
  return () => removeEventListener("storage", listen);
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
