import assert from 'node:assert/strict';
import { AddressLookupTableAccount, PublicKey } from '@solana/web3.js';
import fc from 'fast-check';
import { FactSheet, isEmpty, joined, lookupTable, newQuestions } from '../../../../src/transactions/inspect/chainFacts';
import { readPools } from '../../../../src/transactions/inspect/poolsOnChain';
import type { SolanaRpc } from '../../../../src/rpc/types';
import { NO_QUESTIONS } from '../../../../src/review/questions';
import { address, type Address } from '../../../../src/base/solana/address';
import { PROGRAMS } from '../../../../src/base/solana/programs';
import { addressOf } from '../../../support/portfolio/fixtures';
import { asOf, ScriptedNode, written } from '../../../support/rpc/scriptedNode';

const TABLE_PROGRAM = address('AddressLookupTab1e1111111111111111111111111');
const NEVER = 2n ** 64n - 1n;
const TABLE = addressOf(900);

/** A lookup table as its program writes it. */
function table(addresses: readonly Address[], deactivationSlot = NEVER): Uint8Array {
  const data = Buffer.alloc(56 + 32 * addresses.length);
  data.writeUInt32LE(1, 0);
  data.writeBigUInt64LE(deactivationSlot, 4);
  data.writeBigUInt64LE(77n, 12);
  data.writeUInt8(1, 21);
  addresses.forEach((one, index) => data.set(new PublicKey(one).toBytes(), 56 + 32 * index));
  return new Uint8Array(data);
}

const account = (data: Uint8Array, program = TABLE_PROGRAM) => ({ lamports: 1n, program, data });
const many = (count: number) => Array.from({ length: count }, (_, index) => addressOf(index));

describe('inspection: lookup tables', () => {
  it('The reader reads a lookup table of 0 to 256 addresses as @solana/web3.js does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 256 }), fc.bigInt({ min: 0n, max: NEVER }), (count, slot) => {
        const data = table(many(count), slot);
        const state = AddressLookupTableAccount.deserialize(data);
        const read = lookupTable(account(data));
        assert.deepEqual(
          read?.addresses,
          state.addresses.map((one) => one.toBase58()),
        );
        assert.equal(read.isDeactivated, state.deactivationSlot !== NEVER);
      }),
      { numRuns: 30 },
    );
  });

  it('The reader recognizes a lookup table that is being deactivated', () => {
    assert.equal(lookupTable(account(table([])))?.isDeactivated, false);
    assert.equal(lookupTable(account(table([], 123n)))?.isDeactivated, true);
  });

  it('The reader rejects lookup tables of another program or kind, truncated ones and too long ones', () => {
    const whole = table(many(2));
    for (const data of [
      whole.slice(0, 55),
      whole.slice(0, -1),
      table(many(257)),
      Uint8Array.from([2, ...whole.slice(1)]),
      new Uint8Array(),
    ]) {
      assert.equal(lookupTable(account(data)), undefined);
    }
    assert.equal(lookupTable(account(whole, PROGRAMS.system)), undefined);
  });
});

describe('inspection: pools', () => {
  it('Each pool is read once, what is no pool of Meteora is a fact, and without pools nothing is asked', async () => {
    const asked: (readonly Address[])[] = [];
    const rpc = {
      accounts: ({ addresses }: { readonly addresses: readonly Address[] }) => {
        asked.push(addresses);
        return Promise.resolve({ value: addresses.map((one) => (one === TABLE ? account(table([])) : undefined)), slot: 1n });
      },
    } as unknown as SolanaRpc;
    const pools = await readPools([TABLE, addressOf(1), TABLE], rpc);
    assert.deepEqual(
      [...pools],
      [
        [TABLE, { kind: 'none', program: TABLE_PROGRAM }],
        [addressOf(1), { kind: 'none', program: undefined }],
      ],
    );
    assert.equal((await readPools([], rpc)).size, 0);
    assert.deepEqual(asked, [[TABLE, addressOf(1)]]);
  });
});

describe('inspection: questions to the RPC', () => {
  it('The extension asks each question once and limits their number', () => {
    const open = { ...NO_QUESTIONS, mints: [addressOf(1), addressOf(1), addressOf(2)], tokenAccounts: many(1_000) };
    const first = newQuestions(open, NO_QUESTIONS);
    assert.deepEqual(first.mints, [addressOf(1), addressOf(2)]);
    assert.equal(first.tokenAccounts.length, 300);
    const second = newQuestions({ ...open, blockhashes: ['a'] }, first);
    assert.deepEqual(second, { ...NO_QUESTIONS, blockhashes: ['a'] });
    assert.ok(isEmpty(newQuestions(open, joined(first, second))));
    assert.ok(!isEmpty(second));
  });
});

