// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {UnknownVariant} from "../Errors.sol";
import {Head} from "../Head.sol";
import {Run} from "../Run.sol";
import {NATIVE, Tokens} from "../Tokens.sol";

/// @notice Curve pools of all ages. extra = i u8 | j u8 | variant u8: bit 0 = uint256 indexes, bit 1 = underlying coins;
///         4 = Saddle's swap, whose last argument is a deadline
/// @dev    Old pools answer nothing and all pay the caller, so what arrived in the router counts.
library Curve {
    uint256 private constant SADDLE = 4;

    function swap(Run run, Head head, uint256 amount) internal returns (uint256) {
        head.staysInRouter();
        address pool = head.target();
        address sold = run.token(head.src());
        address bought = run.token(head.dst());
        run.hold(head, amount);
        if (sold != NATIVE) Tokens.approve(sold, pool, amount);
        uint256 before = Tokens.balance(bought, address(this));
        _exchange(pool, Head.unwrap(head), sold == NATIVE ? amount : 0, amount);
        if (sold != NATIVE) Tokens.requireUsed(sold, pool);
        return Tokens.balance(bought, address(this)) - before;
    }

    function _exchange(address pool, uint256 extra, uint256 value, uint256 amount) private {
        uint256 variant = (extra >> 8) & 0xff;
        bytes memory data = abi.encodeWithSelector(
            _selector(variant), (extra >> 24) & 0xff, (extra >> 16) & 0xff, amount, uint256(0)
        );
        if (variant == SADDLE) data = bytes.concat(data, bytes32(type(uint256).max));
        (bool done, bytes memory answer) = pool.call{value: value}(data);
        if (!done) {
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
    }

    function _selector(uint256 variant) private pure returns (bytes4) {
        if (variant == 0) return 0x3df02124; // exchange(int128,int128,uint256,uint256)
        if (variant == 1) return 0x5b41b908; // exchange(uint256,uint256,uint256,uint256)
        if (variant == 2) return 0xa6417ed6; // exchange_underlying(int128,int128,uint256,uint256)
        if (variant == 3) return 0x65b2489b; // exchange_underlying(uint256,uint256,uint256,uint256)
        if (variant == SADDLE) return 0x91695586; // swap(uint8,uint8,uint256,uint256,uint256)
        revert UnknownVariant(variant);
    }
}
