import type { AccountRole, ArgumentLayout, InstructionLayout } from './instructionCodec';

// Facts of the Meteora Zap program ("zap" 0.2.0), written from the IDL inside the npm package @meteora-ag/zap-sdk 1.3.2: all of
// its instructions.

const ACCOUNTS_TYPE: ArgumentLayout = {
  enum: [
    ['TransferHookX', []],
    ['TransferHookY', []],
    ['TransferHookReward', []],
    ['TransferHookMultiReward', ['u8']],
    ['TransferHookReferral', []],
  ],
};

const REMAINING_ACCOUNTS: readonly [string, ArgumentLayout] = [
  'remaining_accounts_info',
  {
    struct: [
      [
        'slices',
        {
          vec: {
            struct: [
              ['accounts_type', ACCOUNTS_TYPE],
              ['length', 'u8'],
            ],
          },
        },
      ],
    ],
  },
];

const STRATEGY: readonly [string, ArgumentLayout] = [
  'strategy',
  {
    enum: [
      ['Spot', []],
      ['Curve', []],
      ['BidAsk', []],
    ],
  },
];

const READ = {} as const;
const WRITTEN = { writable: true } as const;
const SIGNER = { signer: true } as const;
const PAYER = { writable: true, signer: true } as const;

function role(name: string, flags: Omit<AccountRole, 'name'>): AccountRole {
  return { name, ...flags };
}

const LEDGER = role('ledger', WRITTEN);
const OWNER = role('owner', SIGNER);

/** The accounts of both ways into a DLMM position; a position that is yet to be made signs. */
function dlmmAccounts(position: AccountRole): readonly AccountRole[] {
  return [
    LEDGER,
    role('lb_pair', WRITTEN),
    position,
    role('bin_array_bitmap_extension', { writable: true, optional: true }),
    ...['user_token_x', 'user_token_y', 'reserve_x', 'reserve_y'].map((name) => role(name, WRITTEN)),
    ...['token_x_mint', 'token_y_mint', 'dlmm_program'].map((name) => role(name, READ)),
    OWNER,
    role('rent_payer', PAYER),
    ...['token_x_program', 'token_y_program', 'memo_program', 'system_program', 'dlmm_event_authority'].map((name) => role(name, READ)),
  ];
}

/** Every instruction of the Zap program. */
export const ZAP_INSTRUCTIONS: readonly InstructionLayout[] = [
  { name: 'close_ledger_account', discriminator: 'bd7aac0d7a363633', accounts: [LEDGER, OWNER, role('rent_receiver', PAYER)], args: [] },
  {
    name: 'initialize_ledger_account',
    discriminator: '78451e4a4cf299a2',
    accounts: [LEDGER, OWNER, role('payer', PAYER), role('system_program', READ)],
    args: [],
  },
  {
    name: 'set_ledger_balance',
    discriminator: '8331f011e4f89c36',
    accounts: [LEDGER, OWNER],
    args: [
      ['amount', 'u64'],
      ['is_token_a', 'bool'],
    ],
  },
  {
    name: 'update_ledger_balance_after_swap',
    discriminator: '3bceade85e39aeca',
    accounts: [LEDGER, role('token_account', READ), OWNER],
    args: [
      ['pre_source_token_balance', 'u64'],
      ['max_transfer_amount', 'u64'],
      ['is_token_a', 'bool'],
    ],
  },
  {
    name: 'zap_in_damm_v2',
    discriminator: 'f3f37734c72c9aba',
    accounts: [
      LEDGER,
      role('pool', WRITTEN),
      role('pool_authority', READ),
      ...['position', 'token_a_account', 'token_b_account', 'token_a_vault', 'token_b_vault'].map((name) => role(name, WRITTEN)),
      ...['token_a_mint', 'token_b_mint', 'position_nft_account'].map((name) => role(name, READ)),
      OWNER,
      ...['token_a_program', 'token_b_program', 'damm_program', 'damm_event_authority'].map((name) => role(name, READ)),
    ],
    args: [
      ['pre_sqrt_price', 'u128'],
      ['max_sqrt_price_change_bps', 'u32'],
    ],
  },
  {
    name: 'zap_in_dlmm_for_initialized_position',
    discriminator: 'b847c6e7816ec143',
    accounts: dlmmAccounts(role('position', WRITTEN)),
    args: [
      ['active_id', 'i32'],
      ['min_delta_id', 'i32'],
      ['max_delta_id', 'i32'],
      ['max_active_bin_slippage', 'u16'],
      ['favor_x_in_active_id', 'bool'],
      STRATEGY,
      REMAINING_ACCOUNTS,
    ],
  },
  {
    // Its bin numbers stand in another order than those of the instruction above.
    name: 'zap_in_dlmm_for_uninitialized_position',
    discriminator: '3bdcb61bfefd02e8',
    accounts: dlmmAccounts(role('position', PAYER)),
    args: [
      ['min_delta_id', 'i32'],
      ['max_delta_id', 'i32'],
      ['active_id', 'i32'],
      ['max_active_bin_slippage', 'u16'],
      ['favor_x_in_active_id', 'bool'],
      STRATEGY,
      REMAINING_ACCOUNTS,
    ],
  },
  {
    name: 'zap_out',
    discriminator: '9b6cb97068d2a140',
    accounts: [role('user_token_in_account', WRITTEN), role('amm_program', READ)],
    args: [
      [
        'params',
        {
          struct: [
            ['percentage', 'u8'],
            ['offset_amount_in', 'u16'],
            ['pre_user_token_balance', 'u64'],
            ['max_swap_amount', 'u64'],
            ['payload_data', 'bytes'],
          ],
        },
      ],
    ],
  },
];
