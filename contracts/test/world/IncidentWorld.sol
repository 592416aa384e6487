// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Routes, Terms} from "./Routes.sol";
import {Skeletons} from "./Skeletons.sol";
import {vm} from "./Vm.sol";
import {IRouter} from "./World.sol";
import {PlainToken} from "../models/Tokens.sol";

/// Takes what whoever runs this code may take.
contract Drain {
    function drain(PlainToken token, address from, address to, uint256 amount) external {
        token.transferFrom(from, to, amount);
    }
}

/// An attacker who sells C for B through an honest pool, with a hostile step ahead of it.
abstract contract IncidentWorld is Skeletons {
    uint256 internal constant LOOT = 1e24;
    uint256 internal constant SOLD = 1e18;
    // What the pool that the attackers sell through pays for C.
    bytes internal honest;

    function setUp() public override {
        super.setUp();
        honest = Routes.v3(_way(c, b), 0x01, 0, poolBC);
    }

    /// The call that every attacker wants the router to make: 100 bytes.
    function _theft() internal pure returns (bytes memory) {
        return abi.encodeCall(PlainToken.transferFrom, (USER, ATTACKER, LOOT));
    }

    function _by(address who, uint256 amount, address recipient, bytes memory route) internal returns (bool done) {
        vm.prank(who);
        (done,) = address(router).call(abi.encodeCall(IRouter.swap, (amount, 1, recipient, Terms.PLAIN, route)));
    }

    function _unharmed() internal view {
        yes(!_userLost(), "the user lost nothing");
    }

    /// The attacker sells C for B; the hostile step stands ahead of the honest one. Without it the route works.
    function _withHonest(bytes memory table, bytes memory hostile, bytes memory rest) internal {
        uint256 state = vm.snapshotState();
        yes(_by(ATTACKER, SOLD, address(0), bytes.concat(table, rest)), "the route works without the attack");
        vm.revertToState(state);
        _by(ATTACKER, SOLD, address(0), bytes.concat(table, hostile, rest));
        _unharmed();
    }

    /// The step sells what is left of B, which is nothing, and takes the attack's bytes behind it.
    function _step(uint8 kind, address target, bytes memory extra) internal {
        bytes memory hostile = bytes.concat(Routes.step(kind, 0, 0x11, 0, target), extra);
        _withHonest(Routes.tokens(c, b), hostile, honest);
    }
}
