import { NotUnderstood } from "../../swapvec.ts";

const NO_HOOKS: readonly unknown[] = [
  undefined,
  null,
  "0x0000000000000000000000000000000000000000",
  "fee hook only",
];

/**
 * Checks that a recorded pool has no hook, or one that only sets the fee which the recorded state has.
 *
 * @throws NotUnderstood for every other hook
 */
export function unhooked(hooks: unknown): void {
  if (!NO_HOOKS.includes(hooks)) throw new NotUnderstood(`hooks ${hooks}`);
}
