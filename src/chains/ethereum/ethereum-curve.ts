import type { Deployment } from "../../core/types.ts";
import { curveStableNgOf2023 } from "../shared/curve-stable-ng.ts";

/**
 * Curve's pools of the first registry on Ethereum, in the list format of the curve-stable protocol. They are listed
 * because no log announces them.
 *
 * @source curvefi/curve-contract contracts/pools, the file pooldata.json of each; not checked against the chain
 */
const classicPools = [
  "0xbebc44782c7db0a1a60cb6fe97d0b483032ff1c7 early 0x6b175474e89094c44da98b954eedeac495271d0f,0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48,0xdac17f958d2ee523a2206206994597c13d831ec7 lp=0x6c3f90f043a72fa612cbac8115ee7e52bde6e490",
  "0x4ca9b3063ec5866a4b82e437059d2c43d1be596f early 0x0316eb71485b0ab14103307bf65a021042c6d380,0x2260fac5e5542a773aa44fbcfedf7c193bc2c599 lp=0xb19059ebb43466c323583928285a49f558e572fd",
  "0x93054188d876f558f4a66b2ef1d97d16edf0895b early-int128 0xeb4c2781e4eba804ce9a9803c67d0893436bb27d,0x2260fac5e5542a773aa44fbcfedf7c193bc2c599 lp=0x49849c98ae39fff122806c06791fa73784fb3675",
  "0x7fc77b5c7614e1533320ea6ddc2eb61fa00a9714 early-int128 0xeb4c2781e4eba804ce9a9803c67d0893436bb27d,0x2260fac5e5542a773aa44fbcfedf7c193bc2c599,0xfe18be6b3bd88a2d2a7f928d00292e7a9963cfc6 lp=0x075b1bb99792c9e1041ba13afef80c91a1e70fb3",
  "0xa5407eae9ba41422680e2e00537571bcc53efbfd susd 0x6b175474e89094c44da98b954eedeac495271d0f,0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48,0xdac17f958d2ee523a2206206994597c13d831ec7,0x57ab1ec28d129707052df4df418d58a2d46d5f51 lp=0xc25a3a3b969415c80451098fa907ec722572917f",
  "0xa2b47e3d5c44877cca798226b7b8118f9bfb7a56 compound 0x5d3a536e4d6dbd6114cc1ead35777bab948e3643,0x39aa39c021dfbae8fac545936693ac917d5e7563/0x6b175474e89094c44da98b954eedeac495271d0f,0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48 lp=0x845838df265dcd2c412a1dc9e959c7d08537f8a2",
  "0x45f783cce6b7ff23b2ab2d70e416cdb7d6055f51 y 0x16de59092dae5ccf4a1e6439d611fd0653f0bd01,0xd6ad7a6750a7593e092a9b218d66c0a814a3436e,0x83f798e925bcd4017eb265844fddabb448f1707d,0x73a052500105205d34daf004eab301916da8190f/0x6b175474e89094c44da98b954eedeac495271d0f,0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48,0xdac17f958d2ee523a2206206994597c13d831ec7,0x0000000000085d4780b73119b644ae5ecd22b376 lp=0xdf5e0e81dff6faf3a7e52ba697820c5e32d806a8",
  "0x79a8c46dea5ada233abaffd40f3a0a2b1e5a4f27 y 0xc2cb1040220768554cf699b0d863a3cd4324ce32,0x26ea744e5b887e5205727f55dfbe8685e3b21951,0xe6354ed5bc4b393a5aad09f21c46e101e692d447,0x04bc0ab673d88ae9dbc9da2380cb6b79c4bca9ae/0x6b175474e89094c44da98b954eedeac495271d0f,0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48,0xdac17f958d2ee523a2206206994597c13d831ec7,0x4fabb145d64652a948d72533023f6e7a623c7c53 lp=0x3b3ac5386837dc563660fb6a0937dfaa5924333b",
  "0x2dded6da1bf5dbdf597c45fcfaa3194e53ecfeaf ib 0x8e595470ed749b85c6f7669de83eae304c2ec68f,0x76eb2fe28b36b3ee97f3adae0c69606eedb2a37c,0x48759f220ed983db51fa7a8c0d2aab8f3ce4166a/0x6b175474e89094c44da98b954eedeac495271d0f,0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48,0xdac17f958d2ee523a2206206994597c13d831ec7 lp=0x5282a4ef67d9c33135340fb3289cc1711c13638c",
  "0xdc24316b9ae028f1497c275eb9192a3ea0f67022 steth 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee,0xae7ab96520de3a18e5e111b5eaab095312d7fe84 lp=0x06325440d014e39736583c165c2963ba99faf14e",
  "0xdebf20617708857ebe4f679508e7b7863a8a8eee aave 0x028171bca77440897b824ca71d1c56cac55b68a3,0xbcca60bb61934080951369a648fb03df4f96263c,0x3ed3b47dd13ec9a98b44e6204a523e766b225811/0x6b175474e89094c44da98b954eedeac495271d0f,0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48,0xdac17f958d2ee523a2206206994597c13d831ec7 lp=0xfd2a8fa60abd58efe3eee34dd494cd491dc14900",
  "0xeb16ae0052ed37f479f7fe63849198df1765a733 aave 0x028171bca77440897b824ca71d1c56cac55b68a3,0x6c5024cd4f8a59110119c56f8933403a539555eb/0x6b175474e89094c44da98b954eedeac495271d0f,0x57ab1ec28d129707052df4df418d58a2d46d5f51 lp=0x02d341ccb60faaf662bc0554d13778015d1b285c",
  "0x0ce6a5ff5217e38315f87032cf90686c96627caa base 0xdb25f211ab05b1c97d595516f45794528a807ad8,0xd71ecff9342a5ced620049e616c5035f1db98620 lp=0x194ebd173f6cdace046c53eacce9b953f28411d1",
  "0xc5424b857f758e906013f3555dad202e4bdb4567 base 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee,0x5e74c9036fb86bd7ecdcb084a0673efc32ea31cb lp=0xa3d87fffce63b53e0d54faa1cc983b7eb0b74a9c",
  "0xf178c0b5bb7e7abf4e12a4838c7b7c5ba2c623c0 base 0x514910771af9ca656af840dff83e8264ecf986ca,0xbbc455cb4f1b9e4bfc4b73970d360c8f032efee6 lp=0xcee60cfa923170e4f8204ae08b4fa6a3f5656f3a",
  "0x4f062658eaaf2c1ccf8c8e36d6824cdf41167956 meta 0x056fd409e1d7a124bd7017459dfea2f387b6d5cd,0x6c3f90f043a72fa612cbac8115ee7e52bde6e490/0x6b175474e89094c44da98b954eedeac495271d0f,0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48,0xdac17f958d2ee523a2206206994597c13d831ec7 base=0xbebc44782c7db0a1a60cb6fe97d0b483032ff1c7 lp=0xd2967f45c4f384deea880f807be904762a3dea07",
  "0x3ef6a01a0f81d6046290f3e2a8c5b843e738e604 meta 0xdf574c24545e5ffecb9a659c229253d4111d87e1,0x6c3f90f043a72fa612cbac8115ee7e52bde6e490/0x6b175474e89094c44da98b954eedeac495271d0f,0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48,0xdac17f958d2ee523a2206206994597c13d831ec7 base=0xbebc44782c7db0a1a60cb6fe97d0b483032ff1c7 lp=0x5b5cfe992adac0c9d48e05854b2d91c73a003858",
  "0x3e01dd8a5e1fb3481f0f589056b428fc308af0fb meta 0x1c48f86ae57291f7686349f12601910bd8d470bb,0x6c3f90f043a72fa612cbac8115ee7e52bde6e490/0x6b175474e89094c44da98b954eedeac495271d0f,0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48,0xdac17f958d2ee523a2206206994597c13d831ec7 base=0xbebc44782c7db0a1a60cb6fe97d0b483032ff1c7 lp=0x97e2768e8e73511ca874545dc5ff8067eb19b787",
  "0x0f9cb53ebe405d49a0bbdbd291a65ff571bc83e1 meta 0x674c6ad92fd080e4004b2312b45f796a192d27a0,0x6c3f90f043a72fa612cbac8115ee7e52bde6e490/0x6b175474e89094c44da98b954eedeac495271d0f,0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48,0xdac17f958d2ee523a2206206994597c13d831ec7 base=0xbebc44782c7db0a1a60cb6fe97d0b483032ff1c7 lp=0x4f3e8f405cf5afc05d68142f3783bdfe13811522",
  "0xe7a24ef0c5e95ffb0f6684b813a78f2a3ad7d171 meta 0x0e2ec54fc0b509f445631bf4b91ab8168230c752,0x6c3f90f043a72fa612cbac8115ee7e52bde6e490/0x6b175474e89094c44da98b954eedeac495271d0f,0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48,0xdac17f958d2ee523a2206206994597c13d831ec7 base=0xbebc44782c7db0a1a60cb6fe97d0b483032ff1c7 lp=0x6d65b498cb23deaba52db31c93da9bffb340fb8f",
  "0x8474ddbe98f5aa3179b3b3f5942d724afcdec9f6 meta 0xe2f2a5c287993345a840db3b0845fbc70f5935a5,0x6c3f90f043a72fa612cbac8115ee7e52bde6e490/0x6b175474e89094c44da98b954eedeac495271d0f,0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48,0xdac17f958d2ee523a2206206994597c13d831ec7 base=0xbebc44782c7db0a1a60cb6fe97d0b483032ff1c7 lp=0x1aef73d49dedc4b1778d0706583995958dc862e6",
  "0xc18cc39da8b11da8c3541c598ee022258f9744da meta 0x196f4727526ea7fb1e17b2071b3d8eaa38486988,0x6c3f90f043a72fa612cbac8115ee7e52bde6e490/0x6b175474e89094c44da98b954eedeac495271d0f,0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48,0xdac17f958d2ee523a2206206994597c13d831ec7 base=0xbebc44782c7db0a1a60cb6fe97d0b483032ff1c7 lp=0xc2ee6b0334c261ed60c72f6054450b61b8f18e35",
  "0x8038c01a0390a8c547446a0b2c18fc9aefecc10c meta 0x5bc25f649fc4e26069ddf4cf4010f9f706c23831,0x6c3f90f043a72fa612cbac8115ee7e52bde6e490/0x6b175474e89094c44da98b954eedeac495271d0f,0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48,0xdac17f958d2ee523a2206206994597c13d831ec7 base=0xbebc44782c7db0a1a60cb6fe97d0b483032ff1c7 lp=0x3a664ab939fd8482048609f652f9a0b0677337b9",
  "0x42d7025938bec20b69cbae5a77421082407f053a meta 0x1456688345527be1f37e9e627da0837d6f08c925,0x6c3f90f043a72fa612cbac8115ee7e52bde6e490/0x6b175474e89094c44da98b954eedeac495271d0f,0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48,0xdac17f958d2ee523a2206206994597c13d831ec7 base=0xbebc44782c7db0a1a60cb6fe97d0b483032ff1c7 lp=0x7eb40e450b9655f4b3cc4259bcc731c63ff55ae6",
  "0x890f4e345b1daed0367a877a1612f86a1f86985f meta 0xa47c8bf37f92abed4a126bda807a7b7498661acd,0x6c3f90f043a72fa612cbac8115ee7e52bde6e490/0x6b175474e89094c44da98b954eedeac495271d0f,0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48,0xdac17f958d2ee523a2206206994597c13d831ec7 base=0xbebc44782c7db0a1a60cb6fe97d0b483032ff1c7 lp=0x94e131324b6054c0d789b190b2dac504e4361b53",
  "0xc25099792e9349c7dd09759744ea681c7de2cb66 meta 0x8daebade922df735c38c80c7ebd708af50815faa,0x075b1bb99792c9e1041ba13afef80c91a1e70fb3/0xeb4c2781e4eba804ce9a9803c67d0893436bb27d,0x2260fac5e5542a773aa44fbcfedf7c193bc2c599,0xfe18be6b3bd88a2d2a7f928d00292e7a9963cfc6 base=0x7fc77b5c7614e1533320ea6ddc2eb61fa00a9714 lp=0x64eda51d3ad40d56b9dfc5554e06f94e1dd786fd",
  "0x071c661b4deefb59e2a3ddb20db036821eee8f4b meta 0x9be89d2a4cd102d8fecc6bf9da793be995c22541,0x075b1bb99792c9e1041ba13afef80c91a1e70fb3/0xeb4c2781e4eba804ce9a9803c67d0893436bb27d,0x2260fac5e5542a773aa44fbcfedf7c193bc2c599,0xfe18be6b3bd88a2d2a7f928d00292e7a9963cfc6 base=0x7fc77b5c7614e1533320ea6ddc2eb61fa00a9714 lp=0x410e3e86ef427e30b9235497143881f717d93c2a",
  "0xd81da8d904b52208541bade1bd6595d8a251f8dd meta 0x8064d9ae6cdf087b1bcd5bdf3531bd5d8c537a68,0x075b1bb99792c9e1041ba13afef80c91a1e70fb3/0xeb4c2781e4eba804ce9a9803c67d0893436bb27d,0x2260fac5e5542a773aa44fbcfedf7c193bc2c599,0xfe18be6b3bd88a2d2a7f928d00292e7a9963cfc6 base=0x7fc77b5c7614e1533320ea6ddc2eb61fa00a9714 lp=0x2fe94ea3d5d4a175184081439753de15aef9d614",
  "0x7f55dde206dbad629c080068923b36fe9d6bdbef meta 0x5228a22e72ccc52d415ecfd199f99d0665e7733b,0x075b1bb99792c9e1041ba13afef80c91a1e70fb3/0xeb4c2781e4eba804ce9a9803c67d0893436bb27d,0x2260fac5e5542a773aa44fbcfedf7c193bc2c599,0xfe18be6b3bd88a2d2a7f928d00292e7a9963cfc6 base=0x7fc77b5c7614e1533320ea6ddc2eb61fa00a9714 lp=0xde5331ac4b3630f94853ff322b66407e0d6331e8",
].join(";");

