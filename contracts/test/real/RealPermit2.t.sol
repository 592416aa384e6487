// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OrdersTest} from "../signed/Orders.t.sol";
import {PayersTest} from "../signed/Payers.t.sol";
import {SignaturesTest} from "../signed/Signatures.t.sol";
import {vm} from "../world/Vm.sol";

/// Permit2's own code, as the local chain has it, in the place of the model's.
library RealPermit2 {
    address private constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    function place() internal {
        bytes memory model = PERMIT2.code;
        string memory file = vm.readFile("../src/devnet/data/permit2.json");
        vm.etch(PERMIT2, vm.parseJsonBytes(file, ".runtimeCode"));
        require(PERMIT2.code.length > model.length, "the real code is there");
    }
}

contract OrdersOfRealPermit2Test is OrdersTest {
    function setUp() public override {
        super.setUp();
        RealPermit2.place();
    }
}

contract SignaturesOfRealPermit2Test is SignaturesTest {
    function setUp() public override {
        super.setUp();
        RealPermit2.place();
    }
}

contract PayersOfRealPermit2Test is PayersTest {
    function setUp() public override {
        super.setUp();
        RealPermit2.place();
    }
}
