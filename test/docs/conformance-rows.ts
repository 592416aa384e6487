export type Row = {
  /** What the row is about: a field, a parameter, an endpoint. */
  readonly subject: string;
  readonly fact: string;
  readonly tests: readonly TestName[];
};
export type TestName = readonly [file: string, title: string];
export type Group = { readonly title: string; readonly rows: readonly Row[] };

export const row = (subject: string, fact: string, ...tests: readonly TestName[]): Row => ({
  subject,
  fact,
  tests,
});
