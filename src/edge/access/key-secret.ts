import { createHash, randomBytes } from "node:crypto";

const SECRET_BYTES = 32;
const ID_BYTES = 6;

/** A new secret: 256 random bits in base64url, with a prefix by which scanners for leaked secrets recognize it. */
export function newSecret(): string {
  return `braid_${randomBytes(SECRET_BYTES).toString("base64url")}`;
}

/** A new random id of a key, independent of its secret. */
export function newKeyId(): string {
  return randomBytes(ID_BYTES).toString("hex");
}

/**
 * The stored form of a secret: its SHA-256 in hex. A slow password hash is not needed, since 256 random bits cannot be
 * guessed. The timing of a lookup by this hash can only reveal something about stored hashes, not about secrets.
 */
export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
