import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { addressFromBytes, type Address } from '../../../src/base/solana/address';
import { RentRate } from '../../../src/base/solana/rent';
import { CaseError, readCase, writeCase, type CaseInput } from '../../../src/review/report/caseFormat';
import {
  NO_FACTS,
  type AccountState,
  type ChainFacts,
  type InnerInstruction,
  type MintRisk,
  type SimulatedTransaction,
} from '../../../src/review/facts/facts';
import { MINT, OWNER, ZAP_OUT } from '../../support/review/bundles';

/** Objects as JSON gives them. */
const PLAIN = { noNullPrototype: true } as const;
const U64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const addresses = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(addressFromBytes);
const byAddress = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<ReadonlyMap<Address, T>> =>
  fc.array(fc.tuple(addresses, value), { maxLength: 4 }).map((entries) => new Map(entries));
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const states: fc.Arbitrary<AccountState> = fc.record({ lamports: U64, program: addresses, data: fc.uint8Array({ maxLength: 200 }) }, PLAIN);
const place = fc.integer({ min: 0, max: 255 });
const accountPlace = fc.integer({ min: -1, max: 255 });
const inner: fc.Arbitrary<InnerInstruction> = fc.record(
  {
    calledBy: place,
    programIdIndex: accountPlace,
    accountIndexes: fc.array(accountPlace, { maxLength: 5 }),
    data: fc.uint8Array({ maxLength: 40 }),
  },
  { requiredKeys: ['programIdIndex', 'accountIndexes', 'data'], noNullPrototype: true },
);
const simulated: fc.Arbitrary<SimulatedTransaction> = fc.record(
  {
    error: optional(fc.string()),
    before: byAddress(states),
    after: byAddress(states),
    innerInstructions: optional(fc.array(inner, { maxLength: 4 })),
  },
  PLAIN,
);
const risk: fc.Arbitrary<MintRisk> = fc.oneof(
  fc
    .constantFrom<MintRisk['kind'][]>(
      'permanentDelegate',
      'transferHook',
      'frozenByDefault',
      'nonTransferable',
      'pausable',
      'paused',
      'confidentialTransfer',
      'scaledAmount',
      'unknown',
    )
    .map((kind) => ({ kind })),
  fc.integer({ min: 0, max: 65_535 }).map((bps): MintRisk => ({ kind: 'transferFee', bps })),
);
const facts: fc.Arbitrary<ChainFacts> = fc.record(
  {
    lookupTables: byAddress(fc.record({ addresses: fc.array(addresses, { maxLength: 5 }), isDeactivated: fc.boolean() }, PLAIN)),
    tokenAccounts: byAddress(
      fc.oneof(
        fc.record({ owner: addresses, mint: addresses }, PLAIN),
        fc.record(
          {
            owner: addresses,
            mint: addresses,
            state: fc.constantFrom('uninitialized', 'initialized', 'frozen'),
            delegate: fc.option(addresses),
            closeAuthority: fc.option(addresses),
          },
          PLAIN,
        ),
      ),
    ),
    mints: byAddress(fc.array(risk, { maxLength: 3 })),
    blockhashes: byAddress(fc.boolean()),
    rent: fc.bigInt({ min: 696n, max: 69_600n }).map((rate) => RentRate.ofLamportsPerByte(rate)),
    simulation: optional(fc.record({ slot: U64, transactions: fc.array(simulated, { maxLength: 3 }) }, PLAIN)),
  },
  PLAIN,
);

const inputOf = (of?: ChainFacts): CaseInput => ({
  intent: ZAP_OUT,
  transactions: [],
  lastValidBlockHeight: undefined,
  ...(of === undefined ? {} : { facts: of }),
});
const written = (input: CaseInput): Readonly<Record<string, unknown>> =>
  JSON.parse(JSON.stringify(writeCase(input, 'case'))) as Readonly<Record<string, unknown>>;
const plain = written(inputOf());

