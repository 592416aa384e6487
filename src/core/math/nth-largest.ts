/**
 * The threshold that selects the best `most` candidates: the `most`-th largest rank, or `least` if at most `most`
 * ranks exceed `least`. Ties at the threshold may select more. Expected O(n) by quickselect; `rank` is not changed.
 */
export function barOf(rank: Float64Array, most: number, least = 0): number {
  const good = new Float64Array(rank.length);
  let count = 0;
  for (let k = 0; k < rank.length; k++) if (rank[k]! > least) good[count++] = rank[k]!;
  return count <= most ? least : nthLargest(good.subarray(0, count), most);
}

/** The `nth` largest number, counted from 1, by quickselect. Reorders `numbers`. */
function nthLargest(numbers: Float64Array, nth: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const { left, right } = split(numbers, low, high);
    if (nth - 1 <= right) high = right;
    else if (nth - 1 >= left) low = left;
    else break;
  }
  return numbers[nth - 1]!;
}

/**
 * Hoare's partition in descending order. @returns `left`, the start of the smaller numbers, and `right`, the end of
 * the larger ones
 */
function split(numbers: Float64Array, low: number, high: number): { left: number; right: number } {
  const pivot = numbers[(low + high) >> 1]!;
  let left = low;
  let right = high;
  while (left <= right) {
    while (numbers[left]! > pivot) left++;
    while (numbers[right]! < pivot) right--;
    if (left > right) break;
    const one = numbers[left]!;
    numbers[left++] = numbers[right]!;
    numbers[right--] = one;
  }
  return { left, right };
}
