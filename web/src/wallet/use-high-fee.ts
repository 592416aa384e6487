import { useEffect, useState } from "preact/hooks";
import { ask } from "../api.ts";
import { parseAmount } from "../offer/amount.ts";

const REFRESH_MS = 12_000;
const GWEI_DECIMALS = 9;

/** The maxFeePerGas of a chain that pays for the next block, in wei; undefined while it is not known or not `wanted`. */
export function useHighFee(chainId: number | undefined, wanted: boolean): bigint | undefined {
  const [fee, setFee] = useState<{ chainId: number; wei: bigint | undefined }>();
  useEffect(() => {
    if (chainId === undefined || !wanted) return;
    const gone = new AbortController();
    const read = async () => {
      if (document.hidden) return;
      const answer = await ask(`/v1/${chainId}/gasprices`, {}, gone.signal).catch(() => undefined);
      if (!gone.signal.aborted) setFee({ chainId, wei: highFeeIn(answer) });
    };
    void read();
    const timer = setInterval(() => void read(), REFRESH_MS);
    return () => {
      gone.abort();
      clearInterval(timer);
    };
  }, [chainId, wanted]);
  return wanted && fee !== undefined && fee.chainId === chainId ? fee.wei : undefined;
}

/** The highest fee per gas in an answer of the service, which counts in 1e-9 native coins. */
export function highFeeIn(answer: unknown): bigint | undefined {
  const text = (answer as { highInfo?: { maxFeePerGas?: unknown } } | undefined)?.highInfo?.maxFeePerGas;
  const fee = parseAmount(String(text), GWEI_DECIMALS);
  return fee.kind === "amount" ? fee.value : undefined;
}
