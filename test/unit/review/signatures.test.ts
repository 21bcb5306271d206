import assert from 'node:assert/strict';
import { TransactionInstruction, VersionedTransaction, type Keypair } from '@solana/web3.js';
import { addressFromBytes, type Address } from '../../../src/base/solana/address';
import { base64FromBytes } from '../../../src/base/solana/wireTransaction';
import { dammPosition, dammPositionNftAccount, eventAuthority } from '../../../src/base/solana/pda';
import { DAMM_INSTRUCTIONS } from '../../../src/base/solana/generated/dammInstructions';
import { DAMM_POOL_AUTHORITY, PROGRAMS } from '../../../src/base/solana/programs';
import { RFQ_INSTRUCTIONS } from '../../../src/base/solana/jupiterInstructions';
import { REVIEW_PROGRAMS } from '../../../src/review/decode/programs';
import { reviewOperation } from '../../../src/review/review';
import type { Review, ZapInIntent } from '../../../src/review/types';
import {
  addByStrategy,
  addressOf,
  bytesOf,
  claim,
  dlmm,
  honestZapIn,
  instruction,
  key,
  keyOf,
  NOW_MS,
  objections,
  openPosition,
  OWNER,
  OWNER_KEY,
  POOL,
  POSITION,
  POSITION_KEY,
  removal,
  reviewDrafts,
  THIEF,
  transferSol,
  ZAP_IN,
  ZAP_OUT,
  type Draft,
} from '../../support/review/bundles';

const reviewBytes = (intent: typeof ZAP_IN | typeof ZAP_OUT, bytes: Uint8Array): Review =>
  reviewOperation({
    intent,
    transactions: [{ group: intent.kind === 'zapIn' ? 'add' : 'close', base64: base64FromBytes(bytes) }],
    lastValidBlockHeight: undefined,
    nowMs: NOW_MS,
  });

const COSIGNED: Draft = { group: 'add', instructions: [openPosition(), addByStrategy()], signers: [POSITION_KEY] };

