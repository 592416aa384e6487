// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BadFill, MakerRefused} from "../Errors.sol";
import {Head, ZERO_FOR_ONE} from "../Head.sol";
import {IPermit2, PERMIT2} from "../Permits.sol";
import {Run} from "../Run.sol";
import {Tokens} from "../Tokens.sol";

/// @notice A maker's order: a Permit2 signature over what the maker gives, with what it wants as the witness
/// @dev    target = maker; extra = taker amount u128 | maker amount u128 | nonce u256 | expiry u40 | signature 65 B;
///         the direction bit is set where the order names its taker, who must be the caller.
///         An order is filled at most once, pro rata when partly; Permit2 keeps its nonce. Both tokens come from the
///         route's table and the witness binds them, so an order cannot be filled with another token.
library Rfq {
    uint256 private constant EXTRA_BYTES = 134;
    bytes32 private constant ORDER = keccak256("RfqOrder(address takerToken,uint256 takerAmount,address taker)");
    string private constant WITNESS =
        "RfqOrder witness)RfqOrder(address takerToken,uint256 takerAmount,address taker)TokenPermissions(address token,uint256 amount)";

    function swap(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256 out) {
        address maker = head.target();
        uint256 extra = next - EXTRA_BYTES;
        uint256 amounts = _word(extra);
        uint256 takerAmount = amounts >> 128;
        uint256 makerAmount = uint128(amounts);
        // Rounds down, in the maker's favour; below 2^256, since both are below 2^128. A fill that pays nothing would still
        // use the order up.
        if (amount != 0 && amount <= takerAmount) out = makerAmount * amount / takerAmount;
        if (out == 0) revert BadFill(maker, amount, takerAmount);
        address sold = run.token(head.src());
        Tokens.move(sold, run.holder(head.src()), maker, amount);
        address taker = head.has(ZERO_FOR_ONE) ? msg.sender : address(0);
        _pull(
            IPermit2.PermitTransferFrom(
                IPermit2.TokenPermissions(run.token(head.dst()), makerAmount), _word(extra + 32), _word(extra + 64) >> 216
            ),
            IPermit2.SignatureTransferDetails(run.receiver(head, next), out),
            maker,
            keccak256(abi.encode(ORDER, sold, takerAmount, taker)),
            msg.data[extra + 69:next]
        );
    }

    /// @dev Whatever goes wrong on the maker's side (signature, nonce, expiry, balance) is one error, so that the maker
    ///      can be dropped for it.
    function _pull(
        IPermit2.PermitTransferFrom memory permit,
        IPermit2.SignatureTransferDetails memory details,
        address maker,
        bytes32 witness,
        bytes calldata signature
    ) private {
        try PERMIT2.permitWitnessTransferFrom(permit, details, maker, witness, WITNESS, signature) {}
        catch (bytes memory reason) {
            revert MakerRefused(maker, bytes4(reason));
        }
    }

    function _word(uint256 position) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := calldataload(position)
        }
    }
}
