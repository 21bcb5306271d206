import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { readTokenAccount } from '../../../src/base/solana/tokenAccount';
import { tokenAccountFact } from '../../../src/transactions/inspect/tokenFacts';
import { NO_FACTS, type TokenAccountFact } from '../../../src/review/facts/facts';
import type { Review } from '../../../src/review/types';
import { LAMPORTS_PER_SOL, PROGRAMS } from '../../../src/base/solana/programs';
import { RentRate } from '../../../src/base/solana/rent';
import type { Chain } from '../../../src/sandbox/chain/types';
import {
  bytesOf,
  claim,
  MINT,
  objections,
  OWN_TOKEN,
  OWNER,
  OWNER_KEY,
  reviewDrafts,
  tokenAmount,
  tokenInstruction,
  ZAP_OUT,
  type Draft,
} from '../../support/review/bundles';
import {
  closeTokenAccount,
  newChain,
  noEffects,
  setTokenAccountOwner,
  signed,
  testKey,
  unsigned,
  type TestKey,
} from '../../support/sandbox/chain/common';

// An attack carried out with the real token program: an account that is the victim's when an RPC shows it, and the attacker's when the
// victim's transaction lands. The review refuses such accounts (src/review/README.md).

const VICTIM: TestKey = {
  address: OWNER,
  seed: OWNER_KEY.secretKey.slice(0, 32),
  privateKey: privateKeyOf(OWNER_KEY.secretKey.slice(0, 32)),
};
const THIEF = testKey(41);
const PLANTED = testKey(42);
const WORLD = testKey(43);
const USDC_7500 = 7_500_000_000n;
const TOKEN_ACCOUNT_BYTES = 165;
/** Opcodes of the token program, and the kind of authority that closes an account. */
const INITIALIZE_ACCOUNT_3 = 18;
const SET_AUTHORITY = 6;
const CLOSE_AUTHORITY = 3;

