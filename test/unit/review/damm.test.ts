import assert from 'node:assert/strict';
import { AddressLookupTableAccount, type TransactionInstruction } from '@solana/web3.js';
import type { Address } from '../../../src/base/solana/address';
import { dammPosition, dammPositionNftAccount } from '../../../src/base/solana/pda';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { RentRate } from '../../../src/base/solana/rent';
import type { Review, ZapOutIntent } from '../../../src/review/types';
import {
  addByStrategy,
  addressOf,
  honestZapIn,
  honestZapOut,
  key,
  keyOf,
  MINT,
  objections,
  OWN_SOL,
  OWN_TOKEN,
  removal,
  reviewDrafts,
  THIEF,
  tokenAmount,
  tokenInstruction,
  OWNER,
  tip,
  ZAP_IN,
  ZAP_OUT,
  type Draft,
} from '../../support/review/bundles';
import {
  addDamm,
  createDamm,
  damm,
  DAMM_IN,
  DAMM_OUT,
  DAMM_POSITION,
  dammZapIn,
  dammZapOut,
  emptyDamm,
  NFT_ACCOUNT,
  NFT_KEY,
  NFT_MINT,
  removeDamm,
  thresholds,
} from '../../support/review/meteoraDrafts';

const outReview = (intent: ZapOutIntent, ...instructions: readonly TransactionInstruction[]): Review =>
  reviewDrafts(intent, [{ group: 'close', instructions }]);
const out = (...instructions: readonly TransactionInstruction[]): string[] => objections(outReview(DAMM_OUT, ...instructions));
const addReview = (...instructions: readonly TransactionInstruction[]): Review =>
  reviewDrafts(DAMM_IN, [{ group: 'add', instructions, signers: [NFT_KEY] }]);
const into = (...instructions: readonly TransactionInstruction[]): string[] => objections(addReview(...instructions));
/** The rules on Meteora's instructions that only mention something. */
const infosOf = ({ findings }: Review): string[] =>
  findings.filter(({ verdict, rule }) => verdict === 'info' && /^D[LA]MM/.test(rule)).map(({ rule }) => rule);

