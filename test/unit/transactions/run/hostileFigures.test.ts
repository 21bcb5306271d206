import assert from 'node:assert/strict';
import type { OpenPosition } from '../../../../src/service/positions';
import { runZapIn } from '../../../../src/transactions/run/zapIn';
import { runZapOut } from '../../../../src/transactions/run/zapOut';
import { describeReview, summaryAsText } from '../../../../src/review/describe/summary';
import type { Review } from '../../../../src/review/types';
import { associatedTokenAddress } from '../../../../src/base/solana/pda';
import { USDC_MINT, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { base64Of, buyToken, honestZapOut, MINT, objections, OWNER, removal, route } from '../../../support/review/bundles';
import { bench, NO_PRICES, thePosition, zapInPlan, zapOutPlan, type Bench } from '../../../support/transactions/harness';

// The service that lists a position also builds its transactions: what it lists must not make a theft look as expected.

const USDC = { address: USDC_MINT, symbol: 'USDC', name: undefined, decimals: 6 };
const OWN_USDC = associatedTokenAddress(OWNER, USDC_MINT);
const [CLOSE] = honestZapOut();

/** A position in USDC/SOL, and a sale of 5 billion USDC for as good as nothing. */
const IN_DOLLARS: Partial<OpenPosition> = {
  token0: USDC,
  amount0: 100,
  price0Usd: 1,
  price1Usd: 164,
  value: { usd: 100, native: 100 / 164 },
};
const accounts = { user_token_x: OWN_USDC, token_x_mint: USDC_MINT };
const DUMPING = {
  closeTransactions: [base64Of({ ...CLOSE, instructions: [removal(10_000, accounts)] })],
  swapTransactions: [
    base64Of({
      group: 'swap',
      instructions: [
        route(
          { in_amount: 5_000_000_000_000_000n, quoted_out_amount: 100_000_000n },
          { user_source_token_account: OWN_USDC, source_token_account: OWN_USDC, source_mint: USDC_MINT },
        ),
      ],
    }),
  ],
  lastValidBlockHeight: 1_000,
};

/** What the user is shown, and that nothing is signed where only what is as expected is approved. */
async function shownTo(
  run: (fixture: Bench) => Promise<unknown>,
  fixture: Bench,
): Promise<{ readonly review: Review; readonly text: string }> {
  await run(fixture);
  const [review] = fixture.trace.reviews;
  assert.ok(review !== undefined);
  assert.equal(fixture.trace.signersAsked, 0);
  assert.equal(fixture.trace.landings.length, 0);
  assert.notEqual(review.verdict, 'allow');
  return { review, text: summaryAsText(describeReview(review)) };
}

async function leaving(
  position: OpenPosition,
  service: NonNullable<Parameters<typeof bench>[0]>['service'] = {},
): Promise<{ readonly review: Review; readonly text: string }> {
  const fixture = await bench({ listed: [position], service, host: { approve: ({ verdict }) => Promise.resolve(verdict === 'allow') } });
  return shownTo(() => runZapOut(zapOutPlan({ position }), fixture.dependencies, fixture.host, fixture.abort.signal), fixture);
}

describe('operation: figures of a hostile service', () => {
  it('The review asks about a false USDC price of a millionth of a dollar before a large sale', async () => {
    const cheap = thePosition({ ...IN_DOLLARS, price0Usd: 0.000001, amount0: 100_000_000, value: { usd: 100, native: 100 / 164 } });
    const { text } = await leaving(cheap, { buildDecrease: () => Promise.resolve(DUMPING) });
    assert.match(text, /Confirm \(SWP-9\): The service lists USDC at \$0\.000001, which cannot be right\. /);
  });

  it('The review blocks the same sale if the service lists the right price', async () => {
    const { review, text } = await leaving(thePosition(IN_DOLLARS), { buildDecrease: () => Promise.resolve(DUMPING) });
    assert.equal(review.verdict, 'block');
    assert.match(
      text,
      /Blocked \(SWP-9, transaction 2, instruction 1\): The quote of the swap is off: −99\.99% against the price that you were shown/,
    );
  });

  it('The review asks if the service lists no price', async () => {
    const { review, text } = await leaving(thePosition({ price0Usd: undefined }));
    assert.deepEqual(objections(review).sort(), ['confirm SWP-7', 'confirm SWP-9']);
    assert.match(text, new RegExp(`You were shown no price for ${MINT} in ${WRAPPED_SOL_MINT},`));
  });

  it('The review asks if the service reports no worth or no amounts', async () => {
    assert.match(
      (await leaving(thePosition({ value: { usd: undefined, native: undefined } }))).text,
      /You were not shown how much of it the position holds\./,
    );
    assert.match((await leaving(thePosition({ amount0: undefined }))).text, /You were not shown how much of it the position holds\./);
  });

  it('The review asks if the worth and the amounts of a position contradict each other', async () => {
    assert.match(
      (await leaving(thePosition({ value: { usd: 65_600, native: 400 } }))).text,
      /By the figures that you were shown, the tokens add up to/,
    );
  });

  it('The review asks about a sale of wrapped SOL if the service falsely lists a SOL pool', async () => {
    const service = {
      buildDecrease: () =>
        Promise.resolve({
          ...DUMPING,
          swapTransactions: [
            base64Of({ group: 'swap' as const, instructions: [buyToken({ in_amount: 400_000_000n, quoted_out_amount: 5_000_000n })] }),
          ],
          closeTransactions: [base64Of({ ...CLOSE, instructions: [removal(10_000, { user_token_y: OWN_USDC, token_y_mint: USDC_MINT })] })],
        }),
    };
    const { text } = await leaving(thePosition(), service);
    assert.match(text, /Swaps would sell 0\.4 SOL\. That is not part of this operation\./);
  });

  it('The review asks about the swaps of a zap-in if the service lists no price', async () => {
    const fixture = await bench({ listed: [], host: { approve: ({ verdict }) => Promise.resolve(verdict === 'allow') } });
    const { review } = await shownTo(
      () => runZapIn(zapInPlan({ prices: NO_PRICES }), fixture.dependencies, fixture.host, fixture.abort.signal),
      fixture,
    );
    assert.deepEqual(objections(review), ['confirm SWP-7', 'confirm SWP-9']);
  });

  it('The review asks if the same token has another price in other positions', async () => {
    const other = thePosition({ key: USDC_MINT, address: USDC_MINT, price0Usd: 1 });
    const fixture = await bench({
      listed: [thePosition(), other],
      host: { approve: ({ verdict }) => Promise.resolve(verdict === 'allow') },
    });
    const { text } = await shownTo(() => runZapOut(zapOutPlan(), fixture.dependencies, fixture.host, fixture.abort.signal), fixture);
    assert.match(text, /at \$.+ here and at \$.+ elsewhere\. Limits depend on it/);
  });
});
