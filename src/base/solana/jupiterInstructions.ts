import { accountRoles, type ArgumentLayout, type InstructionLayout } from './instructionCodec';

// Facts of the Jupiter v6 program ("aggregator_v6"), written from its published IDL: the instructions that swap, and the
// ways of swapping that a route may name, in the order in which the program numbers them.

type Variant = readonly [string, readonly ArgumentLayout[]];

const SIDE: ArgumentLayout = { enum: [['Bid', []], ['Ask', []]] };
const EXTRA_ACCOUNTS: ArgumentLayout = { struct: [['slices', { vec: { struct: [['accounts_type', 'u8'], ['length', 'u8']] } }]] };
const OPTIONAL_EXTRA_ACCOUNTS: ArgumentLayout = { option: EXTRA_ACCOUNTS };
const LST_SWAP: readonly ArgumentLayout[] = ['u8', 'u8', 'u32', 'u32'];

const HYLO_SWAP: ArgumentLayout = {
  enum: [
    ['MintStable', []], ['RedeemStable', []], ['MintLever', []], ['RedeemLever', []], ['SwapStableToLever', []],
    ['SwapLeverToStable', []], ['StabilityPoolDeposit', []], ['StabilityPoolWithdraw', []],
  ],
};

const CANDIDATE_SWAP: ArgumentLayout = {
  enum: [
    ['HumidiFi', ['u64', 'bool']], ['TesseraV', [SIDE]], ['HumidiFiV2', ['u64', 'bool']], ['RaydiumV2', []], ['RaydiumClmm', []],
    ['Whirlpool', ['bool']], ['ZeroFi', []], ['BisonFiV2', ['bool']], ['GoonFiV2', ['bool']], ['GoonFiV3', ['bool']],
    ['WhirlpoolV2', ['bool', OPTIONAL_EXTRA_ACCOUNTS]], ['ZeroFiSwapV2', []],
  ],
};

