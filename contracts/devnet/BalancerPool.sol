// A model of what Balancer's pools have in common: our own code, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BalancerVault} from "./BalancerVault.sol";
import {FixedPoint} from "./FixedPoint.sol";

interface IPoolToken {
    function decimals() external view returns (uint8);
}

/// @notice The fee comes off what is sold before it is scaled to 18 decimals, or on top of it afterwards.
abstract contract BalancerPool {
    using FixedPoint for uint256;

    uint256 internal swapFee;
    /// 10^(18 - decimals)
    uint256[] internal scaling;

    error AlreadyOpen();

    /// @param fee Of what is sold, 18 decimals
    function _open(address[] calldata tokens, uint256 fee) internal {
        if (scaling.length != 0) revert AlreadyOpen();
        swapFee = fee;
        for (uint256 k = 0; k < tokens.length; k++) scaling.push(10 ** (18 - IPoolToken(tokens[k]).decimals()));
    }

    function getSwapFeePercentage() external view returns (uint256) {
        return swapFee;
    }

    function getPausedState() external pure returns (bool, uint256, uint256) {
        return (false, 0, 0);
    }

    function onSwap(
        BalancerVault.SwapRequest calldata request,
        uint256[] memory balances,
        uint256 i,
        uint256 j
    ) external view returns (uint256) {
        for (uint256 k = 0; k < balances.length; k++) balances[k] *= scaling[k];
        if (request.kind == BalancerVault.SwapKind.GIVEN_IN) {
            uint256 net = request.amount - request.amount.mulUp(swapFee);
            return _outGivenIn(balances, i, j, net * scaling[i]) / scaling[j];
        }
        uint256 cost = _inGivenOut(balances, i, j, request.amount * scaling[j]).ceilDiv(scaling[i]);
        return cost.divUp(FixedPoint.ONE - swapFee);
    }

    /// @dev All in 18 decimals, rounded down
    function _outGivenIn(uint256[] memory balances, uint256 i, uint256 j, uint256 amount)
        internal
        view
        virtual
        returns (uint256);

    /// @dev All in 18 decimals, rounded up
    function _inGivenOut(uint256[] memory balances, uint256 i, uint256 j, uint256 amount)
        internal
        view
        virtual
        returns (uint256);
}
