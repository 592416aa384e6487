// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {NotTaken, PartialFill} from "../Errors.sol";
import {Head} from "../Head.sol";
import {Lock} from "../Lock.sol";
import {Run} from "../Run.sol";
import {Tokens} from "../Tokens.sol";

interface IBalancerV3Vault {
    struct VaultSwapParams {
        uint8 kind;
        address pool;
        address tokenIn;
        address tokenOut;
        uint256 amountGivenRaw;
        uint256 limitRaw;
        bytes userData;
    }

    struct BufferWrapOrUnwrapParams {
        uint8 kind;
        uint8 direction;
        address wrappedToken;
        uint256 amountGivenRaw;
        uint256 limitRaw;
    }

    function unlock(bytes calldata data) external returns (bytes memory);
    function swap(VaultSwapParams calldata params) external returns (uint256 given, uint256 amountIn, uint256 amountOut);
    function erc4626BufferWrapOrUnwrap(BufferWrapOrUnwrapParams calldata params)
        external
        returns (uint256 calculated, uint256 amountIn, uint256 amountOut);
    function settle(address token, uint256 amountHint) external returns (uint256 credit);
    function sendTo(address token, address to, uint256 amount) external;
}

/// @notice Balancer v3: the Vault calls back with the very bytes that it was unlocked with. extra = pool 20 B; a pool that
///         is one of the step's two tokens stands for the Vault's buffer of it, which wraps or unwraps
library BalancerV3 {
    uint8 private constant EXACT_IN = 0;
    uint8 private constant WRAP = 0;
    uint8 private constant UNWRAP = 1;
    // What the router asks to be called back with; the Vault adds nothing.
    uint256 internal constant CALLBACK = uint32(bytes4(keccak256("braidBalancerV3(bytes)")));

    struct Order {
        address pool;
        address sold;
        address bought;
        address payer;
        address receiver;
        uint256 amount;
    }

    function swap(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256) {
        address vault = head.target();
        address pool;
        assembly ("memory-safe") {
            pool := shr(96, calldataload(sub(next, 20)))
        }
        Order memory order = Order(
            pool,
            run.token(head.src()),
            run.token(head.dst()),
            run.holder(head.src()),
            run.receiver(head, next),
            amount
        );
        Lock.commit(_debt(order, vault));
        bytes memory answer = IBalancerV3Vault(vault).unlock(abi.encodeWithSelector(bytes4(uint32(CALLBACK)), order));
        if (!Lock.isRedeemed()) revert NotTaken(vault);
        return abi.decode(answer, (uint256));
    }

    /// @dev Ends the call: what is returned is what was bought.
    function callback() internal {
        Order memory order = abi.decode(msg.data[4:], (Order));
        Lock.redeem(_debt(order, msg.sender));
        bool unwraps = order.pool == order.sold;
        uint256 took;
        uint256 out;
        if (unwraps || order.pool == order.bought) {
            // A buffer that is short wraps what it was given on the spot, so it must have been given that before.
            _pay(order);
            (, took, out) = IBalancerV3Vault(msg.sender).erc4626BufferWrapOrUnwrap(
                IBalancerV3Vault.BufferWrapOrUnwrapParams(EXACT_IN, unwraps ? UNWRAP : WRAP, order.pool, order.amount, 0)
            );
        } else {
            (, took, out) = IBalancerV3Vault(msg.sender).swap(
                IBalancerV3Vault.VaultSwapParams(EXACT_IN, order.pool, order.sold, order.bought, order.amount, 0, "")
            );
            _pay(order);
        }
        if (took != order.amount) revert PartialFill(order.pool, order.amount, took);
        IBalancerV3Vault(msg.sender).sendTo(order.bought, order.receiver, out);
        assembly ("memory-safe") {
            mstore(0x00, out)
            return(0x00, 0x20)
        }
    }

    function _pay(Order memory order) private {
        Tokens.move(order.sold, order.payer, msg.sender, order.amount);
        IBalancerV3Vault(msg.sender).settle(order.sold, order.amount);
    }

    /// @dev The last word is the design's own. Without it v4's debt of as many words could be asked for here, and read its
    ///      receiver as the payer.
    function _debt(Order memory order, address vault) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(order, vault, CALLBACK)));
    }
}
