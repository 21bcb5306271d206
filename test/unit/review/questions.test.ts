import assert from 'node:assert/strict';
import { dlmmReserve } from '../../../src/base/solana/pda';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { RentRate } from '../../../src/base/solana/rent';
import { NO_FACTS, type ChainFacts, type TokenAccountFact } from '../../../src/review/facts/facts';
import type { Review } from '../../../src/review/types';
import {
  addByStrategy,
  addressOf,
  BLOCKHASH,
  claim,
  honestZapIn,
  honestZapOut,
  MINT,
  objections,
  openPosition,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  POOL,
  POSITION,
  removal,
  reviewDrafts,
  THIEF,
  tokenAmount,
  tokenInstruction,
  ZAP_IN,
  ZAP_OUT,
  type Draft,
} from '../../support/review/bundles';
import { TABLE, tableOf } from '../../support/review/lookupTables';

describe('review: questions for an RPC', () => {
  it('The review asks the RPC for tables, blockhashes and mints, except those that it already knows', () => {
    const table = tableOf([dlmmReserve(POOL, MINT)]);
    const drafts: Draft[] = [{ group: 'close', instructions: [removal(), claim()], tables: [table] }];
    const { questions } = reviewDrafts(ZAP_OUT, drafts);
    assert.deepEqual(questions, {
      lookupTables: [TABLE],
      tokenAccounts: [OWN_TOKEN, OWN_SOL],
      mints: [MINT],
      pools: [POOL],
      positions: [],
      blockhashes: [BLOCKHASH],
      rent: [],
    });
    const facts: ChainFacts = {
      ...NO_FACTS,
      lookupTables: new Map([[TABLE, { addresses: [dlmmReserve(POOL, MINT)], isDeactivated: false }]]),
      tokenAccounts: new Map([
        [OWN_TOKEN, { owner: OWNER, mint: MINT }],
        [OWN_SOL, { owner: OWNER, mint: WRAPPED_SOL_MINT }],
      ]),
      mints: new Map([[MINT, []]]),
      pools: new Map([[POOL, { kind: 'dlmm', tokenX: MINT, tokenY: WRAPPED_SOL_MINT, activeBinId: 0, binStepBps: 10 }]]),
      blockhashes: new Map([[BLOCKHASH, true]]),
    };
    assert.deepEqual(reviewDrafts(ZAP_OUT, drafts, undefined, { facts }).questions, {
      lookupTables: [],
      tokenAccounts: [],
      mints: [],
      pools: [],
      positions: [],
      blockhashes: [],
      rent: [],
    });
  });

  it('The review asks what accounts cost if the transactions create or close any, until an RPC told it', () => {
    assert.deepEqual(reviewDrafts(ZAP_IN, honestZapIn()).questions.rent, ['rate']);
    assert.deepEqual(reviewDrafts(ZAP_OUT, honestZapOut()).questions.rent, ['rate']);
    const facts: ChainFacts = { ...NO_FACTS, rent: RentRate.ofLamportsPerByte(5_080n) };
    assert.deepEqual(reviewDrafts(ZAP_IN, honestZapIn(), undefined, { facts }).questions.rent, []);
  });

  it("The review asks about every receiving token account, and no answer makes a foreign account the owner's", () => {
    const other = addressOf('other account');
    const drafts: Draft[] = [{ group: 'close', instructions: [removal(10_000, { user_token_x: other })] }];
    const offline = reviewDrafts(ZAP_OUT, drafts);
    assert.deepEqual(objections(offline), ['block DLMM-2']);
    assert.deepEqual(offline.questions.tokenAccounts, [other, OWN_SOL]);
    const withFact = (fact: TokenAccountFact): Review =>
      reviewDrafts(ZAP_OUT, drafts, undefined, { facts: { ...NO_FACTS, tokenAccounts: new Map([[other, fact]]) } });
    const clean = { owner: OWNER, mint: MINT, state: 'initialized', delegate: null, closeAuthority: null } as const;
    const answers: TokenAccountFact[] = [
      clean,
      { owner: OWNER, mint: MINT },
      { ...clean, closeAuthority: THIEF },
      { ...clean, delegate: THIEF },
      { ...clean, state: 'frozen' },
      { ...clean, state: 'uninitialized' },
      { ...clean, owner: THIEF },
    ];
    for (const fact of answers) {
      const review = withFact(fact);
      assert.deepEqual(objections(review), ['block DLMM-2'], JSON.stringify(fact));
      assert.deepEqual(review.questions.tokenAccounts, [OWN_SOL]);
      assert.equal(review.watched.includes(other), fact.owner === OWNER);
    }
    const words = withFact(clean).findings.find(({ rule }) => rule === 'DLMM-2')?.message ?? '';
    assert.match(words, /Your wallet holds that account, but its creator may be able to replace it before the transaction lands/);
    assert.match(words, /Move its tokens to your associated token account, close it, then try again/);
    assert.match(offline.findings.find(({ rule }) => rule === 'DLMM-2')?.message ?? '', /not one of your accounts/);
  });

  it('OWN-1: The review blocks an associated account that others control and asks about a frozen one', () => {
    const clean = { owner: OWNER, mint: MINT, state: 'initialized', delegate: null, closeAuthority: null } as const;
    const withFact = (fact: TokenAccountFact): string[] =>
      objections(
        reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [removal()] }], undefined, {
          facts: { ...NO_FACTS, tokenAccounts: new Map([[OWN_TOKEN, fact]]) },
        }),
      ).sort();
    assert.deepEqual(withFact(clean), []);
    assert.deepEqual(withFact({ owner: OWNER, mint: MINT }), []);
    assert.deepEqual(withFact({ ...clean, delegate: OWNER, closeAuthority: OWNER }), []);
    assert.deepEqual(withFact({ owner: THIEF, mint: MINT }), ['block DLMM-2', 'block OWN-1']);
    assert.deepEqual(withFact({ ...clean, state: 'uninitialized' }), ['block DLMM-2', 'block OWN-1']);
    assert.deepEqual(withFact({ ...clean, delegate: THIEF }), ['block OWN-1']);
    assert.deepEqual(withFact({ ...clean, closeAuthority: THIEF }), ['block OWN-1']);
    assert.deepEqual(withFact({ ...clean, state: 'frozen' }), ['confirm OWN-1']);
  });

  it('An RPC cannot change the mint of an associated token account', () => {
    const facts = { ...NO_FACTS, tokenAccounts: new Map([[OWN_SOL, { owner: OWNER, mint: MINT }]]) };
    const [, add] = honestZapIn();
    const more: Draft = { ...add, instructions: [openPosition(), addByStrategy({ amountY: 1_010_000_001n })] };
    assert.deepEqual(objections(reviewDrafts(ZAP_IN, [more], undefined, { facts })), ['block LIM-1']);
  });

  it('The review names the accounts that a simulation has to watch', () => {
    const { watched } = reviewDrafts(ZAP_OUT, honestZapOut());
    assert.deepEqual([...watched].sort(), [OWNER, POSITION, OWN_TOKEN, OWN_SOL].sort());
  });

  it('The review asks for no more accounts than one RPC answer can hold', () => {
    const drafts: Draft[] = Array.from({ length: 8 }, (_, at) => ({
      group: 'close',
      instructions: Array.from({ length: 18 }, (_, place) =>
        tokenInstruction([...tokenAmount(3, 1n)], [OWN_TOKEN, addressOf(`account ${at} ${place}`), OWNER]),
      ),
    }));
    assert.equal(reviewDrafts(ZAP_OUT, drafts).questions.tokenAccounts.length, 100);
  });
});
