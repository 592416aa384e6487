/**
 * Removes the oldest entries of a map or set until at most `most` are left. It bounds collections that untrusted
 * callers fill. Age is insertion order: setting an existing key does not renew it; delete it first to renew it.
 * O(entries removed).
 *
 * @returns the keys removed, the oldest first
 */
export function forgetOldest<K>(kept: Map<K, unknown> | Set<K>, most: number): K[] {
  const gone: K[] = [];
  for (const key of kept.keys()) {
    if (kept.size <= most) break;
    kept.delete(key);
    gone.push(key);
  }
  return gone;
}
