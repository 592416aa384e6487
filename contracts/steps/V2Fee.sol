// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Head, PREFUNDED, ZERO_FOR_ONE} from "../Head.sol";
import {Run} from "../Run.sol";
import {Tokens} from "../Tokens.sol";
import {Solidly} from "./Solidly.sol";

interface IPair {
    function getReserves() external view returns (uint256 reserve0, uint256 reserve1, uint256 timestamp);
    function swap(uint256 out0, uint256 out1, address to, bytes calldata data) external;
}

/// @notice The pairs of V2 for tokens that keep a fee of every transfer: what arrived counts, on both sides
/// @dev    A kind of its own, so that pairs of all other tokens pay nothing for it. extra = fee u24, ppm, as in V2
library V2Fee {
    function swap(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256 out) {
        IPair pair = IPair(head.target());
        bool zeroForOne = head.has(ZERO_FOR_ONE);
        if (!head.has(PREFUNDED)) Tokens.move(run.token(head.src()), run.holder(head.src()), address(pair), amount);
        (uint256 reserveIn, uint256 reserveOut,) = pair.getReserves();
        if (!zeroForOne) (reserveIn, reserveOut) = (reserveOut, reserveIn);
        uint256 arrived = Tokens.balance(run.token(head.src()), address(pair)) - reserveIn;
        uint256 afterFee = arrived * (1e6 - ((Head.unwrap(head) >> 8) & 0xffffff));
        out = afterFee * reserveOut / (reserveIn * 1e6 + afterFee);

        address to = run.receiver(head, next);
        address bought = run.token(head.dst());
        uint256 before = Tokens.balance(bought, to);
        Solidly.sell(address(pair), zeroForOne, out, to);
        return Tokens.balance(bought, to) - before;
    }
}
