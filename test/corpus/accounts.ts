import type { TransactionInstruction } from '@solana/web3.js';
import { addressBytes, type Address } from '../../src/base/solana/address';
import { associatedTokenAddress, dlmmBinArray } from '../../src/base/solana/pda';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { NO_FACTS, type ChainFacts, type SimulatedTransaction, type TokenAccountFact } from '../../src/review/facts/facts';
import type { CaseInput } from '../../src/review/report/caseFormat';
import type { Intent } from '../../src/review/types';
import {
  addressOf,
  claim,
  createAta,
  dlmm,
  instruction,
  keyOf,
  MINT,
  OWN_TOKEN,
  OWNER,
  POOL,
  removal,
  route,
  THIEF,
  tip,
  tokenAmount,
  tokenInstruction,
  transferSol,
  ZAP_IN,
  ZAP_OUT,
  type Draft,
} from '../unit/review/bundles';
import { TABLE, tableOf } from '../unit/review/lookupTables';
import { damm, DAMM_OUT } from '../unit/review/meteoraDrafts';
import { SYSTEM_INSTRUCTIONS, TOKEN_INSTRUCTIONS } from '../../src/base/solana/nativeInstructions';
import { attack, inputOf, type Attack, type ExpectedFinding } from './attack';
import { IN, OUT, planted } from './plant';
import type { PolicyRule } from './policyRules';
import { FACTS } from './stricter';

// Attacks with accounts that only look like the owner's, and with facts of an RPC that lie or are out of date; and what the
// owner would sign or pay for without a reason.

const PLANTED = addressOf('an account that the attacker has made');
const CLEAN: TokenAccountFact = { owner: OWNER, mint: MINT, state: 'initialized', delegate: null, closeAuthority: null };

/** What an RPC may truly say of such an account before it is replaced. */
const STORIES: Readonly<Record<string, TokenAccountFact>> = {
  'nothing wrong with it': CLEAN,
  'only whose it is': { owner: OWNER, mint: MINT },
  'its maker may close it': { ...CLEAN, closeAuthority: THIEF },
  'its maker may spend from it': { ...CLEAN, delegate: THIEF },
  'it is frozen': { ...CLEAN, state: 'frozen' },
  'it is not set up': { ...CLEAN, state: 'uninitialized' },
  'it is one for wrapped SOL': { ...CLEAN, mint: WRAPPED_SOL_MINT },
  "it is the attacker's": { ...CLEAN, owner: THIEF },
};

const said = (account: Address, fact: TokenAccountFact): ChainFacts => ({ ...NO_FACTS, tokenAccounts: new Map([[account, fact]]) });

/** One destination after the other is an account that the attacker has made, with all that an RPC may say of it. */
function intoPlanted(rule: PolicyRule, what: string, intent: Intent, drafts: readonly Draft[]): Attack {
  const offline = inputOf(intent, drafts);
  const forms: Record<string, CaseInput> = { 'without an RPC': offline };
  for (const [story, fact] of Object.entries(STORIES)) {
    forms[story] = inputOf(intent, drafts, { facts: said(PLANTED, fact) });
  }
  for (const [name, make] of Object.entries(FACTS)) {
    forms[`with ${name}`] = { ...offline, facts: make(offline) };
  }
  return attack(rule, what, `block ${rule}`, forms);
}

const closing = (...instructions: readonly TransactionInstruction[]): Draft => ({ group: 'close', instructions });

const PLANTED_ACCOUNTS: readonly Attack[] = [
  intoPlanted('DLMM-2', "a withdrawal into an account that the RPC says is the owner's", ZAP_OUT, [
    closing(removal(10_000, { user_token_x: PLANTED })),
  ]),
  intoPlanted('DLMM-2', "fees into an account that the RPC says is the owner's", ZAP_OUT, [closing(claim({ user_token_y: PLANTED }))]),
  intoPlanted('DAMM-2', "a withdrawal from DAMM v2 into an account that the RPC says is the owner's", DAMM_OUT, [
    closing(damm('claim_position_fee', {}, { token_a_account: PLANTED })),
  ]),
  intoPlanted('SWP-1', "a swap into an account that the RPC says is the owner's", ZAP_OUT, [
    { group: 'swap', instructions: [route({}, { user_destination_token_account: PLANTED })] },
  ]),
  intoPlanted('TOK-1', "a transfer to an account that the RPC says is the owner's", ZAP_OUT, [
    closing(tokenInstruction(tokenAmount(3, 7_500_000_000n), [OWN_TOKEN, PLANTED, OWNER]), claim(), tip()),
  ]),
  intoPlanted('DLMM-2', 'the same, closed by the owner in the next transaction, so that its maker can make it again', ZAP_OUT, [
    closing(removal(5_000, { user_token_x: PLANTED })),
    closing(tokenInstruction([9], [PLANTED, OWNER, OWNER]), removal(10_000, { user_token_x: PLANTED })),
  ]),
];

