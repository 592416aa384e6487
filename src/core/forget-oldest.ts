/**
 * Removes what was put into a map or a set longest ago until at most `most` entries are left: what strangers can fill is bounded.
 * Setting a key that is there does not make it newer; delete it first where it should count as new.
 *
 * @returns the keys that were removed, the oldest first
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
