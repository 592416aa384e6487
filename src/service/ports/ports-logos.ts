import type { ListedToken } from "./ports.ts";

/** A picture of a token, as it was found. */
export type Logo = {
  readonly type: "image/png" | "image/jpeg" | "image/webp";
  readonly bytes: Uint8Array;
};

/** Pictures of the tokens that public lists name. */
export interface LogoPort {
  /** Whether a token may have a picture. Never waits, as it is asked for every token of a list. */
  has(token: ListedToken): boolean;
  /**
   * @returns undefined where there is no picture, or none that may be passed on
   * @throws BraidError OVERLOADED where too many pictures are being fetched
   */
  of(token: ListedToken): Promise<Logo | undefined>;
}
