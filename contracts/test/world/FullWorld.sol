// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {World} from "./World.sol";
import {vm} from "./Vm.sol";
import {ConverterModel} from "../models/Converter.sol";
import {FluidModel} from "../models/Fluid.sol";
import {FluidLiteModel} from "../models/FluidLite.sol";
import {InfinityManagerModel, InfinityVaultModel} from "../models/Infinity.sol";
import {IZiSwapModel} from "../models/IZiSwap.sol";
import {MaverickV2Model} from "../models/MaverickV2.sol";
import {Permit2Model} from "../models/Permit2Model.sol";
import {
    CurveModel,
    DodoModel,
    LiquidityBookModel,
    LiquidityBookOldModel,
    MaverickModel,
    SolidlyModel,
    WooModel
} from "../models/Pools.sol";
import {Puppet} from "../models/Puppet.sol";
import {ShareToken} from "../models/Tokens.sol";
import {EkuboModel} from "../models/Ekubo.sol";
import {V4Model} from "../models/V4.sol";
import {BalancerV2Model, BalancerV3Model, VaultModel} from "../models/Vaults.sol";

interface IApprove {
    function approve(address spender, uint256 amount) external returns (bool);
    function balanceOf(address account) external view returns (uint256);
}

interface IDomain {
    function DOMAIN_SEPARATOR() external view returns (bytes32);
}

/// A pool of every design, a hostile one, an attacker with means of its own, and signatures of it and of a maker.
abstract contract FullWorld is World {
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
    InfinityVaultModel internal infinityVault;
    InfinityManagerModel internal infinity;
    EkuboModel internal core;
    VaultModel internal shares;
    MaverickModel internal maverick;
    DodoModel internal dodo;
    LiquidityBookModel internal book;
    LiquidityBookOldModel internal oldBook;
    ShareToken internal share;
    WooModel internal woo;
    ConverterModel internal converter;
    FluidModel internal fluid;
    FluidLiteModel internal fluidLite;
    MaverickV2Model internal maverickV2;
    IZiSwapModel internal iziswap;
    address internal maker;
    // Signatures for the two forms of a route, custody and direct: each is good once.
    bytes[2] internal pulls;
    bytes[2] internal orders;
    // AirSwap's contract, and orders that are filled whole.
    address internal settler;
    bytes[2] internal whole;

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
        settler = _airSwap();
        vm.prank(maker);
        IApprove(b).approve(settler, type(uint256).max);
        for (uint256 nonce = 0; nonce < 2; ++nonce) {
            whole[nonce] = _signWhole(nonce);
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

    function _airSwap() private returns (address) {
        string memory path = "../node_modules/@airswap/swap-erc20/build/contracts/SwapERC20.sol/SwapERC20.json";
        return _create(bytes.concat(_code(path, ".bytecode"), abi.encode(7, 7, FEES, 10, 100)));
    }

    function _signWhole(uint256 nonce) private view returns (bytes memory) {
        bytes32 kind = keccak256(
            "OrderERC20(uint256 nonce,uint256 expiry,address signerWallet,address signerToken,uint256 signerAmount,uint256 protocolFee,address senderWallet,address senderToken,uint256 senderAmount)"
        );
        bytes32 hash = keccak256(
            abi.encode(kind, nonce, type(uint40).max, maker, b, uint256(1e18), 7, address(router), a, uint256(1e18))
        );
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", IDomain(settler).DOMAIN_SEPARATOR(), hash));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(MAKER_KEY, digest);
        return abi.encodePacked(r, s, v);
    }

    function _models() private {
        address[] memory coins = new address[](2);
        (coins[0], coins[1]) = (a, b);
        solidly = new SolidlyModel(a, b);
        curve = new CurveModel(coins);
        vault2 = new BalancerV2Model();
        vault3 = new BalancerV3Model();
        manager = new V4Model();
        infinityVault = new InfinityVaultModel();
        infinity = new InfinityManagerModel(infinityVault);
        core = new EkuboModel();
        shares = new VaultModel(b);
        book = new LiquidityBookModel(a, b);
        oldBook = new LiquidityBookOldModel(a, b);
        share = new ShareToken(address(vault2));
        woo = new WooModel();
        converter = new ConverterModel(a, b);
        fluid = new FluidModel(a, b);
        fluidLite = new FluidLiteModel();
        fluidLite.open(a, b, 0);
        maverick = new MaverickModel(a, b);
        maverickV2 = new MaverickV2Model(a, b);
        iziswap = new IZiSwapModel(a, b);
        dodo = new DodoModel(a, b);
        address[17] memory stocked = [
            address(solidly),
            address(curve),
            address(vault2),
            address(vault3),
            address(manager),
            address(infinityVault),
            address(maverick),
            address(maverickV2),
            address(iziswap),
            address(dodo),
            address(book),
            address(oldBook),
            address(woo),
            address(converter),
            address(fluid),
            address(fluidLite),
            address(core)
        ];
        for (uint256 index = 0; index < stocked.length; ++index) {
            tokenA.mint(stocked[index], 1e24);
            tokenB.mint(stocked[index], 1e24);
            tokenC.mint(stocked[index], 1e24);
        }
        solidly.sync();
        dodo.sync();
        book.sync();
        oldBook.sync();
        maverickV2.sync();
        share.mint(address(vault2), 1e24);
        woo.sync(a);
        woo.sync(b);
        vault3.sync(a);
        vault3.sync(b);
        tokenB.approve(address(shares), 1e24);
        tokenB.mint(address(this), 1e24);
        shares.deposit(1e24, address(vault3));
        vault3.sync(address(shares));
    }

    function _wealth(address token, address who) internal view returns (uint256) {
        return token == NATIVE ? who.balance : IApprove(token).balanceOf(who);
    }

    /// Whatever lies in the router, of every token that there is.
    function _inRouter() internal view returns (uint256) {
        address here = address(router);
        return _wealth(a, here) + _wealth(b, here) + _wealth(c, here) + _wealth(w, here) + _wealth(address(shares), here)
            + _wealth(address(share), here) + here.balance;
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
}
