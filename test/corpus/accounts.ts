import type { TransactionInstruction } from '@solana/web3.js';
import { addressBytes, type Address } from '../../src/base/solana/address';
import { associatedTokenAddress, dlmmBinArray } from '../../src/base/solana/pda';
import { JITO_TIP_ACCOUNTS, PROGRAMS, WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { NO_FACTS, type ChainFacts, type SimulatedTransaction, type TokenAccountFact } from '../../src/review/facts/facts';
import type { CaseInput } from '../../src/review/report/caseFormat';
import type { Intent } from '../../src/review/types';
import {
  addressOf,
  claim,
  buyToken,
  createAta,
  dlmm,
  instruction,
  keyOf,
  MINT,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  POOL,
  POSITION,
  removal,
  route,
  THIEF,
  tip,
  tokenAmount,
  tokenInstruction,
  transferSol,
  unwrap,
  ZAP_IN,
  ZAP_OUT,
  type Draft,
} from '../support/review/bundles';
import { TABLE, tableOf } from '../support/review/lookupTables';
import { damm, DAMM_OUT } from '../support/review/meteoraDrafts';
import { SYSTEM_INSTRUCTIONS, TOKEN_INSTRUCTIONS } from '../../src/base/solana/nativeInstructions';
import { attack, inputOf, type Attack, type ExpectedFinding } from './attack';
import { IN, OUT, planted } from './plant';
import type { PolicyRule } from './policyRules';
import { FACTS } from './stricter';

// Attacks with accounts that look like the owner's, with wrong or outdated facts from an RPC, and with signatures or costs
// that the operation does not need.

const PLANTED = addressOf('an account that the attacker has made');
const CLEAN: TokenAccountFact = { owner: OWNER, mint: MINT, state: 'initialized', delegate: null, closeAuthority: null };

/** What an RPC may truthfully report about such an account before the attacker replaces it. */
const STORIES: Readonly<Record<string, TokenAccountFact>> = {
  'the RPC reports a clean account': CLEAN,
  'the RPC reports only the owner': { owner: OWNER, mint: MINT },
  'the attacker has the close authority': { ...CLEAN, closeAuthority: THIEF },
  'the attacker is the delegate': { ...CLEAN, delegate: THIEF },
  'the account is frozen': { ...CLEAN, state: 'frozen' },
  'the account is not initialized': { ...CLEAN, state: 'uninitialized' },
  'the account holds wrapped SOL': { ...CLEAN, mint: WRAPPED_SOL_MINT },
  'the RPC reports the attacker as the owner': { ...CLEAN, owner: THIEF },
};

const said = (account: Address, fact: TokenAccountFact): ChainFacts => ({ ...NO_FACTS, tokenAccounts: new Map([[account, fact]]) });

/** The destination is an account that the attacker created, with each answer that an RPC may give about it. */
function intoPlanted(rule: PolicyRule, what: string, intent: Intent, drafts: readonly Draft[]): Attack {
  return attack(rule, what, `block ${rule}`, () => {
    const offline = inputOf(intent, drafts);
    const forms: Record<string, CaseInput> = { 'without an RPC': offline };
    for (const [story, fact] of Object.entries(STORIES)) {
      forms[story] = inputOf(intent, drafts, { facts: said(PLANTED, fact) });
    }
    for (const [name, make] of Object.entries(FACTS)) {
      forms[`with ${name}`] = { ...offline, facts: make(offline) };
    }
    return forms;
  });
}

const closing = (...instructions: readonly TransactionInstruction[]): Draft => ({ group: 'close', instructions });

const PLANTED_ACCOUNTS: readonly Attack[] = [
  intoPlanted('DLMM-2', "withdraws into an account that the RPC reports as the owner's", ZAP_OUT, [
    closing(removal(10_000, { user_token_x: PLANTED })),
  ]),
  intoPlanted('DLMM-2', "claims fees into an account that the RPC reports as the owner's", ZAP_OUT, [
    closing(claim({ user_token_y: PLANTED })),
  ]),
  intoPlanted('DAMM-2', "withdraws from DAMM v2 into an account that the RPC reports as the owner's", DAMM_OUT, [
    closing(damm('claim_position_fee', {}, { token_a_account: PLANTED })),
  ]),
  intoPlanted('SWP-1', "swaps into an account that the RPC reports as the owner's", ZAP_OUT, [
    { group: 'swap', instructions: [route({}, { user_destination_token_account: PLANTED })] },
  ]),
  intoPlanted('TOK-1', "transfers tokens to an account that the RPC reports as the owner's", ZAP_OUT, [
    closing(tokenInstruction(tokenAmount(3, 7_500_000_000n), [OWN_TOKEN, PLANTED, OWNER]), claim(), tip()),
  ]),
  intoPlanted(
    'DLMM-2',
    "withdraws into an account that the RPC reports as the owner's and has the owner close it, so that the attacker can recreate it",
    ZAP_OUT,
    [
      closing(removal(5_000, { user_token_x: PLANTED })),
      closing(tokenInstruction([9], [PLANTED, OWNER, OWNER]), removal(10_000, { user_token_x: PLANTED })),
    ],
  ),
];

const ASSOCIATED_OF_OTHERS: readonly Attack[] = [
  ...(
    [
      ['block OWN-1', 'that now belongs to another wallet', { ...CLEAN, owner: THIEF }],
      ['block OWN-1', 'that now belongs to another wallet, in the compact form', { owner: THIEF, mint: MINT }],
      ['block OWN-1', 'that has a delegate', { ...CLEAN, delegate: THIEF }],
      ['block OWN-1', 'that another wallet may close', { ...CLEAN, closeAuthority: THIEF }],
      ['block OWN-1', 'that is not initialized', { ...CLEAN, state: 'uninitialized' }],
      ['confirm OWN-1', 'that is frozen', { ...CLEAN, state: 'frozen' }],
    ] satisfies [ExpectedFinding, string, TokenAccountFact][]
  ).map(([finding, what, fact]) =>
    attack('OWN-1', `uses an associated token account ${what}`, finding, () => ({
      'zap-out': inputOf(ZAP_OUT, OUT.drafts(0), { facts: said(OWN_TOKEN, fact) }),
      'zap-in': inputOf(ZAP_IN, IN.drafts(0), { facts: said(OWN_TOKEN, fact) }),
    })),
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
  attack('ALT-2', "lookup tables: names an account that the RPC reports as the owner's", 'block DLMM-2', () => ({
    resolved: inputOf(ZAP_OUT, looked(claim({ user_token_x: HIDDEN }), HIDDEN), {
      facts: table([PLANTED], { tokenAccounts: said(PLANTED, CLEAN).tokenAccounts }),
    }),
    'with a clean simulation': inputOf(ZAP_OUT, looked(claim({ user_token_x: HIDDEN }), HIDDEN), {
      facts: {
        ...FACTS["an attacker's accounts"]?.(inputOf(ZAP_OUT, looked(claim(), HIDDEN))),
        ...table([PLANTED], { tokenAccounts: said(PLANTED, CLEAN).tokenAccounts }),
      },
    }),
  })),
  attack('ALT-2', "lookup tables: names a thief's account as the destination of SOL", 'block SYS-1', () => ({
    resolved: inputOf(ZAP_OUT, looked(transferSol(HIDDEN, 10_000_000n), HIDDEN), { facts: table([THIEF]) }),
    "reported as the owner's token account": inputOf(ZAP_OUT, looked(transferSol(HIDDEN, 10_000_000n), HIDDEN), {
      facts: table([PLANTED], { tokenAccounts: said(PLANTED, { ...CLEAN, mint: WRAPPED_SOL_MINT }).tokenAccounts }),
    }),
  })),
  ...(['confirm', 'block'] as const).map((verdict) => {
    const policy = { isStrictWithoutRpc: verdict === 'block' };
    const [tipAccount = THIEF] = JITO_TIP_ACCOUNTS;
    // The service's table holds a thief's account, and its RPC says that it is one that may receive.
    const lied = (instructions: readonly TransactionInstruction[], account: Address, intent: Intent = ZAP_OUT): CaseInput =>
      inputOf(intent, [{ group: intent.kind === 'zapIn' ? 'swap' : 'close', instructions, tables: [tableOf([account])] }], {
        policy,
        facts: table([account], { tokenAccounts: said(account, CLEAN).tokenAccounts }),
      });
    return attack(
      'ALT-2',
      `lookup tables: names who receives in a table that the RPC lies about${verdict === 'block' ? ', in strict mode' : ''}`,
      `${verdict} ALT-2`,
      () => ({
        'a withdrawal': lied([removal(10_000)], OWN_TOKEN),
        'claimed fees': lied([claim()], OWN_TOKEN),
        'claimed fees of DAMM v2': lied([damm('claim_position_fee')], OWN_TOKEN, DAMM_OUT),
        'a withdrawal from another position': lied([removal(10_000)], POSITION),
        'the result of a swap': lied([route()], OWN_SOL),
        'the source of a swap': lied([route()], OWN_TOKEN),
        'the tokens that a zap-in buys': lied([buyToken()], OWN_TOKEN, ZAP_IN),
        'wrapped SOL': lied([claim(), transferSol(OWN_SOL, 1_000n)], OWN_SOL),
        'a transfer of tokens': lied([claim(), tokenInstruction(tokenAmount(3, 1n), [OWN_SOL, OWN_TOKEN, OWNER])], OWN_TOKEN),
        'a new token account': lied([claim(), createAta(MINT)], OWN_TOKEN),
        'a closed account': lied([claim(), unwrap()], OWN_SOL),
        'a tip': lied([claim(), tip()], tipAccount),
      }),
    );
  }),
  attack('ALT-3', 'lookup tables: uses a table that the RPC read before it was filled', 'block ALT-3', () => ({
    empty: inputOf(ZAP_OUT, looked(claim({ user_token_x: HIDDEN }), HIDDEN), { facts: table([]) }),
    'only the first address was read': inputOf(ZAP_OUT, looked(claim({ user_token_x: HIDDEN, reserve_x: THIEF }), THIEF, HIDDEN), {
      facts: table([addressOf('reserve_x')]),
    }),
  })),
  attack('ALT-4', "lookup tables: uses a deactivated table that contains the owner's account", 'confirm ALT-4', () => ({
    resolved: inputOf(ZAP_OUT, looked(claim({ user_token_x: HIDDEN }), HIDDEN), {
      facts: { ...NO_FACTS, lookupTables: new Map([[TABLE, { addresses: [OWN_TOKEN], isDeactivated: true }]]) },
    }),
  })),
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

/** An account that one transaction creates, initializes and closes. */
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
  attack('SYS-4', 'passing accounts: one transaction creates, uses and closes the account (no attack)', 'info SYS-4', () => ({
    'with a simulation': seen([passing()]),
  })),
  attack('SYS-4', 'passing accounts: the simulation does not show the whole transaction', 'confirm SYS-4', () => ({
    'no simulation': inputOf(ZAP_OUT, [passing()]),
    'the simulation reports no inner instructions': seen([passing()], (first) => [{ ...first, innerInstructions: undefined }]),
    'the simulation fails': seen([passing()], (first) => [{ ...first, error: 'custom program error: 0x1' }]),
    'the simulation is of another transaction': seen([closing(claim()), passing()]),
    'the simulation reports nothing about the wallet': seen([passing()], (first) => [{ ...first, before: new Map() }]),
  })),
  attack('SYS-4', "passing accounts: the simulation is clean although the account is not only the owner's", 'block SYS-4', () => ({
    'initialized for a thief': seen([passing({ authority: THIEF })]),
    'for another token': seen([passing({ mint: MINT })]),
    'closed to a thief': seen([passing({ to: THIEF })]),
    'used again after it is closed': seen([passing({ after: [transferSol(PASSING, 1n)] })]),
    'closed twice': seen([passing({ after: [claim({ user_token_y: PASSING })] })]),
  })),
  attack('SYS-4', "passing accounts: the RPC reports the created account as the owner's", 'block SYS-4', () => ({
    'created and not closed': (() => {
      const draft = passing();
      const input = seen([{ ...draft, instructions: draft.instructions.slice(0, -1) }]);
      return {
        ...input,
        facts: { ...(input.facts ?? NO_FACTS), tokenAccounts: new Map([[PASSING, { ...CLEAN, mint: WRAPPED_SOL_MINT }]]) },
      };
    })(),
  })),
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
  attack('TOK-1', "the service's fee: takes a share of the claimed fees for an approved recipient (no attack)", 'info TOK-1', () => ({
    'with a simulation': seen([fee(SERVICE_TOKEN)], undefined, APPROVED),
  })),
  attack('TOK-1', "the service's fee: the facts do not prove the recipient or the share", 'confirm TOK-1', () => ({
    "an account that the RPC reports as the recipient's": withAccount(seen([fee(ELSEWHERE)], undefined, APPROVED), ELSEWHERE, {
      ...CLEAN,
      owner: SERVICE,
    }),
    "the recipient's account now belongs to another wallet": withAccount(seen([fee(SERVICE_TOKEN)], undefined, APPROVED), SERVICE_TOKEN, {
      ...CLEAN,
      owner: THIEF,
    }),
    'a recipient that the user has not approved': seen([fee(SERVICE_TOKEN)]),
    'more than 10%': seen([fee(SERVICE_TOKEN, 2n ** 62n)], undefined, APPROVED),
    'nothing is claimed': seen([fee(SERVICE_TOKEN)], (first) => [{ ...first, innerInstructions: [] }], APPROVED),
    'the simulation reports no inner instructions': seen(
      [fee(SERVICE_TOKEN)],
      (first) => [{ ...first, innerInstructions: undefined }],
      APPROVED,
    ),
    'another instruction makes the payment': seen(
      [fee(SERVICE_TOKEN)],
      (first) => [{ ...first, innerInstructions: first.innerInstructions?.map((inner) => ({ ...inner, calledBy: 1 })) }],
      APPROVED,
    ),
    "the payment comes from an account that is not the pool's": seen(
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
    'the simulation is of another transaction': seen([closing(claim()), fee(SERVICE_TOKEN)], undefined, APPROVED),
  })),
  attack('TOK-1', "the service's fee: takes it with another form of transfer and a clean simulation", 'block TOK-1', () => ({
    'two transfers of one token': seen(
      [closing(claim(), ...[80n, 81n].map((amount) => tokenInstruction(tokenAmount(3, amount), [OWN_TOKEN, SERVICE_TOKEN, OWNER])))],
      undefined,
      APPROVED,
    ),
    'before the claim': seen(
      [closing(tokenInstruction(tokenAmount(3, 80n), [OWN_TOKEN, SERVICE_TOKEN, OWNER]), claim())],
      undefined,
      APPROVED,
    ),
    'from an account that only the RPC reports': withAccount(
      seen([closing(claim(), tokenInstruction(tokenAmount(3, 80n), [PLANTED, SERVICE_TOKEN, OWNER]))], undefined, APPROVED),
      PLANTED,
      CLEAN,
    ),
  })),
];

const memo = (program: Address, text: string, ...signers: readonly Address[]): TransactionInstruction =>
  tokenInstruction([...Buffer.from(text)], signers, program);
const LOGIN = 'exchange.example wants you to sign in with your Solana account. Nonce: 0x77';

const SIGNED_TEXTS: readonly Attack[] = [
  planted('MEM-1', 'has the wallet sign a text in its own name, such as a login', 'confirm MEM-1', () => ({
    instructions: [memo(PROGRAMS.memo, LOGIN, OWNER)],
  })),
  planted('MEM-1', 'has the wallet sign a text with the first version of the memo program', 'confirm MEM-1', () => ({
    instructions: [memo(PROGRAMS.memoV1, LOGIN, OWNER)],
    into: [OUT, IN],
  })),
  planted('MEM-1', 'has the wallet sign an empty text', 'confirm MEM-1', () => ({
    instructions: [memo(PROGRAMS.memo, '', OWNER)],
    into: [OUT, IN],
  })),
];

const binArray = (index: number): TransactionInstruction =>
  dlmm('initialize_bin_array', { index: BigInt(index) }, { bin_array: dlmmBinArray(POOL, index) });
const OTHER_MINT = addressOf('a token without a part');

const RENTS: readonly Attack[] = [
  ...[-2, 1, 2, 400, -30_000].map((index) =>
    planted('RNT-1', `creates bin array ${index}, which is outside the range`, 'confirm RNT-1', () => ({
      instructions: [binArray(index)],
      into: [IN],
      groups: ['add'],
      isNamed: true,
    })),
  ),
  planted('RNT-1', 'creates a bitmap extension that the range does not need', 'confirm RNT-1', () => ({
    instructions: [dlmm('initialize_bin_array_bitmap_extension')],
    into: [IN],
    groups: ['add'],
    isNamed: true,
  })),
  planted('ATA-1', 'creates an account for a token that the operation does not use', 'confirm ATA-1', () => ({
    instructions: [createAta(OTHER_MINT)],
    isNamed: true,
  })),
  planted('ATA-1', 'creates an account for an unused token and names the token in a memo', 'confirm ATA-1', () => ({
    instructions: [createAta(OTHER_MINT), memo(PROGRAMS.memo, 'a note', OTHER_MINT)],
    into: [OUT],
    isNamed: true,
  })),
  planted('ATA-1', 'creates an account for an unused token and calls an instruction on it that has no effect', 'confirm ATA-1', () => ({
    instructions: [createAta(OTHER_MINT), tokenInstruction([17], [associatedTokenAddress(OWNER, OTHER_MINT)])],
    into: [OUT, IN],
    isNamed: true,
  })),
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
