import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The commit that speed and answers are compared with. */
export const BASELINE = "cad7a8f";

const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8", stdio: "pipe" }).trim();

/** What the figures are of: the commit, with a mark and a hash of the changes where the tree has some. */
export function treeKey(): string {
  const changes = git("diff", "HEAD", "--", "src", "bench");
  const head = git("rev-parse", "--short=12", "HEAD");
  return changes === ""
    ? head
    : `${head}+${execFileSync("git", ["hash-object", "--stdin"], { input: changes, encoding: "utf8" }).slice(0, 8)}`;
}

/** A tree of the baseline commit in a temporary folder. */
export type Baseline = { readonly root: string; readonly remove: () => void };

/** @returns undefined where the clone does not hold the commit */
export function checkOutBaseline(commit = BASELINE): Baseline | undefined {
  const folder = mkdtempSync(join(tmpdir(), "braid-baseline-"));
  const root = join(folder, commit);
  try {
    git("worktree", "add", "--detach", root, commit);
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  symlinkSync(resolve("node_modules"), join(root, "node_modules"), "dir");
  const remove = () => {
    git("worktree", "remove", "--force", root);
    rmSync(folder, { recursive: true });
  };
  const interrupted = () => {
    remove();
    process.exit(130);
  };
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  return { root, remove };
}
