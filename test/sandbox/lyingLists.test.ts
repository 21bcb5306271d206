import assert from 'node:assert/strict';
import { Connection, PublicKey } from '@solana/web3.js';
import * as z from 'zod';
import { reviewOperation } from '../../src/review/review';
import type { Review, ReviewInput, ZapInIntent, ZapOutIntent } from '../../src/review/types';
import { STRANGER } from '../../src/sandbox/hostile/stranger';
import { address } from '../../src/base/solana/address';
import { USDC_MINT, WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { good, landed, refused, SOL, type AddBuild, type DecreaseBuild, type OpenPosition } from '../support/sandbox/client';
import {
  addInput,
  assertAllowed,
  decreaseInput,
  intentBase,
  reviewWithRpc,
  shownOfPool,
  shownOfPosition,
  SLIPPAGE_BPS,
} from '../support/sandbox/review';
import { STILL, useSandbox } from '../support/sandbox/useSandbox';

type Lie = Readonly<Record<string, unknown>>;

const Listed = z.object({
  data: z.array(
    z.looseObject({
      position: z.string(),
      token0: z.string(),
      token1: z.string(),
      price0: z.number().optional(),
      price1: z.number().optional(),
      value: z.number().optional(),
    }),
  ),
});
const Pools = z.object({
  data: z.array(
    z.looseObject({ token0: z.string(), token1: z.string(), base_price: z.number().optional(), quote_price: z.number().optional() }),
  ),
});
const Balances = z.object({
  data: z.array(z.looseObject({ tokenAddress: z.string(), price: z.number().optional(), rawBalance: z.string() })),
});

/** Lies about a position, by what they do. */
const LIES: Readonly<Record<string, (position: OpenPosition) => readonly Lie[]>> = {
  'tell the truth': () => [],
  "price the position's token absurdly low": ({ token0 }) => [{ kind: 'wrongPrice', mint: token0, usd: 1e-12 }],
  "price the position's token low in the list of positions alone": ({ token0 }) => [
    { kind: 'wrongPrice', mint: token0, usd: 1e-12, path: '/lp-positions' },
  ],
  'price SOL absurdly high': () => [{ kind: 'wrongPrice', mint: SOL, usd: 1e9 }],
  'leave prices out': () => [{ kind: 'missingWorth', of: 'price' }],
  'leave the worth out': () => [{ kind: 'missingWorth' }],
  'leave the amounts out': () => [{ kind: 'missingWorth', of: 'amounts' }],
  'leave everything out': () => [{ kind: 'missingWorth', of: 'price' }, { kind: 'missingWorth' }, { kind: 'missingWorth', of: 'amounts' }],
};

/** Lies about a pool, by what they do; a function of its token. */
const ENTRY_LIES: Readonly<Record<string, (token: string) => readonly Lie[]>> = {
  'tell the truth': () => [],
  'price the token absurdly high': (token) => [{ kind: 'wrongPrice', mint: token, usd: 1e6 }],
  'price the token absurdly high in its bins as well': (token) => [{ kind: 'wrongPrice', mint: token, usd: 1e6, isConsistent: true }],
  'price USDC absurdly high': () => [{ kind: 'wrongPrice', mint: USDC_MINT, usd: 1e6, isConsistent: true }],
  'price SOL absurdly low': () => [{ kind: 'wrongPrice', mint: SOL, usd: 0.0001 }],
  'leave prices out': () => [{ kind: 'missingWorth', of: 'price' }],
};

/** Lies about a position in a pool without SOL, by what they do. */
const POOL_LIES: Readonly<Record<string, (position: OpenPosition) => readonly Lie[]>> = {
  'tell the truth': () => [],
  'call it a pool of SOL': ({ token1 }) => [{ kind: 'wrongToken', mint: token1, as: SOL }],
  'price its tokens absurdly high': ({ token0, token1 }) => [token0, token1].map((mint) => ({ kind: 'wrongPrice', mint, usd: 1e9 })),
  'leave prices out': () => [{ kind: 'missingWorth', of: 'price' }],
};

// A service that lists wrong prices, or leaves figures out, so that a sale for next to nothing looks as it should. The sales are real: they land.
describe('False lists of a hostile service', function () {
  const client = useSandbox('each', STILL);

  it('The wrongPrice fault changes the price of one token wherever it is listed, and no others', async () => {
    const usd = 0.000001;
    await client().setFaults({ kind: 'wrongPrice', mint: USDC_MINT, usd });
    const { data: positions } = good(Listed, await client().get('/lp-positions/opening', { owner: owner() }));
    const { data: pools } = good(Pools, await client().get('/pools/discover', { pageSize: 100 }));
    const { data: held } = good(Balances, await client().get('/token/balance', { owner: owner() }));
    const prices = [
      ...positions.flatMap(
        ({ token0, token1, price0, price1 }) =>
          [
            [token0, price0],
            [token1, price1],
          ] as const,
      ),
      ...pools.flatMap(
        ({ token0, token1, base_price, quote_price }) =>
          [
            [token0, base_price],
            [token1, quote_price],
          ] as const,
      ),
      ...held.map(({ tokenAddress, price }) => [tokenAddress, price] as const),
    ];
    const [ofUsdc, others] = [prices.filter(([mint]) => mint === USDC_MINT), prices.filter(([mint]) => mint !== USDC_MINT)];
    assert.ok(ofUsdc.length > 5 && ofUsdc.every(([, price]) => price === usd));
    assert.ok(others.length > 50 && others.every(([, price]) => price !== undefined && price !== usd));
  });

  it('List faults omit prices, worth or amounts and replace one token with another', async () => {
    const first = async (...lies: readonly Lie[]): Promise<Readonly<Record<string, unknown>>> => {
      await client().setFaults(...lies);
      const [position] = good(Listed, await client().get('/lp-positions/opening', { owner: owner() })).data;
      return position ?? assert.fail('There is no position');
    };
    const honest = await first();
    const lacks = (position: Readonly<Record<string, unknown>>): string[] =>
      Object.keys(honest)
        .filter((name) => !(name in position))
        .sort();
    assert.deepEqual(lacks(await first({ kind: 'missingWorth' })), ['currentValue', 'value', 'valueNative']);
    assert.deepEqual(lacks(await first({ kind: 'missingWorth', of: 'price' })), ['price0', 'price1', 'priceRange']);
    assert.deepEqual(lacks(await first({ kind: 'missingWorth', of: 'amounts' })), [
      'current',
      'liquidity',
      'unCollectedFee0',
      'unCollectedFee1',
    ]);
    assert.equal((await first({ kind: 'wrongToken', mint: String(honest['token1']), as: USDC_MINT }))['token1'], USDC_MINT);
    const left = await client().opening();
    await client().setFaults({ kind: 'missingPosition', position: String(honest['position']) });
    assert.deepEqual(
      (await client().opening()).map(({ position }) => position),
      left.map(({ position }) => position).filter((position) => position !== honest['position']),
    );
    await client().setFaults({ kind: 'missingWorth', of: 'price' });
    const { data: held } = good(Balances, await client().get('/token/balance', { owner: owner() }));
    assert.ok(held.every((token) => token.price === undefined && token.rawBalance !== ''));
  });

  it('List faults affect only lists, and only in valid ways', async () => {
    await client().setFaults({ kind: 'wrongPrice', mint: SOL, usd: 1, times: 1 });
    await client().get('/lp-positions/overview', { owner: owner() });
    await client().post('/position/decrease-quotes', {});
    assert.equal((await client().status()).faults.length, 1);
    await client().opening();
    assert.deepEqual((await client().status()).faults, []);
    const put = async (fault: Lie): Promise<string> => refused(400, await client().control('faults', { faults: [fault] }, 'PUT'));
    assert.match(await put({ kind: 'wrongPrice', mint: 'nobody', usd: 1 }), /^faults\[0\]: mint/);
    assert.match(await put({ kind: 'wrongPrice', mint: SOL, usd: -1 }), /^faults\[0\]: usd/);
    assert.match(await put({ kind: 'missingWorth', of: 'everything' }), /^faults\[0\]: of must be one of price, worth, amounts/);
    assert.match(await put({ kind: 'wrongToken', mint: SOL }), /^faults\[0\]: as/);
  });

  describe('A sale of a whole balance for dust', () => {
    it('A sale for dust that is signed unread costs the whole balance, and a stranger gets the rest', async () => {
      const position = await tokenPosition();
      await client().setFaults({ kind: 'hostile', attack: 'sellForDust', times: 1 });
      const [before, inWallet] = [await client().balance(SOL), await client().balance(position.token0)];
      assert.ok(inWallet > 0n && position.current.amount0Adjusted > 0);
      landed(await client().landDecrease(await client().decrease(position.id, 10_000)));
      assert.equal(await client().balance(position.token0), 0n, 'the balance of the wallet is gone as well');
      const got = Number((await client().balance(SOL)) - before) / 1e9;
      const tokens = position.valueNative - position.current.amount1Adjusted;
      assert.ok(
        tokens > 1 && got < position.valueNative - 0.7 * tokens,
        `${got} SOL came, of a position worth ${position.valueNative} SOL with rent and fees besides`,
      );
      assert.ok((await strangersSol()) > 0.9 * tokens, 'the stranger has what the tokens are worth');
      assert.deepEqual(await client().audit(), []);
    });

    for (const [what, lies] of Object.entries(LIES)) {
      it(`The review does not pass a sale for dust when the lists ${what}, and with an RPC it refuses`, async () => {
        const position = await tokenPosition();
        await client().setFaults({ kind: 'hostile', attack: 'sellForDust' }, ...lies(position));
        const input = await zapOut(position, 'allBaseToken');
        assertNotClean(reviewOperation(input));
        assertRefused(await reviewWithRpc(client(), input));
      });
    }

    it('The review refuses a sale for dust with an RPC even if all lists have the same wrong price', async () => {
      for (const position of [await tokenPosition(), await client().positionInRange()]) {
        await client().setFaults(
          { kind: 'hostile', attack: 'sellForDust' },
          { kind: 'wrongPrice', mint: position.token0, usd: Number(position['price0']) / 1e6, isConsistent: true },
        );
        const review = await reviewWithRpc(client(), await zapOut(position, 'allBaseToken'));
        assertRefused(review);
        const refusals = review.findings
          .filter(({ rule, verdict }) => rule === 'SWP-9' && verdict === 'block')
          .map(({ message }) => message);
        // By what the chain says of the pool, or by what the simulation gives.
        const reason =
          /^In the simulation, the swap pays out [\d.]+ SOL, but its quote is 99\.99% lower: [\d.]+ SOL\.|^The quote of the swap is off: −99\.99% against the pool's price on the chain\./;
        assert.ok(
          refusals.some((message) => reason.test(message)),
          refusals.join('\n'),
        );
      }
    });

    it('The review passes the zap-out when the service is honest again', async () => {
      const position = await tokenPosition();
      assertAllowed(reviewOperation(await zapOut(position, 'allBaseToken')), 'without an RPC');
      assertAllowed(await reviewWithRpc(client(), await zapOut(position, 'allBaseToken')), 'with one');
    });
  });

  describe('A zap-in for dust', () => {
    it('A zap-in for dust that is signed unread leaves a position worth almost nothing', async () => {
      const { built } = await entry('JUPP/SOL', 20, { kind: 'hostile', attack: 'sellForDust' });
      landed(await client().landAdd(built));
      const position = await client().position(built.meta.positionPubKey);
      assert.ok((position?.valueNative ?? 1) < 0.26, 'half of half a SOL was swapped for dust');
      assert.ok((await strangersTokens(position?.token0 ?? '')) > 0n);
      assert.deepEqual(await client().audit(), []);
    });

    for (const [what, lies] of Object.entries(ENTRY_LIES)) {
      it(`The review does not pass a zap-in for dust when the lists ${what}, and with an RPC it refuses`, async () => {
        for (const [pair, step] of [
          ['JUPP/SOL', 20],
          ['JUPP/USDC', 15],
        ] as const) {
          await client().setFaults();
          const pool = await client().pool(pair, step);
          const { input } = await entry(pair, step, { kind: 'hostile', attack: 'sellForDust' }, ...lies(pool.token0));
          assertNotClean(reviewOperation(input));
          assertRefused(await reviewWithRpc(client(), input));
        }
      });
    }
  });

  describe('A sale of wrapped SOL in a pool without SOL', () => {
    it('A sale of wrapped SOL that is signed unread costs all wrapped SOL of the wallet', async () => {
      const position = await positionWithoutSol();
      await client().setFaults({ kind: 'hostile', attack: 'sellWrappedSol', times: 1 });
      const wrapped = await ownWrappedSol();
      assert.ok(wrapped > 0n);
      const built = await client().decrease(position.id, 10_000, { output: 'allToken0' });
      const before = await strangersTokens(position.token0);
      landed(await client().landDecrease(built));
      assert.equal(await ownWrappedSol(), 0n);
      assert.ok((await strangersTokens(position.token0)) > before);
      assert.deepEqual(await client().audit(), []);
    });

    for (const [what, lies] of Object.entries(POOL_LIES)) {
      it(`The review does not pass a sale of wrapped SOL when the lists ${what}, and with an RPC it refuses`, async () => {
        const position = await positionWithoutSol();
        for (const output of ['allToken0', 'both'] as const) {
          await client().setFaults({ kind: 'hostile', attack: 'sellWrappedSol' }, ...lies(position));
          const input = await zapOut(position, output);
          const review = reviewOperation(input);
          assertNotClean(review);
          assert.ok(
            review.findings.some(
              ({ rule, address, message }) =>
                rule === 'SWP-7' &&
                address === WRAPPED_SOL_MINT &&
                /^Swaps would sell .+ SOL\. That is not part of this operation\./.test(message),
            ),
            output,
          );
          assertRefused(await reviewWithRpc(client(), input));
        }
      });
    }

    it('The sellWrappedSol attack requires wrapped SOL and a pool without SOL', async () => {
      const [position] = await client().binPositions();
      await client().setFaults({ kind: 'hostile', attack: 'sellWrappedSol' });
      const answer = await client().post('/position/decrease-tx', {
        position_id: position?.id,
        bps: 10_000,
        owner: owner(),
        slippage_bps: 100,
      });
      assert.match(refused(400, answer), /needs a pool without SOL, and wrapped SOL in the wallet/);
    });
  });

  const owner = (): string => client().sandbox.owner;

  /** A position of a token of which the wallet has some besides. */
  async function tokenPosition(): Promise<OpenPosition> {
    for (const position of await client().binPositions()) {
      if (position.pairName.endsWith('/SOL') && position.current.amount0Adjusted > 0 && (await client().balance(position.token0)) > 0n) {
        return position;
      }
    }
    return assert.fail('The wallet holds nothing of a token of its positions');
  }

  /** Opens a position in a pool without SOL, and leaves wrapped SOL in the wallet: of another zap-in, only the first transaction lands. */
  async function positionWithoutSol(): Promise<OpenPosition> {
    const { built } = await entry('JUPP/USDC', 15);
    landed(await client().landAdd(built));
    const other = await entry('BONQ/SOL', 100, { kind: 'partial', transactions: 1, times: 1 });
    assert.equal((await client().landAdd(other.built)).status, 500);
    return (await client().position(built.meta.positionPubKey)) ?? assert.fail('It is not listed');
  }

  /** The input of a review, with what the service lists right before. */
  async function zapOut(position: OpenPosition, output: NonNullable<ZapOutIntent['output']>): Promise<ReviewInput> {
    const built: DecreaseBuild = await client().decrease(position.id, 10_000, { output });
    const listed = (await client().get('/lp-positions/opening', { owner: owner() })).body;
    const record = Listed.parse(listed).data.find((one) => one.position === position.position) ?? assert.fail('It is not listed');
    const shown = await shownOfPosition(client(), position.position, 10_000);
    return decreaseInput(
      {
        ...intentBase(client(), { ...position, ...record }),
        kind: 'zapOut',
        position: address(position.position),
        shareBps: 10_000,
        output,
        ...shown,
      },
      built,
    );
  }

  async function entry(
    pairName: string,
    binStep: number,
    ...faults: readonly Lie[]
  ): Promise<{ readonly built: AddBuild; readonly input: ReviewInput }> {
    const pool = await client().pool(pairName, binStep);
    const active = await client().activeBin(pool.pool);
    const range = { fromBinId: active - 10, toBinId: active + 10 };
    await client().setFaults(...faults);
    const built = await client().add(pool.pool, { ...range, inputSOL: 0.5, percentX: 0.5, slippage_bps: SLIPPAGE_BPS });
    const intent: ZapInIntent = {
      ...intentBase(client(), pool),
      kind: 'zapIn',
      position: address(built.meta.positionPubKey),
      inputLamports: 500_000_000n,
      isSolOnly: true,
      strategy: 'Spot',
      ...range,
      ...(await shownOfPool(client(), pool.pool)),
    };
    return { built, input: addInput(intent, built) };
  }

  function connection(): Connection {
    const { url, apiKey } = client().sandbox;
    return new Connection(`${new URL('/rpc', url).href}?api-key=${apiKey}`, 'confirmed');
  }

  async function tokensOf(holder: string, mint: string): Promise<bigint> {
    const { value } = await connection().getTokenAccountsByOwner(new PublicKey(holder), { mint: new PublicKey(mint) });
    const amounts = await Promise.all(
      value.map(async ({ pubkey }) => BigInt((await connection().getTokenAccountBalance(pubkey)).value.amount)),
    );
    return amounts.reduce((sum, amount) => sum + amount, 0n);
  }

  const strangersTokens = (mint: string): Promise<bigint> => tokensOf(STRANGER, mint);
  const strangersSol = async (): Promise<number> => Number(await strangersTokens(SOL)) / 1e9;
  const ownWrappedSol = (): Promise<bigint> => tokensOf(owner(), SOL);
});

/** There is something to decide, or it cannot be signed at all; and what there is to decide is said in two to four sentences. */
function assertNotClean({ verdict, findings }: Review): void {
  assert.notEqual(verdict, 'allow');
  for (const { message } of findings.filter(
    (finding) => finding.verdict === 'confirm' && (finding.rule === 'SWP-9' || finding.rule === 'SWP-7'),
  )) {
    const sentences = message.split(/(?<=[.!?])\s/);
    assert.ok(sentences.length >= 2 && sentences.length <= 4, message);
  }
}

function assertRefused({ verdict, reviewed, findings }: Review): void {
  assert.equal(verdict, 'block', findings.map(({ rule, message }) => `${rule} ${message}`).join('\n'));
  assert.deepEqual(reviewed, []);
}