const ASSOCIATED_OF_OTHERS: readonly Attack[] = [
  ...(
    [
      ['block OWN-1', 'that belongs to somebody else now', { ...CLEAN, owner: THIEF }],
      ['block OWN-1', 'that belongs to somebody else now, in the old form', { owner: THIEF, mint: MINT }],
      ['block OWN-1', 'that somebody may spend from', { ...CLEAN, delegate: THIEF }],
      ['block OWN-1', 'that somebody may close', { ...CLEAN, closeAuthority: THIEF }],
      ['block OWN-1', 'that is not set up', { ...CLEAN, state: 'uninitialized' }],
      ['confirm OWN-1', 'that is frozen', { ...CLEAN, state: 'frozen' }],
    ] satisfies [ExpectedFinding, string, TokenAccountFact][]
  ).map(([finding, what, fact]) =>
    attack('OWN-1', `an associated account ${what}`, finding, {
      'zap-out': inputOf(ZAP_OUT, OUT.drafts(0), { facts: said(OWN_TOKEN, fact) }),
      'zap-in': inputOf(ZAP_IN, IN.drafts(0), { facts: said(OWN_TOKEN, fact) }),
    }),
  ),
];

const HIDDEN = addressOf('hidden');
const table = (addresses: readonly Address[], more: Partial<ChainFacts> = {}): ChainFacts => ({
  ...NO_FACTS,
  lookupTables: new Map([[TABLE, { addresses, isDeactivated: false }]]),
  ...more,
});
const looked = (of: TransactionInstruction, ...addresses: readonly Address[]): Draft[] => [
  { ...closing(of), tables: [tableOf(addresses)] },
];

const LOOKUP_TABLES: readonly Attack[] = [
  attack('ALT-2', "lookup tables: one that holds an account that the RPC says is the owner's", 'block DLMM-2', {
    resolved: inputOf(ZAP_OUT, looked(claim({ user_token_x: HIDDEN }), HIDDEN), {
      facts: table([PLANTED], { tokenAccounts: said(PLANTED, CLEAN).tokenAccounts }),
    }),
    'with a simulation that finds nothing': inputOf(ZAP_OUT, looked(claim({ user_token_x: HIDDEN }), HIDDEN), {
      facts: {
        ...FACTS["an attacker's accounts"]?.(inputOf(ZAP_OUT, looked(claim(), HIDDEN))),
        ...table([PLANTED], { tokenAccounts: said(PLANTED, CLEAN).tokenAccounts }),
      },
    }),
  }),
  attack('ALT-2', 'lookup tables: one that holds a thief where SOL goes to', 'block SYS-1', {
    resolved: inputOf(ZAP_OUT, looked(transferSol(HIDDEN, 10_000_000n), HIDDEN), { facts: table([THIEF]) }),
    "said to be the owner's token account": inputOf(ZAP_OUT, looked(transferSol(HIDDEN, 10_000_000n), HIDDEN), {
      facts: table([PLANTED], { tokenAccounts: said(PLANTED, { ...CLEAN, mint: WRAPPED_SOL_MINT }).tokenAccounts }),
    }),
  }),
  attack('ALT-3', 'lookup tables: one that was read before it was filled', 'block ALT-3', {
    empty: inputOf(ZAP_OUT, looked(claim({ user_token_x: HIDDEN }), HIDDEN), { facts: table([]) }),
    'only its beginning': inputOf(ZAP_OUT, looked(claim({ user_token_x: HIDDEN, reserve_x: THIEF }), THIEF, HIDDEN), {
      facts: table([addressOf('reserve_x')]),
    }),
  }),
  attack('ALT-4', "lookup tables: one that is being given up, with the owner's account in it", 'confirm ALT-4', {
    resolved: inputOf(ZAP_OUT, looked(claim({ user_token_x: HIDDEN }), HIDDEN), {
      facts: { ...NO_FACTS, lookupTables: new Map([[TABLE, { addresses: [OWN_TOKEN], isDeactivated: true }]]) },
    }),
  }),
];

const PASSING_KEY = keyOf('a passing account');
const PASSING = addressOf('a passing account');

interface Passing {
  readonly mint?: Address;
  readonly authority?: Address;
  readonly to?: Address;
  readonly between?: readonly TransactionInstruction[];
  readonly after?: readonly TransactionInstruction[];
}

