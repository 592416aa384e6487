import type { Logo } from "../../service/ports/ports-logos.ts";

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];
const RIFF = [...Buffer.from("RIFF")];
const WEBP = [...Buffer.from("WEBP")];

/**
 * The media type of an image by its first bytes, independent of its file name and Content-Type.
 *
 * @returns undefined for anything but PNG, JPEG and WebP; in particular for SVG, which can contain scripts
 * @source WHATWG MIME Sniffing Standard, section 6.1
 */
export function imageTypeOf(bytes: Uint8Array): Logo["type"] | undefined {
  if (has(bytes, PNG, 0)) return "image/png";
  if (has(bytes, JPEG, 0)) return "image/jpeg";
  return has(bytes, RIFF, 0) && has(bytes, WEBP, 8) ? "image/webp" : undefined;
}

const has = (bytes: Uint8Array, signature: readonly number[], at: number): boolean =>
  signature.every((byte, k) => bytes[at + k] === byte);
