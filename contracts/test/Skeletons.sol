// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Routes, Terms} from "./Routes.sol";
import {IRouter, World} from "./World.sol";
import {vm} from "./Vm.sol";
import {ConverterModel} from "./models/Converter.sol";
import {Permit2Model} from "./models/Permit2Model.sol";
import {
    BalancerV2Model,
    BalancerV3Model,
    CurveModel,
    DodoModel,
    LiquidityBookModel,
    MaverickModel,
    SolidlyModel,
    VaultModel,
    WooModel
} from "./models/Pools.sol";
import {Puppet} from "./models/Puppet.sol";
import {V4Model} from "./models/V4.sol";

interface IApprove {
    function approve(address spender, uint256 amount) external returns (bool);
    function balanceOf(address account) external view returns (uint256);
}

/// Routes that work over real and hostile pools, and ways to spoil them.
abstract contract Skeletons is World {
    // The account of key 1: it can sign.
    address internal constant ATTACKER = 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf;
    uint256 private constant ATTACKER_KEY = 1;
    uint256 private constant MAKER_KEY = 2;
    address private constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;
    bytes4 internal constant V3_SWAP = 0x128acb08;
    bytes4 internal constant V2_SWAP = 0x022c0d9f;
    bytes4 internal constant GET_RESERVES = 0x0902f1ac;
    bytes4 internal constant V3_CALLBACK = 0xfa461e33;

    address internal a;
    address internal b;
    address internal c;
    address internal w;
    address internal pairAB;
    address internal pairBW;
    address internal poolAB;
    address internal poolBC;
    Puppet internal evil;
    SolidlyModel internal solidly;
    CurveModel internal curve;
    BalancerV2Model internal vault2;
    BalancerV3Model internal vault3;
    V4Model internal manager;
    VaultModel internal shares;
    MaverickModel internal maverick;
    DodoModel internal dodo;
    LiquidityBookModel private book;
    WooModel private woo;
    ConverterModel private converter;
    address private maker;
    // Signatures for the two forms of a route, custody and direct: each is good once.
    bytes[2] private pulls;
    bytes[2] private orders;
    uint256 internal constant SKELETONS = 29;
    uint256 internal constant FIRST_SIGNED = 23;
    uint256 internal constant FIRST_HOSTILE = 26;

    function setUp() public virtual override {
        super.setUp();
        evil = new Puppet();
        (a, b, c, w) = (address(tokenA), address(tokenB), address(tokenC), address(wrapped));
        pairAB = _pair(a, 1e24, b, 1e24);
        pairBW = _pair(b, 1e24, w, 1e24);
        poolAB = _pool(a, b, 3000, 200, 1e24);
        poolBC = _pool(b, c, 500, 200, 1e24);
        _models();
        for (uint256 index = 0; index < 4; ++index) {
            address token = [a, b, c, w][index];
            _give(token, ATTACKER, 1e24);
            _give(token, address(evil), 1e24);
            vm.prank(ATTACKER);
            IApprove(token).approve(address(router), type(uint256).max);
        }
        vm.deal(ATTACKER, 1e24);
        _signatures();
    }

    /// Everybody has approved Permit2, the victim too.
    function _signatures() private {
        vm.etch(PERMIT2, type(Permit2Model).runtimeCode);
        maker = vm.addr(MAKER_KEY);
        _give(b, maker, 1e24);
        for (uint256 index = 0; index < 3; ++index) {
            for (uint256 who = 0; who < 3; ++who) {
                vm.prank([ATTACKER, maker, USER][who]);
                IApprove([a, b, c][index]).approve(PERMIT2, type(uint256).max);
            }
        }
        for (uint256 nonce = 0; nonce < 2; ++nonce) {
            pulls[nonce] = _signPull(nonce);
            orders[nonce] = _signOrder(nonce);
        }
    }

    function _sign(uint256 key, bytes32 hash) private view returns (bytes memory) {
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", Permit2Model(PERMIT2).DOMAIN_SEPARATOR(), hash));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    function _permissions(address token) private pure returns (bytes32) {
        return keccak256(abi.encode(keccak256("TokenPermissions(address token,uint256 amount)"), token, uint256(1e18)));
    }

    function _signPull(uint256 nonce) private view returns (bytes memory) {
        bytes32 kind = keccak256(
            "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)"
        );
        return _sign(
            ATTACKER_KEY, keccak256(abi.encode(kind, _permissions(a), address(router), nonce, type(uint40).max))
        );
    }

    function _signOrder(uint256 nonce) private view returns (bytes memory) {
        bytes32 kind = keccak256(
            "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,RfqOrder witness)RfqOrder(address takerToken,uint256 takerAmount,address taker)TokenPermissions(address token,uint256 amount)"
        );
        bytes32 order = keccak256("RfqOrder(address takerToken,uint256 takerAmount,address taker)");
        bytes32 witness = keccak256(abi.encode(order, a, uint256(1e18), address(0)));
        return _sign(
            MAKER_KEY, keccak256(abi.encode(kind, _permissions(b), address(router), nonce, type(uint40).max, witness))
        );
    }

    function _models() private {
        address[] memory coins = new address[](2);
        (coins[0], coins[1]) = (a, b);
        solidly = new SolidlyModel(a, b);
        curve = new CurveModel(coins);
        vault2 = new BalancerV2Model();
        vault3 = new BalancerV3Model();
        manager = new V4Model();
        shares = new VaultModel(b);
        book = new LiquidityBookModel(a, b);
        woo = new WooModel();
        converter = new ConverterModel(a, b);
        maverick = new MaverickModel(a, b);
        dodo = new DodoModel(a, b);
        address[10] memory stocked = [
            address(solidly),
            address(curve),
            address(vault2),
            address(vault3),
            address(manager),
            address(maverick),
            address(dodo),
            address(book),
            address(woo),
            address(converter)
        ];
        for (uint256 index = 0; index < stocked.length; ++index) {
            tokenA.mint(stocked[index], 1e24);
            tokenB.mint(stocked[index], 1e24);
            tokenC.mint(stocked[index], 1e24);
        }
        solidly.sync();
        dodo.sync();
        book.sync();
        woo.sync(a);
        woo.sync(b);
        vault3.sync(a);
        vault3.sync(b);
    }

    function _wealth(address token, address who) internal view returns (uint256) {
        return token == NATIVE ? who.balance : IApprove(token).balanceOf(who);
    }

    function _sold(uint256 which) internal view returns (address) {
        return which == 5 ? NATIVE : a;
    }

    /// Whatever lies in the router, of every token that there is.
    function _inRouter() internal view returns (uint256) {
        address here = address(router);
        return _wealth(a, here) + _wealth(b, here) + _wealth(c, here) + _wealth(w, here) + _wealth(address(shares), here)
            + here.balance;
    }

    /// What the hostile pool owns; it may give that to the router if it likes, for anyone to take.
    function _ofEvil() internal view returns (uint256) {
        address there = address(evil);
        return _wealth(a, there) + _wealth(b, there) + _wealth(c, there) + _wealth(w, there) + there.balance;
    }

    function _userLost() internal view returns (bool) {
        return _wealth(a, USER) < 1e30 || _wealth(b, USER) < 1e30 || _wealth(c, USER) < 1e30
            || _wealth(w, USER) < 1e23 || USER.balance < 1e24 - 1e23;
    }

    /// One of the routes; `direct` lets the last pools pay the recipient.
    function _skeleton(uint256 which, bool direct) internal view returns (bytes memory) {
        uint8 last = direct ? Routes.TO_RECIPIENT : 0;
        uint8 ab = _way(a, b);
        if (which == 0) return bytes.concat(Routes.tokens(a, b), Routes.v2(ab | last, 0x01, 0, pairAB));
        if (which == 1) return bytes.concat(Routes.tokens(a, b), Routes.v3(ab | last, 0x01, 0, poolAB));
        if (which == 2) {
            bytes memory half = Routes.v2(ab | last, 0x01, Routes.HALF, pairAB);
            return bytes.concat(Routes.tokens(a, b), half, Routes.v3(ab | last, 0x01, 0, poolAB));
        }
        if (which == 3) {
            bytes memory first = Routes.v2(ab | Routes.TO_NEXT, 0x01, 0, pairAB);
            uint8 flags = _way(b, w) | Routes.PREFUNDED | last;
            return bytes.concat(Routes.tokens(a, b, w), first, Routes.v2(flags, 0x12, 0, pairBW));
        }
        if (which == 4) {
            bytes memory first = Routes.v3(ab, 0x01, 0, poolAB);
            return bytes.concat(Routes.tokens(a, b, c), first, Routes.v3(_way(b, c) | last, 0x12, 0, poolBC));
        }
        if (which == 5) {
            bytes memory wrap = Routes.step(Routes.WRAP, Routes.ZERO_FOR_ONE, 0x01, 0, w);
            return bytes.concat(Routes.tokens(NATIVE, w, b), wrap, Routes.v2(_way(w, b) | last, 0x12, 0, pairBW));
        }
        if (which == 6) {
            bytes memory hops =
                bytes.concat(Routes.v2(ab, 0x01, 0, pairAB), Routes.v2(_way(b, w), 0x12, 0, pairBW));
            return
                bytes.concat(Routes.tokens(a, b, w, NATIVE), hops, Routes.step(Routes.WRAP, 0, 0x23, 0, w));
        }
        if (which < FIRST_HOSTILE) return _modelled(which, last);
        return _hostile(which, last);
    }

    function _v4(uint8 flags, uint8 path, address x, address y) internal view returns (bytes memory) {
        bytes memory head = Routes.step(Routes.V4, flags | _way(x, y), path, 0, address(manager));
        return bytes.concat(head, bytes3(uint24(3000)), bytes3(uint24(60)), bytes20(0));
    }

    function _modelled(uint256 which, uint8 last) private view returns (bytes memory) {
        bytes memory table = Routes.tokens(a, b);
        uint8 ab = _way(a, b);
        if (which == 7) return bytes.concat(table, Routes.step(Routes.SOLIDLY, ab | last, 0x01, 0, address(solidly)));
        if (which == 8) return bytes.concat(table, Routes.step(Routes.CURVE, 0, 0x01, 0, address(curve)), hex"000100");
        if (which == 9) {
            bytes memory head = Routes.step(Routes.BALANCER_V2, last, 0x01, 0, address(vault2));
            return bytes.concat(table, head, vault2.POOL());
        }
        if (which == 10) {
            return bytes.concat(table, Routes.step(8, last, 0x01, 0, address(vault3)), bytes20(address(0xb001)));
        }
        if (which == 11) return bytes.concat(table, _v4(last, 0x01, a, b));
        if (which == 12) return bytes.concat(Routes.tokens(a, b, c), _v4(0, 0x01, a, b), _v4(last, 0x12, b, c));
        if (which == 13) {
            bytes memory deposit =
                bytes.concat(Routes.step(11, Routes.ZERO_FOR_ONE, 0x12, 0, address(shares)), hex"00");
            bytes memory redeem = bytes.concat(Routes.step(11, 0, 0x23, 0, address(shares)), hex"00");
            bytes memory swap = Routes.v2(ab, 0x01, 0, pairAB);
            // B buys shares, which buy B again under another register.
            return bytes.concat(Routes.tokens(a, b, address(shares), b), swap, deposit, redeem);
        }
        if (which == 14) return bytes.concat(table, Routes.step(14, Routes.ZERO_FOR_ONE | last, 0x01, 0, address(maverick)));
        if (which == 15) return bytes.concat(table, Routes.step(9, Routes.ZERO_FOR_ONE | last, 0x01, 0, address(dodo)));
        return which < FIRST_SIGNED ? _rare(which, last) : _signed(which, last);
    }

    function _rare(uint256 which, uint8 last) private view returns (bytes memory) {
        bytes memory table = Routes.tokens(a, b);
        uint8 onward = Routes.ZERO_FOR_ONE;
        uint8 ab = _way(a, b);
        if (which == 16) return bytes.concat(table, Routes.step(10, onward, 0x01, 0, address(dodo)));
        if (which == 17) return bytes.concat(table, Routes.step(12, onward | last, 0x01, 0, address(book)));
        if (which == 18) return bytes.concat(table, Routes.step(13, last, 0x01, 0, address(woo)));
        if (which == 19) {
            bytes memory wrap = bytes.concat(Routes.step(11, onward, 0x12, 0, address(shares)), hex"01");
            bytes memory unwrap = bytes.concat(Routes.step(11, 0, 0x23, 0, address(shares)), hex"01");
            bytes memory swap = Routes.v2(ab, 0x01, 0, pairAB);
            return bytes.concat(Routes.tokens(a, b, address(shares), b), swap, wrap, unwrap);
        }
        if (which == 20) {
            bytes memory head = Routes.step(Routes.V2_FEE, ab | last, 0x01, 0, pairAB);
            return bytes.concat(table, head, bytes3(uint24(3000)));
        }
        if (which == 21) return bytes.concat(table, Routes.step(24, onward | last, 0x01, 0, address(converter)), hex"00");
        return bytes.concat(table, Routes.step(Routes.CURVE, 0, 0x01, 0, address(curve)), hex"000104");
    }

    function _signed(uint256 which, uint8 last) private view returns (bytes memory) {
        bytes memory table = Routes.tokens(a, b);
        uint256 nonce = last == 0 ? 0 : 1;
        bytes memory swap = Routes.v2(_way(a, b) | last, 0x01, 0, pairAB);
        if (which == FIRST_SIGNED + 2) {
            bytes memory terms = abi.encodePacked(uint128(1e18), uint128(1e18), nonce, type(uint40).max, orders[nonce]);
            return bytes.concat(table, Routes.step(15, last, 0x01, 0, maker), terms);
        }
        // A permit that fails is passed over, so the signature of the one serves as noise for the other.
        bytes memory permit = abi.encodePacked(nonce, type(uint40).max, pulls[nonce]);
        uint8 kind = which == FIRST_SIGNED ? 17 : 18;
        return bytes.concat(table, Routes.step(kind, 0, 0x01, 0, address(0)), permit, swap);
    }

    function _hostile(uint256 which, uint8 last) private view returns (bytes memory) {
        uint8 ab = _way(a, b);
        bytes memory through3 = Routes.v3(ab | last, 0x01, 0, address(evil));
        if (which == FIRST_HOSTILE) return bytes.concat(Routes.tokens(a, b), through3);
        if (which == FIRST_HOSTILE + 1) {
            return bytes.concat(Routes.tokens(a, b), Routes.v2(ab | last, 0x01, Routes.HALF, pairAB), through3);
        }
        return bytes.concat(Routes.tokens(a, b), Routes.v2(ab | last, 0x01, 0, address(evil)));
    }

    /// Makes the hostile pool pay what it claims, and try for more: other payers, other amounts, twice, and a swap
    /// within the swap.
    function _arm(uint256 seed, uint256 amount, address payer) internal {
        address to = seed % 2 == 0 ? address(router) : payer;
        uint256 pays = seed % 3 == 0 ? 1 : amount;
        evil.onCall(GET_RESERVES, abi.encode(pays * 4, pays * 4, 0));
        evil.onCall(V2_SWAP, "");
        evil.onCall(V3_SWAP, abi.encode(-int256(pays), -int256(pays)));
        bytes memory pay = abi.encodeWithSignature("transfer(address,uint256)", to, pays);
        evil.thenCall(V3_SWAP, b, pay, false);
        evil.thenCall(V2_SWAP, b, pay, false);
        bytes memory inner = abi.encodeCall(
            IRouter.swap, (amount, 1, address(evil), Terms.PLAIN, _skeleton(seed % 5, seed % 2 == 0))
        );
        evil.thenCall(V2_SWAP, address(router), inner, false);
        evil.thenCall(V3_SWAP, address(router), inner, false);
        _demand(amount, a, USER);
        _demand(amount * 2, a, payer);
        if (seed % 4 != 0) _demand(amount, a, payer);
        if (seed % 4 != 1) _demand(amount / 2 + amount % 2, a, payer);
        _demand(amount, a, payer);
        _demand(amount, b, address(router));
    }

    function _demand(uint256 amount, address token, address payer) private {
        bytes memory ask = abi.encodeWithSelector(V3_CALLBACK, int256(amount), -int256(1), abi.encode(token, payer));
        evil.thenCall(V3_SWAP, address(router), ask, false);
    }

    /// Changes up to three bytes, cuts the end off, or leaves the route as it is.
    function _spoil(bytes memory route, uint256 seed) internal pure returns (bytes memory) {
        uint256 changes = seed % 4;
        for (uint256 index = 0; index < changes; ++index) {
            seed = uint256(keccak256(abi.encode(seed)));
            // Half of the changes are small steps, which keep more of the route alive than random bytes do.
            uint256 place = (seed >> 8) % route.length;
            uint8 old = uint8(route[place]);
            unchecked {
                route[place] = bytes1(seed % 2 == 0 ? uint8(seed >> 128) : old + uint8(1 << (seed >> 136) % 8));
            }
        }
        if (seed % 16 == 15) {
            uint256 length = (seed >> 200) % route.length;
            assembly ("memory-safe") {
                mstore(route, length)
            }
        }
        return route;
    }
}