const SWAP_VARIANTS: readonly Variant[] = [
  ['Saber', []], ['SaberAddDecimalsDeposit', []], ['SaberAddDecimalsWithdraw', []], ['TokenSwap', []], ['Sencha', []], ['Step', []],
  ['Cropper', []], ['Raydium', []], ['Crema', ['bool']], ['Lifinity', []], ['Mercurial', []], ['Cykura', []], ['Serum', [SIDE]],
  ['MarinadeDeposit', []], ['MarinadeUnstake', []], ['Aldrin', [SIDE]], ['AldrinV2', [SIDE]], ['Whirlpool', ['bool']],
  ['Invariant', ['bool']], ['Meteora', []], ['GooseFX', []], ['DeltaFi', ['bool']], ['Balansol', []], ['MarcoPolo', ['bool']],
  ['Dradex', [SIDE]], ['LifinityV2', []], ['RaydiumClmm', []], ['Openbook', [SIDE]], ['Phoenix', [SIDE]], ['Symmetry', ['u64', 'u64']],
  ['TokenSwapV2', []], ['HeliumTreasuryManagementRedeemV0', []], ['StakeDexStakeWrappedSol', []], ['StakeDexSwapViaStake', ['u32']],
  ['GooseFXV2', []], ['Perps', []], ['PerpsAddLiquidity', []], ['PerpsRemoveLiquidity', []], ['MeteoraDlmm', []], ['OpenBookV2', [SIDE]],
  ['RaydiumClmmV2', []], ['StakeDexPrefundWithdrawStakeAndDepositStake', ['u32']], ['Clone', ['u8', 'bool', 'bool']],
  ['SanctumS', LST_SWAP], ['SanctumSAddLiquidity', ['u8', 'u32']], ['SanctumSRemoveLiquidity', ['u8', 'u32']], ['RaydiumCP', []],
  ['WhirlpoolSwapV2', ['bool', OPTIONAL_EXTRA_ACCOUNTS]], ['OneIntro', []], ['PumpWrappedBuy', []], ['PumpWrappedSell', []],
  ['PerpsV2', []], ['PerpsV2AddLiquidity', []], ['PerpsV2RemoveLiquidity', []], ['MoonshotWrappedBuy', []], ['MoonshotWrappedSell', []],
  ['StabbleStableSwap', []], ['StabbleWeightedSwap', []], ['Obric', ['bool']], ['FoxBuyFromEstimatedCost', []],
  ['FoxClaimPartial', ['bool']], ['SolFi', ['bool']], ['SolayerDelegateNoInit', []], ['SolayerUndelegateNoInit', []],
  ['TokenMill', [SIDE]], ['DaosFunBuy', []], ['DaosFunSell', []], ['ZeroFi', []], ['StakeDexWithdrawWrappedSol', []], ['VirtualsBuy', []],
  ['VirtualsSell', []], ['Perena', ['u8', 'u8']], ['PumpSwapBuy', []], ['PumpSwapSell', []], ['Gamma', []],
  ['MeteoraDlmmSwapV2', [EXTRA_ACCOUNTS]], ['Woofi', []], ['MeteoraDammV2', []], ['MeteoraDynamicBondingCurveSwap', []],
  ['StabbleStableSwapV2', []], ['StabbleWeightedSwapV2', []], ['RaydiumLaunchlabBuy', ['u64']], ['RaydiumLaunchlabSell', ['u64']],
  ['BoopdotfunWrappedBuy', []], ['BoopdotfunWrappedSell', []], ['Plasma', [SIDE]], ['GoonFi', ['bool', 'u8']],
  ['HumidiFi', ['u64', 'bool']], ['MeteoraDynamicBondingCurveSwapWithRemainingAccounts', []], ['TesseraV', [SIDE]],
  ['PumpWrappedBuyV2', []], ['PumpWrappedSellV2', []], ['PumpSwapBuyV2', []], ['PumpSwapSellV2', []], ['Heaven', ['bool']],
  ['SolFiV2', ['bool']], ['Aquifer', []], ['PumpWrappedBuyV3', []], ['PumpWrappedSellV3', []], ['PumpSwapBuyV3', []],
  ['PumpSwapSellV3', []], ['JupiterLendDeposit', []], ['JupiterLendRedeem', []], ['DefiTuna', ['bool', OPTIONAL_EXTRA_ACCOUNTS]],
  ['AlphaQ', ['bool']], ['RaydiumV2', []], ['SarosDlmm', ['bool']], ['Futarchy', [SIDE]], ['MeteoraDammV2WithRemainingAccounts', []],
  ['Obsidian', []], ['WhaleStreet', [SIDE]], ['DynamicV1', [{ vec: CANDIDATE_SWAP }, { option: 'u8' }]], ['PumpWrappedBuyV4', []],
  ['PumpWrappedSellV4', []], ['CarrotIssue', []], ['CarrotRedeem', []], ['Manifest', [SIDE]], ['BisonFi', ['bool']],
  ['HumidiFiV2', ['u64', 'bool']], ['PerenaStar', ['bool']], ['JupiterRfqV2', [SIDE, 'bytes']], ['GoonFiV2', ['bool']],
  ['Scorch', ['u128']], ['VaultLiquidUnstake', [{ array: ['u64', 5] }, 'u64']], ['XOrca', []], ['Quantum', [SIDE]],
  ['WhaleStreetV2', [SIDE, 'u64', 'u64']], ['Riptide', ['bool']], ['RunnerRodeo', []], ['TaurusFi', ['bool']], ['Omnipair', []],
  ['MSwap', []], ['Hylo', [HYLO_SWAP]], ['VoltrDeposit', []], ['VoltrWithdraw', []], ['SanctumSV2', LST_SWAP], ['LemmingsFi', ['bool']],
  ['ScaleVmmBuy', []], ['ScaleVmmSell', []], ['ScaleAmmBuy', []], ['ScaleAmmSell', []], ['BisonFiV2', ['bool']], ['Trends', []],
  ['HumaDeposit', []], ['HumaInstantWithdraw', []], ['Kipseli', ['bool']],
  ['DynamicV2', [{ vec: { struct: [['candidate_swap', CANDIDATE_SWAP], ['bps', 'u32']] } }, 'u8', 'u8']],
  ['PumpSwapBuyV3WithCashbackClaim', []], ['PumpSwapSellV3WithCashbackClaim', []], ['PumpWrappedBuyV4WithCashbackClaim', []],
  ['PumpWrappedSellV4WithCashbackClaim', []], ['GoonFiV3', ['bool']], ['PumpWrappedBuyV5', ['bool']], ['PumpWrappedSellV5', ['bool']],
  ['ZeroFiSwapV2', []], ['BisonFiPredict', [{ enum: [['Yes', []], ['No', []]] }, 'bool']], ['ByrealDynamicV3', []],
  ['Flux', ['u64', 'bool']], ['VaultLiquidSellLst', []], ['VaultLiquidBuyLst', ['u64']], ['KipseliV2', ['bool']],
  ['Deriverse', [SIDE, 'u32']], ['Hadron', ['bool']], ['BinaryFi', []], ['Metric', ['bool']],
];