/** An account that is made, set up and closed in one transaction. */
function passing({ mint = WRAPPED_SOL_MINT, authority = OWNER, to = OWNER, between = [], after = [] }: Passing = {}): Draft {
  return {
    group: 'close',
    signers: [PASSING_KEY],
    instructions: [
      claim(),
      instruction(
        PROGRAMS.system,
        SYSTEM_INSTRUCTIONS,
        'create_account',
        { from: OWNER, account: PASSING },
        { lamports: 2_039_280n, space: 165n, owner: addressBytes(PROGRAMS.token) },
      ),
      instruction(
        PROGRAMS.token,
        TOKEN_INSTRUCTIONS,
        'initialize_account3',
        { account: PASSING, mint },
        { owner: addressBytes(authority) },
      ),
      ...between,
      tokenInstruction([9], [PASSING, to, OWNER]),
      ...after,
    ],
  };
}

const honestChain = (input: CaseInput): ChainFacts => FACTS['an honest chain']?.(input) ?? NO_FACTS;
const seen = (
  drafts: readonly Draft[],
  change: (first: SimulatedTransaction) => readonly SimulatedTransaction[] = (first) => [first],
  more: Parameters<typeof inputOf>[2] = {},
): CaseInput => {
  const input = inputOf(ZAP_OUT, drafts, more);
  const facts = honestChain(input);
  const [first] = facts.simulation?.transactions ?? [];
  return { ...input, facts: { ...facts, simulation: first && { slot: 9n, transactions: change(first) } } };
};

const PASSING_ACCOUNTS: readonly Attack[] = [
  attack('SYS-4', 'passing accounts: one that the same transaction makes, uses and closes, which is no attack', 'info SYS-4', {
    'with a simulation': seen([passing()]),
  }),
  attack('SYS-4', 'passing accounts: a simulation that does not show the whole transaction', 'confirm SYS-4', {
    'no simulation': inputOf(ZAP_OUT, [passing()]),
    'it does not say what is called': seen([passing()], (first) => [{ ...first, innerInstructions: undefined }]),
    'it fails': seen([passing()], (first) => [{ ...first, error: 'custom program error: 0x1' }]),
    'of another transaction': seen([closing(claim()), passing()]),
    'nothing about the wallet': seen([passing()], (first) => [{ ...first, before: new Map() }]),
  }),
  attack('SYS-4', "passing accounts: a simulation that finds nothing wrong with one that is not the owner's", 'block SYS-4', {
    'set up for a thief': seen([passing({ authority: THIEF })]),
    'for another token': seen([passing({ mint: MINT })]),
    'closed to a thief': seen([passing({ to: THIEF })]),
    'named once it is closed': seen([passing({ after: [transferSol(PASSING, 1n)] })]),
    'closed twice': seen([passing({ after: [claim({ user_token_y: PASSING })] })]),
  }),
  attack('SYS-4', "passing accounts: one that an RPC says is the owner's already", 'block SYS-4', {
    'made and not closed': (() => {
      const draft = passing();
      const input = seen([{ ...draft, instructions: draft.instructions.slice(0, -1) }]);
      return {
        ...input,
        facts: { ...(input.facts ?? NO_FACTS), tokenAccounts: new Map([[PASSING, { ...CLEAN, mint: WRAPPED_SOL_MINT }]]) },
      };
    })(),
  }),
];

const SERVICE = addressOf('service');
const SERVICE_TOKEN = associatedTokenAddress(SERVICE, MINT);
const ELSEWHERE = addressOf('an account of the service');
const fee = (to: Address, amount = 80n): Draft => closing(claim(), tokenInstruction(tokenAmount(3, amount), [OWN_TOKEN, to, OWNER]));
const APPROVED = { policy: { feeRecipients: [SERVICE] } };
const withAccount = (input: CaseInput, account: Address, fact: TokenAccountFact): CaseInput => ({
  ...input,
  facts: { ...(input.facts ?? NO_FACTS), tokenAccounts: new Map([[account, fact]]) },
});

