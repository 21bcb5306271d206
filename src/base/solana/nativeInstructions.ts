import type { ArgumentLayout, InstructionLayout } from './instructionCodec';

// Instructions of the programs that come with Solana and of the token programs. Sources: @solana/web3.js 1.98
// (System, Compute Budget), @solana/spl-token 0.4.14 (Token, Token-2022, associated token accounts).

type Args = readonly (readonly [string, ArgumentLayout])[];

/** Account names with `*` behind those that sign. */
function layout(discriminator: string, name: string, accounts: readonly string[], args: Args = []): InstructionLayout {
  return {
    name,
    discriminator,
    accounts: accounts.map((account) => (account.endsWith('*') ? { name: account.slice(0, -1), signer: true } : { name: account })),
    args,
  };
}

/** System program: numbered by a u32. */
export const SYSTEM_INSTRUCTIONS: readonly InstructionLayout[] = [
  layout(
    '00000000',
    'create_account',
    ['from*', 'account*'],
    [
      ['lamports', 'u64'],
      ['space', 'u64'],
      ['owner', 'pubkey'],
    ],
  ),
  layout('01000000', 'assign', ['account*'], [['owner', 'pubkey']]),
  layout('02000000', 'transfer', ['from*', 'to'], [['lamports', 'u64']]),
  layout(
    '03000000',
    'create_account_with_seed',
    ['from*', 'account'],
    [
      ['base', 'pubkey'],
      ['seed', 'string64'],
      ['lamports', 'u64'],
      ['space', 'u64'],
      ['owner', 'pubkey'],
    ],
  ),
  layout('04000000', 'advance_nonce_account', ['nonce', 'recent_blockhashes', 'authority*']),
  layout('05000000', 'withdraw_nonce_account', ['nonce', 'to', 'recent_blockhashes', 'rent', 'authority*'], [['lamports', 'u64']]),
  layout('06000000', 'initialize_nonce_account', ['nonce', 'recent_blockhashes', 'rent'], [['authority', 'pubkey']]),
  layout('07000000', 'authorize_nonce_account', ['nonce', 'authority*'], [['new_authority', 'pubkey']]),
  layout('08000000', 'allocate', ['account*'], [['space', 'u64']]),
  layout(
    '09000000',
    'allocate_with_seed',
    ['account', 'base*'],
    [
      ['base', 'pubkey'],
      ['seed', 'string64'],
      ['space', 'u64'],
      ['owner', 'pubkey'],
    ],
  ),
  layout(
    '0a000000',
    'assign_with_seed',
    ['account', 'base*'],
    [
      ['base', 'pubkey'],
      ['seed', 'string64'],
      ['owner', 'pubkey'],
    ],
  ),
  layout(
    '0b000000',
    'transfer_with_seed',
    ['from', 'base*', 'to'],
    [
      ['lamports', 'u64'],
      ['seed', 'string64'],
      ['owner', 'pubkey'],
    ],
  ),
  layout('0c000000', 'upgrade_nonce_account', ['nonce']),
];

/** Compute Budget program: numbered by a byte. `request_units` is deprecated, and carries a fee of its own. */
export const COMPUTE_BUDGET_INSTRUCTIONS: readonly InstructionLayout[] = [
  layout(
    '00',
    'request_units',
    [],
    [
      ['units', 'u32'],
      ['additional_fee', 'u32'],
    ],
  ),
  layout('01', 'request_heap_frame', [], [['bytes', 'u32']]),
  layout('02', 'set_compute_unit_limit', [], [['units', 'u32']]),
  layout('03', 'set_compute_unit_price', [], [['micro_lamports', 'u64']]),
  layout('04', 'set_loaded_accounts_data_size_limit', [], [['bytes', 'u32']]),
];

const CREATE_ACCOUNTS = ['payer*', 'associated_account', 'wallet', 'mint', 'system_program', 'token_program'];