describe('review: chain facts in a case', () => {
  it('The reader returns every set of facts exactly as it was written', () => {
    fc.assert(
      fc.property(facts, (of) => assert.deepEqual(readCase(written(inputOf(of))).facts, of)),
      { numRuns: 200 },
    );
  });

  it('The reader returns position facts as they were written and rejects invalid ones', () => {
    const position = fc.record(
      {
        pool: addresses,
        owner: addresses,
        powers: fc.array(addresses, { maxLength: 3 }),
        isRestricted: fc.boolean(),
        lowerBinId: fc.integer(),
        upperBinId: fc.integer(),
      },
      { requiredKeys: ['pool', 'owner', 'powers', 'isRestricted'], noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.tuple(addresses, position), (entry) =>
        assert.deepEqual(readCase(written(inputOf({ ...NO_FACTS, positions: new Map([entry]) }))).facts?.positions, new Map([entry])),
      ),
    );
    const fact = { pool: OWNER, owner: OWNER, powers: [], isRestricted: false };
    for (const odd of [
      { ...fact, owner: 'x' },
      { ...fact, powers: undefined },
      { ...fact, isRestricted: 'no' },
      { ...fact, lowerBinId: 0.5 },
    ]) {
      assert.throws(() => readCase({ ...plain, facts: { positions: { [MINT]: odd } } }), CaseError);
    }
  });

  it('A case without chain facts contains no facts field', () => {
    assert.equal('facts' in plain, false);
    assert.deepEqual(written(inputOf(NO_FACTS)), plain);
    for (const none of [
      undefined,
      null,
      {},
      { tokenAccounts: null, mints: null, blockhashes: null, deactivatedTables: null, simulation: null, incomplete: null },
    ]) {
      assert.deepEqual(readCase({ ...plain, facts: none }).facts, NO_FACTS);
    }
  });

  it('A saved case records that an answer is missing without text that may name the RPC', () => {
    const text = JSON.stringify(writeCase(inputOf({ ...NO_FACTS, problem: 'key123.example.com took too long.' }), 'case'));
    assert.equal(text.includes('key123'), false);
    assert.match(readCase(JSON.parse(text)).facts?.problem ?? '', /does not contain the reason/);
  });

  it('The reader accepts the old form with only owner and mint and adds no other fact', () => {
    const old = { tokenAccounts: { [OWNER]: { owner: OWNER, mint: MINT } } };
    assert.deepEqual(readCase({ ...plain, facts: old }).facts?.tokenAccounts.get(OWNER), { owner: OWNER, mint: MINT });
  });

  it('The reader rejects invalid facts and names the wrong field', () => {
    const simulation = (transaction: unknown): unknown => ({ simulation: { slot: '1', transactions: [transaction] } });
    const state = { lamports: '1', program: OWNER, data: '' };
    const odd: readonly (readonly [unknown, RegExp])[] = [
      ['none', /facts/],
      [{ tokenAccounts: { somewhere: { owner: OWNER, mint: MINT } } }, /facts\.tokenAccounts names something that is not a Solana address/],
      [{ tokenAccounts: { [OWNER]: { owner: 'x', mint: MINT } } }, /facts\.tokenAccounts\..*owner is not a Solana address/],
      [{ mints: { [MINT]: [{ kind: 'harmless' }] } }, /facts\.mints/],
      [{ mints: { [MINT]: [{ kind: 'transferFee', bps: -1 }] } }, /facts\.mints/],
      [{ blockhashes: { one: 'yes' } }, /facts\.blockhashes/],
      [{ rentLamportsPerByte: '695' }, /facts\.rentLamportsPerByte/],
      [{ rentLamportsPerByte: '69601' }, /facts\.rentLamportsPerByte/],
      [{ deactivatedTables: ['x'] }, /facts\.deactivatedTables/],
      [{ simulation: { slot: -1, transactions: [] } }, /facts\.simulation\.slot/],
      [simulation({ before: {} }), /facts\.simulation\.transactions\.0\.after/],
      [simulation({ before: { [OWNER]: { ...state, data: 'AA' } }, after: {} }), /data is not base64/],
      [simulation({ before: { [OWNER]: { ...state, lamports: '1.5' } }, after: {} }), /before\..*lamports/],
      [simulation({ before: {}, after: {}, innerInstructions: [{ programIdIndex: 256, accounts: [], data: '' }] }), /programIdIndex/],
      [simulation({ before: {}, after: {}, innerInstructions: [{ calledBy: -1, programIdIndex: 0, accounts: [], data: '' }] }), /calledBy/],
      [simulation({ before: {}, after: {}, innerInstructions: [{ programIdIndex: 0, accounts: [-2], data: '' }] }), /accounts/],
    ];
    for (const [part, words] of odd) {
      assert.throws(
        () => readCase({ ...plain, facts: part }),
        (error) => error instanceof CaseError && words.test(error.message),
        JSON.stringify(part),
      );
    }
  });
});
