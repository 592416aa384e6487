// A model of what Gyroscope's pools have in common: our own code, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FixedPoint} from "../shared/FixedPoint.sol";

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
    function getPoolTokens(bytes32 poolId)
        external
        view
        returns (address[] memory tokens, uint256[] memory balances, uint256 lastChangeBlock);
}

/// @notice A pool of two or three tokens on Balancer's second vault, which tells it the balances of the two that are
///         swapped; of three, the pool asks it. The fee comes off what is sold before it is scaled to 18 decimals and by
///         its rate, or on top of it afterwards. The pool is joined once and has no shares.
abstract contract GyroPool {
    using FixedPoint for uint256;

    /// @dev One slot: swaps read all of it
    struct Terms {
        address token0;
        /// Of what is sold, 18 decimals
        uint64 swapFee;
        /// 18 - decimals of each token in a byte, the first in the low bits
        uint24 shifts;
    }

    Terms private terms;
    bytes32 public getPoolId;
    address private vault;

    error AlreadyOpen();
    error NotTheVault(address caller);
    error UnknownToken(address token);

    /// @param tokens In ascending order
    /// @param fee    Of what is sold, 18 decimals
    function _open(address[] calldata tokens, uint256 fee) internal {
        if (terms.token0 != address(0)) revert AlreadyOpen();
        uint24 shifts;
        for (uint256 k = tokens.length; k > 0; k--) {
            shifts = (shifts << 8) | (18 - IPoolToken(tokens[k - 1]).decimals());
        }
        terms = Terms(tokens[0], uint64(fee), shifts);
    }

    /// @notice Has the vault know the pool and its tokens.
    function register(IPoolVault vault_, address[] calldata tokens) external {
        if (vault != address(0)) revert AlreadyOpen();
        vault = address(vault_);
        getPoolId = vault_.registerPool(
            tokens.length == 2
                ? IPoolVault.PoolSpecialization.TWO_TOKEN
                : IPoolVault.PoolSpecialization.MINIMAL_SWAP_INFO
        );
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
        uint256[] memory balances;
        if (!_isOfThree()) {
            uint256 i = request.tokenIn == terms.token0 ? 0 : 1;
            balances = new uint256[](2);
            (balances[i], balances[1 - i]) = (balanceIn, balanceOut);
            return quote(request.kind, balances, i, 1 - i, request.amount);
        }
        address[] memory tokens;
        (tokens, balances,) = IPoolVault(vault).getPoolTokens(request.poolId);
        (uint256 sold, uint256 bought) = (_index(tokens, request.tokenIn), _index(tokens, request.tokenOut));
        return quote(request.kind, balances, sold, bought, request.amount);
    }

    function _index(address[] memory tokens, address token) private pure returns (uint256) {
        for (uint256 k = 0; k < tokens.length; k++) if (tokens[k] == token) return k;
        revert UnknownToken(token);
    }

    /// @param balances Of all tokens, in smallest units
    /// @return The amount that was not given
    function quote(IPoolVault.SwapKind kind, uint256[] memory balances, uint256 i, uint256 j, uint256 amount)
        public
        view
        returns (uint256)
    {
        Terms memory t = terms;
        (uint256 scaleIn, uint256 scaleOut) = (_scaling(t, i), _scaling(t, j));
        for (uint256 k = 0; k < balances.length; k++) {
            balances[k] = balances[k].mulDown(k == i ? scaleIn : k == j ? scaleOut : _scaling(t, k));
        }
        if (kind == IPoolVault.SwapKind.GIVEN_IN) {
            uint256 net = (amount - amount.mulUp(t.swapFee)).mulDown(scaleIn);
            return _outGivenIn(balances, i, j, net).divDown(scaleOut);
        }
        uint256 cost = _inGivenOut(balances, i, j, amount.mulDown(scaleOut)).divUp(scaleIn);
        return cost.divUp(FixedPoint.ONE - t.swapFee);
    }

    function _scaling(Terms memory t, uint256 k) private view returns (uint256) {
        return 10 ** uint8(t.shifts >> (8 * k)) * _rate(k);
    }

    /// @dev What a token counts for, 18 decimals
    function _rate(uint256) internal view virtual returns (uint256) {
        return FixedPoint.ONE;
    }

    function _isOfThree() internal pure virtual returns (bool) {
        return false;
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
