import type { ListedToken } from "./ports.ts";

/** The image of a token's logo, unchanged from its source. */
export type Logo = {
  readonly type: "image/png" | "image/jpeg" | "image/webp";
  readonly bytes: Uint8Array;
};

/** Logos of the tokens in public token lists. */
export interface LogoPort {
  /** Whether a token may have a logo. It never waits, because it runs for every token of a list. */
  has(token: ListedToken): boolean;
  /**
   * @returns undefined where there is no logo, or none that may be served
   * @throws BraidError OVERLOADED where too many logos are being downloaded
   */
  of(token: ListedToken): Promise<Logo | undefined>;
}
