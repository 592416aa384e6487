// A model of what Gyroscope's pools have in common: our own code, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FixedPoint} from "./FixedPoint.sol";

interface IPoolToken {
    function decimals() external view returns (uint8);
}

interface IPoolVault {
    enum PoolSpecialization {
        GENERAL,
        MINIMAL_SWAP_INFO,
        TWO_TOKEN
    }

    enum SwapKind {
        GIVEN_IN,
        GIVEN_OUT
    }

    struct SwapRequest {
        SwapKind kind;
        address tokenIn;
        address tokenOut;
        uint256 amount;
        bytes32 poolId;
        uint256 lastChangeBlock;
        address from;
        address to;
        bytes userData;
    }

    function registerPool(PoolSpecialization specialization) external returns (bytes32 poolId);
    function registerTokens(bytes32 poolId, address[] calldata tokens, address[] calldata managers) external;
}

/// @notice A pool of two tokens on Balancer's second vault, which tells it the balances of both in every swap. The fee
///         comes off what is sold before it is scaled to 18 decimals, or on top of it afterwards. It is joined once and
///         has no shares.
abstract contract GyroPool {
    using FixedPoint for uint256;

    /// @dev One slot: swaps read all of it
    struct Terms {
        address token0;
        /// Of what is sold, 18 decimals
        uint64 swapFee;
        /// 18 - decimals
        uint8 shift0;
        uint8 shift1;
    }

    Terms private terms;
    bytes32 public getPoolId;
    address private vault;

    error AlreadyOpen();
    error NotTheVault(address caller);

    /// @param tokens In ascending order
    /// @param fee    Of what is sold, 18 decimals
    function _open(address[] calldata tokens, uint256 fee) internal {
        if (terms.token0 != address(0)) revert AlreadyOpen();
        terms = Terms(tokens[0], uint64(fee), _shift(tokens[0]), _shift(tokens[1]));
    }

    function _shift(address token) private view returns (uint8) {
        return 18 - IPoolToken(token).decimals();
    }

    /// @notice Has the vault know the pool and its tokens.
    function register(IPoolVault vault_, address[] calldata tokens) external {
        if (vault != address(0)) revert AlreadyOpen();
        vault = address(vault_);
        getPoolId = vault_.registerPool(IPoolVault.PoolSpecialization.TWO_TOKEN);
        vault_.registerTokens(getPoolId, tokens, new address[](tokens.length));
    }

    /// @notice Takes the amounts that the first joiner offers: `userData` is the kind of join, 0, and the amounts.
    function onJoinPool(
        bytes32,
        address,
        address,
        uint256[] calldata balances,
        uint256,
        uint256,
        bytes calldata userData
    ) external view returns (uint256[] memory amountsIn, uint256[] memory dueFees) {
        if (msg.sender != vault) revert NotTheVault(msg.sender);
        for (uint256 k = 0; k < balances.length; k++) if (balances[k] != 0) revert AlreadyOpen();
        (, amountsIn) = abi.decode(userData, (uint256, uint256[]));
        dueFees = new uint256[](balances.length);
    }

    function getSwapFeePercentage() external view returns (uint256) {
        return terms.swapFee;
    }

    function getPausedState() external pure returns (bool, uint256, uint256) {
        return (false, 0, 0);
    }

    function onSwap(IPoolVault.SwapRequest calldata request, uint256 balanceIn, uint256 balanceOut)
        external
        view
        returns (uint256)
    {
        Terms memory t = terms;
        uint256 i = request.tokenIn == t.token0 ? 0 : 1;
        (uint256 scaleIn, uint256 scaleOut) =
            i == 0 ? (10 ** t.shift0, 10 ** t.shift1) : (10 ** t.shift1, 10 ** t.shift0);
        uint256[] memory balances = new uint256[](2);
        (balances[i], balances[1 - i]) = (balanceIn * scaleIn, balanceOut * scaleOut);
        if (request.kind == IPoolVault.SwapKind.GIVEN_IN) {
            uint256 net = request.amount - request.amount.mulUp(t.swapFee);
            return _outGivenIn(balances, i, 1 - i, net * scaleIn) / scaleOut;
        }
        uint256 cost = _inGivenOut(balances, i, 1 - i, request.amount * scaleOut).ceilDiv(scaleIn);
        return cost.divUp(FixedPoint.ONE - t.swapFee);
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
