// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {UnknownVariant} from "../Errors.sol";
import {Head, ZERO_FOR_ONE} from "../Head.sol";
import {Run} from "../Run.sol";
import {Tokens} from "../Tokens.sol";

/// @notice Contracts that turn one token into another at a rate fixed for good. extra = functions u8:
///         0 = daiToUsds and usdsToDai, 1 = mkrToSky and skyToMkr; the direction bit chooses the first of the two
/// @dev    They answer nothing, so what arrived at the receiver counts.
library Converter {
    function swap(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256) {
        address converter = head.target();
        address sold = run.token(head.src());
        address bought = run.token(head.dst());
        bytes4 selector = _selector((Head.unwrap(head) >> 24) & 0xff, head.has(ZERO_FOR_ONE));
        run.hold(head, amount);
        address to = run.receiver(head, next);
        uint256 before = Tokens.balance(bought, to);
        Tokens.approve(sold, converter, amount);
        _convert(converter, abi.encodeWithSelector(selector, to, amount));
        Tokens.requireUsed(sold, converter);
        return Tokens.balance(bought, to) - before;
    }

    function _convert(address converter, bytes memory data) private {
        (bool done, bytes memory answer) = converter.call(data);
        if (!done) {
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
    }

    function _selector(uint256 functions, bool onward) private pure returns (bytes4) {
        if (functions == 0) return onward ? bytes4(0xf2c07aae) : bytes4(0x68f30150); // daiToUsds, usdsToDai
        if (functions == 1) return onward ? bytes4(0xab89605a) : bytes4(0xc24c1914); // mkrToSky, skyToMkr
        revert UnknownVariant(functions);
    }
}
