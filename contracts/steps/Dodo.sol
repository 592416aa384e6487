// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {UnknownVariant} from "../Errors.sol";
import {Head, PREFUNDED, ZERO_FOR_ONE} from "../Head.sol";
import {Run} from "../Run.sol";
import {Tokens} from "../Tokens.sol";

interface IDodoV2 {
    function sellBase(address to) external returns (uint256);
    function sellQuote(address to) external returns (uint256);
}

interface IDodoV1 {
    function sellBaseToken(uint256 amount, uint256 minQuote, bytes calldata data) external returns (uint256);
}

/// @notice DODO's proactive market makers
library Dodo {
    /// @notice v2 pools sell what they find above their reserve
    function swapV2(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256) {
        IDodoV2 pool = IDodoV2(head.target());
        if (!head.has(PREFUNDED)) {
            Tokens.move(run.token(head.src()), run.holder(head.src()), address(pool), amount);
        }
        address to = run.receiver(head, next);
        return head.has(ZERO_FOR_ONE) ? pool.sellBase(to) : pool.sellQuote(to);
    }

    /// @notice v1 pools sell base only: they know exact quote amounts as outputs alone, and the router sells exactly
    function swapV1(Run run, Head head, uint256 amount) internal returns (uint256) {
        head.staysInRouter();
        if (!head.has(ZERO_FOR_ONE)) revert UnknownVariant(0);
        address pool = head.target();
        address base = run.token(head.src());
        address quote = run.token(head.dst());
        run.hold(head, amount);
        uint256 before = Tokens.balance(quote, address(this));
        Tokens.approve(base, pool, amount);
        IDodoV1(pool).sellBaseToken(amount, 0, "");
        Tokens.requireUsed(base, pool);
        return Tokens.balance(quote, address(this)) - before;
    }
}
