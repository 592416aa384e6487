/** Typed arrays somewhere in an object, by their path. */
type Arrays = ReadonlyMap<string, ArrayBufferView>;

/** Every typed array that an object holds, however deep; one that several parts share stands once. */
export function arraysOf(part: object, path = "", found = new Map<string, ArrayBufferView>()): Arrays {
  for (const [key, value] of Object.entries(part)) {
    if (typeof value !== "object" || value === null || [...found.values()].includes(value)) continue;
    if (ArrayBuffer.isView(value)) found.set(`${path}${key}`, value);
    else if (value.constructor === Object) arraysOf(value, `${path}${key}.`, found);
  }
  return found;
}

export const bytesOf = (arrays: Arrays): number =>
  [...arrays.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);

/** Copies of arrays, in memory that threads can share. */
export function sharedCopies(arrays: Arrays): Arrays {
  return new Map([...arrays].map(([path, array]) => [path, sharedCopy(array)]));
}

function sharedCopy({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(byteLength));
  copy.set(new Uint8Array(buffer, byteOffset, byteLength));
  return copy;
}

/** Writes arrays over earlier copies of theirs; one that grew gets a new copy. */
export function copyInto(copies: Arrays, arrays: Arrays): Arrays {
  return new Map(
    [...arrays].map(([path, array]) => {
      const { buffer, byteOffset, byteLength } = array;
      const copy = copies.get(path);
      if (copy?.byteLength !== byteLength) return [path, sharedCopy(array)];
      (copy as Uint8Array).set(new Uint8Array(buffer, byteOffset, byteLength));
      return [path, copy];
    }),
  );
}

/** Paths of arrays that differ from their copies, or have none. */
export function changedFrom(copies: Arrays, arrays: Arrays): string[] {
  return [...arrays].flatMap(([path, { buffer, byteOffset, byteLength }]) => {
    const copy = copies.get(path) as Uint8Array | undefined;
    const isSame =
      copy?.byteLength === byteLength &&
      Buffer.compare(copy, Buffer.from(buffer, byteOffset, byteLength)) === 0;
    return isSame ? [] : [path];
  });
}
