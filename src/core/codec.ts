export { decodePlain } from "./codec/decode.ts";
export { encodePlain } from "./codec/encode.ts";
export { MAX_DEPTH } from "./codec/format.ts";