describe('review: Meteora DAMM v2 (DAMM)', () => {
  it('The review allows whole zap-outs and zap-ins for either name of the position', () => {
    for (const position of [DAMM_POSITION, NFT_MINT]) {
      assert.deepEqual(objections(reviewDrafts({ ...DAMM_OUT, position }, dammZapOut())), []);
      assert.deepEqual(objections(reviewDrafts({ ...DAMM_IN, position }, dammZapIn())), []);
    }
    assert.deepEqual(objections(reviewDrafts({ ...DAMM_IN, position: undefined }, dammZapIn())), []);
    assert.deepEqual(objections(reviewDrafts({ ...DAMM_OUT, tokenX: undefined, tokenY: undefined }, dammZapOut())), []);
  });

  it('The review counts the most that a deposit takes and the least that a withdrawal returns', () => {
    const added = reviewDrafts(DAMM_IN, dammZapIn());
    assert.equal(added.spends.consumedLamports, 500_000_000n + 495_000_000n);
    assert.deepEqual(
      added.tokenSpends.filter(({ into: place }) => place === 'position'),
      [{ mint: MINT, amountRaw: 4_200_000n, into: 'position' }],
    );
    const withdrawn = outReview(DAMM_OUT, emptyDamm());
    assert.deepEqual(withdrawn.minimumOut, [
      { mint: MINT, amountRaw: 4_000_000n, from: 'withdrawal' },
      { mint: WRAPPED_SOL_MINT, amountRaw: 390_000_000n, from: 'withdrawal' },
    ]);
    assert.equal(withdrawn.spends.consumedLamports, 0n);
  });

  it('LIM-1: The review blocks a deposit of more SOL than the user entered', () => {
    const [swap, add, last] = dammZapIn();
    const taking = (lamports: bigint): string[] =>
      objections(reviewDrafts(DAMM_IN, [swap, { ...add, instructions: [createDamm(), addDamm(4_200_000n, lamports)] }, last])).sort();
    assert.deepEqual(taking(510_000_000n), []);
    assert.deepEqual(taking(510_000_001n), ['block LIM-1']);
    assert.deepEqual(taking(2n ** 64n - 1n), ['block DAMM-7', 'block LIM-1']);
  });

  it('RNT-1: The review counts the rent of the position and its NFT', () => {
    assert.equal(addReview(createDamm(), addDamm()).spends.refundableRentLamports, RentRate.highest.productPositionWithNft);
  });

  describe('DAMM-1: requested pool and position', () => {
    const otherMint = addressOf('another NFT');
    const other = dammPosition(otherMint);

    it('The review blocks another pool and another position', () => {
      for (const [name, build] of [
        ['remove', removeDamm],
        ['empty', emptyDamm],
      ] as const) {
        assert.deepEqual(out(build({ pool: THIEF })), ['block DAMM-1'], name);
        assert.deepEqual(out(build({ position: other })), ['block DAMM-1'], name);
        assert.deepEqual(objections(outReview({ ...DAMM_OUT, position: NFT_MINT }, build({ position: other }))), ['block DAMM-1'], name);
        assert.deepEqual(objections(outReview({ ...DAMM_OUT, position: undefined }, build())), ['block DAMM-1'], name);
      }
      assert.deepEqual(out(damm('claim_position_fee', {}, { position: other })), ['block DAMM-1']);
      assert.deepEqual(out(emptyDamm(), emptyDamm({ position: other })), ['block DAMM-1']);
    });

    it('The review blocks the NFT mint in place of the position account', () => {
      assert.deepEqual(out(emptyDamm({ position: NFT_MINT })), ['block DAMM-1']);
    });

    it('The review blocks closing a position with another NFT', () => {
      assert.deepEqual(out(damm('close_position', {}, { position_nft_mint: otherMint })), ['block DAMM-1']);
      assert.deepEqual(out(damm('close_position', {}, { position_nft_account: dammPositionNftAccount(otherMint) })), ['block DAMM-1']);
    });

    it('The review blocks another NFT account once the intent or another instruction names the NFT', () => {
      const elsewhere = { position_nft_account: addressOf('NFT elsewhere') };
      assert.deepEqual(objections(outReview({ ...DAMM_OUT, position: NFT_MINT }, emptyDamm(elsewhere))), ['block DAMM-1']);
      assert.deepEqual(out(emptyDamm(elsewhere), damm('close_position')), ['block DAMM-1']);
      assert.deepEqual(into(createDamm(), addDamm(1n, 1n, elsewhere)), ['block DAMM-1']);
      assert.deepEqual(out(emptyDamm({ position_nft_account: NFT_ACCOUNT })), []);
    });

    it('The review blocks a new position that differs from the one the service announced', () => {
      const key2 = keyOf('another NFT');
      const theirs = { position: other, position_nft_mint: otherMint, position_nft_account: dammPositionNftAccount(otherMint) };
      const review = reviewDrafts(DAMM_IN, [
        { group: 'add', instructions: [createDamm(theirs), addDamm(1n, 1n, theirs)], signers: [key2] },
      ]);
      assert.deepEqual(objections(review), ['block DAMM-1', 'confirm SIG-4']);
    });

    it('The review blocks a second new position in the same operation', () => {
      const key2 = keyOf('another NFT');
      const second = { position: other, position_nft_mint: otherMint, position_nft_account: dammPositionNftAccount(otherMint) };
      const review = reviewDrafts({ ...DAMM_IN, position: undefined }, [
        { group: 'add', instructions: [createDamm(), addDamm()], signers: [NFT_KEY] },
        { group: 'add', instructions: [createDamm(second), addDamm(1n, 1n, second)], signers: [key2] },
      ]);
      assert.ok(objections(review).includes('block DAMM-1'));
    });

    it('The review asks about accounts that only a lookup table names, and strict mode blocks them (ALT-2)', () => {
      const table = new AddressLookupTableAccount({
        key: key(addressOf('table')),
        state: {
          deactivationSlot: 2n ** 64n - 1n,
          lastExtendedSlot: 1,
          lastExtendedSlotStartIndex: 0,
          addresses: [DAMM_POSITION, OWN_TOKEN].map(key),
        },
      });
      const hidden = (isStrictWithoutRpc: boolean): string[] =>
        objections(reviewDrafts(DAMM_OUT, [{ group: 'close', instructions: [emptyDamm()], tables: [table] }], { isStrictWithoutRpc }));
      assert.deepEqual(hidden(false), ['confirm DAMM-1', 'confirm DAMM-2']);
      assert.deepEqual(hidden(true), ['block DAMM-1', 'block DAMM-2']);
    });
  });

  it('DAMM-2: The review blocks withdrawals and deposits that use foreign token accounts', () => {
    for (const role of ['token_a_account', 'token_b_account']) {
      const theirs = { [role]: addressOf('their account') };
      assert.deepEqual(out(emptyDamm(theirs)), ['block DAMM-2'], role);
      assert.deepEqual(out(removeDamm(theirs)), ['block DAMM-2'], role);
      assert.deepEqual(out(damm('claim_position_fee', {}, theirs)), ['block DAMM-2'], role);
      assert.deepEqual(into(createDamm(), addDamm(1n, 1n, theirs)), ['block DAMM-2'], role);
    }
  });

  it('DAMM-3: The review blocks rent refunds to foreign accounts', () => {
    assert.deepEqual(out(damm('close_position', {}, { rent_receiver: THIEF })), ['block DAMM-3']);
    assert.deepEqual(out(damm('close_position', {}, { rent_receiver: OWN_SOL })), ['block DAMM-3']);
  });

  it('DAMM-4: The review reports a withdrawal without minimum amounts', () => {
    const infos = (a: bigint, b: bigint): string[] =>
      infosOf(outReview(DAMM_OUT, damm('remove_all_liquidity', thresholds(a, b)), damm('close_position')));
    assert.deepEqual(infos(0n, 0n), ['DAMM-4']);
    assert.deepEqual(infos(0n, 1n), []);
    assert.deepEqual(infos(1n, 0n), []);
  });

  it('DLMM-4: A zap-out of everything that leaves the account of the position open says so, with the rent of position and NFT', () => {
    const { verdict, findings } = outReview(DAMM_OUT, damm('remove_all_liquidity', thresholds(1n, 1n)));
    assert.equal(verdict, 'allow');
    assert.match(findings.find(({ rule }) => rule === 'DLMM-4')?.message ?? '', /leaves the position open\. .+ about 0\.00989712 SOL/);
  });

  it('DAMM-5: The review blocks handing over, splitting and locking the position', () => {
    const known: readonly (readonly [string, Parameters<typeof damm>[1]])[] = [
      ['split_position2', { numerator: 500_000_000 }],
      ['permanent_lock_position', { permanent_lock_liquidity: 2n ** 80n }],
      ['update_delegate_permission', { permission: 7 }],
      [
        'lock_inner_position',
        {
          params: {
            cliff_point: undefined,
            period_frequency: 1n,
            cliff_unlock_liquidity: 0n,
            liquidity_per_period: 1n,
            number_of_period: 9,
          },
        },
      ],
      ['refresh_vesting', {}],
    ];
    for (const [name, args] of known) {
      const accounts = { first_owner: OWNER, second_owner: OWNER, first_position: DAMM_POSITION };
      assert.deepEqual(out(damm(name, args, accounts)), ['block DAMM-5'], name);
      assert.deepEqual(into(createDamm(), damm(name, args, accounts)), ['block DAMM-5'], name);
    }
  });

  it('DAMM-5: The review blocks deposits in a zap-out and withdrawals in a zap-in', () => {
    assert.deepEqual(out(addDamm()), ['block DAMM-5']);
    assert.deepEqual(into(createDamm(), addDamm(), emptyDamm()), ['block DAMM-5']);
    assert.deepEqual(into(createDamm(), addDamm(), damm('claim_position_fee')), ['block DAMM-5']);
    assert.deepEqual(into(createDamm(), addDamm(), damm('close_position')), ['block DAMM-5']);
  });

  it('DAMM-6: The review blocks new positions that another account owns or pays for', () => {
    assert.deepEqual(into(createDamm({ owner: THIEF }), addDamm()), ['block DAMM-6', 'block DLMM-10', 'confirm SIG-4']);
    const paid = reviewDrafts(DAMM_IN, [
      { group: 'add', instructions: [createDamm({ payer: THIEF }), addDamm()], signers: [NFT_KEY, keyOf('thief')] },
    ]);
    assert.deepEqual(objections(paid), ['block DAMM-6', 'confirm SIG-4']);
  });

  it('DLMM-4: The review asks about a full withdrawal or close if the user requested less', () => {
    const half: ZapOutIntent = { ...DAMM_OUT, shareBps: 5_000 };
    assert.deepEqual(objections(outReview(half, removeDamm())), []);
    assert.deepEqual(infosOf(outReview(half, removeDamm())), ['DLMM-4']);
    assert.deepEqual(objections(outReview(half, emptyDamm())), ['confirm DLMM-4']);
    assert.deepEqual(objections(outReview(half, damm('close_position'))), ['confirm DLMM-4']);
    assert.deepEqual(objections(outReview(half, removeDamm(), removeDamm())), ['confirm DLMM-4']);
    const apart: Draft[] = [
      { group: 'close', instructions: [removeDamm()] },
      { group: 'close', instructions: [removeDamm(), tip()] },
    ];
    assert.deepEqual(objections(reviewDrafts(half, apart)), ['confirm DLMM-4']);
    assert.deepEqual(objections(reviewDrafts(DAMM_OUT, apart)), []);
  });

  it('DLMM-10: The review allows a deposit only into a position that the same transaction opened before', () => {
    assert.deepEqual(objections(reviewDrafts(DAMM_IN, [{ group: 'add', instructions: [addDamm()] }])), ['block DLMM-10']);
    assert.deepEqual(into(addDamm(), createDamm()), ['block DLMM-10']);
    const [, add] = dammZapIn();
    assert.deepEqual(
      objections(
        reviewDrafts(DAMM_IN, [
          { group: 'add', instructions: [addDamm()] },
          { ...add, instructions: [createDamm()] },
        ]),
      ),
      ['block DLMM-10'],
    );
    assert.deepEqual(
      objections(
        reviewDrafts(DAMM_IN, [
          { ...add, instructions: [createDamm()] },
          { group: 'add', instructions: [addDamm()] },
        ]),
      ),
      ['block DLMM-10'],
    );
    assert.deepEqual(into(createDamm(), addDamm()), []);
  });

  it('BND-5: The review allows an operation to open a position only once', () => {
    assert.ok(into(createDamm(), createDamm()).includes('block BND-5'));
  });

  it("SWP-8: The review asks about swaps in the pool itself and requires the owner's accounts", () => {
    const swap = (accounts: Readonly<Record<string, Address>> = {}): TransactionInstruction =>
      damm('swap2', { _params: { amount_0: 5_000n, amount_1: 400_000n, swap_mode: 0 } }, accounts);
    assert.deepEqual(out(swap()), ['confirm SWP-8']);
    assert.ok(out(swap({ output_token_account: THIEF })).includes('block DAMM-2'));
    assert.ok(out(swap({ pool: THIEF })).includes('block DAMM-1'));
    assert.ok(out(swap({ referral_token_account: THIEF })).includes('confirm SWP-4'));
  });

  it('TOK-1: The review asks about a fee after a withdrawal and blocks one without a withdrawal', () => {
    const fee = tokenInstruction(tokenAmount(3, 700n), [OWN_TOKEN, addressOf('fee account'), OWNER]);
    assert.deepEqual(out(damm('claim_position_fee'), fee), ['confirm TOK-1']);
    assert.deepEqual(out(fee, damm('claim_position_fee')), ['block TOK-1']);
  });

  it('The review does not accept a DLMM intent for DAMM v2 transactions, or the reverse', () => {
    assert.ok(objections(reviewDrafts(ZAP_OUT, dammZapOut())).includes('block DAMM-1'));
    assert.ok(objections(reviewDrafts(ZAP_IN, dammZapIn())).includes('block DAMM-1'));
    assert.ok(objections(reviewDrafts(DAMM_OUT, honestZapOut())).includes('block DLMM-1'));
    assert.ok(objections(reviewDrafts(DAMM_IN, honestZapIn())).includes('block DLMM-1'));
    assert.ok(out(removal()).includes('block DLMM-1'));
    assert.ok(into(createDamm(), addByStrategy()).includes('block DLMM-1'));
  });
});