describe('Planted accounts', () => {
  let chain: Chain;

  beforeEach(() => {
    ({ chain } = newChain(
      { address: OWNER, lamports: LAMPORTS_PER_SOL },
      { address: THIEF.address, lamports: LAMPORTS_PER_SOL },
      { address: WORLD.address, lamports: LAMPORTS_PER_SOL },
    ));
    chain.createMint(MINT, 6, USDC_7500, WORLD.address);
    chain.credit(OWNER, MINT, USDC_7500);
  });

  it('A planted account with a close authority lets the attacker take the money, and the review refuses it with and without facts', () => {
    byThief(...makePlanted(), setCloseAuthority(), setTokenAccountOwner(PLANTED.address, THIEF.address, OWNER));
    const fact = seen();
    assert.deepEqual(fact, { owner: OWNER, mint: MINT, state: 'initialized', delegate: null, closeAuthority: THIEF.address });
    const withdrawal = sending();
    assertRefused([withdrawal], fact);

    // Signed all the same, by someone who believed the RPC.
    const bytes = signed(bytesOf(withdrawal), VICTIM);
    byThief(closeTokenAccount(PLANTED.address, THIEF.address));
    byThief(...makePlanted());
    assertLands(bytes);
    assertGone();
  });

  it('A planted account without a close authority takes the money after a signed closing, which no account fact shows', () => {
    byThief(...makePlanted(), setTokenAccountOwner(PLANTED.address, THIEF.address, OWNER));
    const fact = seen();
    assert.deepEqual(fact, { owner: OWNER, mint: MINT, state: 'initialized', delegate: null, closeAuthority: null });
    const cleanup: Draft = {
      group: 'close',
      version: 'legacy',
      blockhash: chain.latestBlockhash().blockhash,
      instructions: [tokenInstruction([9], [PLANTED.address, OWNER, OWNER])],
    };
    const withdrawal = sending();
    assertRefused([withdrawal], fact);
    assertRefused([cleanup, withdrawal], fact);

    const [closing, bytes] = [cleanup, withdrawal].map((draft) => signed(bytesOf(draft), VICTIM));
    assertLands(closing ?? new Uint8Array());
    byThief(...makePlanted());
    assertLands(bytes ?? new Uint8Array());
    assertGone();
  });

  /** The victim's withdrawal, of which the part that moves tokens is carried out here: 7,500 USDC into the account. */
  function sending(): Draft {
    const move = tokenInstruction(tokenAmount(3, USDC_7500), [OWN_TOKEN, PLANTED.address, OWNER]);
    return { group: 'close', version: 'legacy', blockhash: chain.latestBlockhash().blockhash, instructions: [move, claim()] };
  }

  /** The account as an RPC gives it. */
  function seen(): TokenAccountFact {
    const account = chain.account(PLANTED.address) ?? assert.fail('It is not there');
    return (
      tokenAccountFact({ lamports: account.lamports, program: account.program, data: account.data }) ??
      assert.fail('It is no token account')
    );
  }

  function assertRefused(drafts: readonly Draft[], fact: TokenAccountFact): void {
    const refused = (facts?: TokenAccountFact): Review =>
      reviewDrafts(
        ZAP_OUT,
        drafts,
        undefined,
        facts === undefined ? {} : { facts: { ...NO_FACTS, tokenAccounts: new Map([[PLANTED.address, facts]]) } },
      );
    for (const review of [refused(), refused(fact)]) {
      assert.equal(review.verdict, 'block');
      assert.ok(objections(review).includes('block TOK-1'), objections(review).join());
      assert.equal(review.reviewed.length, 0, 'nothing is handed out for signing');
    }
    assert.match(
      refused(fact).findings.find(({ rule }) => rule === 'TOK-1')?.message ?? '',
      /its creator may be able to replace it.* to your associated token account/,
    );
  }

  function assertLands(bytes: Uint8Array): void {
    const result = chain.land([bytes], noEffects);
    assert.equal(result.kind, 'landed', result.kind === 'failed' ? result.reason : '');
  }

  function assertGone(): void {
    assert.equal(chain.tokenBalance(OWNER, MINT), 0n);
    const account = chain.account(PLANTED.address);
    const taken = account && readTokenAccount(account);
    assert.equal(taken?.owner, THIEF.address);
    assert.equal(taken.amountRaw, USDC_7500);
  }

  /** The instructions that make the account, for the attacker. */
  function makePlanted(): TransactionInstruction[] {
    const lamports = Number(RentRate.highest.tokenAccount);
    return [
      SystemProgram.createAccount({
        fromPubkey: new PublicKey(THIEF.address),
        newAccountPubkey: new PublicKey(PLANTED.address),
        lamports,
        space: TOKEN_ACCOUNT_BYTES,
        programId: new PublicKey(PROGRAMS.token),
      }),
      tokenInstruction([INITIALIZE_ACCOUNT_3, ...new PublicKey(THIEF.address).toBytes()], [PLANTED.address, MINT]),
    ];
  }

  function setCloseAuthority(): TransactionInstruction {
    const publicKey = new PublicKey(THIEF.address);
    const keys = [
      { pubkey: new PublicKey(PLANTED.address), isSigner: false, isWritable: true },
      { pubkey: publicKey, isSigner: true, isWritable: false },
    ];
    return new TransactionInstruction({
      programId: new PublicKey(PROGRAMS.token),
      keys,
      data: Buffer.from([SET_AUTHORITY, CLOSE_AUTHORITY, 1, ...publicKey.toBytes()]),
    });
  }

  /** Lands instructions that the attacker signs, with the account's own key where that has to sign. */
  function byThief(...instructions: TransactionInstruction[]): void {
    const bytes = unsigned(THIEF.address, chain.latestBlockhash().blockhash, instructions, 'legacy');
    const makes = instructions.some(({ keys }) => keys.some(({ pubkey, isSigner }) => isSigner && pubkey.toBase58() === PLANTED.address));
    assertLands(signed(bytes, THIEF, ...(makes ? [PLANTED] : [])));
  }
});

function privateKeyOf(seed: Uint8Array): TestKey['privateKey'] {
  return createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  });
}
