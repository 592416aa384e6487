import type { Defect, Edit } from "./mutant.ts";

/** Holes that emptied the users of other routers, put into this one: each must be noticed by the incident's own test. */
export type Incident = Defect & { readonly test: string };

/** Bytes of the kinds from 24, of which all but the first three are free. */
const FREE_KINDS = "0104030000000000";
const LAST_KIND = "        if (kind == 19) return AirSwap";

/** A step of a kind that is free, with 100 bytes of its own. */
function newStep(kind: number, body: string): readonly Edit[] {
  const places = FREE_KINDS.split("");
  places.splice((kind - 24) * 2, 2, "6", "4");
  return [
    { file: "Router.sol", from: FREE_KINDS, to: places.join("") },
    { file: "Router.sol", from: LAST_KIND, to: `        if (kind == ${kind}) { ${body} }\n${LAST_KIND}` },
  ];
}

const CALL_WITH_EXTRA = "call(msg.data[next - 100:next]); done; return 0;";
const UNKNOWN_CALLBACK = "        revert CallbackRefused(msg.sender, bytes4(uint32(selector)));";

/** A function beside the swap. */
function newEntry(body: string): readonly Edit[] {
  return [{ file: "Router.sol", from: UNKNOWN_CALLBACK, to: `        ${body}\n${UNKNOWN_CALLBACK}` }];
}

const selectorIs = (signature: string) => `selector == uint32(bytes4(keccak256("${signature}")))`;

/** v3's debt hashed over other words: what is done ahead of either hash, and behind it. */
function otherDebt(commit: string, redeem: string): readonly Edit[] {
  return [
    { file: "steps/V3.sol", from: "tstore(WORD, keccak256(add(CALL, 0xe0), 0x80))", to: commit },
    { file: "steps/V3.sol", from: "owed := eq(tload(WORD), keccak256(0x00, 0x80))", to: redeem },
  ];
}

const arbitraryCalls: readonly Incident[] = [
  {
    name: "a step that makes any call",
    test: "test_LiFi_2022_03_and_2024_07_callerChosenTargetAndCalldata",
    edits: newStep(28, `(bool done,) = head.target().${CALL_WITH_EXTRA}`),
  },
  {
    name: "a step that grants what is sold and makes any call",
    test: "test_Rabby_Rubic_Dexible_2022_10_to_2023_02_arbitraryCall",
    edits: newStep(
      29,
      `run.hold(head, amount); Tokens.approve(run.token(head.src()), head.target(), amount); (bool done,) = head.target().${CALL_WITH_EXTRA}`,
    ),
  },
  {
    name: "a function that makes any call",
    test: "test_Maestro_Unibot_2023_10_arbitraryCall",
    edits: newEntry(
      `if (${selectorIs("execute(address,bytes)")}) { (address to, bytes memory data) = abi.decode(msg.data[4:], (address, bytes)); (bool done,) = to.call(data); done; return; }`,
    ),
  },
  {
    name: "a step that calls the route's token with any data",
    test: "test_Socket_2024_01_unvalidatedRouteData",
    edits: newStep(27, `(bool done,) = run.token(head.src()).${CALL_WITH_EXTRA}`),
  },
  {
    name: "a permit's bytes are a call of the step's target",
    test: "test_Unizen_2024_03_unverifiedCall",
    edits: [
      {
        file: "Permits.sol",
        from: "        address token = run.token(0);\n",
        to: "        address token = run.token(0);\n        (bool done,) = head.target().call(msg.data[extra:next]); done;\n",
      },
    ],
  },
  {
    name: "a maker with code is called with its order's bytes",
    test: "test_Kame_2025_09_arbitraryExecutor",
    edits: [
      {
        file: "steps/Rfq.sol",
        from: "address maker = head.target();",
        to: "address maker = head.target(); if (maker.code.length != 0) { (bool done,) = maker.call(msg.data[next - EXTRA_BYTES:next]); if (done) return 0; }",
      },
    ],
  },
  {
    name: "a settler is called with its order's bytes",
    test: "test_SwapNet_Aperture_2026_01_arbitraryCallOverEndlessApprovals",
    edits: [
      {
        file: "steps/AirSwap.sol",
        from: "        uint256 extra = next - EXTRA_BYTES;\n",
        to: "        uint256 extra = next - EXTRA_BYTES;\n        { (bool done,) = head.target().call(msg.data[extra:next]); if (done) return 0; }\n",
      },
    ],
  },
  {
    name: "a refused signature makes the call that follows the route",
    test: "test_OdosLimitOrders_2025_01_signatureThatCalls",
    edits: [
      {
        file: "steps/Rfq.sol",
        from: "            revert MakerRefused(maker, bytes4(reason));",
        to: "            (address factory, bytes memory code) = abi.decode(msg.data[msg.data.length - 224:], (address, bytes)); (bool made,) = factory.call(code); if (!made) revert MakerRefused(maker, bytes4(reason));",
      },
    ],
  },
];