const SWAP: ArgumentLayout = { enum: SWAP_VARIANTS };

/** A plan whose steps take shares in percent. */
const PLAN: readonly [string, ArgumentLayout] = [
  'route_plan',
  { vec: { struct: [['swap', SWAP], ['percent', 'u8'], ['input_index', 'u8'], ['output_index', 'u8']] } },
];

/** A plan whose steps take shares in basis points. */
const PLAN_V2: readonly [string, ArgumentLayout] = [
  'route_plan',
  { vec: { struct: [['swap', SWAP], ['bps', 'u16'], ['input_index', 'u8'], ['output_index', 'u8']] } },
];

type Args = InstructionLayout['args'];

const ID: Args = [['id', 'u8']];
const EXACT_IN: Args = [['in_amount', 'u64'], ['quoted_out_amount', 'u64']];
const LEDGER_IN: Args = [['quoted_out_amount', 'u64']];
const EXACT_OUT: Args = [['out_amount', 'u64'], ['quoted_in_amount', 'u64']];
const LIMITS: Args = [['slippage_bps', 'u16'], ['platform_fee_bps', 'u8']];
const LIMITS_V2: Args = [['slippage_bps', 'u16'], ['platform_fee_bps', 'u16'], ['positive_slippage_bps', 'u16']];

const v1 = (...amounts: readonly Args[]): Args => [PLAN, ...amounts.flat(), ...LIMITS];
const v1Shared = (...amounts: readonly Args[]): Args => [...ID, ...v1(...amounts)];
const v2 = (...amounts: readonly Args[]): Args => [...amounts.flat(), ...LIMITS_V2, PLAN_V2];

const OWN_ACCOUNTS = ['token_program', 'user_transfer_authority*', 'user_source_token_account+', 'user_destination_token_account+', 'destination_token_account+?'];
const OWN_ACCOUNTS_V2 = ['user_transfer_authority*', 'user_source_token_account+', 'user_destination_token_account+', 'source_mint', 'destination_mint', 'source_token_program', 'destination_token_program', 'destination_token_account+?'];
const SHARED_ACCOUNTS = ['token_program', 'program_authority', 'user_transfer_authority*', 'source_token_account+', 'program_source_token_account+', 'program_destination_token_account+', 'destination_token_account+', 'source_mint', 'destination_mint', 'platform_fee_account+?', 'token_2022_program?'];
const SHARED_ACCOUNTS_V2 = ['program_authority', 'user_transfer_authority*', 'source_token_account+', 'program_source_token_account+', 'program_destination_token_account+', 'destination_token_account+', 'source_mint', 'destination_mint', 'source_token_program', 'destination_token_program'];
const LAST = ['event_authority', 'program'];

/**
 * Every instruction of the Jupiter v6 program that swaps. Optional accounts that are not given are named by the program's
 * own id; the accounts of the route follow after these.
 */