describe('review: fee payer and signatures (PAY, SIG)', () => {
  it('PAY-1 and SIG-2: The review blocks another fee payer who has not signed', () => {
    const review = reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim()], feePayer: THIEF }]);
    assert.deepEqual(objections(review), ['block SIG-2', 'confirm PAY-1']);
    assert.match(review.findings[0]?.message ?? '', /no valid signature .* another swap provider/s);
  });

  it('PAY-1 and SIG-4: The review asks about another fee payer who has signed', () => {
    const review = reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim()], feePayer: THIEF, signers: [keyOf('thief')] }]);
    assert.deepEqual(objections(review), ['confirm PAY-1', 'confirm SIG-4']);
  });

  it("SIG-1: The review blocks a transaction that does not require the owner's signature", () => {
    const transfer = transferSol(OWNER, 1n, THIEF);
    const review = reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [transfer], feePayer: THIEF, signers: [keyOf('thief')] }]);
    assert.ok(objections(review).includes('block SIG-1'));
  });

  it('SIG-2: The review requires every other signature and verifies it', () => {
    assert.deepEqual(objections(reviewDrafts(ZAP_IN, [COSIGNED])), []);
    assert.deepEqual(objections(reviewDrafts(ZAP_IN, [{ ...COSIGNED, signers: [] }])), ['block SIG-2']);
    const bytes = bytesOf(COSIGNED);
    const { message } = VersionedTransaction.deserialize(bytes);
    const slot = message.staticAccountKeys.findIndex((account) => account.toBase58() === POSITION);
    const spoilt = bytes.slice();
    spoilt[1 + 64 * slot] = (spoilt[1 + 64 * slot] ?? 0) ^ 1;
    assert.deepEqual(objections(reviewBytes(ZAP_IN, spoilt)), ['block SIG-2']);
  });

  it('SIG-2: The review rejects a signature over another message', () => {
    const other = bytesOf({ ...COSIGNED, blockhash: addressOf('another blockhash') });
    const bytes = bytesOf(COSIGNED);
    bytes.set(other.subarray(1, 1 + 128), 1);
    assert.deepEqual(objections(reviewBytes(ZAP_IN, bytes)), ['block SIG-2']);
  });

  it('SIG-3: The review blocks a filled signature slot of the owner, even with the right signature', () => {
    assert.deepEqual(objections(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim()], signers: [OWNER_KEY] }])), [
      'block SIG-3',
    ]);
    const bytes = bytesOf({ group: 'close', instructions: [claim()] });
    bytes[5] = 1;
    assert.deepEqual(objections(reviewBytes(ZAP_OUT, bytes)), ['block SIG-3']);
  });

  it('SIG-4: The review asks about a signer whom no instruction explains', () => {
    const helper = keyOf('helper');
    const transfer = transferSol(OWNER, 1n, addressOf('helper'));
    const review = reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [removal(), transfer], signers: [helper] }]);
    assert.deepEqual(objections(review), ['confirm SIG-4']);
    assert.equal(review.findings[0]?.address, addressOf('helper'));
  });

  it('SIG-4: The key of a position that another account would own does not explain a signer', () => {
    const [swap] = honestZapIn();
    const review = reviewDrafts(ZAP_IN, [
      swap,
      { group: 'add', instructions: [openPosition({}, { owner: THIEF })], signers: [POSITION_KEY, keyOf('thief')] },
    ]);
    assert.ok(objections(review).includes('confirm SIG-4'));
    assert.ok(objections(review).includes('block DLMM-6'));
  });

  it('SIG-2: The review blocks a key of small order, whose signature fits any message', () => {
    // The neutral element as key and as commitment: [0]B = R + [h]A whatever is signed. OpenSSL takes it.
    const weak = addressFromBytes(new Uint8Array(32).fill(0).map((_, at) => (at === 0 ? 1 : 0)));
    const bytes = bytesOf({ group: 'close', instructions: [claim(), transferSol(OWNER, 1n, weak)] });
    const { message } = VersionedTransaction.deserialize(bytes);
    const slot = message.staticAccountKeys.findIndex((account) => account.toBase58() === weak);
    bytes[1 + 64 * slot] = 1;
    assert.deepEqual(objections(reviewBytes(ZAP_OUT, bytes)), ['block SIG-2']);
  });

  describe('SIG-4: explained signers', () => {
    const nft = keyOf('nft');
    const [position, nftAccount] = [dammPosition(addressOf('nft')), dammPositionNftAccount(addressOf('nft'))];
    const open = (accounts: Readonly<Record<string, Address>> = {}): TransactionInstruction =>
      instruction(PROGRAMS.dammV2, DAMM_INSTRUCTIONS, 'create_position', {
        owner: OWNER,
        payer: OWNER,
        position_nft_mint: addressOf('nft'),
        position_nft_account: nftAccount,
        pool: POOL,
        position,
        pool_authority: DAMM_POOL_AUTHORITY,
        token_program: PROGRAMS.token2022,
        system_program: PROGRAMS.system,
        event_authority: eventAuthority(PROGRAMS.dammV2),
        program: PROGRAMS.dammV2,
        ...accounts,
      });
    const unexplained = (intent: ZapInIntent, from: TransactionInstruction, signers = [nft]): string[] =>
      objections(reviewDrafts(intent, [{ group: 'add', instructions: [from], signers }])).filter((text) => text.includes('SIG'));
    const DAMM_IN: ZapInIntent = { ...ZAP_IN, poolType: 'dammV2', fromBinId: undefined, toBinId: undefined, strategy: undefined };

    it('The NFT mint of the opened DAMM v2 position explains its signature', () => {
      for (const named of [position, addressOf('nft'), undefined]) {
        assert.deepEqual(unexplained({ ...DAMM_IN, position: named }, open()), []);
      }
    });

    it("The NFT mint of another position or of another owner's position explains no signature", () => {
      assert.deepEqual(unexplained({ ...DAMM_IN, position: addressOf('another') }, open()), ['confirm SIG-4']);
      assert.deepEqual(unexplained({ ...DAMM_IN, position }, open({ owner: THIEF })), ['confirm SIG-4']);
      assert.deepEqual(unexplained({ ...DAMM_IN, position: addressOf('another') }, open({ position: addressOf('another') })), [
        'confirm SIG-4',
      ]);
    });

    it('The maker of an offer that the owner fills is an explained signer', () => {
      const maker = keyOf('maker');
      const fill = (taker: Address): TransactionInstruction =>
        instruction(
          REVIEW_PROGRAMS.jupiterRfq,
          RFQ_INSTRUCTIONS,
          'fill',
          { taker, maker: addressOf('maker') },
          { input_amount: 1n, output_amount: 1_000n, expire_at: 0n },
        );
      const asked = (from: TransactionInstruction, ...signers: readonly Keypair[]): string[] =>
        objections(reviewDrafts(ZAP_OUT, [{ group: 'swap', instructions: [transferSol(OWNER, 1n), from], signers }])).filter((text) =>
          text.includes('SIG'),
        );
      assert.deepEqual(asked(fill(OWNER), maker), []);
      assert.deepEqual(asked(fill(THIEF), maker, keyOf('thief')), ['confirm SIG-4']);
      assert.deepEqual(asked(fill(OWNER)), ['block SIG-2']);
    });

    it('A signer who only signs a memo stays unexplained', () => {
      const note = new TransactionInstruction({
        programId: key(PROGRAMS.memo),
        keys: [{ pubkey: nft.publicKey, isSigner: true, isWritable: false }],
        data: Buffer.from('hello'),
      });
      assert.deepEqual(objections(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), note], signers: [nft] }])), [
        'confirm SIG-4',
      ]);
    });
  });

  it('The review accepts the base of a derived position as a co-signer', () => {
    const base = keyOf('base');
    const open = dlmm('initialize_position_pda', { lower_bin_id: -20, width: 40 }, { base: addressOf('base') });
    assert.deepEqual(objections(reviewDrafts(ZAP_IN, [{ group: 'add', instructions: [open, addByStrategy()], signers: [base] }])), []);
  });
});
