/** One fault: what must happen, and what does. */
export type Case = {
  readonly name: string;
  /** Rejects where it does not happen. @param told how far a long case is, such as "12 of 200"; nobody has to call it */
  run(told?: (far: string) => void): Promise<void>;
};

export function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
