import { grown } from "./rows.ts";

/**
 * Binary max-heap of integers, ordered by key. The same integer may be in it several times. Push and pop cost O(log
 * n).
 */
export type Heap = { size: number; keys: Float64Array; items: Int32Array };

export function emptyHeap(): Heap {
  return { size: 0, keys: new Float64Array(256), items: new Int32Array(256) };
}

export function pushHeap(heap: Heap, key: number, item: number): void {
  if (heap.size === heap.keys.length) {
    heap.keys = grown(heap.keys, heap.size + 1);
    heap.items = grown(heap.items, heap.size + 1);
  }
  const { keys, items } = heap;
  let k = heap.size++;
  while (k > 0) {
    const parent = (k - 1) >> 1;
    if (keys[parent]! >= key) break;
    keys[k] = keys[parent]!;
    items[k] = items[parent]!;
    k = parent;
  }
  keys[k] = key;
  items[k] = item;
}

/** Removes the item of the largest key. @returns the item; -1 if the heap is empty */
export function popHeap(heap: Heap): number {
  if (heap.size === 0) return -1;
  const { keys, items } = heap;
  const top = items[0]!;
  const size = --heap.size;
  const key = keys[size]!;
  const item = items[size]!;
  let k = 0;
  for (let child = 1; child < size; child = 2 * k + 1) {
    if (child + 1 < size && keys[child + 1]! > keys[child]!) child++;
    if (keys[child]! <= key) break;
    keys[k] = keys[child]!;
    items[k] = items[child]!;
    k = child;
  }
  keys[k] = key;
  items[k] = item;
  return top;
}