export const JUPITER_INSTRUCTIONS: readonly InstructionLayout[] = [
  { name: 'route', discriminator: 'e517cb977ae3ad2a', accounts: accountRoles(...OWN_ACCOUNTS, 'destination_mint', 'platform_fee_account+?', ...LAST), args: v1(EXACT_IN) },
  { name: 'route_with_token_ledger', discriminator: '96564774a75d0e68', accounts: accountRoles(...OWN_ACCOUNTS, 'destination_mint', 'platform_fee_account+?', 'token_ledger', ...LAST), args: v1(LEDGER_IN) },
  { name: 'exact_out_route', discriminator: 'd033ef977b2bed5c', accounts: accountRoles(...OWN_ACCOUNTS, 'source_mint', 'destination_mint', 'platform_fee_account+?', 'token_2022_program?', ...LAST), args: v1(EXACT_OUT) },
  { name: 'shared_accounts_route', discriminator: 'c1209b3341d69c81', accounts: accountRoles(...SHARED_ACCOUNTS, ...LAST), args: v1Shared(EXACT_IN) },
  { name: 'shared_accounts_route_with_token_ledger', discriminator: 'e6798f50779f6aaa', accounts: accountRoles(...SHARED_ACCOUNTS, 'token_ledger', ...LAST), args: v1Shared(LEDGER_IN) },
  { name: 'shared_accounts_exact_out_route', discriminator: 'b0d169a89a7d453e', accounts: accountRoles(...SHARED_ACCOUNTS, ...LAST), args: v1Shared(EXACT_OUT) },
  { name: 'route_v2', discriminator: 'bb64facc31c4af14', accounts: accountRoles(...OWN_ACCOUNTS_V2, ...LAST), args: v2(EXACT_IN) },
  { name: 'exact_out_route_v2', discriminator: '9d8ab85215f4f324', accounts: accountRoles(...OWN_ACCOUNTS_V2, ...LAST), args: v2(EXACT_OUT) },
  { name: 'shared_accounts_route_v2', discriminator: 'd19853937cfed8e9', accounts: accountRoles(...SHARED_ACCOUNTS_V2, ...LAST), args: v2(ID, EXACT_IN) },
  { name: 'shared_accounts_exact_out_route_v2', discriminator: '3560e5cad8bbfa18', accounts: accountRoles(...SHARED_ACCOUNTS_V2, ...LAST), args: v2(ID, EXACT_OUT) },
];

/**
 * The other instructions of the Jupiter v6 program: none of them swaps. They make accounts, note balances, and take out what the
 * program holds for others.
 */
export const JUPITER_OTHER_INSTRUCTIONS: readonly InstructionLayout[] = [
  { name: 'create_token_account', discriminator: '93f17b64f484ae76', accounts: accountRoles('token_account+', 'user*+', 'mint', 'token_program', 'system_program'), args: [['bump', 'u8']] },
  { name: 'claim', discriminator: '3ec6d6c1d59f6cd2', accounts: accountRoles('wallet+', 'program_authority+', 'system_program'), args: ID },
  {
    name: 'claim_token',
    discriminator: '74ce1bbfa6130049',
    accounts: accountRoles('payer*+', 'wallet', 'program_authority', 'program_token_account+', 'destination_token_account+', 'mint', 'associated_token_token_program', 'associated_token_program', 'system_program'),
    args: ID,
  },
  { name: 'create_token_ledger', discriminator: 'e8f2c5fdf08f8134', accounts: accountRoles('token_ledger*+', 'payer*+', 'system_program'), args: [] },
  { name: 'set_token_ledger', discriminator: 'e455b9704e4f4d02', accounts: accountRoles('token_ledger+', 'token_account'), args: [] },
];

/**
 * The one instruction of Jupiter's order engine for quotes by market makers ("JupiterZ"). Source: `idls/order_engine.json` of
 * jup-ag/rfq-webhook-toolkit. An optional account that is not given is named by the program's own id and stands for SOL of the
 * wallet itself; the program allows that only where the mint is wrapped SOL.
 */
export const RFQ_INSTRUCTIONS: readonly InstructionLayout[] = [
  {
    name: 'fill',
    discriminator: 'a860b7a35c0a28a0',
    accounts: accountRoles(
      'taker*+', 'maker*+', 'taker_input_mint_token_account+?', 'maker_input_mint_token_account+?', 'taker_output_mint_token_account+?',
      'maker_output_mint_token_account+?', 'input_mint', 'input_token_program', 'output_mint', 'output_token_program', 'system_program',
    ),
    args: [['input_amount', 'u64'], ['output_amount', 'u64'], ['expire_at', 'i64']],
  },
];
