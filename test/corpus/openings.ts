import type { TransactionInstruction } from '@solana/web3.js';
import { NO_FACTS, type ChainFacts, type PositionFact } from '../../src/review/facts/facts';
import { PROGRAMS } from '../../src/base/solana/programs';
import type { Address } from '../../src/base/solana/address';
import {
  addByStrategy,
  addressOf,
  dlmm,
  FROM_BIN,
  keyOf,
  NO_SLICES,
  openPosition,
  OWNER,
  POOL,
  POSITION,
  POSITION_KEY,
  THIEF,
  TO_BIN,
  ZAP_IN,
  type Draft,
} from '../support/review/bundles';
import { addDamm, createDamm, DAMM_IN, DAMM_POSITION, NFT_KEY, zap } from '../support/review/meteoraDrafts';
import { rebalance } from '../support/review/rebalanceInstruction';
import { attack, inputOf, type Attack } from './attack';

// Deposits into a position that may belong to another wallet when they land (DLMM-10, BND-5). The service holds the position's key: it opens the
// position for itself, makes the user its operator, and lands the deposit alone.

const THIEF_KEY = keyOf('thief');
const OTHER_POOL = addressOf('another pool');

const adding = (...instructions: readonly TransactionInstruction[]): Draft => ({
  group: 'add',
  instructions,
  signers: signersOf(instructions),
});

/** The required signers besides the owner. */
function signersOf(instructions: readonly TransactionInstruction[]): Draft['signers'] {
  const signing = new Set(
    instructions.flatMap(({ keys }) => keys.filter(({ isSigner }) => isSigner).map(({ pubkey }) => pubkey.toBase58())),
  );
  return [POSITION_KEY, NFT_KEY, THIEF_KEY].filter(({ publicKey }) => signing.has(publicKey.toBase58()));
}

const lengthen = dlmm('increase_position_length2', { minimum_upper_bin_id: TO_BIN });
const rebalancing = rebalance({ adds: 1, perBinRaw: 1n, mostXRaw: 1n, mostYRaw: 1n });
const ledger = [
  zap('initialize_ledger_account'),
  zap('set_ledger_balance', { amount: 1n, is_token_a: true }),
  zap('set_ledger_balance', { amount: 1n, is_token_a: false }),
];
const zapIn = zap('zap_in_dlmm_for_initialized_position', {
  active_id: 0,
  min_delta_id: FROM_BIN,
  max_delta_id: TO_BIN,
  max_active_bin_slippage: 3,
  favor_x_in_active_id: false,
  strategy: { kind: 'Spot' },
  ...NO_SLICES,
});
const zapInDamm = zap('zap_in_damm_v2', { pre_sqrt_price: 2n ** 64n, max_sqrt_price_change_bps: 100 });

/** Instructions that fill or lengthen a position that any wallet may have opened, by name. */
const FILLS: readonly (readonly [string, typeof ZAP_IN, TransactionInstruction, readonly TransactionInstruction[]])[] = [
  ['deposits', ZAP_IN, openPosition(), [addByStrategy()]],
  ['lengthens the position', ZAP_IN, openPosition({ width: 30 }), [lengthen]],
  ['rebalances', ZAP_IN, openPosition(), [rebalancing]],
  ['zaps in with Meteora Zap', ZAP_IN, openPosition(), [...ledger, zapIn]],
  ['deposits into DAMM v2', DAMM_IN, createDamm(), [addDamm()]],
  ['zaps in to DAMM v2 with Meteora Zap', DAMM_IN, createDamm(), [...ledger, zapInDamm]],
];

const WALLET = { lamports: 10n ** 10n, program: PROGRAMS.system, data: new Uint8Array() };
const CLEAN: ChainFacts['simulation'] = {
  slot: 1n,
  transactions: [{ error: undefined, before: new Map([[OWNER, WALLET]]), after: new Map([[OWNER, WALLET]]), innerInstructions: [] }],
};

const SPLIT: readonly Attack[] = FILLS.map(([what, intent, open, fill]) =>
  attack('DLMM-10', `${what} although another transaction opens the position`, 'block DLMM-10', () => ({
    'opened before the deposit': inputOf(intent, [adding(open), adding(...fill)]),
    'opened after the deposit': inputOf(intent, [adding(...fill), adding(open)]),
    'with a clean simulation': inputOf(intent, [adding(open), adding(...fill)], { facts: { ...NO_FACTS, simulation: CLEAN } }),
    'as legacy transactions': inputOf(
      intent,
      [adding(open), adding(...fill)].map((draft): Draft => ({ ...draft, version: 'legacy' })),
    ),
    'the transaction also opens the position itself': inputOf(intent, [
      adding(open, ...fill),
      { ...adding(...fill), blockhash: addressOf('another blockhash') },
    ]),
    'opened after the deposit, in one transaction': inputOf(intent, [adding(...fill, open)]),
    'not opened at all': inputOf(intent, [adding(...fill)]),
  })),
);

