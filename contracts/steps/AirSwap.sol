// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BadFill, MakerRefused} from "../Errors.sol";
import {Head} from "../Head.sol";
import {Run} from "../Run.sol";
import {Tokens} from "../Tokens.sol";

interface ISwapErc20 {
    function swap(
        address recipient,
        uint256 nonce,
        uint256 expiry,
        address signerWallet,
        address signerToken,
        uint256 signerAmount,
        address senderToken,
        uint256 senderAmount,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;
}

/// @notice AirSwap: an order that a maker signed for the router as its sender, settled by AirSwap's SwapERC20 contract
/// @dev    target = SwapERC20; extra = signer 20 B | taker amount u128 | maker amount u128 | nonce u256 | expiry u40 |
///         signature 65 B (r, s, v).
///         Such an order is filled whole or not at all, so the step must be sold exactly the taker amount. SwapERC20
///         takes it from the router by an allowance, keeps the nonces, and adds its own fee to what the maker pays.
library AirSwap {
    uint256 private constant EXTRA_BYTES = 154;

    function swap(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256 out) {
        uint256 extra = next - EXTRA_BYTES;
        uint256 amounts = _word(extra + 20);
        address signer = address(uint160(_word(extra) >> 96));
        out = uint128(amounts);
        if (amount == 0 || amount != amounts >> 128) revert BadFill(signer, amount, amounts >> 128);
        address settler = head.target();
        address sold = run.token(head.src());
        run.hold(head, amount);
        Tokens.approve(sold, settler, amount);
        // Whatever goes wrong on the maker's side is one error, as for the maker's orders of Permit2.
        try ISwapErc20(settler).swap(
            run.receiver(head, next),
            _word(extra + 52),
            _word(extra + 84) >> 216,
            signer,
            run.token(head.dst()),
            out,
            sold,
            amount,
            uint8(_word(extra + 122)),
            bytes32(_word(extra + 89)),
            bytes32(_word(extra + 121))
        ) {} catch (bytes memory reason) {
            revert MakerRefused(signer, bytes4(reason));
        }
        Tokens.requireUsed(sold, settler);
    }

    function _word(uint256 position) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := calldataload(position)
        }
    }
}
