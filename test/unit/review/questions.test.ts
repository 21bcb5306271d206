import assert from 'node:assert/strict';
import type { Address } from '../../../src/solana/address';
import { dlmmReserve } from '../../../src/solana/derive';
import { NO_FACTS, type ChainFacts } from '../../../src/review/facts';
import type { Review } from '../../../src/review/types';
import { addByStrategy, addressOf, BLOCKHASH, claim, honestZapIn, honestZapOut, MINT, objections, openPosition, OWN_SOL, OWN_TOKEN, OWNER, POOL, POSITION, removal, reviewDrafts, THIEF, tokenAmount, tokenInstruction, ZAP_IN, ZAP_OUT, type Draft } from './bundles';
import { TABLE, tableOf } from './lookupTables';

describe('review: questions for an RPC', () => {
  it('asks for tables, blockhashes and mints, and not again for what it knows', () => {
    const table = tableOf([dlmmReserve(POOL, MINT)]);
    const drafts: Draft[] = [{ group: 'close', instructions: [removal(), claim()], tables: [table] }];
    const { questions } = reviewDrafts(ZAP_OUT, drafts);
    assert.deepEqual(questions, { lookupTables: [TABLE], tokenAccounts: [], mints: [MINT], blockhashes: [BLOCKHASH] });
    const facts: ChainFacts = {
      ...NO_FACTS,
      lookupTables: new Map([[TABLE, { addresses: [dlmmReserve(POOL, MINT)], isDeactivated: false }]]),
      mints: new Map([[MINT, []]]),
      blockhashes: new Map([[BLOCKHASH, true]]),
    };
    assert.deepEqual(reviewDrafts(ZAP_OUT, drafts, undefined, { facts }).questions, { lookupTables: [], tokenAccounts: [], mints: [], blockhashes: [] });
  });

  it('asks whose a token account is that money goes to, and believes the answer', () => {
    const other = addressOf('other account');
    const drafts: Draft[] = [{ group: 'close', instructions: [removal(10_000, { user_token_x: other })] }];
    const offline = reviewDrafts(ZAP_OUT, drafts);
    assert.deepEqual(objections(offline), ['block DLMM-2']);
    assert.deepEqual(offline.questions.tokenAccounts, [other]);
    const withOwner = (owner: Address): Review => reviewDrafts(ZAP_OUT, drafts, undefined, { facts: { ...NO_FACTS, tokenAccounts: new Map([[other, { owner, mint: MINT }]]) } });
    assert.deepEqual(objections(withOwner(OWNER)), []);
    assert.deepEqual(withOwner(OWNER).questions.tokenAccounts, []);
    assert.ok(withOwner(OWNER).watched.includes(other));
    assert.deepEqual(objections(withOwner(THIEF)), ['block DLMM-2']);
  });

  it('an associated account that has been given away is nobody\'s of the owner\'s', () => {
    const facts = { ...NO_FACTS, tokenAccounts: new Map([[OWN_TOKEN, { owner: THIEF, mint: MINT }]]) };
    assert.deepEqual(objections(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [removal()] }], undefined, { facts })), ['block DLMM-2']);
  });

  it('of which token an associated account is no RPC can change', () => {
    const facts = { ...NO_FACTS, tokenAccounts: new Map([[OWN_SOL, { owner: OWNER, mint: MINT }]]) };
    const [, add] = honestZapIn();
    const more: Draft = { ...add, instructions: [openPosition(), addByStrategy({ amountY: 1_010_000_001n })] };
    assert.deepEqual(objections(reviewDrafts(ZAP_IN, [more], undefined, { facts })), ['block LIM-1']);
  });

  it('names what a simulation has to watch', () => {
    const { watched } = reviewDrafts(ZAP_OUT, honestZapOut());
    assert.deepEqual([...watched].sort(), [OWNER, POSITION, OWN_TOKEN, OWN_SOL].sort());
  });

  it('asks for no more than one answer holds', () => {
    const drafts: Draft[] = Array.from({ length: 8 }, (_, at) => ({
      group: 'close',
      instructions: Array.from({ length: 18 }, (_, place) => tokenInstruction([...tokenAmount(3, 1n)], [OWN_TOKEN, addressOf(`account ${at} ${place}`), OWNER])),
    }));
    assert.equal(reviewDrafts(ZAP_OUT, drafts).questions.tokenAccounts.length, 100);
  });
});
