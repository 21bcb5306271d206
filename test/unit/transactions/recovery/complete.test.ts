import { told } from '../../../../src/base/reasons/reason';
import assert from 'node:assert/strict';
import type { PoolTokenFacts } from '../../../../src/service/poolInfo';
import type { LiquidityService } from '../../../../src/service/service';
import { recordObservation } from '../../../../src/transactions/recovery/acknowledge';
import { findRemainder, completeOperation, type FoundRemainder } from '../../../../src/transactions/recovery/complete';
import type { JournalEvent } from '../../../../src/transactions/journal/types';
import { isPartiallyExecuted } from '../../../../src/transactions/outcome/partialExecution';
import { operationLock } from '../../../../src/transactions/target';
import { NO_SPENDS } from '../../../../src/review/spends';
import { addressBytes } from '../../../../src/base/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { FakeClock, OTHER_OWNER } from '../../../support/portfolio/fixtures';
import { MINT, OWNER, POOL, POSITION } from '../../../support/review/bundles';
import { asOf, ScriptedNode } from '../../../support/rpc/scriptedNode';
import { bench, failureOf, recordsOf, SERVICE, thePosition, type Bench } from '../../../support/transactions/harness';
import { MESSAGE, zapInCreated, zapOutCreated, type Created } from '../../../support/transactions/records';
import { reasonWords } from '../../../../src/base/reasons/reasonWords';

function facts(address: typeof MINT, decimals: number, priceUsd: number): PoolTokenFacts {
  return {
    address,
    symbol: 'T',
    decimals,
    priceUsd,
    name: undefined,
    marketCapUsd: undefined,
    fdvUsd: undefined,
    organicScore: undefined,
    holders: undefined,
  };
}

const READING: Partial<LiquidityService> = {
  poolInfo: () =>
    Promise.resolve({
      ...{
        poolType: 'dlmm',
        protocol: undefined,
        tokens: [facts(MINT, 9, 0.05), facts(WRAPPED_SOL_MINT, 9, 150)],
        amountX: 1,
        amountY: 1,
        activeBin: { binId: 0, price: 1 },
        bins: [],
      },
      fees: { basePercent: 1, maxPercent: 1, protocolPercent: 1, dynamicPercent: 1 },
      feeStats: [],
      statistics: {},
    }),
  tokenBalances: () =>
    Promise.resolve({
      items: [
        { mint: MINT, symbol: 'T', decimals: 9, amountRaw: undefined, amountText: '100', priceUsd: 1 },
        { mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, amountRaw: 10n ** 12n, amountText: '1000', priceUsd: 151 },
      ],
      warnings: [],
    }),
};

const TRANSACTION = { slot: 3, transaction: { signatures: ['one'], message: { ...MESSAGE, accountKeys: [OWNER, POOL] } } };
const META = {
  err: null,
  fee: 5_000,
  preBalances: [2_000_000_000, 0],
  postBalances: [1_490_000_000, 2_039_280],
  preTokenBalances: [],
  postTokenBalances: [{ accountIndex: 1, mint: MINT, owner: OWNER, uiTokenAmount: { amount: '7000000000', decimals: 9, uiAmount: null } }],
};

/** Leaves an operation in the journal of which one of two transactions landed. */
async function leave(
  fixture: Bench,
  created: Created,
  end: Partial<Extract<JournalEvent, { kind: 'failed' }>> = { landedTransactions: 1 },
): Promise<string> {
  const entry = await fixture.dependencies.journal.begin(created);
  await entry.append({
    kind: 'built',
    position: POSITION,
    transactions: 2,
    messageHashes: [],
    blockhashes: ['gone'],
    lastValidBlockHeight: 1,
  });
  await entry.append({ kind: 'reviewed', verdict: 'allow', rules: [] });
  await entry.append({ kind: 'approved', by: 'user' });
  await entry.append({ kind: 'signed', signatures: ['one', 'two'], spends: NO_SPENDS });
  await entry.append({ kind: 'submitted', lamportsBefore: undefined });
  await entry.append({ kind: 'failed', reason: told('half'), ...end });
  return entry.id;
}

const never = new AbortController().signal;

function runnable(found: FoundRemainder): Exclude<FoundRemainder, { kind: 'noAction' }> {
  return found.kind === 'noAction' ? assert.fail(reasonWords(found.reason)) : found;
}

