import artifact from "../../../contracts/lens/out/Lens.json" with { type: "json" };
import type { Address, Hex } from "../../core/types.ts";

type LensArtifact = { readonly runtimeCode: Hex; readonly initCode: Hex; readonly onceInitCode: Hex };

export const lensCode = artifact as unknown as LensArtifact;

/**
 * Address at which a state override places the lens: the low 20 bytes of keccak256("braid lens"), for which nobody has
 * a key.
 */
export const LENS_ADDRESS: Address = "0x7641e70194c64deb8259dfeed6d865e51668ba2b";
