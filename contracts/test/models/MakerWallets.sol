// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PlainToken} from "./Tokens.sol";

/// A maker that is a contract: its owner's signature is its own (EIP-1271), and it holds what it sells.
contract MakerWallet {
    bytes4 internal constant VALID = 0x1626ba7e;
    bytes4 internal constant INVALID = 0xffffffff;
    address internal immutable OWNER;

    constructor(address owner) {
        OWNER = owner;
    }

    function approve(PlainToken token, address spender, uint256 amount) external {
        // Some tokens answer nothing.
        (bool done,) = address(token).call(abi.encodeCall(PlainToken.approve, (spender, amount)));
        require(done, "approve");
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view virtual returns (bytes4) {
        (bytes32 r, bytes32 s) = abi.decode(signature[:64], (bytes32, bytes32));
        address signer = ecrecover(hash, uint8(signature[64]), r, s);
        return signer != address(0) && signer == OWNER ? VALID : INVALID;
    }
}

/// A maker that wants the taker's tokens for nothing. Whatever it is asked, it says what `habit` says.
contract HostileWallet is MakerWallet {
    enum Habit {
        AgreesAndPaysNothing,
        Refuses,
        AgreesUntilItIsFilled,
        SwapsMeanwhile,
        TakesMeanwhile,
        BurnsAllGas,
        AnswersMuch,
        AnswersNothing,
        Reverts
    }

    Habit private immutable HABIT;
    address private immutable FILLER;
    address private immutable ROUTER;
    PlainToken private immutable WANTED;
    address private immutable VICTIM;

    constructor(Habit habit, address filler, address router, PlainToken wanted, address victim) MakerWallet(address(0)) {
        (HABIT, FILLER, ROUTER, WANTED, VICTIM) = (habit, filler, router, wanted, victim);
    }

    function isValidSignature(bytes32, bytes calldata signature) external view override returns (bytes4) {
        if (HABIT == Habit.Refuses) return INVALID;
        if (HABIT == Habit.AgreesUntilItIsFilled) return msg.sender == FILLER ? INVALID : VALID;
        if (HABIT == Habit.Reverts) revert("changed its mind");
        if (HABIT == Habit.SwapsMeanwhile) _try(ROUTER, signature);
        if (HABIT == Habit.TakesMeanwhile)
            _try(address(WANTED), abi.encodeCall(PlainToken.transferFrom, (VICTIM, address(this), 1)));
        if (HABIT == Habit.BurnsAllGas) for (;;) {}
        if (HABIT == Habit.AnswersMuch) {
            assembly {
                mstore(0, shl(224, 0x1626ba7e))
                return(0, 1000000)
            }
        }
        if (HABIT == Habit.AnswersNothing) {
            assembly {
                return(0, 0)
            }
        }
        return VALID;
    }

    /// @dev Whoever asks does so by STATICCALL: what would change the chain fails, and the answer is yes all the same.
    function _try(address target, bytes memory data) private view {
        assembly {
            pop(staticcall(200000, target, add(data, 32), mload(data), 0, 0))
        }
    }
}
