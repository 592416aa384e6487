import type { Platform } from "../api.ts";
import { type Provider, quantity, walletFault } from "./provider.ts";

/**
 * Switches the wallet to a chain. The embedded devnet is added to the wallet if it is unknown there.
 *
 * @throws the wallet's error; Error with a message for the user where the wallet does not know another chain
 */
export async function switchChain(provider: Provider, platform: Platform): Promise<void> {
  const chainId = quantity(platform.chainId);
  try {
    await provider.request({ method: "wallet_switchEthereumChain", params: [{ chainId }] });
  } catch (error) {
    if (walletFault(error).kind !== "unknown-chain") throw error;
    // Only the devnet is added: users choose the endpoints of their wallets, and the service does not publish its own.
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