const FEES: readonly Attack[] = [
  attack('TOK-1', "the service's fee: a share of what is claimed, for an approved recipient, which is no attack", 'info TOK-1', {
    'with a simulation': seen([fee(SERVICE_TOKEN)], undefined, APPROVED),
  }),
  attack('TOK-1', "the service's fee: facts that do not prove whom it goes to, or how much it is", 'confirm TOK-1', {
    "an account that an RPC says is the recipient's": withAccount(seen([fee(ELSEWHERE)], undefined, APPROVED), ELSEWHERE, {
      ...CLEAN,
      owner: SERVICE,
    }),
    "the recipient's account, which belongs to somebody else now": withAccount(
      seen([fee(SERVICE_TOKEN)], undefined, APPROVED),
      SERVICE_TOKEN,
      { ...CLEAN, owner: THIEF },
    ),
    'a recipient of whom the user has not approved': seen([fee(SERVICE_TOKEN)]),
    'more than a tenth': seen([fee(SERVICE_TOKEN, 2n ** 62n)], undefined, APPROVED),
    'nothing is claimed': seen([fee(SERVICE_TOKEN)], (first) => [{ ...first, innerInstructions: [] }], APPROVED),
    'what is called is not known': seen([fee(SERVICE_TOKEN)], (first) => [{ ...first, innerInstructions: undefined }], APPROVED),
    'called by another instruction': seen(
      [fee(SERVICE_TOKEN)],
      (first) => [{ ...first, innerInstructions: first.innerInstructions?.map((inner) => ({ ...inner, calledBy: 1 })) }],
      APPROVED,
    ),
    "out of an account that is not the pool's": seen(
      [fee(SERVICE_TOKEN)],
      (first) => [
        {
          ...first,
          innerInstructions: first.innerInstructions?.map(({ accountIndexes, ...inner }) => ({
            ...inner,
            accountIndexes: [0, ...accountIndexes.slice(1)],
          })),
        },
      ],
      APPROVED,
    ),
    'of another transaction': seen([closing(claim()), fee(SERVICE_TOKEN)], undefined, APPROVED),
  }),
  attack('TOK-1', "the service's fee: a transfer in another shape, with a simulation that finds nothing", 'block TOK-1', {
    'twice of one token': seen(
      [closing(claim(), ...[80n, 81n].map((amount) => tokenInstruction(tokenAmount(3, amount), [OWN_TOKEN, SERVICE_TOKEN, OWNER])))],
      undefined,
      APPROVED,
    ),
    'before the claim': seen(
      [closing(tokenInstruction(tokenAmount(3, 80n), [OWN_TOKEN, SERVICE_TOKEN, OWNER]), claim())],
      undefined,
      APPROVED,
    ),
    'out of an account that only an RPC knows': withAccount(
      seen([closing(claim(), tokenInstruction(tokenAmount(3, 80n), [PLANTED, SERVICE_TOKEN, OWNER]))], undefined, APPROVED),
      PLANTED,
      CLEAN,
    ),
  }),
];

const memo = (program: Address, text: string, ...signers: readonly Address[]): TransactionInstruction =>
  tokenInstruction([...Buffer.from(text)], signers, program);
const LOGIN = 'exchange.example wants you to sign in with your Solana account. Nonce: 0x77';

const SIGNED_TEXTS: readonly Attack[] = [
  planted('MEM-1', 'a text that the wallet signs in its own name, such as a login', 'confirm MEM-1', {
    instructions: [memo(PROGRAMS.memo, LOGIN, OWNER)],
  }),
  planted('MEM-1', 'the same by the first version of the program', 'confirm MEM-1', {
    instructions: [memo(PROGRAMS.memoV1, LOGIN, OWNER)],
    into: [OUT, IN],
  }),
  planted('MEM-1', 'an empty text that the wallet signs', 'confirm MEM-1', {
    instructions: [memo(PROGRAMS.memo, '', OWNER)],
    into: [OUT, IN],
  }),
];

const binArray = (index: number): TransactionInstruction =>
  dlmm('initialize_bin_array', { index: BigInt(index) }, { bin_array: dlmmBinArray(POOL, index) });
const OTHER_MINT = addressOf('a token without a part');

const RENTS: readonly Attack[] = [
  ...[-2, 1, 2, 400, -30_000].map((index) =>
    planted('RNT-1', `the bin array ${index}, which the range does not touch`, 'confirm RNT-1', {
      instructions: [binArray(index)],
      into: [IN],
      groups: ['add'],
      isNamed: true,
    }),
  ),
  planted('RNT-1', 'an extension of the bitmap that the range does not need', 'confirm RNT-1', {
    instructions: [dlmm('initialize_bin_array_bitmap_extension')],
    into: [IN],
    groups: ['add'],
    isNamed: true,
  }),
  planted('ATA-1', 'an account of a token that has no part in the operation', 'confirm ATA-1', {
    instructions: [createAta(OTHER_MINT)],
    isNamed: true,
  }),
  planted('ATA-1', 'the same, named by a note besides', 'confirm ATA-1', {
    instructions: [createAta(OTHER_MINT), memo(PROGRAMS.memo, 'a note', OTHER_MINT)],
    into: [OUT],
    isNamed: true,
  }),
  planted('ATA-1', 'the same, with an instruction that does nothing with it', 'confirm ATA-1', {
    instructions: [createAta(OTHER_MINT), tokenInstruction([17], [associatedTokenAddress(OWNER, OTHER_MINT)])],
    into: [OUT, IN],
    isNamed: true,
  }),
];

export const ACCOUNTS: readonly Attack[] = [
  ...PLANTED_ACCOUNTS,
  ...ASSOCIATED_OF_OTHERS,
  ...LOOKUP_TABLES,
  ...PASSING_ACCOUNTS,
  ...FEES,
  ...SIGNED_TEXTS,
  ...RENTS,
];