/**
 * Saddle's pools of plain coins on Ethereum. A pool whose own coins differ from these is refused when it is read.
 *
 * @source saddle-finance/saddle-contract at 2cfdd05: deployments/mainnet, deploy/mainnet; coins by the symbols there
 */
const saddlePools = [
  "0xacb83e0633d6605c5001e2ab59ef3c745547c8c7 saddle 0x6b175474e89094c44da98b954eedeac495271d0f,0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48,0xdac17f958d2ee523a2206206994597c13d831ec7",
  "0x101cd330d088634b6f64c2eb4276e63bf1bbfde3 saddle 0x6b175474e89094c44da98b954eedeac495271d0f,0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48,0xdac17f958d2ee523a2206206994597c13d831ec7,0x853d955acef822db058eb8505911ed77f175b99e",
  "0x13cc34aa8037f722405285ad2c82fe570bfa2bdc saddle 0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48,0x853d955acef822db058eb8505911ed77f175b99e",
  "0xc69ddcd4dfef25d8a793241834d4cc4b3668ead6 saddle 0xbc6da0fe9ad5f3b0d58160288917aa56653660e9,0x956f47f50a910163d8bf957cf5846d573e7f87ca,0x853d955acef822db058eb8505911ed77f175b99e,0x5f98805a4e8be255a32880fdec7f6728c6568ba0",
  "0xa6018520eaacc06c30ff2e1b3ee2c7c22e64196a saddle 0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2,0x0100546f2cd4c9d97f798ffc9755e47865ff7ee6,0x5e74c9036fb86bd7ecdcb084a0673efc32ea31cb",
  "0xdf3309771d2bf82cb2b6c56f9f5365c8bd97c4f2 saddle 0x2260fac5e5542a773aa44fbcfedf7c193bc2c599,0xeb4c2781e4eba804ce9a9803c67d0893436bb27d,0xfe18be6b3bd88a2d2a7f928d00292e7a9963cfc6",
].join(";");

