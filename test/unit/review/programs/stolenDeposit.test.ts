import assert from 'node:assert/strict';
import { ComputeBudgetProgram, type TransactionInstruction } from '@solana/web3.js';
import { addressBytes, type Address } from '../../../../src/base/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { NO_FACTS, type ChainFacts, type PositionFact } from '../../../../src/review/facts/facts';
import { dammPositionFact, dammPositionState, dlmmPositionFact } from '../../../../src/review/facts/accounts';
import {
  dlmm,
  keyOf,
  MINT,
  objections,
  openPosition,
  OWNER,
  OWNER_KEY,
  POSITION,
  POSITION_KEY,
  reviewDrafts,
  THIEF,
  tokenInstruction,
  ZAP_IN,
  type Draft,
} from '../../../support/review/bundles';
import { createDamm, damm, DAMM_IN, DAMM_POSITION, NFT_ACCOUNT, NFT_KEY } from '../../../support/review/meteoraDrafts';
import { DAMM_POOL, IN_DAMM_POOL, makeDammPool } from '../../../support/review/programs/dammPool';
import { depositInPool, DLMM_POOL, IN_POOL, makeDlmmPool } from '../../../support/review/programs/dlmmPool';
import { describeOnPrograms } from '../../../support/programs';
import { ProgramVm } from '../../../support/review/programs/programVm';

// A service holds the key of the position that it opens. On Meteora's own programs: what it can do with it, and what the review says to it.

const THIEF_KEY = keyOf('thief');
const LIMIT = ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 });

/** Errors of the DLMM program (IDL). */
const INVALID_POSITION_OWNER = 6088;
/** "The account is in use" (System program), and errors of Anchor. */
const ACCOUNT_IN_USE = 0;
const HAS_ONE = 2001;
const NOT_THE_TOKEN_OWNER = 2015;
const UNKNOWN_INSTRUCTION = 101;

const DLMM_INTENT = { ...ZAP_IN, pool: DLMM_POOL };
const DAMM_INTENT = { ...DAMM_IN, pool: DAMM_POOL };

const open = (accounts: Readonly<Record<string, Address>> = {}, args = {}): TransactionInstruction =>
  openPosition(args, { ...IN_POOL, ...accounts });
const asThief = { payer: THIEF, owner: THIEF };

const fill = (): TransactionInstruction => depositInPool({ amountX: 1_000_000n, amountY: 1_000_000n });

/** A VM with a pool, and both people with SOL and tokens. */
function world(makePool: (vm: ProgramVm) => void): ProgramVm {
  const vm = new ProgramVm();
  makePool(vm);
  for (const wallet of [OWNER, THIEF]) {
    vm.fund(wallet);
    vm.putTokens(wallet, MINT, 10n ** 12n);
    vm.putTokens(wallet, WRAPPED_SOL_MINT, 10n ** 12n);
  }
  return vm;
}

function positionIn(vm: ProgramVm): PositionFact | undefined {
  const account = vm.account(POSITION);
  return account && dlmmPositionFact(account);
}

/** What a chain would say of a position, and a simulation that finds nothing wrong. */
function factsOf(position: Address, fact: PositionFact | undefined): ChainFacts {
  const wallet = { lamports: 10n ** 10n, program: PROGRAMS.system, data: new Uint8Array() };
  const transaction = { error: undefined, before: new Map([[OWNER, wallet]]), after: new Map([[OWNER, wallet]]), innerInstructions: [] };
  return {
    ...NO_FACTS,
    simulation: { slot: 1n, transactions: [transaction] },
    ...(fact === undefined ? {} : { positions: new Map([[position, fact]]) }),
  };
}

