import type { Address } from "../../core/types.ts";

/** What a key stands for. A limit of 0 is none. */
export type AccessKey = {
  /** Names the key to its operator. It is not the secret and tells nothing of it. */
  readonly id: string;
  readonly tier: string;
  /** Requests a minute with this key. */
  readonly perMinute: number;
  /** Requests a day with this key; a day begins at midnight UTC. */
  readonly perDay: number;
  /** Requests a minute with this key from one address, for keys that stand in public pages. */
  readonly perAddressPerMinute: number;
  /** Origins whose pages may use the key; empty = anyone. */
  readonly origins: readonly string[];
  /** Fees of requests that name none; undefined = none. */
  readonly fees: DefaultFees | undefined;
};

export type DefaultFees = {
  readonly recipient: Address;
  readonly buyPermille: number;
  readonly sellPermille: number;
};

/** The keys of this service. */
export interface KeyPort {
  /** Whether a key was ever made; before the first one, keys that clients send mean nothing. */
  inUse(): boolean;
  /** @returns undefined for a secret that is unknown or revoked */
  find(secret: string): AccessKey | undefined;
  /** Whether the key of this id exists and is not revoked. */
  isValid(id: string): boolean;
  /** Requests counted for a key since midnight UTC. */
  usedToday(id: string): number;
  count(id: string, requests: number): void;
}
