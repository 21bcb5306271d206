import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { PROGRAMS, USDC_MINT, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { type ChainFacts, NO_FACTS, type PoolFact } from '../../../src/review/facts/facts';
import { type CaseInput, readCase } from '../../../src/review/report/caseFormat';
import { reviewOperation } from '../../../src/review/review';
import type { Intent, ListedPrice, PriceReference, TokenAmount, ZapOutIntent } from '../../../src/review/types';
import {
  holdingsOfShare,
  listedPricesOfPosition,
  referencesOfPosition,
  worthOfShare,
} from '../../../src/transactions/inspect/listedPrices';
import { lineOf, run } from '../../corpus/commandLine';
import { thePosition } from '../../support/transactions/harness';
import { addressOf, base64Of, honestZapIn, honestZapOut, MINT, POOL, ZAP_IN, ZAP_OUT } from '../../support/review/bundles';

// A saved report is a line for `node dist/review.js`, and says the same there: with all figures that the review was given.

const PLAIN = { noNullPrototype: true } as const;
const mint = fc.constantFrom(MINT, WRAPPED_SOL_MINT, USDC_MINT, addressOf('any token'));
/** As long as the quotient of two listed numbers may become. */
const figure = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: 0n, max: 10n ** 40n }),
  fc.bigInt({ min: 0n, max: 10n ** 700n }),
);
const price = fc.oneof(
  fc.double({ min: Number.MIN_VALUE, max: Number.MAX_VALUE, noNaN: true }),
  fc.constantFrom(5e-324, 1e-300, 1e-6, 0.1 + 0.2, 1e21, 1e308, Number.MAX_VALUE),
);
const amounts: fc.Arbitrary<readonly TokenAmount[]> = fc.array(fc.record({ mint, amountRaw: figure }, PLAIN), { maxLength: 3 });
const prices: fc.Arbitrary<readonly ListedPrice[]> = fc.array(
  fc.tuple(mint, price, fc.boolean()).map(([of, usd, isElsewhere]) => ({ mint: of, usd, ...(isElsewhere ? { isElsewhere } : {}) })),
  { maxLength: 6 },
);
const references: fc.Arbitrary<readonly PriceReference[]> = fc.array(
  fc.record({ inMint: mint, outMint: mint, inAmountRaw: figure, outAmountRaw: figure }, PLAIN),
  { maxLength: 4 },
);
const poolFacts: fc.Arbitrary<PoolFact> = fc.oneof(
  fc.record(
    {
      kind: fc.constant('dlmm' as const),
      tokenX: mint,
      tokenY: mint,
      activeBinId: fc.integer(),
      binStepBps: fc.integer({ min: 0, max: 65_535 }),
    },
    PLAIN,
  ),
  fc.record(
    { kind: fc.constant('dammV2' as const), tokenX: mint, tokenY: mint, sqrtPriceQ64: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }) },
    PLAIN,
  ),
  fc.record({ kind: fc.constant('none' as const), program: fc.constantFrom(undefined, PROGRAMS.token, PROGRAMS.dlmm) }, PLAIN),
);
const facts: fc.Arbitrary<ChainFacts> = poolFacts.map((fact) => ({ ...NO_FACTS, pools: new Map([[POOL, fact]]) }));
const maybe = <Value>(of: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> => fc.option(of, { nil: undefined });

const OUT = honestZapOut().map((draft) => ({ group: draft.group, base64: base64Of(draft) }));
const IN = honestZapIn().map((draft) => ({ group: draft.group, base64: base64Of(draft) }));

const input: fc.Arbitrary<CaseInput> = fc
  .tuple(fc.boolean(), maybe(prices), maybe(amounts), maybe(amounts), references, maybe(facts))
  .map(([isOut, listedPrices, worth, holdings, shown, said]) => {
    const intent: Intent = isOut
      ? { ...ZAP_OUT, listedPrices, worth, holdings, references: shown }
      : { ...ZAP_IN, listedPrices, references: shown };
    return { intent, transactions: isOut ? OUT : IN, lastValidBlockHeight: 1_000, ...(said === undefined ? {} : { facts: said }) };
  });

/** What the review says, as the command line says it. */
function saidOf(of: CaseInput): unknown {
  const { verdict, findings } = reviewOperation({ ...of, nowMs: 0 });
  return {
    verdict,
    findings: findings.map(({ rule, verdict: one, message, address, amountRaw }) => [
      rule,
      one,
      message,
      address,
      amountRaw === undefined ? undefined : String(amountRaw),
    ]),
  };
}

async function assertSameOnTheCommandLine(inputs: readonly CaseInput[]): Promise<void> {
  const { answers, errors } = await run(`${inputs.map((of) => lineOf(of)).join('\n')}\n`);
  assert.equal(errors, '');
  assert.equal(answers.length, inputs.length);
  answers.forEach(({ verdict, findings }, at) => {
    const of = inputs[at];
    assert.ok(of !== undefined);
    const answered = {
      verdict,
      findings: findings.map(({ rule, verdict: one, message, address, amount }) => [rule, one, message, address, amount]),
    };
    assert.deepEqual(answered, saidOf(of), lineOf(of));
  });
}

describe('review: saved report', () => {
  it('A saved report preserves prices, amounts and pool state for all figures', () => {
    fc.assert(
      fc.property(input, (of) => {
        const read = readCase((JSON.parse(lineOf(of)) as { readonly case: unknown }).case);
        const shown = ({ intent }: CaseInput): unknown => ({
          ...intent,
          holdings: intent.kind === 'zapOut' ? intent.holdings : undefined,
          listedPrices: intent.listedPrices,
        });
        for (const field of ['references', 'listedPrices', 'worth', 'holdings'] as const) {
          assert.deepEqual((shown(read) as ZapOutIntent)[field], (shown(of) as ZapOutIntent)[field], field);
        }
        assert.deepEqual([...(read.facts?.pools ?? [])], [...(of.facts?.pools ?? [])]);
      }),
      { numRuns: 300 },
    );
  });

  it('A saved report gives the same verdict and findings on the command line for all figures', async () => {
    await assertSameOnTheCommandLine(fc.sample(input, { seed: 20_261_122, numRuns: 150 }));
  });

  it('A saved report gives the same verdict for extreme figures in a service list', async () => {
    const lists = [1e-300, 1e-9, 1, 1e21, 1e308].flatMap((usd) =>
      [1e-300, 1, 1e300].map((amount) =>
        thePosition({ price0Usd: usd, price1Usd: 1 / usd, amount0: amount, amount1: 1, value: { usd: amount, native: 1 } }),
      ),
    );
    const of = lists.map((position): CaseInput => {
      const intent: ZapOutIntent = {
        ...ZAP_OUT,
        references: referencesOfPosition(position),
        worth: worthOfShare(position, 10_000),
        holdings: holdingsOfShare(position, 10_000),
        listedPrices: listedPricesOfPosition(position, { positions: [position], pools: [] }),
      };
      return { intent, transactions: OUT, lastValidBlockHeight: 1_000 };
    });
    await assertSameOnTheCommandLine(of);
  });
});
