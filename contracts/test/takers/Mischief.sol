// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// What a hostile contract does while it is called, at moments that were chosen; whether it succeeds or not.
abstract contract Mischief {
    struct Act {
        uint256 moment;
        address target;
        bytes data;
    }

    Act[] private acts;
    uint256 private moments;
    bool private acting;

    function plan(uint256 moment, address target, bytes calldata data) external {
        acts.push(Act(moment, target, data));
    }

    /// A place where something may happen; what happens there has no such places of its own.
    function _moment() internal {
        if (acting || acts.length == 0) return;
        acting = true;
        for (uint256 index = 0; index < acts.length; ++index) {
            if (acts[index].moment != moments) continue;
            (bool done,) = acts[index].target.call(acts[index].data);
            done;
        }
        moments += 1;
        acting = false;
    }
}
