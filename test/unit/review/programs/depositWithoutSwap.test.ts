import assert from 'node:assert/strict';
import { ComputeBudgetProgram } from '@solana/web3.js';
import { WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { tokenAccountState } from '../../../../src/review/facts/accounts';
import { changesSince } from '../../../../src/review/approval/compareTerms';
import type { Review, ZapInIntent } from '../../../../src/review/types';
import {
  addressOf,
  buyToken,
  createAta,
  type Draft,
  MINT,
  objections,
  openPosition,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  OWNER_KEY,
  POSITION_KEY,
  reviewDrafts,
  syncNative,
  transferSol,
  unwrap,
  ZAP_IN,
} from '../../../support/review/bundles';
import { depositInPool, DLMM_POOL, IN_POOL, makeDlmmPool } from '../../../support/review/programs/dlmmPool';
import { ProgramVm } from '../../../support/review/programs/programVm';
import { describeOnPrograms } from '../../../support/programs';

// A service lists a swap and the deposit of what it buys, and lands the deposit alone. On Meteora's own program the deposit then takes the
// tokens that the wallet held before. The pool is active at bin 0: a raw unit of the token costs a lamport.

const SOL = 1_000_000_000n;
const INTENT: ZapInIntent = {
  ...ZAP_IN,
  pool: DLMM_POOL,
  isSolOnly: true,
  inputLamports: SOL,
  references: [{ inMint: WRAPPED_SOL_MINT, inAmountRaw: SOL, outMint: MINT, outAmountRaw: SOL }],
};

/** A zap-in of one SOL: half of it is sold for the quote, and so many tokens are deposited beside the other half. */
function zapIn(quoted_out_amount: bigint, amountX: bigint, blockhash?: string): readonly Draft[] {
  const swap = [transferSol(OWN_SOL, SOL), syncNative(), buyToken({ in_amount: SOL / 2n, quoted_out_amount })];
  const drafts: readonly Draft[] = [
    { group: 'add', signers: [POSITION_KEY], instructions: [openPosition({}, IN_POOL), depositInPool({ amountX, amountY: SOL / 2n })] },
    { group: 'swap', instructions: [createAta(MINT), ...swap] },
    { group: 'add', instructions: [unwrap()] },
  ];
  return drafts.map((draft) => ({ ...draft, ...(blockhash === undefined ? {} : { blockhash }) }));
}

/** Lands the deposit without the swap, and returns how many tokens of the wallet it took. */
function takenAlone([deposit]: readonly Draft[]): bigint {
  const vm = new ProgramVm();
  makeDlmmPool(vm);
  vm.fund(OWNER);
  vm.putTokens(OWNER, MINT, 1_000n * SOL);
  vm.putTokens(OWNER, WRAPPED_SOL_MINT, SOL);
  const held = (): bigint => {
    const account = vm.account(OWN_TOKEN);
    return (account && tokenAccountState(account)?.amountRaw) ?? 0n;
  };
  const before = held();
  const limit = ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 });
  assert.equal(vm.send([limit, ...(deposit?.instructions ?? [])], [OWNER_KEY, POSITION_KEY]).error, undefined);
  return before - held();
}

const reviewed = (drafts: readonly Draft[]): Review => reviewDrafts(INTENT, drafts);

describeOnPrograms("review: a deposit that lands without its swap on Meteora's own program", function () {
  const honest = zapIn(SOL / 2n, (SOL * 485n) / 1_000n);

  it('A zap-in of one SOL that quotes twenty times the price would take ten SOL of other tokens, and is blocked', () => {
    const drafts = zapIn(10n * SOL, (SOL * 97n) / 10n);
    assert.ok(takenAlone(drafts) > 9n * SOL);
    assert.deepEqual(objections(reviewed(drafts)), ['block SWP-9', 'confirm SWP-7']);
  });

  it('A quote of half as much again would take as many tokens more, and is a question', () => {
    const drafts = zapIn((SOL * 3n) / 4n, (SOL * 7n) / 10n);
    assert.ok(takenAlone(drafts) > (SOL * 6n) / 10n);
    assert.deepEqual(objections(reviewed(drafts)), ['confirm SWP-7', 'confirm SWP-9']);
  });

  it('An honest zap-in is allowed, and takes no more tokens than the sold SOL buys, whatever lands', () => {
    assert.deepEqual(objections(reviewed(honest)), []);
    assert.ok(takenAlone(honest) <= SOL / 2n);
  });

  it('An approval of the honest one covers no later deposit that takes more tokens than it did', () => {
    const later = zapIn((SOL * 51n) / 100n, (SOL * 49n) / 100n, addressOf('a later blockhash'));
    assert.deepEqual(objections(reviewed(later)), []);
    assert.ok(takenAlone(later) > takenAlone(honest));
    assert.deepEqual(
      changesSince(reviewed(honest), reviewed(later)).map(({ topic }) => topic),
      ['ownTokens'],
    );
  });
});
