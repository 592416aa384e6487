// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {UnknownVariant} from "../Errors.sol";
import {Head, ZERO_FOR_ONE} from "../Head.sol";
import {Run} from "../Run.sol";
import {Tokens} from "../Tokens.sol";

/// @notice Contracts that turn one token into another at a fixed rate. extra = functions u8: 0 = daiToUsds and usdsToDai,
///         1 = mkrToSky and skyToMkr, 2 = swapExactIn of Spark's module, 16 + n = sellGem and buyGem of a peg stability
///         module that pays 10^n units of token 1 for one of token 0; the direction bit chooses the first of the two
/// @dev    Not all of them answer, so what arrived at the receiver counts.
library Converter {
    uint256 private constant SPARK = 2;
    uint256 private constant MODULE = 16;
    uint256 private constant MOST_DIGITS = 18;

    function swap(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256) {
        address converter = head.target();
        address sold = run.token(head.src());
        address bought = run.token(head.dst());
        uint256 functions = (Head.unwrap(head) >> 24) & 0xff;
        bytes4 selector = _selector(functions, head.has(ZERO_FOR_ONE));
        run.hold(head, amount);
        address to = run.receiver(head, next);
        uint256 before = Tokens.balance(bought, to);
        uint256 named = amount;
        if (selector == 0x8d7ef9bb) (named, amount) = _wholeUnits(converter, sold, amount, functions);
        Tokens.approve(sold, converter, amount);
        _convert(
            converter,
            functions == SPARK
                ? abi.encodeWithSelector(selector, sold, bought, amount, 0, to, 0)
                : abi.encodeWithSelector(selector, to, named)
        );
        Tokens.requireUsed(sold, converter);
        return Tokens.balance(bought, to) - before;
    }

    /// @notice What `buyGem` is asked for, in units of token 0, and what it takes
    /// @dev    What does not pay for a whole unit is left to the module, since nothing may stay in the router.
    function _wholeUnits(address converter, address sold, uint256 amount, uint256 functions)
        private
        returns (uint256 named, uint256 used)
    {
        uint256 rate = 10 ** (functions - MODULE);
        uint256 rest = amount % rate;
        if (rest != 0) Tokens.move(sold, address(this), converter, rest);
        return (amount / rate, amount - rest);
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
        if (functions == SPARK) return 0x1a019e37; // swapExactIn(address,address,uint256,uint256,address,uint256)
        if (functions < MODULE || functions > MODULE + MOST_DIGITS) revert UnknownVariant(functions);
        return onward ? bytes4(0x95991276) : bytes4(0x8d7ef9bb); // sellGem, buyGem
    }
}
