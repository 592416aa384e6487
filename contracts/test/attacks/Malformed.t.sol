// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Terms} from "../world/Routes.sol";
import {Skeletons} from "../world/Skeletons.sol";
import {vm} from "../world/Vm.sol";
import {IRouter} from "../world/World.sol";

/// Spoilt and random routes: each reverts, or keeps every rule: at most the amount is spent, at least the minimum is
/// paid, nobody else is touched, nothing stays in the router.
contract MalformedTest is Skeletons {
    uint256 private constant A_RUN = 100;
    uint256 private constant A_DEEP_RUN = 10;
    uint256 private constant AMOUNT = 1e18;

    /// Guards the fuzz below against spoiling what never worked.
    function test_everyRouteWorksUnspoilt() public {
        for (uint256 which = 0; which < SKELETONS; ++which) {
            // A seed of 2 lets the hostile pools pay the router what they claim and ask for it honestly at last.
            _arm(2, 1e18, ATTACKER);
            yes(_try(which, _skeleton(which, false), 1) || which >= FIRST_HOSTILE, "custody");
            yes(_try(which, _skeleton(which, true), 1) || which >= FIRST_HOSTILE, "direct");
        }
    }

    /// A hundred routes a run; ten in the deep profile, which runs it as often as all other tests.
    /// forge-config: default.fuzz.runs = 1000
    /// forge-config: deep.fuzz.runs = 5000
    function test_fuzz_spoiltRoutesKeepTheRules(uint256 seed) public {
        uint256 done;
        uint256 routes = vm.envOr("DEEP", false) ? A_DEEP_RUN : A_RUN;
        for (uint256 index = 0; index < routes; ++index) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint256 which = (seed >> 4) % SKELETONS;
            if (index % 10 == 0) _arm(seed >> 8, 1e18, ATTACKER);
            if (_try(which, _spoil(_skeleton(which, seed % 2 == 0), seed >> 16), seed)) done += 1;
        }
        // Among ten there may by chance be none.
        yes(routes < A_RUN || done > A_RUN / 20, "some routes still work");
    }

    function test_fuzz_randomBytesKeepTheRules(bytes memory route) public {
        _try(0, route, 1);
    }

    /// Calldata whose outer shape is broken as well.
    function test_fuzz_brokenOuterCalldata(uint256 seed) public {
        bytes memory data = abi.encodeCall(
            IRouter.swap, (1e18, 1, address(0), Terms.PLAIN, _skeleton(seed % SKELETONS, false))
        );
        _spoilWord(data, seed);
        uint256 before = _wealth(a, ATTACKER);
        vm.prank(ATTACKER);
        (bool done,) = address(router).call(data);
        yes(done || _wealth(a, ATTACKER) == before, "a failure moves nothing");
        yes(!_userLost(), "nobody else is touched");
        eq(_inRouter(), 0, "nothing stays");
    }

    function _try(uint256 which, bytes memory route, uint256 seed) private returns (bool done) {
        address sold = _sold(which);
        uint256 minimum = seed % 3 == 0 ? 1e17 : 1;
        address bought = _lastToken(route);
        uint256 soldBefore = _wealth(sold, ATTACKER);
        uint256 boughtBefore = _balance(bought);
        // A hostile pool may leave its own tokens in the router, or take what it left there; nothing else may stay.
        uint256 left = _inRouter() + (which >= FIRST_HOSTILE ? _ofEvil() : 0);
        bytes memory answer;
        vm.prank(ATTACKER);
        (done, answer) = address(router).call{value: sold == NATIVE ? AMOUNT : 0}(
            abi.encodeCall(IRouter.swap, (AMOUNT, minimum, address(0), Terms.PLAIN, route))
        );
        yes(!_userLost(), "nobody else is touched");
        yes(_inRouter() <= left, "nothing stays but a hostile pool's own");
        if (!done) {
            eq(_wealth(sold, ATTACKER), soldBefore, "a failure moves nothing");
            return false;
        }
        yes(soldBefore - _wealth(sold, ATTACKER) <= AMOUNT, "no more than the amount");
        uint256 got = _balance(bought) - boughtBefore;
        yes(got >= minimum, "no less than the minimum");
        uint256 said = abi.decode(answer, (uint256));
        // A hostile pool may pay the recipient beside the route; that is not the router's doing.
        yes(which < FIRST_HOSTILE ? said == got : said <= got, "what is returned is what arrived");
    }

    function _balance(address token) private view returns (uint256) {
        return token == NATIVE || token.code.length != 0 ? _wealth(token, ATTACKER) : 0;
    }

    function _lastToken(bytes memory route) private pure returns (address token) {
        if (route.length < 41 || uint256(uint8(route[0])) * 20 + 1 > route.length) return address(0);
        uint256 offset = uint256(uint8(route[0])) * 20 + 1;
        assembly ("memory-safe") {
            token := shr(96, mload(add(route, add(offset, 12))))
        }
    }

    /// Changes a word of the head, or cuts the data.
    function _spoilWord(bytes memory data, uint256 seed) private pure {
        uint256 word = (seed >> 8) % 7;
        uint256 value = seed % 3 == 0 ? uint256(keccak256(abi.encode(seed))) : (seed >> 16) % 512;
        assembly ("memory-safe") {
            mstore(add(data, add(0x24, shl(5, word))), value)
        }
        if (seed % 5 == 0) {
            uint256 length = (seed >> 32) % data.length;
            assembly ("memory-safe") {
                mstore(data, length)
            }
        }
    }
}
