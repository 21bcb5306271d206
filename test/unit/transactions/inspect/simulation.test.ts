import assert from 'node:assert/strict';
import { AddressLookupTableAccount } from '@solana/web3.js';
import { simulate, type SimulationSubject } from '../../../../src/transactions/inspect/simulation';
import type { AccountState } from '../../../../src/review/facts/facts';
import { PROGRAMS } from '../../../../src/base/solana/programs';
import { addressOf } from '../../../support/portfolio/fixtures';
import { base64Of, key, OWNER, OWN_TOKEN, tokenInstruction } from '../../../support/review/bundles';
import { asOf, ScriptedNode, written, type Script } from '../../../support/rpc/scriptedNode';
import { CLOSE, SWAPS } from '../../../support/transactions/harness';

const STRANGER = addressOf(5);
const subject = (part: Partial<SimulationSubject> = {}): SimulationSubject => ({
  transactions: [CLOSE, ...SWAPS],
  watched: [OWNER, OWN_TOKEN, STRANGER],
  lookupTables: new Map(),
  ...part,
});

/** An account with so many lamports. */
const holding = (lamports: number) => (lamports === 0 ? null : written(PROGRAMS.system, new Uint8Array(), lamports));
const lamportsOf = (states: ReadonlyMap<string, AccountState> | undefined) =>
  Object.fromEntries([...(states ?? [])].map(([at, { lamports }]) => [at, Number(lamports)]));

interface SimulationConfig {
  readonly accounts: { readonly addresses: readonly string[] };
  readonly minContextSlot?: number;
}

const configOf = (params: readonly unknown[]) => params[1] as SimulationConfig;

/** A node that simulates single transactions: everything that is asked for holds 50 afterwards. */
const single: Script = {
  byParams: (params) =>
    asOf({ err: null, accounts: configOf(params).accounts.addresses.map(() => holding(50)), innerInstructions: [] }, 12),
};
const never = new AbortController().signal;

