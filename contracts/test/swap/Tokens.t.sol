// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {IPair, World} from "../world/World.sol";
import {CurveModel} from "../models/Pools.sol";
import {FalseToken, FeeToken, HookedToken, NoReturnToken, PlainToken, RebasingToken} from "../models/Tokens.sol";

/// One function fails, and its revert data are the word that it answers when it works.
contract TrueFailureToken is PlainToken {
    bytes4 private fails;

    function failIn(bytes4 selector) external {
        fails = selector;
    }

    function approve(address spender, uint256 amount) public override returns (bool) {
        _fail();
        return super.approve(spender, amount);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        _fail();
        return super.transferFrom(from, to, amount);
    }

    function _fail() private view {
        if (msg.sig != fails) return;
        assembly {
            mstore(0x00, 1)
            revert(0x00, 0x20)
        }
    }
}

/// Tokens of every habit: they work, or fail by name with nothing lost.
contract TokensTest is World {
    address private b;
    address private c;

    function setUp() public override {
        super.setUp();
        (b, c) = (address(tokenB), address(tokenC));
    }

    /// Gives USER the token and an endless allowance to the router.
    function _hand(address token) private {
        PlainToken(token).mint(USER, 1e24);
        vm.prank(USER);
        (bool done,) =
            token.call(abi.encodeWithSignature("approve(address,uint256)", address(router), type(uint256).max));
        yes(done, "approved");
    }

    function _pairOf(address token, address other) private returns (address pair) {
        pair = pairs.createPair(token, other);
        PlainToken(token).mint(pair, 1e24);
        PlainToken(other).mint(pair, 1e24);
        IPair(pair).mint(address(this));
    }

    /// Sells and buys the token through a pair, through a v3 pool, held and directly, with both fees and none.
    function _everyWay(address token) private {
        _hand(token);
        address pair = _pairOf(token, b);
        address pool = _pool(token, b, 3000, 200, 1e22);
        address[2] memory ends = [token, b];
        for (uint256 way = 0; way < 8; ++way) {
            (address sold, address bought) = way % 2 == 0 ? (ends[0], ends[1]) : (ends[1], ends[0]);
            bool fees = way & 4 != 0;
            uint8 flags = _way(sold, bought) | (fees ? 0 : Routes.TO_RECIPIENT);
            bytes memory step =
                way & 2 == 0 ? Routes.v2(flags, 0x01, 0, pair) : Routes.v3(flags, 0x01, 0, pool);
            uint256 before = PlainToken(bought).balanceOf(USER);
            uint256 terms = fees ? Terms.fees(100, 100, FEES) : Terms.PLAIN;
            uint256 paid = _swap(1e18, 9e17, terms, bytes.concat(Routes.tokens(sold, bought), step));
            eq(PlainToken(bought).balanceOf(USER) - before, paid, "received");
        }
        eq(PlainToken(token).balanceOf(address(router)), 0, "nothing stays");
        _holdsNothing();
    }

    function test_tokensThatAnswerNothing() public {
        _everyWay(address(new NoReturnToken()));
    }

    /// An allowance that must be reset before it is changed is no trouble: every one is used up within its step.
    function test_tokensThatWantTheirAllowanceReset() public {
        NoReturnToken token = new NoReturnToken();
        _hand(address(token));
        address[] memory coins = new address[](2);
        (coins[0], coins[1]) = (address(token), b);
        CurveModel curve = new CurveModel(coins);
        tokenB.mint(address(curve), 1e24);
        bytes memory step = bytes.concat(Routes.step(Routes.CURVE, 0, 0x01, 0, address(curve)), hex"000101");
        for (uint256 times = 0; times < 2; ++times) {
            eq(_swap(1e18, bytes.concat(Routes.tokens(address(token), b), step)), 1e18, "paid");
            eq(token.allowance(address(router), address(curve)), 0, "no allowance is left");
        }
    }

    function test_tokensThatAnswerFalse() public {
        FalseToken token = new FalseToken();
        _everyWay(address(token));
        vm.prank(USER);
        token.approve(address(router), 1e18 - 1);
        address pair = pairs.createPair(address(token), c);
        bytes memory route =
            bytes.concat(Routes.tokens(address(token), c), Routes.v2(_way(address(token), c), 0x01, 0, pair));
        vm.expectRevert(abi.encodeWithSelector(TransferFailed.selector, address(token), pair, 1e18));
        _swap(1e18, route);
    }

    function test_tokensThatFailWithATrue() public {
        TrueFailureToken token = new TrueFailureToken();
        address t = address(token);
        _hand(t);
        address[] memory coins = new address[](2);
        (coins[0], coins[1]) = (t, b);
        bytes memory curve = Routes.step(Routes.CURVE, 0, 0x01, 0, address(new CurveModel(coins)));
        bytes[3] memory steps = [
            Routes.v2(_way(t, b), 0x01, 0, _pairOf(t, b)),
            Routes.v3(_way(t, b), 0x01, 0, _pool(t, b, 3000, 200, 1e22)),
            bytes.concat(curve, hex"000101")
        ];
        for (uint256 index = 0; index < 3; ++index) {
            token.failIn(index == 2 ? token.approve.selector : token.transferFrom.selector);
            vm.expectRevert(abi.encode(true));
            _swap(1e18, bytes.concat(Routes.tokens(t, b), steps[index]));
        }
    }

    function test_tokensThatCallBack() public {
        _everyWay(address(new HookedToken()));
    }

    function test_rebasingTokensWithinASwap() public {
        _everyWay(address(new RebasingToken()));
    }

    /// A balance that shrinks between two steps fails the swap: the next transfer finds too little.
    function test_aRebaseThatBreaksTheRoute() public {
        RebasingToken token = new RebasingToken();
        address first = _pairOf(address(token), b);
        address second = _pairOf(address(token), c);
        token.rebase(first, -1e23);
        bytes memory route = bytes.concat(
            Routes.tokens(b, address(token), c),
            Routes.v2(_way(b, address(token)), 0x01, 0, first),
            Routes.v2(_way(address(token), c), 0x12, 0, second)
        );
        vm.expectRevert();
        _swap(1e18, route);
        eq(tokenB.balanceOf(USER), 1e30, "nothing lost");
    }

    function _feeToken(uint256 bps) private returns (address token, address pairTB, address pairTC) {
        token = address(new FeeToken(bps));
        _hand(token);
        pairTB = _pairOf(token, b);
        pairTC = _pairOf(token, c);
    }

    function _v2Fee(uint8 flags, uint8 path, address pair) private pure returns (bytes memory) {
        return bytes.concat(Routes.step(Routes.V2_FEE, flags, path, 0, pair), bytes3(uint24(3000)));
    }

    function test_fuzz_sellingATokenThatKeepsAFee(uint256 amount, uint256 bps) public {
        amount = within(amount, 1e12, 1e22);
        (address token, address pair,) = _feeToken(within(bps, 1, 2000));
        uint256 arrives = amount - amount * FeeToken(token).feeBps() / 10_000;
        uint256 wanted = _quotePair(pair, token, arrives);
        for (uint256 index = 0; index < 2; ++index) {
            uint256 state = vm.snapshotState();
            uint8 flags = _way(token, b) | (index == 0 ? 0 : Routes.TO_RECIPIENT);
            eq(_swap(amount, bytes.concat(Routes.tokens(token, b), _v2Fee(flags, 0x01, pair))), wanted, "paid");
            eq(PlainToken(token).balanceOf(USER), 1e24 - amount, "spent");
            vm.revertToState(state);
        }
    }

    function test_buyingATokenThatKeepsAFee() public {
        (address token, address pair,) = _feeToken(100);
        uint256 gross = _quotePair(pair, b, 1e18);
        bytes memory direct =
            bytes.concat(Routes.tokens(b, token), _v2Fee(_way(b, token) | Routes.TO_RECIPIENT, 0x01, pair));
        uint256 state = vm.snapshotState();
        eq(_swap(1e18, direct), gross - gross / 100, "what arrives is what counts");
        vm.revertToState(state);
        uint256 held = gross - gross / 100;
        bytes memory custody = bytes.concat(Routes.tokens(b, token), _v2Fee(_way(b, token), 0x01, pair));
        eq(_swap(1e18, custody), held - held / 100, "and twice through the router");
        eq(PlainToken(token).balanceOf(address(router)), 0, "nothing stays");
    }

    function test_aTokenThatKeepsAFeeInTheMiddle() public {
        (address token, address first, address second) = _feeToken(100);
        uint256 middle = _quotePair(first, b, 1e18);
        uint256 state = vm.snapshotState();
        bytes memory handed = bytes.concat(
            Routes.tokens(b, token, c),
            Routes.v2(_way(b, token) | Routes.TO_NEXT, 0x01, 0, first),
            _v2Fee(_way(token, c) | Routes.PREFUNDED | Routes.TO_RECIPIENT, 0x12, second)
        );
        uint256 wanted = _quotePair(second, token, middle - middle / 100);
        eq(_swap(1e18, handed), wanted, "from pair to pair");
        vm.revertToState(state);
        bytes memory held = bytes.concat(
            Routes.tokens(b, token, c),
            _v2Fee(_way(b, token), 0x01, first),
            _v2Fee(_way(token, c) | Routes.TO_RECIPIENT, 0x12, second)
        );
        uint256 arrives = middle - middle / 100;
        arrives -= arrives / 100;
        wanted = _quotePair(second, token, arrives);
        eq(_swap(1e18, held), wanted, "through the router");
        eq(PlainToken(token).balanceOf(address(router)), 0, "nothing stays");
    }

    /// Designs that count what was sent refuse such a token, and nothing is lost.
    function test_tokensThatKeepAFeeElsewhere() public {
        (address token, address pair,) = _feeToken(100);
        bytes memory plain =
            bytes.concat(Routes.tokens(token, b), Routes.v2(_way(token, b), 0x01, 0, pair));
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "UniswapV2: K"));
        _swap(1e18, plain);
        eq(PlainToken(token).balanceOf(USER), 1e24, "nothing lost");
    }
}