const THREE_POOL = "base=0xbebc44782c7db0a1a60cb6fe97d0b483032ff1c7";
const SBTC = "base=0x7fc77b5c7614e1533320ea6ddc2eb61fa00a9714";
const REN = "base=0x93054188d876f558f4a66b2ef1d97d16edf0895b";

/**
 * Implementation contracts that the factory of 2021 clones, with the kind of each. Pools with oracle rates, and
 * metapools over pools that are not in the list above, are left out.
 *
 * @source implementations by address in curvefi/curve-js src/constants/abis (names of their ABIs) and in two other
 * public repositories, which agree; the first two metapools also in curvefi/curve-factory contracts/Factory.vy; not
 * checked against the chain
 */
const factoryContracts = [
  "0x6523ac15ec152cb70a334230f6c5d62c5bd963f1 plain-2",
  "0x24d937143d3f5cf04c72ba112735151a8cae2262 plain-2-balances",
  "0x6326debbaa15bcfe603d831e7d75f4fc10d9b43e plain-2",
  "0x4a4d7868390ef5cac51cda262888f34bd3025c3f plain-2",
  "0xc629a01ec23ab04e1050500a3717a2a5c0701497 plain-2",
  "0x94b4dfd9ba5865cc931195c99a2db42f3fc5d45b plain-2",
  "0x9b52f13df69d79ec5aab6d1ace3157d29b409cc3 base",
  "0x50b085f2e5958c4a87baf93a8ab79f6bec068494 base-balances",
  "0x8c1ab78601c259e1b43f19816923609dc7d7de9b base",
  "0xe5f4b89e0a16578b3e0e7581327bdb4c712e44de base",
  "0x5bd47ea4494e0f8de6e3ca10f1c05f55b72466b8 base",
  "0xd35b58386705ce75ce6d09842e38e9be9cde5bf6 base-balances",
  "0x88855cdf2b0a8413d470b86952e726684de915be base",
  "0xad4753d045d3aed5c1a6606dfb6a7d7ad67c1ad7 base",
  `0x5f890841f657d90e081babdb532a05996af79fe6 meta-factory ${THREE_POOL}`,
  `0x2f956eee002b0debd468cf2e0490d1aec65e027f meta-factory ${SBTC}`,
  `0x213be373fdff327658139c7df330817dad2d5bbe meta-factory ${THREE_POOL}`,
  `0x55aa9bf126bcabf0bdc17fa9e39ec9239e1ce7a9 meta-factory-balances ${THREE_POOL}`,
  `0xc6a8466d128fbfd34ada64a9fffce325d57c9a52 meta-factory ${SBTC}`,
  `0xc4c78b08fa0c3d0a312605634461a88184ecd630 meta-factory-balances ${SBTC}`,
  `0xecaaecd9d2193900b424774133b1f51ae0f29d9e meta-factory ${REN}`,
  `0x40fd58d44cfe63e8517c9bb3ac98676838ea56a8 meta-factory-balances ${REN}`,
].join(";");