describeOnPrograms("review: stolen deposits on Meteora's own programs", function () {
  this.timeout(60_000);
  it('DLMM: The review blocks a bundle whose deposit lands in a position that a thief opened first', () => {
    const vm = world(makeDlmmPool);
    assert.equal(vm.send([open(asThief)], [THIEF_KEY, POSITION_KEY]).error, undefined);
    assert.equal(
      vm.send([dlmm('update_position_operator', { operator: addressBytes(OWNER) }, { ...IN_POOL, owner: THIEF })], [THIEF_KEY]).error,
      undefined,
    );

    const before = vm.account(POSITION)?.data;
    assert.equal(vm.send([open()], [OWNER_KEY, POSITION_KEY]).error, INVALID_POSITION_OWNER);
    assert.equal(vm.send([LIMIT, fill()], [OWNER_KEY]).error, undefined, 'the deposit lands');
    assert.deepEqual(positionIn(vm)?.owner, THIEF);
    assert.notDeepEqual(vm.account(POSITION)?.data, before, "and is the thief's");

    const bundle: readonly Draft[] = [
      { group: 'add', instructions: [open()], signers: [POSITION_KEY] },
      { group: 'add', instructions: [fill()] },
    ];
    for (const facts of [undefined, factsOf(POSITION, undefined), factsOf(POSITION, positionIn(vm))]) {
      const review = reviewDrafts(DLMM_INTENT, bundle, undefined, facts === undefined ? {} : { facts });
      assert.ok(objections(review).includes('block DLMM-10'));
      assert.equal(review.reviewed.length, 0);
    }
  });

  it('DLMM: The review accepts an opening in the same transaction because its failure also reverts the deposit', () => {
    const vm = world(makeDlmmPool);
    vm.send([open(asThief)], [THIEF_KEY, POSITION_KEY]);
    vm.send([dlmm('update_position_operator', { operator: addressBytes(OWNER) }, { ...IN_POOL, owner: THIEF })], [THIEF_KEY]);
    assert.equal(vm.send([LIMIT, open(), fill()], [OWNER_KEY, POSITION_KEY]).error, INVALID_POSITION_OWNER);
    // An operator may add liquidity, and neither lengthen nor rebalance.
    assert.equal(vm.send([dlmm('increase_position_length2', { minimum_upper_bin_id: 60 }, IN_POOL)], [OWNER_KEY]).error, HAS_ONE);

    const honest = world(makeDlmmPool);
    assert.equal(honest.send([LIMIT, open(), fill()], [OWNER_KEY, POSITION_KEY]).error, undefined);
    assert.deepEqual(positionIn(honest), {
      pool: DLMM_POOL,
      owner: OWNER,
      powers: [],
      isRestricted: false,
      lowerBinId: -20,
      upperBinId: 19,
    });
    assert.deepEqual(
      objections(reviewDrafts(DLMM_INTENT, [{ group: 'add', instructions: [open(), fill()], signers: [POSITION_KEY] }])),
      [],
    );
  });

  it('DLMM: Opening a position again changes nothing for its owner, so the review compares bins and operator', () => {
    const vm = world(makeDlmmPool);
    assert.equal(vm.send([open()], [OWNER_KEY, POSITION_KEY]).error, undefined);
    for (const args of [{}, { lower_bin_id: -10 }, { width: 10 }, { width: 60 }]) {
      assert.equal(vm.send([open({}, args)], [OWNER_KEY, POSITION_KEY]).error, undefined);
    }
    assert.deepEqual([positionIn(vm)?.lowerBinId, positionIn(vm)?.upperBinId], [-20, 19]);
    const rent = { rent: 'SysvarRent111111111111111111111111111111111' as Address };
    assert.equal(
      vm.send([dlmm('initialize_position', { lower_bin_id: -20, width: 40 }, { ...IN_POOL, ...rent })], [OWNER_KEY, POSITION_KEY]).error,
      ACCOUNT_IN_USE,
      'the older form fails',
    );
    for (const [bin, upper] of [
      [60, 60],
      [80, 80],
      [60, 80],
    ] as const) {
      assert.equal(vm.send([dlmm('increase_position_length2', { minimum_upper_bin_id: bin }, IN_POOL)], [OWNER_KEY]).error, undefined);
      assert.equal(positionIn(vm)?.upperBinId, upper);
    }
    // Only the owner names an operator; opening again keeps it.
    assert.equal(vm.send([dlmm('update_position_operator', { operator: addressBytes(THIEF) }, IN_POOL)], [OWNER_KEY]).error, undefined);
    assert.equal(vm.send([open()], [OWNER_KEY, POSITION_KEY]).error, undefined);
    assert.deepEqual(positionIn(vm)?.powers, [THIEF]);
    const review = reviewDrafts(DLMM_INTENT, [{ group: 'add', instructions: [open(), fill()], signers: [POSITION_KEY] }], undefined, {
      facts: factsOf(POSITION, positionIn(vm)),
    });
    assert.deepEqual(objections(review), ['block DLMM-10']);
    // An operator can close it, so that the key can open it for somebody else.
    assert.equal(vm.send([LIMIT, dlmm('close_position2', {}, { sender: THIEF, rent_receiver: OWNER })], [THIEF_KEY]).error, undefined);
    assert.equal(vm.account(POSITION), undefined);
  });

  it('DAMM v2: The review blocks a deposit into a position that a thief opened first', () => {
    const vm = world(makeDammPool);
    const create = (accounts: Readonly<Record<string, Address>> = {}): TransactionInstruction =>
      createDamm({ ...IN_DAMM_POOL, ...accounts });
    const add = damm(
      'add_liquidity',
      { params: { liquidity_delta: (10n ** 6n) << 64n, token_a_amount_threshold: 10n ** 11n, token_b_amount_threshold: 10n ** 11n } },
      IN_DAMM_POOL,
    );
    assert.equal(vm.send([LIMIT, create(asThief)], [THIEF_KEY, NFT_KEY]).error, undefined);
    const approve = tokenInstruction([4, 1, 0, 0, 0, 0, 0, 0, 0], [NFT_ACCOUNT, OWNER, THIEF], PROGRAMS.token2022);
    approve.keys.forEach((meta, place) => (meta.isSigner = place === 2));
    assert.equal(vm.send([approve], [THIEF_KEY]).error, undefined);
    const permitted = vm.send(
      [LIMIT, damm('update_delegate_permission', { permission: 0xffff }, { ...IN_DAMM_POOL, owner: THIEF })],
      [THIEF_KEY],
    ).error;

    assert.equal(vm.send([LIMIT, create()], [OWNER_KEY, NFT_KEY]).error, ACCOUNT_IN_USE);
    // Builds of the program that know no permissions of delegates refuse the deposit; those that do let it land.
    assert.equal(vm.send([LIMIT, add], [OWNER_KEY]).error, permitted === UNKNOWN_INSTRUCTION ? NOT_THE_TOKEN_OWNER : undefined);

    const [position, nftAccount] = [vm.account(DAMM_POSITION), vm.account(NFT_ACCOUNT)];
    const state = position && dammPositionState(position);
    const fact = state && nftAccount && dammPositionFact(state, nftAccount);
    assert.deepEqual([fact?.pool, fact?.owner, fact?.powers], [DAMM_POOL, THIEF, [OWNER]]);
    const bundle: readonly Draft[] = [
      { group: 'add', instructions: [create()], signers: [NFT_KEY] },
      { group: 'add', instructions: [add] },
    ];
    for (const facts of [undefined, factsOf(DAMM_POSITION, undefined), factsOf(DAMM_POSITION, fact)]) {
      assert.ok(objections(reviewDrafts(DAMM_INTENT, bundle, undefined, facts === undefined ? {} : { facts })).includes('block DLMM-10'));
    }
    const own = world(makeDammPool);
    assert.equal(own.send([LIMIT, create(), add], [OWNER_KEY, NFT_KEY]).error, undefined);
    assert.deepEqual(
      objections(reviewDrafts(DAMM_INTENT, [{ group: 'add', instructions: [create(), add], signers: [NFT_KEY] }])).filter((one) =>
        one.includes('DLMM-10'),
      ),
      [],
    );
  });
});
