import assert from 'node:assert/strict';
import type { TokenFacts } from '../../../src/api/records/pool';
import type { LiquidityService } from '../../../src/api/service';
import { findRemainder, finish, type FoundRemainder } from '../../../src/operations/finish';
import { NO_SPENDS } from '../../../src/review/spends';
import { WRAPPED_SOL_MINT } from '../../../src/solana/programs';
import { FakeClock, OTHER_OWNER } from '../portfolio/fixtures';
import { MINT, OWNER, POOL, POSITION } from '../review/bundles';
import { ScriptedNode } from '../rpc/scriptedNode';
import { bench, failureOf, recordsOf, SERVICE, thePosition, type Bench } from './harness';
import { zapInCreated, zapOutCreated, type Created } from './records';

function facts(address: typeof MINT, decimals: number, priceUsd: number): TokenFacts {
  return { address, symbol: 'T', decimals, priceUsd, name: undefined, marketCapUsd: undefined, fdvUsd: undefined, organicScore: undefined, holders: undefined };
}

const READING: Partial<LiquidityService> = {
  poolInfo: () =>
    Promise.resolve({
      ...{ poolType: 'dlmm', protocol: undefined, tokens: [facts(MINT, 9, 0.05), facts(WRAPPED_SOL_MINT, 9, 150)], amountX: 1, amountY: 1, activeBin: { binId: 0, price: 1 }, bins: [] },
      ...{ fees: { basePercent: 1, maxPercent: 1, protocolPercent: 1, dynamicPercent: 1 }, feeStats: [], poolStats: {}, poolState: {}, poolDb: {} },
    }),
  tokenBalances: () => Promise.resolve({ items: [{ mint: MINT, symbol: 'T', decimals: 9, amountRaw: undefined, amountText: '100', priceUsd: 1 }, { mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, amountRaw: 10n ** 12n, amountText: '1000', priceUsd: 151 }], oddities: [] }),
};

const TRANSACTION = { slot: 3, transaction: { signatures: ['one'], message: { accountKeys: [OWNER, POOL] } } };
const META = { err: null, fee: 5_000, preBalances: [2_000_000_000, 0], postBalances: [1_490_000_000, 2_039_280], preTokenBalances: [], postTokenBalances: [{ accountIndex: 1, mint: MINT, owner: OWNER, uiTokenAmount: { amount: '7000000000' } }] };

/** Leaves an operation in the journal of which one of two transactions landed. */
async function leave(it: Bench, created: Created): Promise<string> {
  const entry = await it.dependencies.journal.begin(created);
  await entry.append({ kind: 'built', position: POSITION, transactions: 2, messageHashes: [], blockhashes: ['gone'], lastValidBlockHeight: 1 });
  await entry.append({ kind: 'reviewed', verdict: 'allow', rules: [] });
  await entry.append({ kind: 'approved', by: 'user' });
  await entry.append({ kind: 'signed', signatures: ['one', 'two'], spends: NO_SPENDS });
  await entry.append({ kind: 'submitted', lamportsBefore: undefined });
  await entry.append({ kind: 'failed', reason: 'half', landedTransactions: 1 });
  return entry.id;
}

const never = new AbortController().signal;

function runnable(found: FoundRemainder): Exclude<FoundRemainder, { kind: 'told' }> {
  return found.kind === 'told' ? assert.fail(found.words) : found;
}