/** Curve's deployments on Ethereum, and those of forks of its pools. */
export const curveOnEthereum: readonly Deployment[] = [
  curveStableNgOf2023("0x6a8cbed756804b16e05e741edabd5cb544ae21bf", [
    "0x3e3b5f27bbf5cc967e074b70e9f4046e31663181",
    "0x933f4769dcc27fc7345d9d5975ae48ec4d0f829c",
  ]),
  {
    id: "curve-factory",
    protocol: "curve-stable",
    name: "Curve_Factory",
    factory: "0xb9fc157394af804a3578134a6585c0dc9cc990d4",
    fromBlock: undefined,
    trusted: false,
    facts: { factory: "classic", implementations: factoryContracts },
    source:
      "curvefi/curve-js and several public repositories agree; its logs announce no pool; not checked against the chain",
  },
  {
    id: "curve-crvusd-factory",
    protocol: "curve-stable",
    name: "Curve_Factory_crvUSD",
    factory: "0x4f8846ae9380b90d2e71d5e3d042dff3e7ebb40d",
    fromBlock: undefined,
    trusted: false,
    facts: {
      factory: "classic",
      implementations:
        "0x67fe41a94e779ccfa22cff02cc2957dc9c0e4286 plain-2; 0x7ca46a636b02d4abc66883d7ff164bde506dc66a plain-2-balances",
    },
    source:
      "curvefi/curve-js; the contract is curvefi/curve-stablecoin factory/StableswapFactory.vy; its logs announce no pool; not checked against the chain",
  },
  {
    id: "curve-tricrypto-ng",
    protocol: "curve-crypto",
    name: "Curve_Tricrypto_NG",
    factory: "0x0c0e5f2ff0ff18a3be9b835635039256dc4b4963",
    fromBlock: 17_371_439,
    trusted: true,
    facts: { factory: "tricrypto-ng" },
    source:
      "two public sources: Curve's developer documentation and a public indexer's configuration, which tells the first block; not checked against the chain",
  },
  {
    id: "curve-twocrypto-ng",
    protocol: "curve-crypto",
    name: "Curve_Twocrypto_NG",
    factory: "0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f",
    fromBlock: 18_867_338,
    trusted: true,
    facts: { factory: "twocrypto-ng" },
    source:
      "two public sources: Curve's developer documentation and a public indexer's configuration, which tells the first block; not checked against the chain",
  },
  {
    id: "curve",
    protocol: "curve-stable",
    name: "Curve",
    factory: "0x0000000022d53366457f9d5e68ec105046fc4383",
    fromBlock: undefined,
    trusted: false,
    facts: { pools: classicPools },
    source:
      "curvefi/curve-contract contracts/pools/*/pooldata.json (MIT, addresses only); the factory is the address provider, whose logs announce no pool; not checked against the chain",
  },
  {
    id: "crvusd",
    protocol: "curve-llamma",
    name: "crvUSD",
    factory: "0xc9332fdcb1c491dcc683bae86fe3cb70360738bc",
    fromBlock: 17_257_955,
    trusted: true,
    facts: { stablecoin: "0xf939e0a03fb07f59a73314e73794be0e57ac1b4e" },
    source:
      "Curve's developer documentation and several public repositories agree, one of them on the first block; not checked against the chain",
  },
  {
    id: "curve-lending",
    protocol: "curve-llamma",
    name: "Curve_Lending",
    factory: "0xea6876dde9e3467564acbee1ed5bac88783205e0",
    fromBlock: 17_257_955,
    trusted: false,
    facts: {},
    source:
      "addresses agree in several public repositories; no older than the stablecoin it lends; not checked against the chain",
  },
  {
    id: "curve-lending-v2",
    protocol: "curve-llamma",
    name: "Curve_Lending_V2",
    factory: "0x8f6b56ec5ddf1f2691a1059f1d3cd97ac9eab0bd",
    fromBlock: 25_400_000,
    trusted: false,
    facts: {},
    source:
      "curvefi/curve-stablecoin cf1d05fb deployments/llamalend/ethereum/factory.jsonc; no older than a block some weeks before the day that it tells; not checked against the chain",
  },
  {
    id: "saddle",
    protocol: "curve-stable",
    name: "Saddle",
    factory: "0xfb4de84c4375d7c8577327153de88f58f69eec81",
    fromBlock: undefined,
    trusted: false,
    facts: { pools: saddlePools },
    source:
      "saddle-finance/saddle-contract at 2cfdd05 (MIT); the factory is its registry, whose logs are not read; not checked against the chain",
  },
];
