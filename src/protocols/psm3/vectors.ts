export { nothingRecorded as suite } from "../swapvec.ts";
