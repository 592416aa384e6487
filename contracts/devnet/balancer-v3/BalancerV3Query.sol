// A model of the queries of Balancer's third router: our own code after the published interface, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BalancerV3Types} from "./BalancerV3Types.sol";
import {BalancerV3Vault} from "./BalancerV3Vault.sol";

/// @notice Says what a swap would answer, by making it and taking it back.
contract BalancerV3Query {
    error Answer(uint256 calculated);

    /// @param vault      The protocol's router knows its own
    /// @param given      In smallest units; the limit is not read
    /// @return answer    The amount that was not given
    function querySwap(BalancerV3Vault vault, BalancerV3Types.VaultSwapParams memory given)
        external
        returns (uint256 answer)
    {
        given.limitRaw = given.kind == BalancerV3Types.SwapKind.EXACT_IN ? 0 : type(uint256).max;
        try vault.unlock(abi.encodeCall(this.swap, (given))) {}
        catch (bytes memory reason) {
            if (bytes4(reason) != Answer.selector) {
                assembly ("memory-safe") {
                    revert(add(reason, 0x20), mload(reason))
                }
            }
            assembly ("memory-safe") {
                answer := mload(add(reason, 0x24))
            }
        }
    }

    /// @notice Called back by the vault.
    function swap(BalancerV3Types.VaultSwapParams calldata given) external {
        (uint256 calculated,,) = BalancerV3Vault(msg.sender).swap(given);
        revert Answer(calculated);
    }
}
