import assert from 'node:assert/strict';
import { WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import type { Term, TermTopic } from '../../../../src/review/terms';
import type { Review } from '../../../../src/review/types';
import type { LiquidityService } from '../../../../src/service/service';
import { coverageOf } from '../../../../src/transactions/run/coverage';
import { runZapOut } from '../../../../src/transactions/run/zapOut';
import { addressOf, base64Of, honestZapOut, MINT, route } from '../../../support/review/bundles';
import { bench, type Bench, failureOf, zapOutPlan } from '../../../support/transactions/harness';

/** The user's tolerance in the plans of these tests. */
const USER_BPS = 300;

const run = ({ dependencies, host, abort }: Bench) => runZapOut(zapOutPlan(), dependencies, host, abort.signal);

/** A service whose swap pays so much for the n-th build, and which builds it with the tolerance that it is asked for, or with its own. */
function paying(quoteOf: (build: number) => bigint, ownBps?: number): Pick<LiquidityService, 'buildDecrease'> {
  let build = 0;
  return {
    buildDecrease: ({ slippageBps }) => {
      build += 1;
      const [close, swap, rest] = honestZapOut();
      const paid = route({ quoted_out_amount: quoteOf(build), slippage_bps: ownBps ?? slippageBps });
      const [closeText, ...swapTexts] = [close, { ...swap, instructions: [...swap.instructions.slice(0, -1), paid] }, rest].map((draft) =>
        base64Of({ ...draft, blockhash: addressOf(`blockhash ${build}`) }),
      );
      return Promise.resolve({
        closeTransactions: closeText === undefined ? [] : [closeText],
        swapTransactions: swapTexts,
        lastValidBlockHeight: 1_000 + build,
      });
    },
  };
}

/** A user who agrees when the first quote has expired, and declines a second question. */
async function late(service: Partial<LiquidityService>): Promise<Bench> {
  const fixture: Bench = await bench({
    service,
    host: {
      approve: async (_, reason) => {
        await fixture.clock.advance(reason === undefined ? 45_000 : 0);
        return reason === undefined;
      },
    },
  });
  return fixture;
}

const tolerances = ({ trace }: Bench): readonly number[] => trace.builds.map(({ slippageBps }) => slippageBps);

describe('operation: a price that moves while the user reads', () => {
  it('A fall within the tolerance needs no second question: the next build has a tighter one, and guarantees what was approved', async () => {
    const fixture = await late(paying((build) => (build === 1 ? 400_000_000n : 396_000_000n)));
    assert.equal((await run(fixture)).kind, 'settled');
    assert.deepEqual(fixture.trace.reasons, [undefined]);
    const [first, second, third] = tolerances(fixture);
    assert.deepEqual([first, second], [USER_BPS, USER_BPS]);
    // 396 million less this tolerance are at least 400 million less 3%.
    assert.ok(third !== undefined && 396_000_000 * (10_000 - third) >= 400_000_000 * (10_000 - USER_BPS), String(third));
  });

  it('A fall beyond the tolerance is a question, and nothing is signed before it is answered', async () => {
    const fixture = await late(paying((build) => (build === 1 ? 400_000_000n : 387_000_000n)));
    assert.deepEqual(await run(fixture), { kind: 'declined' });
    assert.deepEqual(fixture.trace.reasons, [undefined, 'otherTerms']);
    assert.equal(fixture.trace.landings.length, 0);
  });

  it('A service that ignores the tighter tolerance gets no signature without a question', async () => {
    const fixture = await late(paying((build) => (build === 1 ? 400_000_000n : 396_000_000n), USER_BPS));
    assert.deepEqual(await run(fixture), { kind: 'declined' });
    assert.deepEqual(fixture.trace.reasons, [undefined, 'otherTerms']);
    assert.equal(fixture.trace.landings.length, 0);
  });

  it('A rise leaves the tolerance as the user chose it', async () => {
    const fixture = await late(paying((build) => 400_000_000n + BigInt(build) * 1_000_000n));
    assert.equal((await run(fixture)).kind, 'settled');
    assert.deepEqual(new Set(tolerances(fixture)), new Set([USER_BPS]));
  });

  it('An operation whose builds take longer than a quote holds ends with the reason after three of them', async () => {
    const honest = paying(() => 400_000_000n);
    const fixture: Bench = await bench({
      service: {
        buildDecrease: async (...request) => {
          await fixture.clock.advance(25_000);
          return honest.buildDecrease(...request);
        },
      },
    });
    const failure = await failureOf(run(fixture));
    assert.equal(
      failure.message,
      'The connection is too slow: checking a quote took 25 s, but it holds for about 20 s. Nothing was signed or sent. Your money has not moved. Try again with a faster connection.',
    );
    assert.deepEqual(fixture.trace.reasons, [undefined]);
    assert.equal(fixture.trace.landings.length, 0);
  });
});

/** What a term is about: the token, or the swap that a zap-in buys it with, and in which a zap-out sells it. */
function subjectOf(topic: string, kind: 'zapIn' | 'zapOut'): string {
  const isOfSwap = ['swapped', 'guaranteedBySwaps', 'swapSlippage'].includes(topic);
  return !isOfSwap ? MINT : kind === 'zapIn' ? `${WRAPPED_SOL_MINT} ${MINT} 1` : `${MINT} ${WRAPPED_SOL_MINT} 1`;
}

type Amounts = Readonly<Partial<Record<TermTopic, number>>>;

describe('coverageOf', () => {
  const reviewed = (amounts: Amounts, slippageBps = 100, kind: 'zapIn' | 'zapOut' = 'zapIn') => ({
    slippageBps,
    review: {
      verdict: 'allow',
      findings: [],
      terms: Object.entries(amounts).map(([topic, amount]): Term => ({
        topic: topic as TermTopic,
        of: subjectOf(topic, kind),
        amount: BigInt(amount),
      })),
      input: { intent: { kind, slippageBps: 100 }, transactions: [{}, {}] },
      checked: { simulation: { slot: 1n, transactions: 2 } },
    } as unknown as Review,
  });
  const compare = (approved: Amounts, later: Amounts, kind?: 'zapIn' | 'zapOut') =>
    coverageOf(reviewed(approved, 100, kind), reviewed(later, 100, kind));

  it('A deposit that follows the quote of its swap within the tolerance is covered, and one that falls further is not', () => {
    const approved = { guaranteedBySwaps: 990_000, deposited: 1_000_000 };
    assert.deepEqual(compare(approved, { guaranteedBySwaps: 990_000, deposited: 995_000 }).changes.length, 1);
    assert.deepEqual(compare(approved, { guaranteedBySwaps: 990_000, deposited: 995_000 }).slippageBps, undefined);
    assert.ok((compare(approved, { guaranteedBySwaps: 985_050, deposited: 995_000 }).slippageBps ?? 100) < 100);
    const tighter = coverageOf(reviewed(approved), reviewed({ guaranteedBySwaps: 990_025, deposited: 995_000 }, 50));
    assert.deepEqual(tighter.changes, []);
    assert.ok(compare(approved, { guaranteedBySwaps: 970_000, deposited: 980_000 }).slippageBps === undefined);
  });

  it('What a simulation expects may fall by the tolerance and no further', () => {
    assert.deepEqual(compare({ simulated: 10_000 }, { simulated: 9_900 }, 'zapOut').changes, []);
    assert.equal(compare({ simulated: 10_000 }, { simulated: 9_899 }, 'zapOut').changes.length, 1);
  });

  it('Around another active bin, fewer bins of slippage lie within the approved ones', () => {
    const approved = { lowestActiveBin: 100, highestActiveBin: 110 };
    const moved = compare(approved, { lowestActiveBin: 102, highestActiveBin: 112 });
    assert.equal(moved.slippageBps, 45, 'three of five bins, of which a quarter stays free');
    assert.equal(compare(approved, { lowestActiveBin: 106, highestActiveBin: 116 }).slippageBps, undefined);
  });

  it('A zap-out may sell a little more of its own withdrawal, at no lower guaranteed price, and only if a simulation shows all of it', () => {
    const approved = { swapped: 10_000, ownTokens: 10_000, guaranteedBySwaps: 990_000 };
    const dearer = { swapped: 10_050, ownTokens: 10_050, guaranteedBySwaps: 994_950 };
    assert.deepEqual(compare(approved, dearer, 'zapOut').changes, []);
    assert.equal(compare(approved, { ...dearer, guaranteedBySwaps: 994_949 }, 'zapOut').changes.length, 2);
    assert.equal(compare(approved, { ...dearer, swapped: 10_101, ownTokens: 10_101 }, 'zapOut').slippageBps, undefined);
    assert.equal(compare(approved, dearer, 'zapIn').slippageBps, undefined);
    const { review, slippageBps } = reviewed(dearer, 100, 'zapOut');
    const offline = { slippageBps, review: { ...review, checked: { ...review.checked, simulation: undefined } } };
    assert.equal(coverageOf(reviewed(approved, 100, 'zapOut'), offline).slippageBps, undefined);
  });

  it('No tolerance covers another recipient, a higher fee or a new finding', () => {
    for (const topic of ['recipient', 'priorityFee', 'finding', 'spent', 'step'] as const) {
      const { changes, slippageBps } = compare({ [topic]: 1 }, { [topic]: 2 });
      assert.deepEqual([changes.length, slippageBps], [1, undefined], topic);
    }
  });
});
