// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Sends and takes tokens whether or not they answer.
library SafeTransfer {
    error TransferFailed(address token, address to, uint256 value);

    function send(address token, address to, uint256 value) internal {
        (bool done, bytes memory answer) =
            token.call(abi.encodeWithSignature("transfer(address,uint256)", to, value));
        if (!done || (answer.length != 0 && !abi.decode(answer, (bool)))) revert TransferFailed(token, to, value);
    }

    /// @dev To the caller of this library, out of what `from` allows it.
    function take(address token, address from, uint256 value) internal {
        (bool done, bytes memory answer) = token.call(
            abi.encodeWithSignature("transferFrom(address,address,uint256)", from, address(this), value)
        );
        if (!done || (answer.length != 0 && !abi.decode(answer, (bool)))) {
            revert TransferFailed(token, address(this), value);
        }
    }
}