describe('inspection: simulation', () => {
  let node: ScriptedNode;
  before(async () => {
    node = await ScriptedNode.start();
  });
  after(() => node.stop());
  const run = (part: Partial<SimulationSubject> = {}) => simulate(subject(part), node.client(), never);

  it('The simulation covers exactly the reviewed transactions if the RPC simulates bundles', async () => {
    const result = (before: number, after: number) => ({
      err: null,
      preExecutionAccounts: [holding(before), holding(1), null],
      postExecutionAccounts: [holding(after), null, null],
    });
    node.willAnswer({
      simulateBundle: asOf({ summary: 'succeeded', transactionResults: [result(9, 8), result(8, 7), result(7, 6)] }, 33),
      simulateTransaction: single,
    });
    const simulation = await run();
    assert.equal(simulation?.slot, 33n);
    assert.deepEqual(
      simulation.transactions.map(({ before, after }) => [lamportsOf(before), lamportsOf(after)]),
      [
        [{ [OWNER]: 9, [OWN_TOKEN]: 1 }, { [OWNER]: 8 }],
        [{ [OWNER]: 8, [OWN_TOKEN]: 1 }, { [OWNER]: 7 }],
        [{ [OWNER]: 7, [OWN_TOKEN]: 1 }, { [OWNER]: 6 }],
      ],
    );
    // What the first one's programs call is asked for by itself, since bundles do not say it.
    assert.deepEqual(
      simulation.transactions.map(({ innerInstructions }) => innerInstructions),
      [[], undefined, undefined],
    );
    assert.deepEqual(
      node.received.map(({ method }) => method),
      ['simulateBundle', 'simulateTransaction'],
    );
    assert.deepEqual(node.received[0]?.params[0], { encodedTransactions: [CLOSE, ...SWAPS] });
    assert.equal(node.received[1]?.params[0], CLOSE);
  });

  it('The simulation of a bundle contains the inner instructions that the RPC reports', async () => {
    const called = [{ index: 3, instructions: [{ programId: PROGRAMS.token, accounts: [OWN_TOKEN, OWNER], data: '2', stackHeight: 2 }] }];
    const result = {
      err: null,
      preExecutionAccounts: [holding(1), null, null],
      postExecutionAccounts: [holding(1), null, null],
      innerInstructions: called,
    };
    node.willAnswer({ simulateBundle: asOf({ summary: 'succeeded', transactionResults: [result, result, result] }) });
    const simulation = await run();
    assert.deepEqual(
      simulation?.transactions.map(({ innerInstructions }) => innerInstructions?.map(({ calledBy, data }) => [calledBy, ...data])),
      [[[3, 1]], [[3, 1]], [[3, 1]]],
    );
    assert.deepEqual(
      node.received.map(({ method }) => method),
      ['simulateBundle'],
    );
  });

  it('The simulation of a bundle ends with the transaction that fails', async () => {
    const transactionResults = [
      { err: null, preExecutionAccounts: [holding(9), null, null], postExecutionAccounts: [holding(8), null, null] },
      { err: { InstructionError: [1, { Custom: 6_003 }] }, preExecutionAccounts: [], postExecutionAccounts: [] },
    ];
    node.willAnswer({ simulateBundle: asOf({ summary: { failed: { error: 'x' } }, transactionResults }), simulateTransaction: single });
    const simulation = await run();
    assert.deepEqual(
      simulation?.transactions.map(({ error, after }) => [error, after.size]),
      [
        [undefined, 1],
        ['{"InstructionError":[1,{"Custom":6003}]}', 0],
      ],
    );
  });

  it('The simulation sends no more transactions than one bundle can hold', async () => {
    const result = { err: null, preExecutionAccounts: [null, null, null], postExecutionAccounts: [null, null, null] };
    node.willAnswer({
      simulateBundle: asOf({ summary: 'succeeded', transactionResults: Array.from({ length: 5 }, () => result) }),
      simulateTransaction: single,
    });
    const simulation = await run({ transactions: Array.from({ length: 8 }, () => CLOSE) });
    assert.equal(simulation?.transactions.length, 5);
  });

  const withoutBundles: Readonly<Record<string, Script>> = {
    'simulates no bundles': { error: { code: -32601, message: 'Method not found' } },
    'has no room for bundles': { error: { code: -32005, message: 'busy' } },
    'answers nonsense': { result: 'succeeded' },
    'does not say which transaction fails': asOf({ summary: { failed: { error: 'BundleLockError' } }, transactionResults: [] }),
    'leaves the accounts out': asOf({ summary: 'succeeded', transactionResults: [1, 2, 3].map(() => ({ err: null })) }),
    'does not say what was before': asOf({
      summary: { failed: { error: 'x' } },
      transactionResults: [{ err: 'AccountNotFound', preExecutionAccounts: [], postExecutionAccounts: [] }],
    }),
  };
  for (const [what, simulateBundle] of Object.entries(withoutBundles)) {
    it(`The simulation covers the first transaction if the RPC ${what}`, async () => {
      node.willAnswer({ simulateBundle, getMultipleAccounts: asOf([holding(100), null, holding(7)], 11), simulateTransaction: single });
      const simulation = await run();
      assert.equal(simulation?.slot, 12n);
      assert.equal(simulation.transactions.length, 1);
      // The transaction does not name the stranger's account: it cannot change it.
      assert.deepEqual(lamportsOf(simulation.transactions[0]?.before), { [OWNER]: 100, [STRANGER]: 7 });
      assert.deepEqual(lamportsOf(simulation.transactions[0]?.after), { [STRANGER]: 7, [OWNER]: 50, [OWN_TOKEN]: 50 });
      const simulated = node.received.find(({ method }) => method === 'simulateTransaction');
      assert.equal(simulated?.params[0], CLOSE);
      assert.deepEqual(configOf(simulated.params).accounts.addresses, [OWNER, OWN_TOKEN]);
      // Not as of an earlier moment than the accounts before it.
      assert.equal(configOf(simulated.params).minContextSlot, 11);
    });
  }

  it('The simulation of one transaction requests no bundle', async () => {
    node.willAnswer({ getMultipleAccounts: asOf([holding(1), null, null]), simulateTransaction: single });
    assert.equal((await run({ transactions: [CLOSE] }))?.transactions.length, 1);
    assert.ok(!node.received.some(({ method }) => method === 'simulateBundle'));
  });

  it('The simulation of a failing transaction contains the error and the state before', async () => {
    node.willAnswer({
      getMultipleAccounts: asOf([holding(1), null, null]),
      simulateTransaction: asOf({ err: 'BlockhashNotFound', accounts: null, innerInstructions: null }),
    });
    const [only] = (await run({ transactions: [CLOSE] }))?.transactions ?? [];
    assert.deepEqual([only?.error, only?.before.size, only?.after.size, only?.innerInstructions], ['BlockhashNotFound', 1, 0, undefined]);
  });

  it('The simulation requests no more accounts at a time than the transaction names', async () => {
    const [table] = [addressOf(700)];
    const hidden = addressOf(800);
    const state = { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0, addresses: [key(hidden)] };
    const tables = [new AddressLookupTableAccount({ key: key(table), state })];
    const transaction = base64Of({ group: 'close', instructions: [tokenInstruction([17], [OWNER, hidden])], tables });
    const watched = [OWNER, ...Array.from({ length: 6 }, (_, index) => addressOf(800 + index))];
    node.willAnswer({ getMultipleAccounts: asOf(watched.map(() => holding(3))), simulateTransaction: single });
    // As long as its table is not known, any account may be in it.
    const unknown = await run({ transactions: [transaction], watched });
    const asked = node.received
      .filter(({ method }) => method === 'simulateTransaction')
      .map(({ params }) => configOf(params).accounts.addresses);
    assert.deepEqual(asked.flat(), watched);
    assert.ok(asked.every((addresses) => addresses.length <= 2));
    assert.equal(unknown?.transactions[0]?.after.size, watched.length);
    node.willAnswer({ getMultipleAccounts: asOf(watched.map(() => holding(3))), simulateTransaction: single });
    const known = await run({
      transactions: [transaction],
      watched,
      lookupTables: new Map([[table, { addresses: [hidden], isDeactivated: false }]]),
    });
    const calls = node.received
      .filter(({ method }) => method === 'simulateTransaction')
      .map(({ params }) => configOf(params).accounts.addresses);
    assert.deepEqual(calls, [[OWNER, hidden]]);
    assert.equal(known?.transactions[0]?.after.get(hidden)?.lamports, 50n);
    assert.equal(known.transactions[0].after.get(addressOf(801))?.lamports, 3n);
  });

  it('The simulation fails if the RPC supports no method, and is absent without transactions', async () => {
    node.willAnswer({ getMultipleAccounts: asOf([null, null, null]) });
    await assert.rejects(run(), { name: 'RpcError', code: -32601 });
    assert.equal(await run({ transactions: [] }), undefined);
  });
});
