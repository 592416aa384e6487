// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PulledTwice} from "./Errors.sol";
import {Head, ZERO_FOR_ONE} from "./Head.sol";
import {Run} from "./Run.sol";

interface IPermit {
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external;
}

interface IDaiPermit {
    function permit(
        address holder,
        address spender,
        uint256 nonce,
        uint256 expiry,
        bool allowed,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;
}

interface IPermit2 {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    function permitTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata details,
        address owner,
        bytes calldata signature
    ) external;

    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata details,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}

// Where Permit2 lies on every chain.
IPermit2 constant PERMIT2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);

/// @notice Steps that let the router have the caller's tokens by signature instead of by an approval sent before
/// @dev    Both speak for the caller alone, so a signature is of no use to anyone else.
///         extra = word 32 B | deadline u40 | signature 65 B (r, s, v)
library Permits {
    uint256 private constant EXTRA_BYTES = 102;

    /// @notice EIP-2612, word = the allowance granted; or DAI's own permit (direction bit set), word = the nonce
    /// @dev    A permit that fails is passed over: somebody may have sent it ahead, or an allowance may be there already.
    function permit(Run run, Head head, uint256 next) internal {
        uint256 extra = next - EXTRA_BYTES;
        uint256 word;
        uint256 deadline;
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly ("memory-safe") {
            word := calldataload(extra)
            deadline := shr(216, calldataload(add(extra, 32)))
            r := calldataload(add(extra, 37))
            s := calldataload(add(extra, 69))
            v := byte(0, calldataload(add(extra, 101)))
        }
        address token = run.token(0);
        if (head.has(ZERO_FOR_ONE)) {
            try IDaiPermit(token).permit(msg.sender, address(this), word, deadline, true, v, r, s) {} catch {}
        } else {
            try IPermit(token).permit(msg.sender, address(this), word, deadline, v, r, s) {} catch {}
        }
    }

    /// @notice Permit2's SignatureTransfer of all that is left of the token sold, word = the nonce
    /// @dev    Once: a second signature would let the router take more than the caller sells, and keep it.
    function pull(Run run, uint256 amount, uint256 next) internal {
        if (run.payer() == address(this)) revert PulledTwice(run.token(0));
        uint256 extra = next - EXTRA_BYTES;
        uint256 nonce;
        uint256 deadline;
        assembly ("memory-safe") {
            nonce := calldataload(extra)
            deadline := shr(216, calldataload(add(extra, 32)))
        }
        PERMIT2.permitTransferFrom(
            IPermit2.PermitTransferFrom(IPermit2.TokenPermissions(run.token(0), amount), nonce, deadline),
            IPermit2.SignatureTransferDetails(address(this), amount),
            msg.sender,
            msg.data[extra + 37:next]
        );
        run.hasAll();
    }
}
