import Type from "typebox";

/** A maker that pushes its levels, as the listener knows it. */
export type Pusher = {
  readonly name: string;
  readonly secret: string;
  /**
   * Puts levels in the place of those that were there.
   *
   * @param ageMs how long ago the maker signed them
   * @returns why they are not taken; those that were there stay, until they are too old
   */
  push(levels: unknown, ageMs: number): Refusal | undefined;
};

/** An HTTP status, and what is wrong in words for the maker. */
export type Refusal = { readonly status: number; readonly why: string };

/** What `POST /levels` answers where it is refused. */
export const PushRefused = Type.Object({ error: Type.String() });
