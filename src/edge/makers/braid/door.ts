import type { CheckSignature } from "../contract-signature.ts";
import type { Door } from "../door.ts";
import type { MakerSettings } from "../makers-file.ts";
import { connectMaker } from "../wire/request.ts";
import { askFirm } from "./firm.ts";
import { pricesOf } from "./levels-answer.ts";

/** Client of a maker that serves Braid's own interface: `GET /levels` and `POST /firm`. */
export function openBraidDoor(maker: MakerSettings, checkSignature: CheckSignature): Door {
  const { ask, close } = connectMaker(maker);
  const path = `/levels?chain_id=${maker.chainId}`;
  return {
    levels: (timeoutMs) =>
      ask({ path, timeoutMs }).then(
        ({ status, json }) => (status === 200 ? pricesOf(maker, json) : `levels: status ${status}`),
        (error: Error) => `levels: ${error.message}`,
      ),
    firm: (wanted, timeoutMs) => askFirm(maker, { ask, checkSignature }, wanted, timeoutMs),
    close,
  };
}