describe('finishing what is half done', () => {
  let node: ScriptedNode;
  before(async () => {
    node = await ScriptedNode.start();
  });
  after(() => node.stop());

  it('withdraws what is left of the position, as an operation of its own, and is then not offered again', async () => {
    const it = await bench({ service: READING });
    const id = await leave(it, zapOutCreated(0));
    const found = runnable(await findRemainder(id, it.dependencies, never));
    assert.ok(found.kind === 'zapOut');
    assert.deepEqual([found.plan.shareBps, found.plan.output, found.plan.slippageBps, found.plan.position.key], [10_000, 'allBaseToken', 300, POSITION]);
    assert.equal((await finish(found, it.dependencies, it.host, it.abort.signal)).kind, 'settled');
    const last = (await recordsOf(it)).find(({ created }) => created.finishes === id);
    assert.deepEqual([last?.state, last?.created.operation], ['settled', 'zapOut']);
    assert.equal(it.trace.reviews.length, 1);
    assert.equal((await findRemainder(id, it.dependencies, never)).kind, 'told');
    it.listed = [thePosition()];
    await it.portfolio.refresh('manual', ['positions']);
    const again = await failureOf(finish(found, it.dependencies, it.host, it.abort.signal));
    assert.deepEqual([again.kind, again.money], ['underWay', 'untouched']);
    assert.equal(it.trace.landings.length, 1);
  });

  it('may be tried again where nothing of it landed', async () => {
    const it = await bench({ service: READING, host: { approve: () => Promise.resolve(false) } });
    const id = await leave(it, zapOutCreated(0));
    const found = runnable(await findRemainder(id, it.dependencies, never));
    assert.equal((await finish(found, it.dependencies, it.host, it.abort.signal)).kind, 'declined');
    assert.equal((await findRemainder(id, it.dependencies, never)).kind, 'zapOut');
  });

  it('puts in what the transactions that landed brought, by what they themselves changed', async () => {
    const clock = new FakeClock();
    node.willAnswer({ getTransaction: { byParams: ([signature]) => ({ result: signature === 'one' ? { ...TRANSACTION, meta: META } : null }) } });
    const it = await bench({ service: READING, rpc: node.client(), listed: [], clock });
    const id = await leave(it, zapInCreated(0));
    const found = runnable(await findRemainder(id, it.dependencies, never));
    assert.ok(found.kind === 'zapIn');
    const { tokens, inputLamports, fromBinId, toBinId, strategy, pool, owner, tokenX, tokenY, prices } = found.plan;
    assert.deepEqual([tokens, inputLamports], [{ amountXRaw: 7_000_000_000n, amountYRaw: 490_000_000n }, 0n]);
    assert.deepEqual([fromBinId, toBinId, strategy, pool, owner, tokenX, tokenY], [-5, 5, 'Spot', POOL, OWNER, MINT, WRAPPED_SOL_MINT]);
    assert.deepEqual(prices, { decimalsX: 9, decimalsY: 9, priceXUsd: 0.05, priceYUsd: 150, solUsd: 151 });
  });

  it('is told where nothing can be run, and asks nobody to sign', async () => {
    const it = await bench({ service: { ...READING, tokenBalances: () => Promise.reject(new Error('down')), poolInfo: () => Promise.reject(new Error('down')) }, listed: [] });
    const found = await findRemainder(await leave(it, zapInCreated(0)), it.dependencies, never);
    assert.ok(found.kind === 'told' && /cannot be read just now/.test(found.words));
    it.oddities = [{ path: 'data[0]', message: 'left out' }];
    const unclear = await findRemainder(await leave(it, zapOutCreated(0)), it.dependencies, never);
    assert.ok(unclear.kind === 'told' && /cannot be read just now/.test(unclear.words));
    assert.equal(it.trace.signersAsked, 0);
  });

  it('is refused for what is not known, or is of another wallet or service', async () => {
    const it = await bench({ service: READING });
    const refused = async (id: string, dependencies = it.dependencies) => {
      try {
        return assert.fail((await findRemainder(id, dependencies, never)).words);
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
    };
    assert.match(await refused('no such id'), /does not have this operation any more\. Nothing was signed/);
    const elsewhere = await leave(it, { ...zapOutCreated(0), service: 'https://another.example' });
    assert.match(await refused(elsewhere), /another service.*Switch to that service/);
    const others = await leave(it, { ...zapOutCreated(0), owner: OTHER_OWNER });
    assert.match(await refused(others), new RegExp(`of the wallet ${OTHER_OWNER}`));
    const mine = await leave(it, zapOutCreated(0));
    assert.match(await refused(mine, { ...it.dependencies, journal: { ...it.dependencies.journal, read: () => Promise.reject(new Error('gone')) } }), /cannot be read\. gone\./);
    assert.equal(it.dependencies.serviceId, SERVICE);
  });
});
