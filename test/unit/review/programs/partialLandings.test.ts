import assert from 'node:assert/strict';
import { ComputeBudgetProgram, type TransactionInstruction } from '@solana/web3.js';
import * as fc from 'fast-check';
import { address, type Address } from '../../../../src/base/solana/address';
import { dlmmReserve } from '../../../../src/base/solana/pda';
import { WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { dlmmPositionFact, tokenAccountState } from '../../../../src/review/facts/accounts';
import { type ChainFacts, NO_FACTS, type PositionFact } from '../../../../src/review/facts/facts';
import {
  keyOf,
  MINT,
  objections,
  openPosition,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  OWNER_KEY,
  POSITION,
  POSITION_KEY,
  reviewDrafts,
  THIEF,
  ZAP_IN,
} from '../../../support/review/bundles';
import {
  depositInPool,
  DLMM_POOL,
  IN_OTHER_POOL,
  IN_POOL,
  makeDlmmPool,
  makeOtherDlmmPool,
  OTHER_DLMM_POOL,
} from '../../../support/review/programs/dlmmPool';
import { describeOnPrograms } from '../../../support/programs';
import { ProgramVm } from '../../../support/review/programs/programVm';
import { sdkBundle, sdkWorld } from '../../../support/review/programs/sdkBundle';

// Each transaction of a bundle may land alone, in any order, or never (src/review/README.md, "Facts across transactions"). On Meteora's own
// program: whatever lands of a wide zap-in is the user's position, or nothing.

const LIMIT = ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 });
const WIDTH = 200;

function positionIn(vm: ProgramVm, at: Address): PositionFact | undefined {
  const account = vm.account(at);
  return account && dlmmPositionFact(account);
}

function rawIn(vm: ProgramVm, at: Address): bigint {
  const account = vm.account(at);
  return (account && tokenAccountState(account)?.amountRaw) ?? 0n;
}

/** What is in the wallet and in the pool of both tokens. */
const balances = (vm: ProgramVm): { readonly wallet: readonly bigint[]; readonly pool: readonly bigint[] } => ({
  wallet: [OWN_TOKEN, OWN_SOL].map((at) => rawIn(vm, at)),
  pool: [MINT, WRAPPED_SOL_MINT].map((mint) => rawIn(vm, dlmmReserve(DLMM_POOL, mint))),
});

describeOnPrograms("review: partial landings of a zap-in on Meteora's own program", function () {
  it("Any subset of the landings leaves all the deposited tokens in the user's position or moves none", async () => {
    const from = -Math.floor(WIDTH / 2);
    const template = await sdkBundle(sdkWorld(), from, from + WIDTH - 1);
    const count = template.drafts.length;
    assert.ok(count > 1, 'it takes several transactions');
    assert.notEqual(reviewDrafts(template.intent, template.drafts).verdict, 'block');
    const [positionKey] = template.positions;
    const position = address(positionKey?.publicKey.toBase58() ?? '');
    const landings = fc.shuffledSubarray(
      Array.from({ length: count }, (_, at) => at),
      { minLength: 0, maxLength: count },
    );
    const seen = new Set<string>();
    fc.assert(
      fc.property(landings, fc.boolean(), (order, isStolenFirst) => {
        const vm = sdkWorld();
        vm.fund(THIEF);
        if (isStolenFirst) {
          // The service holds the position's key: it opens the position for itself, before anything lands.
          const own = openPosition({ lower_bin_id: from, width: 70 }, { ...IN_POOL, position, payer: THIEF, owner: THIEF });
          assert.ok(positionKey !== undefined);
          assert.equal(vm.send([own], [keyOf('thief'), positionKey]).error, undefined);
        }
        const before = balances(vm);
        const errors = order.map((at) => {
          const draft = template.drafts[at];
          assert.ok(draft !== undefined);
          return vm.send(draft.instructions, [OWNER_KEY, ...(draft.signers ?? [])]).error;
        });
        const after = balances(vm);
        const left = before.wallet.map((raw, side) => raw - (after.wallet[side] ?? 0n));
        assert.deepEqual(
          left,
          after.pool.map((raw, side) => raw - (before.pool[side] ?? 0n)),
          'what left the wallet is in the pool',
        );
        const fact = positionIn(vm, position);
        if (isStolenFirst || order.length === 0) {
          assert.deepEqual(left, [0n, 0n], 'nothing left the wallet');
          assert.ok(
            errors.every((error) => error !== undefined),
            'every one of them fails',
          );
          assert.notEqual(fact?.owner, OWNER);
        } else {
          assert.deepEqual([fact?.owner, fact?.powers, fact?.pool, fact?.isRestricted], [OWNER, [], DLMM_POOL, false]);
          assert.equal(fact?.lowerBinId, from);
          assert.ok((fact.upperBinId ?? Infinity) <= from + WIDTH - 1);
          assert.ok(errors.every((error) => error === undefined));
          assert.ok(left.some((raw) => raw > 0n));
        }
        seen.add(isStolenFirst ? 'stolen first' : order.length === 0 ? 'nothing' : order.length === count ? 'all' : 'some');
      }),
      {
        numRuns: 20,
        examples: [
          [[], false],
          [[count - 1], false],
          [[0, count - 1], true],
        ],
      },
    );
    assert.ok(seen.has('some') && seen.has('stolen first') && seen.has('nothing'), [...seen].join(', '));
  });

  it('The review blocks opening a position that exists in another pool, and on the chain it moves nothing', () => {
    const vm = new ProgramVm();
    makeDlmmPool(vm);
    makeOtherDlmmPool(vm);
    vm.fund(OWNER);
    vm.putTokens(OWNER, MINT, 10n ** 12n);
    vm.putTokens(OWNER, WRAPPED_SOL_MINT, 10n ** 12n);
    assert.equal(vm.send([openPosition({}, IN_OTHER_POOL)], [OWNER_KEY, POSITION_KEY]).error, undefined);
    const fact = positionIn(vm, POSITION);
    assert.deepEqual([fact?.owner, fact?.pool], [OWNER, OTHER_DLMM_POOL]);

    const bundle: readonly TransactionInstruction[] = [
      openPosition({}, IN_POOL),
      depositInPool({ amountX: 1_000_000n, amountY: 1_000_000n }),
    ];
    const before = balances(vm);
    assert.notEqual(vm.send([LIMIT, ...bundle], [OWNER_KEY, POSITION_KEY]).error, undefined, 'the program refuses it');
    assert.deepEqual(balances(vm), before);

    const account = vm.account(POSITION);
    assert.ok(account !== undefined && fact !== undefined);
    const wallet = { lamports: 10n ** 10n, program: address('11111111111111111111111111111111'), data: new Uint8Array() };
    const states = new Map([
      [OWNER, wallet],
      [POSITION, account],
    ]);
    const said: readonly ChainFacts[] = [
      { ...NO_FACTS, positions: new Map([[POSITION, fact]]) },
      { ...NO_FACTS, simulation: { slot: 1n, transactions: [{ error: undefined, before: states, after: states, innerInstructions: [] }] } },
    ];
    for (const facts of said) {
      const review = reviewDrafts(
        { ...ZAP_IN, pool: DLMM_POOL },
        [{ group: 'add', instructions: bundle, signers: [POSITION_KEY] }],
        undefined,
        { facts },
      );
      assert.ok(objections(review).includes('block DLMM-10'));
      assert.ok(review.findings.some(({ message }) => message.includes(`already exists. It is in the pool ${OTHER_DLMM_POOL}.`)));
      assert.equal(review.reviewed.length, 0);
    }
  });
});
