/** One defect put into the router: the tests must notice every one. */
export type Mutant = {
  readonly name: string;
  readonly file: string;
  /** Occurs exactly once in the file … */
  readonly from: string;
  /** … and is replaced by this. */
  readonly to: string;
};

/** Defects of one file: name, what is there, what takes its place. */
export function inFile(
  file: string,
  ...rows: readonly (readonly [string, string, string])[]
): readonly Mutant[] {
  return rows.map(([name, from, to]) => ({ name, file, from, to }));
}
