// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FullWorld} from "./FullWorld.sol";
import {Routes, Terms} from "./Routes.sol";
import {IRouter} from "./World.sol";

/// Routes that work over real and hostile pools, and ways to spoil them.
abstract contract Skeletons is FullWorld {
    uint256 internal constant SKELETONS = 39;
    uint256 internal constant FIRST_SIGNED = 32;
    uint256 internal constant FIRST_HOSTILE = 36;

    function _sold(uint256 which) internal view returns (address) {
        return which == 5 ? NATIVE : a;
    }

    /// One of the routes; `direct` lets the last pools pay the recipient.
    function _skeleton(uint256 which, bool direct) internal view returns (bytes memory) {
        uint8 last = direct ? Routes.TO_RECIPIENT : 0;
        uint8 ab = _way(a, b);
        if (which == 0) return bytes.concat(Routes.tokens(a, b), Routes.v2(ab | last, 0x01, 0, pairAB));
        if (which == 1) return bytes.concat(Routes.tokens(a, b), Routes.v3(ab | last, 0x01, 0, poolAB));
        if (which == 2) {
            bytes memory half = Routes.v2(ab | last, 0x01, Routes.HALF, pairAB);
            return bytes.concat(Routes.tokens(a, b), half, Routes.v3(ab | last, 0x01, 0, poolAB));
        }
        if (which == 3) {
            bytes memory first = Routes.v2(ab | Routes.TO_NEXT, 0x01, 0, pairAB);
            uint8 flags = _way(b, w) | Routes.PREFUNDED | last;
            return bytes.concat(Routes.tokens(a, b, w), first, Routes.v2(flags, 0x12, 0, pairBW));
        }
        if (which == 4) {
            bytes memory first = Routes.v3(ab, 0x01, 0, poolAB);
            return bytes.concat(Routes.tokens(a, b, c), first, Routes.v3(_way(b, c) | last, 0x12, 0, poolBC));
        }
        if (which == 5) {
            bytes memory wrap = Routes.step(Routes.WRAP, Routes.ZERO_FOR_ONE, 0x01, 0, w);
            return bytes.concat(Routes.tokens(NATIVE, w, b), wrap, Routes.v2(_way(w, b) | last, 0x12, 0, pairBW));
        }
        if (which == 6) {
            bytes memory hops =
                bytes.concat(Routes.v2(ab, 0x01, 0, pairAB), Routes.v2(_way(b, w), 0x12, 0, pairBW));
            return
                bytes.concat(Routes.tokens(a, b, w, NATIVE), hops, Routes.step(Routes.WRAP, 0, 0x23, 0, w));
        }
        if (which < FIRST_HOSTILE) return _modelled(which, last);
        return _hostile(which, last);
    }

    function _v4(uint8 flags, uint8 path, address x, address y) internal view returns (bytes memory) {
        bytes memory head = Routes.step(Routes.V4, flags | _way(x, y), path, 0, address(manager));
        return bytes.concat(head, bytes3(uint24(3000)), bytes3(uint24(60)), bytes20(0));
    }

    /// A pool of ticks.
    function _infinity(uint8 flags, uint8 path, address there) internal view returns (bytes memory) {
        bytes memory key = abi.encodePacked(infinity.HOOKS(), uint24(3000), uint8(0), uint40(infinity.PARAMETERS()));
        return bytes.concat(Routes.step(20, flags, path, 0, there), key);
    }

    function _modelled(uint256 which, uint8 last) private view returns (bytes memory) {
        bytes memory table = Routes.tokens(a, b);
        uint8 ab = _way(a, b);
        if (which == 7) return bytes.concat(table, Routes.step(Routes.SOLIDLY, ab | last, 0x01, 0, address(solidly)));
        if (which == 8) return bytes.concat(table, Routes.step(Routes.CURVE, 0, 0x01, 0, address(curve)), hex"000100");
        if (which == 9) {
            bytes memory head = Routes.step(Routes.BALANCER_V2, last, 0x01, 0, address(vault2));
            return bytes.concat(table, head, vault2.POOL());
        }
        if (which == 10) {
            return bytes.concat(table, Routes.step(8, last, 0x01, 0, address(vault3)), bytes20(address(0xb001)));
        }
        if (which == 11) return bytes.concat(table, _v4(last, 0x01, a, b));
        if (which == 12) return bytes.concat(Routes.tokens(a, b, c), _v4(0, 0x01, a, b), _v4(last, 0x12, b, c));
        if (which == 13) {
            bytes memory deposit =
                bytes.concat(Routes.step(11, Routes.ZERO_FOR_ONE, 0x12, 0, address(shares)), hex"00");
            bytes memory redeem = bytes.concat(Routes.step(11, 0, 0x23, 0, address(shares)), hex"00");
            bytes memory swap = Routes.v2(ab, 0x01, 0, pairAB);
            // B buys shares, which buy B again under another register.
            return bytes.concat(Routes.tokens(a, b, address(shares), b), swap, deposit, redeem);
        }
        if (which == 14) return bytes.concat(table, Routes.step(14, Routes.ZERO_FOR_ONE | last, 0x01, 0, address(maverick)));
        if (which == 15) return bytes.concat(table, Routes.step(9, Routes.ZERO_FOR_ONE | last, 0x01, 0, address(dodo)));
        return which < FIRST_SIGNED ? _rare(which, last) : _signed(which, last);
    }

    function _rare(uint256 which, uint8 last) private view returns (bytes memory) {
        bytes memory table = Routes.tokens(a, b);
        uint8 onward = Routes.ZERO_FOR_ONE;
        uint8 ab = _way(a, b);
        if (which == 16) return bytes.concat(table, Routes.step(10, onward, 0x01, 0, address(dodo)));
        if (which == 17) return bytes.concat(table, Routes.step(12, onward | last, 0x01, 0, address(book)));
        if (which == 18) return bytes.concat(table, Routes.step(13, last, 0x01, 0, address(woo)));
        if (which == 19) {
            bytes memory wrap = bytes.concat(Routes.step(11, onward, 0x12, 0, address(shares)), hex"01");
            bytes memory unwrap = bytes.concat(Routes.step(11, 0, 0x23, 0, address(shares)), hex"01");
            bytes memory swap = Routes.v2(ab, 0x01, 0, pairAB);
            return bytes.concat(Routes.tokens(a, b, address(shares), b), swap, wrap, unwrap);
        }
        if (which == 20) {
            bytes memory head = Routes.step(Routes.V2_FEE, ab | last, 0x01, 0, pairAB);
            return bytes.concat(table, head, bytes3(uint24(3000)));
        }
        if (which == 21) return bytes.concat(table, Routes.step(24, onward | last, 0x01, 0, address(converter)), hex"00");
        if (which == 22) return bytes.concat(table, Routes.step(Routes.CURVE, 0, 0x01, 0, address(curve)), hex"000104");
        return _rarer(which, last);
    }

    function _rarer(uint256 which, uint8 last) private view returns (bytes memory) {
        uint8 onward = Routes.ZERO_FOR_ONE;
        if (which == 23) return bytes.concat(Routes.tokens(a, b), Routes.step(12, onward | last, 0x01, 0, address(oldBook)));
        if (which == 25) return bytes.concat(Routes.tokens(a, b), Routes.step(22, onward | last, 0x01, 0, address(fluid)));
        if (which == 24) {
            // Bought from its own vault, and sold to it again.
            bytes memory buys = Routes.step(Routes.BALANCER_V2, 0, 0x01, 0, address(vault2));
            bytes memory sells = Routes.step(Routes.BALANCER_V2, onward | last, 0x12, 0, address(vault2));
            bytes32 pool = vault2.POOL();
            return bytes.concat(Routes.tokens(a, address(share), b), buys, pool, sells, pool);
        }
        if (which == 26) return bytes.concat(Routes.tokens(a, b), _infinity(last | _way(a, b), 0x01, address(infinity)));
        if (which == 27) {
            return bytes.concat(Routes.tokens(a, b), Routes.step(21, last, 0x01, 0, address(core)), bytes32(0));
        }
        if (which == 28) {
            return bytes.concat(
                Routes.tokens(a, b), Routes.step(23, onward | last, 0x01, 0, address(fluidLite)), bytes32(0)
            );
        }
        if (which == 29) {
            return bytes.concat(
                Routes.tokens(a, b), Routes.step(25, onward | last, 0x01, 0, address(maverickV2)), bytes4(uint32(7))
            );
        }
        if (which == 30) {
            bytes3 far = bytes3(uint24(a < b ? -int24(7) : int24(7)));
            return bytes.concat(Routes.tokens(a, b), Routes.step(26, _way(a, b) | last, 0x01, 0, address(iziswap)), far);
        }
        bytes20 wrapper = bytes20(address(shares));
        bytes memory swap = Routes.v2(_way(a, b), 0x01, 0, pairAB);
        bytes memory wraps = bytes.concat(Routes.step(8, 0, 0x12, 0, address(vault3)), wrapper);
        bytes memory unwraps = bytes.concat(Routes.step(8, last, 0x23, 0, address(vault3)), wrapper);
        return bytes.concat(Routes.tokens(a, b, address(shares), b), swap, wraps, unwraps);
    }

    function _signed(uint256 which, uint8 last) private view returns (bytes memory) {
        bytes memory table = Routes.tokens(a, b);
        uint256 nonce = last == 0 ? 0 : 1;
        bytes memory swap = Routes.v2(_way(a, b) | last, 0x01, 0, pairAB);
        if (which == FIRST_SIGNED + 2) {
            bytes memory terms = abi.encodePacked(uint128(1e18), uint128(1e18), nonce, type(uint40).max, orders[nonce]);
            return bytes.concat(table, Routes.step(15, last, 0x01, 0, maker), terms);
        }
        if (which == FIRST_SIGNED + 3) {
            bytes memory terms = abi.encodePacked(uint128(1e18), uint128(1e18), nonce, type(uint40).max, whole[nonce]);
            return bytes.concat(table, Routes.step(19, last, 0x01, 0, settler), bytes20(maker), terms);
        }
        // A permit that fails is passed over, so the signature of the one serves as noise for the other.
        bytes memory permit = abi.encodePacked(nonce, type(uint40).max, pulls[nonce]);
        uint8 kind = which == FIRST_SIGNED ? 17 : 18;
        return bytes.concat(table, Routes.step(kind, 0, 0x01, 0, address(0)), permit, swap);
    }

    function _hostile(uint256 which, uint8 last) private view returns (bytes memory) {
        uint8 ab = _way(a, b);
        bytes memory through3 = Routes.v3(ab | last, 0x01, 0, address(evil));
        if (which == FIRST_HOSTILE) return bytes.concat(Routes.tokens(a, b), through3);
        if (which == FIRST_HOSTILE + 1) {
            return bytes.concat(Routes.tokens(a, b), Routes.v2(ab | last, 0x01, Routes.HALF, pairAB), through3);
        }
        return bytes.concat(Routes.tokens(a, b), Routes.v2(ab | last, 0x01, 0, address(evil)));
    }

    /// Makes the hostile pool pay what it claims, and try for more: other payers, other amounts, twice, and a swap
    /// within the swap.
    function _arm(uint256 seed, uint256 amount, address payer) internal {
        address to = seed % 2 == 0 ? address(router) : payer;
        uint256 pays = seed % 3 == 0 ? 1 : amount;
        evil.onCall(GET_RESERVES, abi.encode(pays * 4, pays * 4, 0));
        evil.onCall(V2_SWAP, "");
        evil.onCall(V3_SWAP, abi.encode(-int256(pays), -int256(pays)));
        bytes memory pay = abi.encodeWithSignature("transfer(address,uint256)", to, pays);
        evil.thenCall(V3_SWAP, b, pay, false);
        evil.thenCall(V2_SWAP, b, pay, false);
        bytes memory inner = abi.encodeCall(
            IRouter.swap, (amount, 1, address(evil), Terms.PLAIN, _skeleton(seed % 5, seed % 2 == 0))
        );
        evil.thenCall(V2_SWAP, address(router), inner, false);
        evil.thenCall(V3_SWAP, address(router), inner, false);
        _demand(amount, a, USER);
        _demand(amount * 2, a, payer);
        if (seed % 4 != 0) _demand(amount, a, payer);
        if (seed % 4 != 1) _demand(amount / 2 + amount % 2, a, payer);
        _demand(amount, a, payer);
        _demand(amount, b, address(router));
    }

    function _demand(uint256 amount, address token, address payer) private {
        bytes memory ask = abi.encodeWithSelector(V3_CALLBACK, int256(amount), -int256(1), abi.encode(token, payer));
        evil.thenCall(V3_SWAP, address(router), ask, false);
    }

    /// Changes up to three bytes, cuts the end off, or leaves the route as it is.
    function _spoil(bytes memory route, uint256 seed) internal pure returns (bytes memory) {
        uint256 changes = seed % 4;
        for (uint256 index = 0; index < changes; ++index) {
            seed = uint256(keccak256(abi.encode(seed)));
            // Half of the changes are small steps, which keep more of the route alive than random bytes do.
            uint256 place = (seed >> 8) % route.length;
            uint8 old = uint8(route[place]);
            unchecked {
                route[place] = bytes1(seed % 2 == 0 ? uint8(seed >> 128) : old + uint8(1 << (seed >> 136) % 8));
            }
        }
        if (seed % 16 == 15) {
            uint256 length = (seed >> 200) % route.length;
            assembly ("memory-safe") {
                mstore(route, length)
            }
        }
        return route;
    }
}
