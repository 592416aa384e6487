import type { Defect, Edit } from "./mutant.ts";

/** A hole in how the lock keeps a debt, and the test that has to notice. */
const hole = (test: string, name: string, ...edits: readonly Edit[]): Defect => ({
  name: `${name} (${test})`,
  edits,
  test: `test_${test}`,
});

const AGAIN = "aPoolAsksAgainWhileItIsPaid";
const V3_PAID = "if and(and(eq(mload(0x00), 1), gt(returndatasize(), 0x1f)), done) { stop() }";
const IZISWAP_PAYS = "        Tokens.move(token, payer, msg.sender, amount);\n";
/** Ekubo's debt with the word that Balancer v3's ends with. */
const VAULTS_WORD: Edit = { file: "steps/Ekubo.sol", from: "KIND = 21;", to: "KIND = 0x37368056;" };

export const debts: readonly Defect[] = [
  hole(
    AGAIN,
    "v3's debt is open while it is paid",
    { file: "steps/V3.sol", from: "                tstore(WORD, RUNNING)\n", to: "" },
    { file: "steps/V3.sol", from: V3_PAID, to: `tstore(WORD, RUNNING)\n                ${V3_PAID}` },
  ),
  hole(AGAIN, "iZiSwap's debt is open while it is paid", {
    file: "steps/IZiSwap.sol",
    from: IZISWAP_PAYS,
    to: `        Lock.commit(debt);\n${IZISWAP_PAYS}        Lock.resume(debt);\n`,
  }),
  ...["aCoresDebtAskedAsAVaults", "aVaultsDebtAskedAsACores"].map((test) =>
    hole(test, "Ekubo's debt ends as Balancer v3's", VAULTS_WORD),
  ),
  hole(
    "aManagersDebtAskedAsARunOfSteps",
    "the debt of a run ends with the manager",
    { file: "steps/V4.sol", from: "add(size, 0x20)), not(manager))", to: "add(size, 0x20)), manager)" },
    { file: "steps/V4.sol", from: "add(size, 0x20)), not(caller()))", to: "add(size, 0x20)), caller())" },
  ),
  hole("whoIsPaidCannotSwap", "the lock opens ahead of the payout", {
    file: "Router.sol",
    from: "        out = _pay(run, bought, terms);\n",
    to: "        Lock.open();\n        out = _pay(run, bought, terms);\n",
  }),
];