describe('recovery: completion of a partial execution', () => {
  let node: ScriptedNode;
  before(async () => {
    node = await ScriptedNode.start();
  });
  after(() => node.stop());

  it('The extension withdraws the rest of the position as a separate operation and offers it only once', async () => {
    const fixture = await bench({ service: READING });
    const id = await leave(fixture, zapOutCreated(0));
    const found = runnable(await findRemainder(id, fixture.dependencies, never));
    assert.ok(found.kind === 'zapOut');
    assert.deepEqual(
      [found.plan.shareBps, found.plan.output, found.plan.slippageBps, found.plan.position.key],
      [10_000, 'allBaseToken', 300, POSITION],
    );
    assert.equal((await completeOperation(found, fixture.dependencies, fixture.host, fixture.abort.signal)).kind, 'settled');
    const last = (await recordsOf(fixture)).find(({ created }) => created.finishes === id);
    assert.deepEqual([last?.state, last?.created.operation], ['settled', 'zapOut']);
    assert.equal(fixture.trace.reviews.length, 1);
    assert.equal((await findRemainder(id, fixture.dependencies, never)).kind, 'noAction');
    fixture.listed = [thePosition()];
    await fixture.portfolio.refresh('manual', ['positions']);
    const again = await failureOf(completeOperation(found, fixture.dependencies, fixture.host, fixture.abort.signal));
    assert.deepEqual([again.kind, again.money], ['underWay', 'untouched']);
    assert.equal(fixture.trace.landings.length, 1);
  });

  it('The extension offers the completion again if nothing of it landed', async () => {
    const fixture = await bench({ service: READING, host: { approve: () => Promise.resolve(false) } });
    const id = await leave(fixture, zapOutCreated(0));
    const found = runnable(await findRemainder(id, fixture.dependencies, never));
    assert.equal((await completeOperation(found, fixture.dependencies, fixture.host, fixture.abort.signal)).kind, 'declined');
    assert.equal((await findRemainder(id, fixture.dependencies, never)).kind, 'zapOut');
  });

  it('The extension deposits what the landed transactions brought according to their own changes', async () => {
    const clock = new FakeClock();
    node.willAnswer({
      getTransaction: { byParams: ([signature]) => ({ result: signature === 'one' ? { ...TRANSACTION, meta: META } : null }) },
    });
    const fixture = await bench({ service: READING, rpc: node.client(), listed: [], clock });
    const id = await leave(fixture, zapInCreated(0));
    const found = runnable(await findRemainder(id, fixture.dependencies, never));
    assert.ok(found.kind === 'zapIn');
    const { tokens, inputLamports, fromBinId, toBinId, strategy, pool, owner, tokenX, tokenY, prices } = found.plan;
    assert.deepEqual([tokens, inputLamports], [{ amountXRaw: 7_000_000_000n, amountYRaw: 490_000_000n }, 0n]);
    assert.deepEqual([fromBinId, toBinId, strategy, pool, owner, tokenX, tokenY], [-5, 5, 'Spot', POOL, OWNER, MINT, WRAPPED_SOL_MINT]);
    assert.deepEqual(prices, { decimalsX: 9, decimalsY: 9, priceXUsd: 0.05, priceYUsd: 150, solUsd: 151 });
  });

  it('The extension reports if there is nothing to run and requests no signature', async () => {
    const fixture = await bench({
      service: { ...READING, tokenBalances: () => Promise.reject(new Error('down')), poolInfo: () => Promise.reject(new Error('down')) },
      listed: [],
    });
    const found = await findRemainder(await leave(fixture, zapInCreated(0)), fixture.dependencies, never);
    assert.ok(found.kind === 'noAction' && /not everything could be loaded/.test(reasonWords(found.reason)));
    fixture.warnings = [{ path: 'data[0]', message: 'left out' }];
    const unclear = await findRemainder(await leave(fixture, zapOutCreated(0)), fixture.dependencies, never);
    assert.ok(unclear.kind === 'noAction' && /not everything could be loaded/.test(reasonWords(unclear.reason)));
    assert.equal(fixture.trace.signersAsked, 0);
  });

  it('The extension determines an unclear partial execution later, with an RPC', async () => {
    const status = { slot: 3, confirmations: null, err: null, confirmationStatus: 'finalized' };
    node.willAnswer({
      getSignatureStatuses: asOf([status, null]),
      getTransaction: { byParams: ([signature]) => ({ result: signature === 'one' ? { ...TRANSACTION, meta: META } : null }) },
    });
    const without = await bench({ service: READING, listed: [] });
    const id = await leave(without, zapInCreated(0), { isUnclear: true });
    const told = await findRemainder(id, without.dependencies, never);
    assert.ok(
      told.kind === 'noAction' && told.then === 'asked' && /Only an RPC that has its transactions can tell/.test(reasonWords(told.reason)),
    );
    const found = runnable(await findRemainder(id, { ...without.dependencies, rpc: node.client() }, never));
    assert.deepEqual(found.kind === 'zapIn' && found.plan.tokens, { amountXRaw: 7_000_000_000n, amountYRaw: 490_000_000n });
    node.willAnswer({ getSignatureStatuses: asOf([null, null]) });
    const nothing = await findRemainder(id, { ...without.dependencies, rpc: node.client() }, never);
    assert.ok(nothing.kind === 'noAction' && nothing.then === 'asked' && /none of the 2 transactions/.test(reasonWords(nothing.reason)));
  });

  it('The extension reads the wrapped SOL and marks the result as seen', async () => {
    const brought = {
      ...META,
      postBalances: [2_010_000_000, 2_039_280],
      postTokenBalances: [
        { accountIndex: 1, mint: WRAPPED_SOL_MINT, owner: OWNER, uiTokenAmount: { amount: '490000000', decimals: 9, uiAmount: null } },
      ],
    };
    const account = new Uint8Array(165);
    account.set(addressBytes(WRAPPED_SOL_MINT), 0);
    account.set(addressBytes(OWNER), 32);
    new DataView(account.buffer).setBigUint64(64, 300_000_000n, true);
    account[108] = 1;
    node.willAnswer({
      getMultipleAccounts: asOf([
        {
          lamports: 302_039_280,
          owner: PROGRAMS.token,
          data: [Buffer.from(account).toString('base64'), 'base64'],
          executable: false,
          rentEpoch: 0,
          space: 165,
        },
      ]),
      getTransaction: { byParams: ([signature]) => ({ result: signature === 'one' ? { ...TRANSACTION, meta: brought } : null }) },
    });
    const fixture = await bench({ service: READING, rpc: node.client(), listed: [] });
    const id = await leave(fixture, zapOutCreated(0));
    const told = await findRemainder(id, fixture.dependencies, never);
    assert.ok(told.kind === 'unwrap', reasonWords(told.reason));
    assert.equal(told.plan.lamports, 300_000_000n);
    assert.match(reasonWords(told.reason), / 0\.3 SOL of it is still wrapped/);
    await recordObservation(id, told.reason, fixture.dependencies);
    const [record] = await recordsOf(fixture);
    assert.deepEqual(
      [record?.state, record?.reason, record?.isSeen, record && isPartiallyExecuted(record, [])],
      ['failed', told.reason, true, false],
    );
    await recordObservation('no such id', told.reason, fixture.dependencies);
    const busy = await fixture.dependencies.locks.tryAcquire(operationLock(id));
    assert.ok(busy !== undefined, 'its lock is free');
    await busy.release();
  });

  it("The extension refuses the completion of unknown operations and of other wallets' or services' operations", async () => {
    const fixture = await bench({ service: READING });
    const refused = async (id: string, dependencies = fixture.dependencies) => {
      try {
        return assert.fail(reasonWords((await findRemainder(id, dependencies, never)).reason));
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
    };
    assert.match(await refused('no such id'), /no longer in the journal\. Nothing was signed/);
    const elsewhere = await leave(fixture, { ...zapOutCreated(0), service: 'https://another.example' });
    assert.match(await refused(elsewhere), /Another service.*Switch back/);
    const others = await leave(fixture, { ...zapOutCreated(0), owner: OTHER_OWNER });
    assert.match(await refused(others), new RegExp(`This needs the wallet ${OTHER_OWNER}`));
    const mine = await leave(fixture, zapOutCreated(0));
    assert.match(
      await refused(mine, {
        ...fixture.dependencies,
        journal: { ...fixture.dependencies.journal, read: () => Promise.reject(new Error('gone')) },
      }),
      /journal cannot be read\. gone\./,
    );
    assert.equal(fixture.dependencies.serviceId, SERVICE);
  });
});
