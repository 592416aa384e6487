import type { Address } from "../../core/types.ts";

/** The rights and limits of an API key. A limit of 0 means no limit. */
export type AccessKey = {
  /** Identifies the key to the operator. It is not the secret and reveals nothing about it. */
  readonly id: string;
  readonly tier: string;
  /** Requests a minute with this key. */
  readonly perMinute: number;
  /** Requests a day with this key; a day begins at midnight UTC. */
  readonly perDay: number;
  /** Requests a minute with this key from one IP address, for keys that are embedded in public web pages. */
  readonly perAddressPerMinute: number;
  /** Web origins whose pages may use the key; empty = any origin. */
  readonly origins: readonly string[];
  /** Fees that apply to requests that name none; undefined = no default fees. */
  readonly fees: DefaultFees | undefined;
};

export type DefaultFees = {
  readonly recipient: Address;
  readonly buyPermille: number;
  readonly sellPermille: number;
};

/** The API keys of this service. */
export interface KeyPort {
  /** Whether a key was ever created; before the first one, keys that clients send are ignored. */
  inUse(): boolean;
  /** @returns undefined for a secret that is unknown or revoked */
  find(secret: string): AccessKey | undefined;
  /** Whether the key of this id exists and is not revoked. */
  isValid(id: string): boolean;
  /** Requests counted for a key since midnight UTC. */
  usedToday(id: string): number;
  count(id: string, requests: number): void;
}
