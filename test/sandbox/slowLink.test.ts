import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bs58 from 'bs58';
import { pause, systemClock } from '../../src/base/async/clock';
import { address } from '../../src/base/solana/address';
import { Portfolio } from '../../src/portfolio/portfolio';
import { signReviewed } from '../../src/review/review';
import { parseBaseUrl } from '../../src/service/baseUrl';
import { createLiquidityService } from '../../src/service/client';
import { openJournal } from '../../src/transactions/journal/journal';
import { openLocks } from '../../src/transactions/locks/locks';
import { runZapOut } from '../../src/transactions/run/zapOut';
import type { ReapprovalReason } from '../../src/transactions/types';
import { createSigner } from '../../src/wallet/signer';
import { useSandbox } from '../support/sandbox/useSandbox';
import { rpcOf } from '../support/sandbox/rpcOf';

/** What every answer takes, of the service and of the RPC. */
const ANSWER_MS = 5_000;
/** How long the user reads the question. */
const READING_MS = 5_000;

// The market moves, and a blockhash is good for 30 seconds.
describe(`A connection with ${ANSWER_MS / 1_000} s an answer, at 200 ms a slot`, () => {
  const client = useSandbox('all', { args: ['--slot-ms', '200'] });

  it('A zap-out that sells tokens takes one click and lands, checked and simulated as over a fast connection', async () => {
    const { url, apiKey, secretKey, owner: ownerText } = client().sandbox;
    const owner = address(ownerText);
    const storage = await mkdtemp(join(tmpdir(), 'binsight-slow-'));
    const service = createLiquidityService({ baseUrl: parseBaseUrl(url), apiKey });
    const portfolio = new Portfolio({ service: () => Promise.resolve(service), log: () => undefined, clock: systemClock });
    portfolio.setOwner(owner);
    await portfolio.refresh('startup', ['positions']);
    // One that holds only the token to sell: trades in the active bin exchange the tokens of others, which is more than a move of the price.
    const position =
      portfolio.snapshot.positions.find(({ poolType, amount0, amount1 }) => poolType === 'dlmm' && (amount0 ?? 0) > 0 && amount1 === 0) ??
      assert.fail('No position holds one token');
    const journal = openJournal({ folder: join(storage, 'journal'), nowMs: Date.now, log: () => undefined });
    const locks = openLocks({ folder: join(storage, 'locks'), log: () => undefined });
    const reasons: (ReapprovalReason | undefined)[] = [];
    const log: string[] = [];
    try {
      await client().setFaults({ kind: 'latency', ms: ANSWER_MS });
      const cancel = new AbortController();
      const result = await runZapOut(
        { position, owner, shareBps: 10_000, output: 'allBaseToken', slippageBps: 100 },
        {
          ...{ service, portfolio, journal, locks, nowMs: Date.now, serviceId: 'sandbox' },
          isServiceInUse: () => true,
          log: (_level, message) => log.push(message),
          rpc: rpcOf({ url, apiKey }),
          policy: () => ({}),
          isSimulating: true,
          settleTimeoutMs: 30_000,
          settleEveryMs: 4_000,
        },
        {
          report: () => undefined,
          approve: async ({ verdict, checked, transactions }, reason) => {
            reasons.push(reason);
            assert.deepEqual([verdict, checked.simulation?.transactions], ['allow', transactions.length]);
            await pause(READING_MS, cancel.signal, undefined);
            return true;
          },
          signer: () =>
            Promise.resolve(
              createSigner({ owner, readSeed: () => Promise.resolve(bs58.decode(secretKey).slice(0, 32)), signReviewed, nowMs: Date.now }),
            ),
        },
        cancel.signal,
      );
      assert.equal(result.kind, 'settled', log.join('\n'));
      assert.deepEqual(reasons, [undefined], log.join('\n'));
    } finally {
      await client().setFaults();
      journal.dispose();
      await locks.dispose();
      await rm(storage, { recursive: true, force: true });
    }
  });
});
