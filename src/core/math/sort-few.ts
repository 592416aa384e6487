/** Sorts in place by insertion, which is faster for few numbers than a sort with a comparison function. */
export function sortFew(numbers: number[]): number[] {
  for (let k = 1; k < numbers.length; k++) {
    const number = numbers[k]!;
    let at = k;
    for (; at > 0 && numbers[at - 1]! > number; at--) numbers[at] = numbers[at - 1]!;
    numbers[at] = number;
  }
  return numbers;
}
