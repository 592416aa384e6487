import Type from "typebox";

/** A maker that pushes its levels, as the listener knows it. */
export type Pusher = {
  readonly name: string;
  readonly secret: string;
  /**
   * Replaces the maker's levels.
   *
   * @param levels a body of the form of `LevelsAnswer`, not validated yet
   * @param ageMs how long ago the maker signed them
   * @returns why they are refused; the levels before stay until they are too old
   */
  push(levels: unknown, ageMs: number): Refusal | undefined;
};

/** An HTTP status, and the reason in words for the maker. */
export type Refusal = { readonly status: number; readonly why: string };

/** Response body of a refused `POST /levels`. */
export const PushRefused = Type.Object({ error: Type.String() });
