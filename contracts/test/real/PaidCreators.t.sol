// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IManager, IMinter, ISwapper} from "./RealV4.t.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {World} from "../world/World.sol";
import {PlainToken} from "../models/Tokens.sol";

/// As Zora's hooks of coins that are traded for the native coin do: after each swap it sends a reward to an account that the
/// coin's creator chose. Its address says that the manager calls it after swaps, and that it changes no amount.
contract RewardingHook {
    Creator public creator;

    function reward(Creator to) external {
        creator = to;
    }

    function afterSwap(
        address,
        IManager.PoolKey calldata,
        IManager.SwapParams calldata,
        int256,
        bytes calldata
    ) external returns (bytes4, int128) {
        (bool done,) = address(creator).call{value: 1}("");
        require(done);
        return (this.afterSwap.selector, 0);
    }

    receive() external payable {}
}

/// An order of its owner's on another exchange: whoever pays what it wants gets what it gives, once.
contract OpenOrder {
    address private immutable OWNER;
    PlainToken private immutable GIVES;
    PlainToken private immutable WANTS;
    uint256 private immutable AMOUNT;

    constructor(address owner, PlainToken gives, PlainToken wants, uint256 amount) {
        (OWNER, GIVES, WANTS, AMOUNT) = (owner, gives, wants, amount);
    }

    function fill() external {
        WANTS.transferFrom(msg.sender, OWNER, AMOUNT);
        GIVES.transferFrom(OWNER, msg.sender, AMOUNT);
    }
}

/// The creator's contract. It moves the price ahead of the taker's swap, fills the taker's order while the swap runs, and
/// moves the price back.
contract Creator {
    ISwapper private immutable SWAPPER;
    IManager.PoolKey private key;
    OpenOrder private order;

    constructor(ISwapper swapper, IManager.PoolKey memory key_) {
        (SWAPPER, key) = (swapper, key_);
        PlainToken(key_.currency1).approve(address(swapper), type(uint256).max);
    }

    function wait(OpenOrder order_) external {
        order = order_;
        PlainToken(key.currency1).approve(address(order_), type(uint256).max);
    }

    /// Positive: so much of the native coin is sold; negative: so much of the token.
    function trade(int256 amount) external {
        bool down = amount > 0;
        uint160 limit = down ? 4295128740 : 1461446703485210103287273052203988822378723970341;
        IManager.SwapParams memory params = IManager.SwapParams(down, down ? -amount : amount, limit);
        SWAPPER.swap{value: down ? uint256(amount) : 0}(key, params, IManager.TestSettings(false, false), "");
    }

    receive() external payable {
        if (address(order) == address(0)) return;
        OpenOrder found = order;
        delete order;
        found.fill();
    }
}

/// Rule 8 with a hook that pays an account of the pool's creator: why the server lets no pool of such a route pay the recipient.
contract PaidCreatorsTest is World {
    // Bit 6: after a swap.
    address payable private constant HOOK = payable(0x2000000000000000000000000000000000000040);
    uint256 private constant SOLD = 10 ether;
    // Worth as much of the token as of what it gives.
    uint256 private constant ORDERED = 1 ether;

    address private manager;
    address private coin;
    Creator private creator;

    function setUp() public override {
        super.setUp();
        coin = address(tokenB);
        manager = _create(bytes.concat(_v4("PoolManager"), abi.encode(address(this))));
        IMinter minter = IMinter(_create(bytes.concat(_v4("PoolModifyLiquidityTest"), abi.encode(manager))));
        ISwapper swapper = ISwapper(_create(bytes.concat(_v4("PoolSwapTest"), abi.encode(manager))));
        IManager.PoolKey memory key = IManager.PoolKey(address(0), coin, 100, 60, HOOK);
        vm.etch(HOOK, type(RewardingHook).runtimeCode);
        vm.deal(HOOK, 1 ether);
        tokenB.mint(address(this), 1e30);
        tokenB.approve(address(minter), type(uint256).max);
        IManager(manager).initialize(key, PRICE_ONE);
        minter.modifyLiquidity{value: 1e22}(key, IManager.ModifyLiquidityParams(-6000, 6000, 1e22, 0), "");
        creator = new Creator(swapper, key);
        RewardingHook(HOOK).reward(creator);
        vm.deal(address(creator), 1000 ether);
        tokenB.mint(address(creator), 1000 ether);
    }

    function _v4(string memory name) private view returns (bytes memory) {
        return _code(string.concat("../node_modules/@uniswap/v4-core/out/", name, ".sol/", name, ".json"), ".bytecode.object");
    }

    function _route(uint8 flags) private view returns (bytes memory) {
        bytes memory head = Routes.step(Routes.V4, flags | Routes.ZERO_FOR_ONE, 0x01, 0, manager);
        bytes memory extra = abi.encodePacked(uint24(100), int24(60), HOOK);
        return bytes.concat(Routes.tokens(NATIVE, coin), head, extra);
    }

    function _sell(uint8 flags, uint256 minimum) private returns (bool done) {
        vm.prank(USER);
        try router.swap{value: SOLD}(SOLD, minimum, address(0), Terms.PLAIN, _route(flags)) {
            done = true;
        } catch {}
    }

    /// All that the creator has, at the price at which it began: one to one.
    function _wealth() private view returns (uint256) {
        return address(creator).balance + tokenA.balanceOf(address(creator)) + tokenB.balanceOf(address(creator));
    }

    /// @return done whether the taker's swap went through, at 1 % below the fair price
    /// @return got  what the taker got of the token bought, besides what the order pays for
    function _attack(uint8 flags) private returns (bool done, uint256 got) {
        OpenOrder order = new OpenOrder(USER, tokenA, tokenB, ORDERED);
        vm.prank(USER);
        tokenA.approve(address(order), type(uint256).max);
        uint256 before = tokenB.balanceOf(USER);
        uint256 bought = tokenB.balanceOf(address(creator));
        creator.trade(500 ether);
        bought = tokenB.balanceOf(address(creator)) - bought;
        creator.wait(order);
        done = _sell(flags, SOLD * 99 / 100);
        creator.wait(OpenOrder(address(0)));
        creator.trade(-int256(bought));
        got = tokenB.balanceOf(USER) - before - (done ? ORDERED : 0);
    }

    function test_aCreatorPaidByAHookFakesAMinimumThatIsPaidDirectly() public {
        uint256 wealth = _wealth();
        (bool done, uint256 got) = _attack(Routes.TO_RECIPIENT);
        yes(done, "the swap succeeds");
        yes(got < SOLD * 95 / 100, "the pool has paid far less than the minimum");
        yes(_wealth() > wealth + ORDERED / 4, "the creator earns it");
    }

    function test_aCreatorPaidByAHookFakesNoMinimumInCustody() public {
        (bool done, uint256 got) = _attack(0);
        yes(!done && got == 0, "the swap fails");
        eq(tokenA.balanceOf(USER), 1e30, "the order is not filled");
        yes(_sell(0, SOLD * 99 / 100), "at the old price the pool pays the minimum");
        _holdsNothing();
    }
}
