/** The tokens of most neighbours, through which most ways lead, and the pairs between them. */
export type Middle = {
  /** Number of pairs that the market had when this was worked out. */
  of: number;
  isIn: Uint8Array;
  /** The largest of them. */
  isHub: Uint8Array;
  /** One direction of each pair of two of them. */
  pairs: Int32Array;
  /** The same with those between them and a problem's other tokens, and how many they are. */
  around: Int32Array;
  count: number;
};

export function emptyMiddle(): Middle {
  return {
    of: -1,
    isIn: new Uint8Array(0),
    isHub: new Uint8Array(0),
    pairs: new Int32Array(0),
    around: new Int32Array(256),
    count: 0,
  };
}
