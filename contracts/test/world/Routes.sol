// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Lays out routes for the tests, independently of the TypeScript encoder.
library Routes {
    uint8 internal constant V2 = 1;
    uint8 internal constant SOLIDLY = 2;
    uint8 internal constant V3 = 3;
    uint8 internal constant V4 = 4;
    uint8 internal constant BALANCER_V2 = 5;
    uint8 internal constant CURVE = 6;
    uint8 internal constant WRAP = 7;
    uint8 internal constant V2_FEE = 16;

    uint8 internal constant ZERO_FOR_ONE = 0x01;
    uint8 internal constant PREFUNDED = 0x02;
    uint8 internal constant TO_RECIPIENT = 0x04;
    uint8 internal constant TO_NEXT = 0x08;

    uint32 internal constant ALL = 0;
    uint32 internal constant HALF = 1 << 31;

    function tokens(address a, address b) internal pure returns (bytes memory) {
        return abi.encodePacked(uint8(2), a, b);
    }

    function tokens(address a, address b, address c) internal pure returns (bytes memory) {
        return abi.encodePacked(uint8(3), a, b, c);
    }

    function tokens(address a, address b, address c, address d) internal pure returns (bytes memory) {
        return abi.encodePacked(uint8(4), a, b, c, d);
    }

    /// `path` = source register · 16 + destination register.
    function step(uint8 kind, uint8 flags, uint8 path, uint32 share, address target)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(kind, flags, path >> 4, path & 15, share, target);
    }

    function v2(uint8 flags, uint8 path, uint32 share, address pair) internal pure returns (bytes memory) {
        return bytes.concat(step(V2, flags, path, share, pair), bytes3(uint24(3000)));
    }

    function v3(uint8 flags, uint8 path, uint32 share, address pool) internal pure returns (bytes memory) {
        return step(V3, flags, path, share, pool);
    }
}

/// Lays out `terms`.
library Terms {
    uint256 internal constant PLAIN = uint256(type(uint64).max) << 192;

    function fees(uint256 sellBps, uint256 buyBps, address to) internal pure returns (uint256) {
        return PLAIN | sellBps << 176 | buyBps << 160 | uint160(to);
    }
}
