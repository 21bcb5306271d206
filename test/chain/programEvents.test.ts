import assert from 'node:assert/strict';
import { CpAmm } from '@meteora-ag/cp-amm-sdk';
import DLMM from '@meteora-ag/dlmm';
import { Connection, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import type { Address } from '../../src/base/solana/address';
import { PROGRAMS } from '../../src/base/solana/programs';
import { readTransaction, TransactionAnswer } from '../../src/chain/index/answers';
import { decodeEvent, isEvent } from '../../src/chain/index/events';
import { indexOf, type TestIndex } from '../support/chain/indexOf';
import { useMainnet } from '../support/mainnet/useMainnet';
import type { LittlePool, Wallet } from '../support/mainnet/world/pool';

const EVENT_TAG_BYTES = 8;

describe('The events of the real programs', () => {
  const mainnet = useMainnet({ recording: 'programEvents' });
  let test: TestIndex;
  before(() => {
    test = indexOf(mainnet().rpcUrl);
  });
  after(() => test.stop());

  it('are read as the SDKs read them', async () => {
    const { chain, rpcUrl, pools } = mainnet();
    const me = mainnet().wallet(0);
    await liveInBins(pools.solUsdc, me, [-10, 10]);
    await liveInBins(pools.tollUsdc, me, [-46, 47]);
    await liveWithoutBins(pools.dammSolUsdc, me);
    await liveWithoutBins(pools.dammTollUsdc, me);
    const connection = new Connection(rpcUrl, 'confirmed');
    const dlmm = (await DLMM.create(connection, new PublicKey(pools.solUsdc.address))).program.coder.events;
    const damm = new CpAmm(connection)._program.coder.events;
    const seen = new Map<string, number>();
    const signatures = [PROGRAMS.dlmm, PROGRAMS.dammV2].flatMap((program) =>
      chain.transactionsOf(program).map(({ signature }) => signature),
    );
    for (const signature of new Set(signatures)) {
      const answer = await test.rpc.call(
        'getTransaction',
        [signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 1 }],
        TransactionAnswer,
      );
      const read = answer === null ? undefined : readTransaction(answer, signature);
      for (const { program, data: dataOf, isInner } of read?.calls ?? []) {
        const data = dataOf();
        if (!isInner || !isEvent(data) || (program !== PROGRAMS.dlmm && program !== PROGRAMS.dammV2)) {
          continue;
        }
        const coder = program === PROGRAMS.dlmm ? dlmm : damm;
        const theirs = coder.decode(Buffer.from(data.subarray(EVENT_TAG_BYTES)).toString('base64'));
        const ours = decodeEvent(program === PROGRAMS.dlmm ? 'dlmm' : 'damm', data);
        assert.ok(theirs !== null, bs58.encode(data));
        seen.set(theirs.name, (seen.get(theirs.name) ?? 0) + 1);
        if (ours !== undefined) {
          // Each of our values is one of theirs: the names differ.
          const known = new Set(valuesIn(theirs.data));
          assert.deepEqual(
            valuesIn(ours).filter((value) => !known.has(value) && !known.has(value.replace('-', '')) && !OUR_WORDS.has(value)),
            [],
            theirs.name,
          );
        }
      }
    }
    const names = [...seen.keys()].map((name) => name.toLowerCase().replaceAll('_', ''));
    const listed = [
      'positioncreate',
      'addliquidity',
      'removeliquidity',
      'claimfee',
      'claimfee2',
      'rebalancing',
      'increasepositionlength',
      'positionclose',
      'evtcreateposition',
      'evtliquiditychange',
      'evtclaimpositionfee',
      'evtcloseposition',
      'evtinitializepool',
    ];
    assert.deepEqual(
      listed.filter((name) => !names.includes(name)),
      [],
      names.join(),
    );
  });
});

/** Opens a position in bins, does everything that emits events, and closes it. */
async function liveInBins(pool: LittlePool, wallet: Wallet, bins: readonly [lower: number, upper: number]): Promise<void> {
  const { position } = await pool.open(wallet, { x: 1_000_000_000n, y: 1_000_000_000n, bins });
  await pool.add(wallet, position, { x: 1_000_000n, y: 1_000_000n });
  await live(pool, wallet, position);
}

async function liveWithoutBins(pool: LittlePool, wallet: Wallet): Promise<void> {
  const { position } = await pool.open(wallet, { y: 1_000_000_000n });
  await pool.add(wallet, position, { y: 1_000_000n });
  await live(pool, wallet, position);
}

async function live(pool: LittlePool, wallet: Wallet, position: Address): Promise<void> {
  await pool.swap(wallet, 'x', 100_000_000n);
  await pool.swap(wallet, 'y', 100_000_000n);
  await pool.claim(wallet, position);
  await pool.withdraw(wallet, position, 4_000);
  await pool.close(wallet, position);
}

/** Words that only our form of an event has. */
const OUR_WORDS = new Set([
  'create',
  'close',
  'deposit',
  'withdrawal',
  'feeClaim',
  'rebalance',
  'resize',
  '0',
  'poolWithDeposit',
  'true',
  'false',
  'undefined',
]);

/** All values in an object, as text. */
function valuesIn(value: unknown): readonly string[] {
  if (value instanceof PublicKey) {
    return [value.toBase58()];
  }
  if (typeof value === 'object' && value !== null && !('words' in value)) {
    return Object.values(value).flatMap(valuesIn);
  }
  return [String(value)];
}
