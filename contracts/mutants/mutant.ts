/** One defect put into the router: the tests must notice every one. */
export type Mutant = {
  /** Says the place and the change, and stays the same while other lines change. */
  readonly name: string;
  readonly file: string;
  /** Where the change begins, from 1. */
  readonly line: number;
  /** What was there and what is there now, in full. */
  readonly change: string;
  /** Whole texts with the defect in them, by path. */
  readonly changed: Readonly<Record<string, string>>;
  /** The one test that has to notice it; undefined where any may. */
  readonly test?: string;
};

/** What is there, exactly once, and what takes its place. */
export type Edit = { readonly file: string; readonly from: string; readonly to: string };

/** A defect by hand. */
export type Defect = { readonly name: string; readonly edits: readonly Edit[]; readonly test?: string };

/** Defects of one file: name, what is there, what takes its place. */
export function inFile(
  file: string,
  ...rows: readonly (readonly [string, string, string])[]
): readonly Defect[] {
  return rows.map(([name, from, to]) => ({ name, edits: [{ file, from, to }] }));
}

/**
 * @param read text of a path, from the contracts folder
 * @throws Error when a place of the defect is not found exactly once
 */
export function plant({ edits, ...defect }: Defect, read: (path: string) => string): Mutant {
  const changed: Record<string, string> = {};
  for (const { file, from, to } of edits) {
    const text = changed[file] ?? read(file);
    const places = text.split(from).length - 1;
    if (places !== 1) throw new Error(`${defect.name}: its place occurs ${places} times in ${file}`);
    changed[file] = text.replace(from, () => to);
  }
  const { file, from } = edits[0]!;
  const line = read(file).split(from)[0]!.split("\n").length;
  const change = edits.map((edit) => `${edit.file} ${edit.from} -> ${edit.to}`).join("\n");
  return { ...defect, file, line, change, changed };
}
