// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// The test runner's cheat codes, as far as these tests use them.
interface Vm {
    function addr(uint256 key) external pure returns (address);
    function assume(bool condition) external pure;
    function deal(address account, uint256 balance) external;
    function envOr(string calldata name, bool otherwise) external view returns (bool);
    function envOr(string calldata name, string calldata otherwise) external view returns (string memory);
    function envString(string calldata name) external view returns (string memory);
    function etch(address account, bytes calldata code) external;
    function expectPartialRevert(bytes4 reason) external;
    function expectRevert() external;
    function expectRevert(bytes calldata reason) external;
    function label(address account, string calldata name) external;
    function parseBytes(string calldata text) external pure returns (bytes memory);
    function parseJsonBytes(string calldata json, string calldata key) external pure returns (bytes memory);
    function prank(address sender) external;
    function readFile(string calldata path) external view returns (string memory);
    function revertToState(uint256 id) external returns (bool);
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function snapshotState() external returns (uint256 id);
    function startPrank(address sender) external;
    function stopPrank() external;
    function skip(bool now_) external;
    function warp(uint256 timestamp) external;
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

error NotEqual(string what, uint256 got, uint256 wanted);
error NotTrue(string what);

abstract contract Assertions {
    function eq(uint256 got, uint256 wanted, string memory what) internal pure {
        if (got != wanted) revert NotEqual(what, got, wanted);
    }

    function eq(address got, address wanted, string memory what) internal pure {
        if (got != wanted) revert NotEqual(what, uint160(got), uint160(wanted));
    }

    function yes(bool condition, string memory what) internal pure {
        if (!condition) revert NotTrue(what);
    }

    /// A value within low … high, spread as the raw one is.
    function within(uint256 raw, uint256 low, uint256 high) internal pure returns (uint256) {
        return high - low == type(uint256).max ? raw : low + raw % (high - low + 1);
    }
}
