import { accountRoles, type ArgumentLayout, type InstructionLayout } from './instructionCodec';

// Facts of OKX's DEX routers, which have the same instructions. Sources: okxlabs/DEX-Router-Solana-V1 (lib.rs,
// instructions/common_swap.rs and swap_v3.rs, utils/fee.rs) and docs.rs/carbon-okx-dex-decoder 2.0.0.

/**
 * The venues that all published versions of the routers number alike. They number the later ones differently, and a few of
 * those have fields of their own, so what comes after them cannot be read for certain.
 */
const VENUES = [
  'SplTokenSwap',
  'StableSwap',
  'Whirlpool',
  'MeteoraDynamicpool',
  'RaydiumSwap',
  'RaydiumStableSwap',
  'RaydiumClmmSwap',
  'AldrinExchangeV1',
  'AldrinExchangeV2',
  'LifinityV1',
  'LifinityV2',
  'RaydiumClmmSwapV2',
  'FluxBeam',
  'MeteoraDlmm',
  'RaydiumCpmmSwap',
  'OpenBookV2',
  'WhirlpoolV2',
  'Phoenix',
  'ObricV2',
  'SanctumAddLiq',
  'SanctumRemoveLiq',
  'SanctumNonWsolSwap',
  'SanctumWsolSwap',
  'PumpfunBuy',
  'PumpfunSell',
  'StabbleSwap',
  'SanctumRouter',
  'MeteoraVaultDeposit',
  'MeteoraVaultWithdraw',
  'Saros',
  'MeteoraLst',
  'Solfi',
  'QualiaSwap',
  'Zerofi',
  'PumpfunammBuy',
  'PumpfunammSell',
  'Virtuals',
  'VertigoBuy',
  'VertigoSell',
  'PerpetualsAddLiq',
  'PerpetualsRemoveLiq',
  'PerpetualsSwap',
  'RaydiumLaunchpad',
  'LetsBonkFun',
  'Woofi',
  'MeteoraDbc',
  'MeteoraDlmmSwap2',
  'MeteoraDAMMV2',
  'Gavel',
  'BoopfunBuy',
  'BoopfunSell',
  'MeteoraDbc2',
  'GooseFX',
  'Dooar',
  'Numeraire',
  'SaberDecimalWrapperDeposit',
  'SaberDecimalWrapperWithdraw',
  'SarosDlmm',
  'OneDexSwap',
  'Manifest',
  'ByrealClmm',
  'PancakeSwapV3Swap',
  'PancakeSwapV3SwapV2',
  'Tessera',
] as const;

const SOL_RFQ: readonly ArgumentLayout[] = ['u64', 'u64', 'u64', 'u64', 'u64', 'u64', 'bool', 'bool'];

const VENUE: ArgumentLayout = {
  enum: [...VENUES.map((name): readonly [string, readonly ArgumentLayout[]] => [name, []]), ['SolRfq', SOL_RFQ]],
};

type Args = InstructionLayout['args'];

/** What is swapped: in, out as expected, out at least, then how it is split over routes of several hops. */
const SWAP: Args = [
  ['amount_in', 'u64'],
  ['expect_amount_out', 'u64'],
  ['min_return', 'u64'],
  ['amounts', { vec: 'u64' }],
  [
    'routes',
    {
      vec: {
        vec: {
          struct: [
            ['dexes', { vec: VENUE }],
            ['weights', 'bytes'],
          ],
        },
      },
    },
  ],
];

/**
 * Highest bit: the commission is on what is sold, not on what is bought; next bit: wrapped SOL is unwrapped at the end; the
 * rest: the commission in billionths.
 */
const COMMISSION: Args = [['commission_info', 'u32']];
/** A share of the commission, in basis points. */
const PLATFORM: Args = [['platform_fee_rate', 'u16']];
const ORDER: Args = [['order_id', 'u64']];
/** Thousandths of what is bought, taken of what is above the expected amount. */
const TRIM: Args = [['trim_rate', 'u8']];
/** Thousandths of the trim that go to somebody else. */
const CHARGE: Args = [['charge_rate', 'u16']];

const OWN_ACCOUNTS = ['payer*+', 'source_token_account+', 'destination_token_account+', 'source_mint', 'destination_mint'];
const V3_ACCOUNTS = [
  ...OWN_ACCOUNTS,
  'commission_account+?',
  'platform_fee_account+?',
  'sa_authority+?',
  'source_token_sa+?',
  'destination_token_sa+?',
  'source_token_program?',
  'destination_token_program?',
  'associated_token_program?',
  'system_program?',
];

/**
 * The instructions of the OKX routers that swap for the payer alone. Optional accounts that are not given are named by the
 * program's own id. The accounts of the routes follow, and at the very end who gets the trim and the charge, where there are any.
 */
export const OKX_INSTRUCTIONS: readonly InstructionLayout[] = [
  { name: 'swap', discriminator: 'f8c69e91e17587c8', accounts: accountRoles(...OWN_ACCOUNTS), args: [...SWAP, ...ORDER] },
  {
    name: 'swap_v3',
    discriminator: 'f0e02621b01ff1af',
    accounts: accountRoles(...V3_ACCOUNTS),
    args: [...SWAP, ...COMMISSION, ...PLATFORM, ...ORDER],
  },
  {
    name: 'swap_tob_v3',
    discriminator: '0ebf2cf68ee1e09d',
    accounts: accountRoles(...V3_ACCOUNTS),
    args: [...SWAP, ...COMMISSION, ...TRIM, ...PLATFORM, ...ORDER],
  },
  {
    name: 'swap_tob_v3_enhanced',
    discriminator: 'ec479b44c6620e76',
    accounts: accountRoles(...V3_ACCOUNTS),
    args: [...SWAP, ...COMMISSION, ...TRIM, ...CHARGE, ...PLATFORM, ...ORDER],
  },
];

const unread = (name: string, discriminator: string): InstructionLayout => ({
  name,
  discriminator,
  accounts: [],
  args: [['data', 'rest']],
});

/** The other instructions of the OKX routers, by name only: they pay to others, claim, make accounts, or go through OKX's own. */
export const OKX_OTHER_INSTRUCTIONS: readonly InstructionLayout[] = [
  unread('swap_tob_v3_with_receiver', '3f72f6833302f71d'),
  unread('swap_v3_with_cpi_event', 'b8684f9c6bb6788a'),
  unread('wrap_unwrap_v3', 'b4b2bf3646080de0'),
  unread('wrap_unwrap_v3_with_receiver', '46d3bea52f28d55f'),
  unread('proxy_swap', '132c829448382cee'),
  unread('create_token_account', '93f17b64f484ae76'),
  unread('create_token_account_with_seed', '7dbfef8c420809e4'),
  unread('claim', '3ec6d6c1d59f6cd2'),
];
