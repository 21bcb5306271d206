import assert from 'node:assert/strict';
import bs58 from 'bs58';
import type { RawTransaction } from '../../../../src/base/insight/flows';
import { addressFromBytes } from '../../../../src/base/solana/address';
import { JITO_TIP_ACCOUNTS, PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { type ClaimShare, type LedgerSource, ledgerTransactionsOf } from '../../../../src/transactions/earnings/ledgerTransactions';
import type { LoggedFlow } from '../../../../src/transactions/earnings/loggedFlows';

const key = (number: number) => addressFromBytes(new Uint8Array(32).fill(number));
const [OWNER, OTHER, POOL, POSITION, MEME] = [key(1), key(2), key(3), key(4), key(5)];
const [OWN_ACCOUNT, OTHER_ACCOUNT, WRAPPED] = [key(6), key(7), key(8)];
const TIP = JITO_TIP_ACCOUNTS[0] ?? OTHER;
const KEYS = [OWNER, OTHER, OWN_ACCOUNT, OTHER_ACCOUNT, WRAPPED, TIP, PROGRAMS.system, PROGRAMS.token];

interface Called {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: readonly number[];
}

const u64 = (value: bigint) => Array.from({ length: 8 }, (_, index) => Number((value >> BigInt(8 * index)) & 0xffn));
const sendSol = (to: string, lamports: bigint): Called => ({
  program: PROGRAMS.system,
  accounts: [OWNER, to],
  data: [2, 0, 0, 0, ...u64(lamports)],
});
const sendMeme = (raw: bigint): Called => ({
  program: PROGRAMS.token,
  accounts: [OWN_ACCOUNT, OTHER_ACCOUNT, OWNER],
  data: [3, ...u64(raw)],
});

/** A transaction in which the owner gets `meme` and pays 5,000 lamports. */
function transaction(meme: bigint, lamports: bigint, calls: readonly Called[] = []): RawTransaction {
  const balances = (owner: bigint) => KEYS.map((one) => (one === OWNER ? owner : 1n));
  const tokens = (own: bigint) => [
    { accountIndex: KEYS.indexOf(OWN_ACCOUNT), mint: MEME, owner: OWNER, amount: own },
    { accountIndex: KEYS.indexOf(OTHER_ACCOUNT), mint: MEME, owner: OTHER, amount: 0n },
  ];
  return {
    blockTime: 1_000,
    transaction: {
      signatures: ['sig'],
      message: {
        accountKeys: KEYS,
        instructions: calls.map(({ program, accounts, data }) => ({
          programIdIndex: KEYS.indexOf(program as (typeof KEYS)[number]),
          accounts: accounts.map((one) => KEYS.indexOf(one as (typeof KEYS)[number])),
          data: bs58.encode(Uint8Array.from(data)),
        })),
      },
    },
    meta: {
      ...{ err: null, fee: 5_000n, preBalances: balances(10n ** 9n), postBalances: balances(10n ** 9n + lamports), innerInstructions: [] },
      ...{ preTokenBalances: tokens(0n), postTokenBalances: tokens(meme) },
    },
  };
}

const FEES: LoggedFlow = {
  ...{ signature: 'sig', timeS: 1_000, kind: 'fees', prices: { [MEME]: 0.001 }, solUsd: 150 },
  amounts: { [MEME]: 1_000n, [WRAPPED_SOL_MINT]: 50_000n },
};

function read(raw: RawTransaction, more: Partial<LedgerSource> = {}) {
  return ledgerTransactionsOf({
    ...{ owner: OWNER, positions: [POSITION], transactions: [raw], logged: [FEES], sharedClaims: new Map<string, ClaimShare>() },
    pool: { address: POOL, poolType: 'dlmm', x: MEME, y: WRAPPED_SOL_MINT, decimalsX: 5, decimalsY: 9, binStepBps: 10 },
    ...more,
  });
}

function only(result: ReturnType<typeof read>) {
  return (result.known ? result.transactions[0] : undefined) ?? assert.fail(JSON.stringify(result, (_, value: unknown) => String(value)));
}

describe('The transactions of a ledger', () => {
  it('What a service keeps of claimed fees is a commission: up to a tenth of them, no tip, no wrapped SOL, and nothing that is more', () => {
    const wraps: Called = { program: PROGRAMS.token, accounts: [WRAPPED], data: [17] };
    const calls = [sendMeme(80n), sendSol(OTHER, 4_000n), sendSol(TIP, 1_000n), sendSol(WRAPPED, 900n), wraps];
    const { commission } = only(read(transaction(920n, 40_000n, calls)));
    assert.deepEqual(commission, [
      { mint: MEME, raw: 80n },
      { mint: WRAPPED_SOL_MINT, raw: 4_000n },
    ]);
    assert.deepEqual(only(read(transaction(800n, 40_000n, [sendMeme(200n), sendSol(OTHER, 10_000n)]))).commission, []);
    assert.deepEqual(only(read(transaction(0n, -5_000n, [sendMeme(1n)]), { logged: [] })).commission, [], 'without fees');
  });

  it('Of a claim of several positions, a chain has its own fees and its share of the costs', () => {
    const whole = transaction(9_000n, 200_000n, [sendSol(TIP, 3_000n)]);
    const part = only(read(whole, { sharedClaims: new Map([['sig', { own: 1, all: 4 }]]) }));
    assert.deepEqual([part.feeLamports, part.tipLamports, part.lamports], [1_250n, 750n, -2_000n]);
    assert.deepEqual(part.tokens, [
      { mint: MEME, change: 1_000n },
      { mint: WRAPPED_SOL_MINT, change: 50_000n },
    ]);
  });

  it('Events of the service without a transaction leave nothing known, and events that round do', () => {
    const raw = transaction(1_000n, 45_000n);
    const other: LoggedFlow = { ...FEES, signature: undefined, amounts: { [MEME]: 500n, [WRAPPED_SOL_MINT]: 0n } };
    assert.deepEqual(read(raw, { logged: [FEES, other] }), { known: false, why: 'incomplete' });
    const rounded: LoggedFlow = { ...other, amounts: { [MEME]: 1n, [WRAPPED_SOL_MINT]: 0n } };
    assert.equal(read(raw, { logged: [FEES, rounded] }).known, true);
  });
});