/** Associated Token Account program: numbered by a byte; no data at all means `create`. */
export const ASSOCIATED_TOKEN_INSTRUCTIONS: readonly InstructionLayout[] = [
  layout('00', 'create', CREATE_ACCOUNTS),
  layout('01', 'create_idempotent', CREATE_ACCOUNTS),
  layout('02', 'recover_nested', ['nested', 'nested_mint', 'destination', 'owner_account', 'owner_mint', 'wallet*', 'token_program']),
  layout('', 'create', CREATE_ACCOUNTS),
];

const AMOUNT: Args = [['amount', 'u64']];
const CHECKED: Args = [
  ['amount', 'u64'],
  ['decimals', 'u8'],
];
const AUTHORITIES: Args = [
  ['decimals', 'u8'],
  ['mint_authority', 'pubkey'],
  ['freeze_authority', { option: 'pubkey' }],
];
const REST: Args = [['data', 'rest']];

/** Token and Token-2022: numbered by a byte, the same in both up to 24. */
export const TOKEN_INSTRUCTIONS: readonly InstructionLayout[] = [
  layout('00', 'initialize_mint', ['mint', 'rent'], AUTHORITIES),
  layout('01', 'initialize_account', ['account', 'mint', 'owner', 'rent']),
  layout('02', 'initialize_multisig', ['account', 'rent'], [['required', 'u8']]),
  layout('03', 'transfer', ['source', 'destination', 'authority*'], AMOUNT),
  layout('04', 'approve', ['source', 'delegate', 'authority*'], AMOUNT),
  layout('05', 'revoke', ['source', 'authority*']),
  layout(
    '06',
    'set_authority',
    ['account', 'authority*'],
    [
      ['authority_type', 'u8'],
      ['new_authority', { option: 'pubkey' }],
    ],
  ),
  layout('07', 'mint_to', ['mint', 'account', 'authority*'], AMOUNT),
  layout('08', 'burn', ['account', 'mint', 'authority*'], AMOUNT),
  layout('09', 'close_account', ['account', 'destination', 'authority*']),
  layout('0a', 'freeze_account', ['account', 'mint', 'authority*']),
  layout('0b', 'thaw_account', ['account', 'mint', 'authority*']),
  layout('0c', 'transfer_checked', ['source', 'mint', 'destination', 'authority*'], CHECKED),
  layout('0d', 'approve_checked', ['source', 'mint', 'delegate', 'authority*'], CHECKED),
  layout('0e', 'mint_to_checked', ['mint', 'account', 'authority*'], CHECKED),
  layout('0f', 'burn_checked', ['account', 'mint', 'authority*'], CHECKED),
  layout('10', 'initialize_account2', ['account', 'mint', 'rent'], [['owner', 'pubkey']]),
  layout('11', 'sync_native', ['account']),
  layout('12', 'initialize_account3', ['account', 'mint'], [['owner', 'pubkey']]),
  layout('13', 'initialize_multisig2', ['account'], [['required', 'u8']]),
  layout('14', 'initialize_mint2', ['mint'], AUTHORITIES),
  layout('15', 'get_account_data_size', ['mint'], REST),
  layout('16', 'initialize_immutable_owner', ['account']),
  layout('17', 'amount_to_ui_amount', ['mint'], AMOUNT),
  layout('18', 'ui_amount_to_amount', ['mint'], REST),
  layout('26', 'withdraw_excess_lamports', ['source', 'destination', 'authority*'], REST),
  layout('2d', 'unwrap_lamports', ['source', 'destination', 'authority*'], REST),
  layout('ff', 'batch', [], REST),
];

/** Token-2022: the same, and the one instruction of an extension that moves tokens (26, then 1). */
export const TOKEN_2022_INSTRUCTIONS: readonly InstructionLayout[] = [
  ...TOKEN_INSTRUCTIONS,
  layout('1a01', 'transfer_checked_with_fee', ['source', 'mint', 'destination', 'authority*'], [...CHECKED, ['fee', 'u64']]),
];

/** Memo: all of the data is the text. */
export const MEMO_INSTRUCTIONS: readonly InstructionLayout[] = [layout('', 'memo', [], REST)];
