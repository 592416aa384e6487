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

    uint256 private constant FEE_BITS = 64;

    /// Swap fee in the low bits, then 18 - decimals of each token in a byte, then 1
    uint256 private terms;

    error AlreadyOpen();

    /// @param fee Of what is sold, 18 decimals
    function _open(address[] calldata tokens, uint256 fee) internal {
        if (terms != 0) revert AlreadyOpen();
        uint256 packed = 1;
        for (uint256 k = tokens.length; k > 0; k--) {
            packed = (packed << 8) | (18 - IPoolToken(tokens[k - 1]).decimals());
        }
        terms = (packed << FEE_BITS) | fee;
    }

    function getSwapFeePercentage() external view returns (uint256) {
        return uint64(terms);
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
        uint256 packed = terms;
        uint256 swapFee = uint64(packed);
        for (uint256 k = 0; k < balances.length; k++) balances[k] *= _scaling(packed, k);
        (uint256 scaleIn, uint256 scaleOut) = (_scaling(packed, i), _scaling(packed, j));
        if (request.kind == BalancerVault.SwapKind.GIVEN_IN) {
            uint256 net = request.amount - request.amount.mulUp(swapFee);
            return _outGivenIn(balances, i, j, net * scaleIn) / scaleOut;
        }
        uint256 cost = _inGivenOut(balances, i, j, request.amount * scaleOut).ceilDiv(scaleIn);
        return cost.divUp(FixedPoint.ONE - swapFee);
    }

    function _scaling(uint256 packed, uint256 k) private pure returns (uint256) {
        return 10 ** uint8(packed >> (FEE_BITS + 8 * k));
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