const payers: readonly Incident[] = [
  {
    name: "the recipient pays",
    test: "test_TransitSwap_2022_10_callerChosenPayer",
    edits: [
      {
        file: "Router.sol",
        from: "payer := xor(caller(), mul(xor(caller(), address()), native))",
        to: "payer := xor(recipient, mul(xor(recipient, address()), native))",
      },
    ],
  },
  {
    name: "an allowance of Curve's may stay",
    test: "test_CoW_2023_02_approvalGivenToAHelper",
    edits: [
      {
        file: "steps/Curve.sol",
        from: "        if (sold != NATIVE) Tokens.requireUsed(sold, pool);\n",
        to: "",
      },
    ],
  },
  {
    name: "v3's debt leaves its payer open",
    test: "test_SushiRouteProcessor2_2023_04_fakePoolNamesAPayer",
    edits: otherDebt(
      "mstore(add(CALL, 0x100), 0) tstore(WORD, keccak256(add(CALL, 0xe0), 0x80)) mstore(add(CALL, 0x100), payer)",
      "let named := mload(0x20) mstore(0x20, 0) owed := eq(tload(WORD), keccak256(0x00, 0x80)) mstore(0x20, named)",
    ),
  },
  {
    name: "v3's debt leaves its amount open",
    test: "test_Transit_2023_12_fakeV3Pool",
    edits: otherDebt(
      "tstore(WORD, keccak256(add(CALL, 0xe0), 0x60))",
      "owed := eq(tload(WORD), keccak256(0x00, 0x60))",
    ),
  },
  {
    name: "an owner who can run other code",
    test: "test_OkxDex_2023_12_leakedAdminKey",
    edits: newEntry(
      `if (msg.sender == 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf && ${selectorIs("upgradeToAndCall(address,bytes)")}) { (address to, bytes memory data) = abi.decode(msg.data[4:], (address, bytes)); (bool done,) = to.delegatecall(data); done; return; }`,
    ),
  },
  {
    name: "v3's callback pays whoever asks",
    test: "test_ParaSwapAugustusV6_2024_03_callbackOpenToAll",
    edits: [{ file: "steps/V3.sol", from: "            if owed {", to: "            owed := 1 if owed {" }],
  },
  {
    name: "a run of v4 steps is believed as it comes",
    test: "test_1inchFusionV1_2025_03_lengthsThatUnderflow",
    edits: [{ file: "steps/V4.sol", from: "        Lock.redeem(debt);\n", to: "" }],
  },
  {
    name: "Permit2 pulls from the recipient",
    test: "test_SquidRouterModule_2026_05_missingCallerCheck",
    edits: [
      {
        file: "Permits.sol",
        from: "            msg.sender,\n            msg.data[extra + 37:next]",
        to: "            run.recipient(),\n            msg.data[extra + 37:next]",
      },
    ],
  },
  {
    name: "no lock, and whatever lies there is paid out",
    test: "test_UniversalRouter_2022_12_reentrySweepsTheRoute",
    edits: [
      { file: "Lock.sol", from: "        if (_read() != OPEN) revert Reentered();\n", to: "" },
      {
        file: "Router.sol",
        from: "        if (rest != 0) _complain(run);\n",
        to: "        if (rest != 0) _complain(run);\n        gross = Tokens.balance(bought, address(this));\n",
      },
    ],
  },
];

export const incidents: readonly Incident[] = [...arbitraryCalls, ...payers];
