import assert from 'node:assert/strict';
import { WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import type { ClaimLanding, ClaimRequest } from '../../../../src/service/transactions';
import type { LiquidityService } from '../../../../src/service/service';
import { reasonWords } from '../../../../src/base/reasons/reasonWords';
import { evidenceOfClaim } from '../../../../src/transactions/outcome/evidence';
import { restOf } from '../../../../src/transactions/outcome/outcomes';
import { runClaim } from '../../../../src/transactions/run/claim';
import type { ClaimPlan } from '../../../../src/transactions/types';
import { base64Of, claim, honestClaim, MINT, OWNER, POOL, POSITION, removal } from '../../../support/review/bundles';
import { bench, type Bench, FakeChain, recordsOf, SIGNATURE, thePosition } from '../../../support/transactions/harness';
import { FakeClock, OTHER_OWNER } from '../../../support/portfolio/fixtures';

const FEES = { uncollectedFee0: 0.001, uncollectedFee1: 0.08, uncollectedFee: { usd: 26.24, native: 0.16 } };
const withFees = thePosition(FEES);
const BUILD = { claimTransactions: [base64Of(honestClaim())], lastValidBlockHeight: 1_000, meta: { positions: [] } };

interface Asked {
  readonly requests: ClaimRequest[];
  readonly landings: ClaimLanding[];
}

/** A service that builds an honest claim, lands it and then lists the position without fees. */
async function claimBench(
  part: Partial<LiquidityService> = {},
  more: Parameters<typeof bench>[0] = {},
): Promise<{ readonly rig: Bench } & Asked> {
  const asked: Asked = { requests: [], landings: [] };
  const rig: Bench = await bench({
    ...more,
    listed: [withFees],
    service: {
      buildClaim: (request) => {
        asked.requests.push(request);
        return Promise.resolve(BUILD);
      },
      landClaim: (landing) => {
        asked.landings.push(landing);
        rig.listed = [thePosition()];
        return Promise.resolve({ signature: SIGNATURE });
      },
      ...part,
    },
  });
  return { rig, ...asked };
}

const run = ({ dependencies, host, abort }: Bench, part: Partial<ClaimPlan> = {}) =>
  runClaim({ positions: [withFees], owner: OWNER, ...part }, dependencies, host, abort.signal);

describe('operation: claim', () => {
  it('The claim builds, reviews against the shown fees, asks, signs, lands and waits until the fees are gone from the list', async () => {
    const { rig, requests, landings } = await claimBench();
    assert.deepEqual(await run(rig), { kind: 'settled', signature: SIGNATURE, position: POSITION });
    assert.deepEqual(rig.trace.steps, ['building', 'reviewing', 'waitingForApproval', 'signing', 'landing', 'waitingForEffect']);
    assert.deepEqual(requests, [{ owner: OWNER, positionIds: ['service-id'] }]);
    const [review] = rig.trace.reviews;
    assert.ok(review?.verdict === 'allow' && review.intent.kind === 'claim', review?.findings.map(({ message }) => message).join());
    assert.deepEqual(review.intent.positions, [
      {
        pool: POOL,
        position: POSITION,
        tokenX: MINT,
        tokenY: WRAPPED_SOL_MINT,
        fees: [
          { mint: MINT, amountRaw: 1_000_000n },
          { mint: WRAPPED_SOL_MINT, amountRaw: 80_000_000n },
        ],
      },
    ]);
    assert.deepEqual([landings[0]?.claimTransactions.length, landings[0]?.meta], [1, BUILD.meta]);
    const [record] = await recordsOf(rig);
    assert.deepEqual(record?.created.plan, {
      kind: 'claim',
      positions: [{ position: POSITION, positionId: 'service-id', fee0: '0.001', fee1: '0.08' }],
    });
  });

  it('With an RPC, its own signatures on the chain settle it, and not a list without fees', async () => {
    const clock = new FakeClock();
    const chain = new FakeChain(clock);
    const { rig } = await claimBench({}, { ...chain.parts });
    const running = run(rig);
    const ending = await Promise.race([running, untilOpen(rig, clock)]);
    assert.notEqual(ending === 'open' ? 'open' : ending.kind, 'settled');
    rig.abort.abort();
    await running.catch(() => undefined);
    assert.notEqual((await recordsOf(rig))[0]?.state, 'settled');
  });

  it('A withdrawal in the place of a claim is blocked, and nothing is signed', async () => {
    const withdrawal = base64Of(honestClaim(removal(), claim()));
    const { rig, landings } = await claimBench({ buildClaim: () => Promise.resolve({ ...BUILD, claimTransactions: [withdrawal] }) });
    assert.equal((await run(rig)).kind, 'blocked');
    assert.deepEqual([landings, rig.trace.signersAsked], [[], 0]);
  });

  it('A position of another wallet, one that is no longer listed, and none at all are refused before anything is built', async () => {
    const { rig, requests } = await claimBench();
    for (const [plan, words] of [
      [{ positions: [thePosition({ owner: OTHER_OWNER })] }, /This needs the wallet/],
      [{ positions: [thePosition({ key: 'another' })] }, /no longer listed/],
      [{ positions: [thePosition({ poolType: 'other', protocol: 'orca' })] }, /only Meteora DLMM and DAMM v2 pools/],
      [{ positions: [] }, /from 1 to 20/],
    ] as const) {
      const failure = await run(rig, plan).catch((error: unknown) => error);
      assert.match(String(failure), words);
    }
    assert.deepEqual(requests, []);
  });

  it('The list shows a claim where fees are fewer, and not where they have only grown or are not reported', () => {
    const before = [{ position: POSITION, positionId: 'service-id', fee0: '0.001', fee1: '0.08' }];
    const evidence = (part: Parameters<typeof thePosition>[0]): string => evidenceOfClaim(before, [thePosition(part)]);
    assert.deepEqual(
      [
        evidence({ uncollectedFee0: 0, uncollectedFee1: 0 }),
        evidence({ uncollectedFee0: 0.0011, uncollectedFee1: 0.002 }),
        evidence({ uncollectedFee0: 0.001, uncollectedFee1: 0.081 }),
        evidence({ uncollectedFee0: undefined, uncollectedFee1: undefined }),
        evidenceOfClaim(before, []),
      ],
      ['shows', 'shows', 'doesNotShow', 'unclear', 'unclear'],
    );
  });

  it('The list shows a claim of several positions only if each of them shows it, apart from those that had no fees', () => {
    const before = (positionId: string, fee0 = '0.001') => ({ position: POSITION, positionId, fee0, fee1: '0' });
    const now = (id: string, uncollectedFee0: number | undefined) =>
      thePosition({ id, address: undefined, uncollectedFee0, uncollectedFee1: 0 });
    const evidence = (first: number | undefined, second: number | undefined): string =>
      evidenceOfClaim([before('a'), before('b')], [now('a', first), now('b', second)]);
    assert.deepEqual(
      [evidence(0, 0), evidence(0, 0.001), evidence(0, undefined), evidence(0.001, 0.001), evidence(0.001, undefined)],
      ['shows', 'unclear', 'unclear', 'doesNotShow', 'unclear'],
    );
    assert.deepEqual(
      [
        evidenceOfClaim([before('a'), before('b', '0')], [now('a', 0), now('b', 0)]),
        evidenceOfClaim([before('a', '0')], [now('a', 0)]),
        evidenceOfClaim([{ ...before('a'), fee0: undefined }], [now('a', 0)]),
      ],
      ['shows', 'unclear', 'unclear'],
    );
  });

  it('What is left of a claim of which a part landed is still in the positions, and can be claimed again', async () => {
    const { rig } = await claimBench();
    await run(rig);
    const [record] = await recordsOf(rig);
    assert.ok(record?.created.plan.kind === 'claim');
    const known = { records: [], listed: undefined, changed: undefined, held: undefined, pool: undefined };
    const { kind, reason } = restOf(record.created.plan, record, known, { operation: 'claim', landed: 1, of: 2 });
    assert.deepEqual(
      [kind, reasonWords(reason)],
      ['noAction', '1 of 2 transactions landed; the others no longer can. The other fees are still in the position: repeat it for them.'],
    );
  });
});

/** Lets time pass until the run waits for its signatures. */
async function untilOpen({ trace }: Bench, clock: FakeClock): Promise<'open'> {
  for (let steps = 0; steps < 40 && !trace.logs.some((line) => line.includes('does not have all of its transactions')); steps += 1) {
    await clock.advance(2_000);
  }
  return 'open';
}
