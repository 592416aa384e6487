import type { Platform } from "../api.ts";
import { type Provider, quantity, walletFault } from "./provider.ts";

/**
 * Brings the wallet to a chain; adds the chain where it is the devnet of this machine.
 *
 * @throws what the wallet threw; Error in words for people where the wallet does not know a chain that only it can add
 */
export async function switchChain(provider: Provider, platform: Platform): Promise<void> {
  const chainId = quantity(platform.chainId);
  try {
    await provider.request({ method: "wallet_switchEthereumChain", params: [{ chainId }] });
  } catch (error) {
    if (walletFault(error).kind !== "unknown-chain") throw error;
    // Which endpoint a wallet talks to is between its user and a provider: the service never names its own.
    if (platform.devnet_rpc_url === undefined)
      throw new Error(`Your wallet does not know ${platform.name}. Add the chain there, then try again.`);
    await provider.request({
      method: "wallet_addEthereumChain",
      params: [
        {
          chainId,
          chainName: platform.name,
          nativeCurrency: { name: "Ether", symbol: platform.native_symbol ?? "ETH", decimals: 18 },
          rpcUrls: [platform.devnet_rpc_url],
        },
      ],
    });
    await provider.request({ method: "wallet_switchEthereumChain", params: [{ chainId }] });
  }
}
