/** The rank that about `most` candidates reach, and none at or below `least`. */
export function barOf(rank: Float64Array, most: number, least = 0): number {
  const good = new Float64Array(rank.length);
  let count = 0;
  for (let k = 0; k < rank.length; k++) if (rank[k]! > least) good[count++] = rank[k]!;
  return count <= most ? least : nthLargest(good.subarray(0, count), most);
}

/** The number that `nth` of all reach; changes their order. */
function nthLargest(numbers: Float64Array, nth: number): number {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const { left, right } = split(numbers, low, high);
    if (nth - 1 <= right) high = right;
    else if (nth - 1 >= left) low = left;
    else break;
  }
  return numbers[nth - 1]!;
}

/** Puts the larger numbers of a part first. @returns where the smaller ones begin, and where the larger ones end */
function split(numbers: Float64Array, low: number, high: number): { left: number; right: number } {
  const pivot = numbers[(low + high) >> 1]!;
  let [left, right] = [low, high];
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