describe('inspection: facts from the RPC', () => {
  let node: ScriptedNode;
  before(async () => {
    node = await ScriptedNode.start();
  });
  after(() => node.stop());

  const never = new AbortController().signal;

  it('The extension collects the facts that the RPC answers and reports a missing table', async () => {
    const [known, unknown] = [addressOf(1), addressOf(2)];
    node.willAnswer({
      getMultipleAccounts: asOf([written(TABLE_PROGRAM, table([known])), written(PROGRAMS.token, table([known]))]),
      isBlockhashValid: { byParams: ([hash]) => asOf(hash === 'good') },
    });
    const sheet = new FactSheet();
    await sheet.ask({ ...NO_QUESTIONS, lookupTables: [TABLE, unknown], blockhashes: ['good', 'bad'] }, node.client(), never);
    const { facts } = sheet;
    assert.deepEqual([...facts.lookupTables], [[TABLE, { addresses: [known], isDeactivated: false }]]);
    assert.deepEqual(
      [...facts.blockhashes],
      [
        ['good', true],
        ['bad', false],
      ],
    );
    assert.equal(facts.problem, `The transactions name a lookup table at ${unknown}, but there is none.`);
    assert.equal(facts.simulation, undefined);
  });

  it('The extension keeps the other facts if the RPC fails one kind of question', async () => {
    node.willAnswer({
      getMultipleAccounts: asOf([written(TABLE_PROGRAM, table([]))]),
      isBlockhashValid: { error: { code: -32005, message: 'Node is behind' } },
    });
    const sheet = new FactSheet();
    await sheet.ask({ ...NO_QUESTIONS, lookupTables: [TABLE], blockhashes: ['a', 'b'] }, node.client(), never);
    assert.equal(sheet.facts.lookupTables.size, 1);
    assert.equal(sheet.facts.blockhashes.size, 0);
    assert.match(sheet.facts.problem ?? '', /^127\.0\.0\.1:\d+ refused the request \(-32005: Node is behind\)\.$/);
  });

  it('The extension reads who owns a finalized position, for DAMM v2 by the holder of its NFT', async () => {
    const [dlmm, damm, nothing, pool, owner, operator, nftMint] = many(7);
    const key = (of: Address | undefined): Uint8Array => new PublicKey(of ?? '').toBytes();
    const bins = Buffer.alloc(8_120);
    bins.set(Buffer.from('75b0d4c7f5b485b6', 'hex'));
    bins.set(key(pool), 8);
    bins.set(key(owner), 40);
    bins.writeInt32LE(-20, 7_912);
    bins.writeInt32LE(19, 7_916);
    bins.set(key(operator), 7_960);
    const product = Buffer.alloc(408);
    product.set(Buffer.from('aabc8fe47a40f7d0', 'hex'));
    product.set(key(pool), 8);
    product.set(key(nftMint), 40);
    const nft = Buffer.alloc(165);
    nft.set(key(nftMint), 0);
    nft.set(key(owner), 32);
    nft.writeBigUInt64LE(1n, 64);
    nft[108] = 1;
    node.willAnswer({
      getMultipleAccounts: {
        byParams: ([asked]) =>
          asOf(
            (asked as readonly string[]).length === 3
              ? [written(PROGRAMS.dlmm, bins), written(PROGRAMS.dammV2, product), null]
              : [written(PROGRAMS.token2022, nft)],
          ),
      },
    });
    const sheet = new FactSheet();
    await sheet.ask({ ...NO_QUESTIONS, positions: [dlmm, damm, nothing].flatMap((of) => of ?? []) }, node.client(), never);
    assert.deepEqual(
      [...(sheet.facts.positions ?? [])],
      [
        [dlmm, { pool, owner, powers: [operator], isRestricted: false, lowerBinId: -20, upperBinId: 19 }],
        [damm, { pool, owner, powers: [], isRestricted: false }],
      ],
    );
    assert.deepEqual(
      node.received.slice(-2).map(({ params }) => (params[1] as { readonly commitment: string }).commitment),
      ['finalized', 'finalized'],
    );
  });

  it('The extension records that there is no pool if the account is missing or of another program', async () => {
    for (const [answer, program] of [
      [null, undefined],
      [written(PROGRAMS.token, new Uint8Array(600)), PROGRAMS.token],
      [written(PROGRAMS.dlmm, new Uint8Array(600)), PROGRAMS.dlmm],
    ] as const) {
      node.willAnswer({ getMultipleAccounts: asOf([answer]) });
      const sheet = new FactSheet();
      await sheet.ask({ ...NO_QUESTIONS, pools: [TABLE] }, node.client(), never);
      assert.deepEqual([...(sheet.facts.pools ?? [])], [[TABLE, { kind: 'none', program }]]);
    }
  });

  it('The extension reads only the account bytes that it needs', async () => {
    node.willAnswer({ getMultipleAccounts: asOf([null]) });
    await new FactSheet().ask(
      { lookupTables: [TABLE], tokenAccounts: [TABLE], mints: [TABLE], pools: [TABLE], positions: [], blockhashes: [], rent: [] },
      node.client(),
      never,
    );
    const slices = node.received.map(({ params }) => (params[1] as { readonly dataSlice?: { readonly length: number } }).dataSlice?.length);
    assert.deepEqual(slices.sort(), [1_190, 485, 8_249, undefined]);
  });

  it('The extension reads tables as finalized, which can make a review laxer, and token accounts as recent as possible', async () => {
    node.willAnswer({ getMultipleAccounts: asOf([null]) });
    await new FactSheet().ask(
      { lookupTables: [TABLE], tokenAccounts: [addressOf(1)], mints: [addressOf(2)], pools: [], positions: [], blockhashes: [], rent: [] },
      node.client(),
      never,
    );
    const commitments = node.received.map(({ params }) => [
      (params[0] as readonly string[])[0],
      (params[1] as { readonly commitment: string }).commitment,
    ]);
    assert.deepEqual(
      new Map(commitments as [string, string][]),
      new Map([
        [TABLE, 'finalized'],
        [addressOf(1), 'processed'],
        [addressOf(2), 'processed'],
      ]),
    );
  });

  it('The extension rejects a table that is too long, although it reads only the beginning', async () => {
    node.willAnswer({ getMultipleAccounts: asOf([written(TABLE_PROGRAM, table(many(300)).slice(0, 8_249))]) });
    const sheet = new FactSheet();
    await sheet.ask({ ...NO_QUESTIONS, lookupTables: [TABLE] }, node.client(), never);
    assert.equal(sheet.facts.lookupTables.size, 0);
  });
});