const OTHER_OPENINGS: readonly Attack[] = [
  attack('DLMM-10', 'deposits after an opening that differs from the request', 'block DLMM-10', () => ({
    'for another wallet': inputOf(ZAP_IN, [adding(openPosition({}, { owner: THIEF }), addByStrategy())]),
    'with another lower bin': inputOf(ZAP_IN, [adding(openPosition({ lower_bin_id: FROM_BIN - 1 }), addByStrategy())]),
    'with another upper bin': inputOf(ZAP_IN, [adding(openPosition({ width: 41 }), addByStrategy())]),
    'in another pool': inputOf(ZAP_IN, [adding(openPosition({}, { lb_pair: OTHER_POOL }), addByStrategy())]),
    'of another position': inputOf({ ...ZAP_IN, position: undefined }, [adding(openPosition({}, { position: THIEF }), addByStrategy())]),
    'for another wallet, in DAMM v2': inputOf(DAMM_IN, [adding(createDamm({ owner: THIEF }), addDamm())]),
    'in another pool of DAMM v2': inputOf(DAMM_IN, [adding(createDamm({ pool: OTHER_POOL }), addDamm())]),
  })),
  attack('BND-5', 'opens a position a second time with other parameters', 'block BND-5', () => ({
    'with other bins': inputOf(ZAP_IN, [
      adding(openPosition(), addByStrategy()),
      adding(openPosition({ width: 39 }), addByStrategy({ amountY: 1n })),
    ]),
    'for another wallet': inputOf(ZAP_IN, [
      adding(openPosition(), addByStrategy()),
      adding(openPosition({}, { owner: THIEF }), addByStrategy({ amountY: 1n })),
    ]),
    'by an instruction that cannot be repeated': inputOf(ZAP_IN, [
      adding(openPosition(), addByStrategy()),
      adding(dlmm('initialize_position', { lower_bin_id: FROM_BIN, width: 40 }), addByStrategy({ amountY: 1n })),
    ]),
    'in DAMM v2': inputOf(DAMM_IN, [adding(createDamm(), addDamm(1n, 1n)), adding(createDamm(), addDamm(2n, 2n))]),
  })),
];

const OWN: PositionFact = { pool: POOL, owner: OWNER, powers: [], isRestricted: false };
const known = (position: Address, fact: Partial<PositionFact>): ChainFacts => ({
  ...NO_FACTS,
  simulation: CLEAN,
  positions: new Map([[position, { ...OWN, ...fact }]]),
});

const FOREIGN: Readonly<Record<string, Partial<PositionFact>>> = {
  'another wallet owns it': { owner: THIEF },
  'another wallet owns it, and the user is its operator': { owner: THIEF, powers: [OWNER] },
  'another wallet is its operator': { powers: [THIEF] },
  'it is in another pool': { pool: OTHER_POOL },
  'it is locked': { isRestricted: true },
};

const KNOWN: readonly Attack[] = (
  [
    ['DLMM', ZAP_IN, POSITION, openPosition(), addByStrategy()],
    ['DAMM v2', DAMM_IN, DAMM_POSITION, createDamm(), addDamm()],
  ] as const
).flatMap(([name, intent, position, open, fill]) => [
  attack('DLMM-10', `own positions: one of ${name} that, according to the chain, the user does not control alone`, 'block DLMM-10', () => ({
    ...Object.fromEntries(
      Object.entries(FOREIGN).map(([what, fact]) => [what, inputOf(intent, [adding(fill)], { facts: known(position, fact) })]),
    ),
    ...Object.fromEntries(
      Object.entries(FOREIGN).map(([what, fact]) => [
        `${what}, and is opened along with the deposit`,
        inputOf(intent, [adding(open, fill)], { facts: known(position, fact) }),
      ]),
    ),
    'the facts are about another position': inputOf(intent, [adding(fill)], { facts: known(THIEF, {}) }),
  })),
  attack('DLMM-10', `own positions: deposits into a position of ${name} that the user already has`, 'confirm DLMM-10', () => ({
    'as reported by the chain': inputOf(intent, [adding(fill)], { facts: known(position, {}) }),
  })),
]);

/** All of these attacks. */
export const OPENINGS: readonly Attack[] = [...SPLIT, ...OTHER_OPENINGS, ...KNOWN];
