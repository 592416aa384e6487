import { createHash, randomBytes } from "node:crypto";

const SECRET_BYTES = 32;
const ID_BYTES = 6;

/** A new key: 256 random bits in base64url after a prefix by which scanners for leaked secrets find it. */
export function newSecret(): string {
  return `braid_${randomBytes(SECRET_BYTES).toString("base64url")}`;
}

/** A new name for a key, independent of its secret. */
export function newKeyId(): string {
  return randomBytes(ID_BYTES).toString("hex");
}

/**
 * What is kept of a secret: its SHA-256, in hex. A slow hash defends short passwords; 256 random bits cannot be guessed. A
 * lookup by this hash takes a time that depends on the hash alone, which says nothing of the secrets that are kept.
 */
export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
