import type { Defect, Edit } from "./mutant.ts";

/** A hostile contract of `test/takers`, the hole that it gets in by, and the test that has to notice. */
const hole = (test: string, name: string, edit: Edit): Defect => ({
  name: `${name} (${test})`,
  edits: [edit],
  test: `test_${test}`,
});

const inStep = (file: string, from: string, to = ""): Edit => ({ file: `steps/${file}.sol`, from, to });

const minimum: Edit = {
  file: "Router.sol",
  from: "if (out <= minOut - 1) _refuse(minOut);",
  to: "if (false) _refuse(minOut);",
};
/** Whatever the recipient is paid from elsewhere while the swap runs then counts as paid by the route. */
const early: Edit = {
  file: "Router.sol",
  from: "        run.start(amountIn);\n",
  to: `        run.start(amountIn);
        uint256 early = Tokens.balance(bought, run.recipient());
        assembly ("memory-safe") {
            mstore(add(run, 0xc0), not(early))
        }
`,
};
const wraps: Edit = { file: "Run.sol", from: "if (wraps) revert BadAnswer(head.target());", to: "" };
const anyV3Debt = inStep("V3", "if owed {", "if 1 {");
const anyOwedDebt = inStep("Owed", "eq(tload(WORD), RUNNING)", "1");

const EARLY = "the balance before is read at the start";
const WRAPS = "a sum wraps around";
const ASKED = "v3's callback pays whoever asks";
const STANDS = "an allowance may stay";
const UNPAID = "a debt may stay open";

export const rogues: readonly Defect[] = [
  hole("hostilePair", "no minimum", minimum),
  hole("hostilePairOfAFeeToken", EARLY, early),
  hole("hostileSolidlyPair", WRAPS, wraps),
  hole("hostileV3Pool", ASKED, anyV3Debt),
  hole("hostileAlgebraPool", UNPAID, inStep("V3", "eq(tload(WORD), RUNNING)", "1")),
  hole(
    "hostileV4Manager",
    "a debt is not checked",
    inStep("V4", "if (!owed) revert CallbackRefused(msg.sender, msg.sig);"),
  ),
  hole(
    "hostileV4ManagerInARun",
    "registers are believed",
    inStep("V4", "if (!Lock.resume(result)) revert NotTaken(manager);", "Lock.resume(result);"),
  ),
  hole("hostileV4Hook", ASKED, anyV3Debt),
  hole("hostileBalancerV2Vault", STANDS, inStep("BalancerV2", "Tokens.requireUsed(sold, vault);")),
  hole(
    "hostileBalancerV3Vault",
    UNPAID,
    inStep("BalancerV3", "if (!Lock.isRedeemed()) revert NotTaken(vault);"),
  ),
  hole(
    "hostileBuffer",
    "a debt is not checked",
    inStep("BalancerV3", "Lock.redeem(_debt(order, msg.sender));", "Lock.resume(_debt(order, msg.sender));"),
  ),
  hole("hostileCurvePool", STANDS, inStep("Curve", "if (sold != NATIVE) Tokens.requireUsed(sold, pool);")),
  hole("hostileDodoPool", WRAPS, wraps),
  hole("hostileClassicalDodoPool", STANDS, inStep("Dodo", "Tokens.requireUsed(base, pool);")),
  hole("hostileOldBook", WRAPS, wraps),
  hole("hostileBook", EARLY, early),
  hole("hostileWooPool", WRAPS, wraps),
  hole("hostileMaverickPool", UNPAID, anyOwedDebt),
  hole("hostileMaverickV2Pool", WRAPS, wraps),
  hole(
    "hostileIZiSwapPool",
    "iZiSwap's callback pays whoever asks",
    inStep("IZiSwap", "Lock.redeem(debt);", "Lock.resume(debt);"),
  ),
  hole("hostileConverter", STANDS, inStep("Converter", "Tokens.requireUsed(sold, converter);")),
  hole("hostileFluidPool", STANDS, inStep("Fluid", "if (value == 0) Tokens.requireUsed(sold, pool);")),
  hole("hostileFluidLite", STANDS, inStep("FluidLite", "if (value == 0) Tokens.requireUsed(sold, dex);")),
  hole(
    "hostileInfinityVault",
    "a debt is not checked",
    inStep("V4", "if (!owed) revert CallbackRefused(msg.sender, msg.sig);"),
  ),
  hole("hostileSettler", STANDS, inStep("AirSwap", "Tokens.requireUsed(sold, settler);")),
  hole("hostileEkuboCore", UNPAID, inStep("Ekubo", "if (!Lock.isRedeemed()) revert NotTaken(core);")),
  hole("hostileVault", STANDS, inStep("Erc4626", "Tokens.requireUsed(sold, address(vault));")),
  hole("hostileWrapper", STANDS, inStep("Erc4626", "Tokens.requireUsed(sold, wrapper);")),
  hole("hostileTokenBetweenPairs", EARLY, early),
  hole("hostileTokenBetweenPools", EARLY, early),
  hole("hostileTokenSold", EARLY, early),
  hole("hostileTokenBought", ASKED, anyV3Debt),
];
