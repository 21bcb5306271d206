import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { binStepOf, rangeAround, shareOfXBins, sidesOf, uiPriceOfBin } from '../../../src/base/dlmm/bins';
import { LAMPORTS_PER_SOL, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import type { PoolInfo } from '../../../src/service/poolInfo';
import type { Pool } from '../../../src/service/pools';
import type { TokenBalance } from '../../../src/service/tokens';
import { UserError } from '../../../src/ui/shell/errors';
import { readAmount, RESERVE_LAMPORTS } from '../../../src/ui/zap/zapInAmount';
import { askZapIn, type ZapInChoices } from '../../../src/ui/zap/zapInDialog';
import { targetOfPool } from '../../../src/ui/zap/zapInDraft';
import { inputText, shownPrices, spreadText, warningsOf } from '../../../src/ui/zap/zapInMessages';
import { readRange, readSplit } from '../../../src/ui/zap/zapInRange';
import { type ScriptedAnswer, ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { addressOf, pool } from '../../support/portfolio/fixtures';

const POOLS = [pool(1), pool(2, { poolType: 'dammV2' }), pool(3)];
const ACTIVE = -350;
const BALANCE = 10n * LAMPORTS_PER_SOL;

const INFO: PoolInfo = {
  poolType: 'dlmm',
  protocol: 'meteora',
  tokens: [],
  amountX: undefined,
  amountY: undefined,
  fees: { basePercent: undefined, maxPercent: undefined, protocolPercent: undefined, dynamicPercent: undefined },
  activeBin: { binId: ACTIVE, price: 0.5 },
  bins: [],
  feeStats: [],
  statistics: {},
};

/** What the service finds beyond the listed pools. */
const FOUND: readonly Pool[] = [pool(8, { pairName: 'WYFF/SOL' }), pool(9, { pairName: 'WYFF/USDC', poolType: 'other' })];

interface Service {
  readonly lamports?: bigint | undefined;
  readonly info?: PoolInfo;
  readonly pools?: readonly Pool[];
  /** Tokens of the wallet besides SOL. */
  readonly held?: readonly TokenBalance[];
}

async function ask(
  answers: readonly ScriptedAnswer[],
  from?: Pool,
  { lamports = BALANCE, info = INFO, pools = POOLS, held = [] }: Service = {},
): Promise<{ readonly choices: ZapInChoices | undefined; readonly prompts: ScriptedPrompts; readonly calls: string[] }> {
  const prompts = new ScriptedPrompts(answers);
  const calls: string[] = [];
  const choices = await askZapIn(
    {
      prompts,
      pools,
      findPools: (text) => Promise.resolve(FOUND.filter(({ pairName }) => pairName.includes(text))),
      readBalances: (mints) => {
        calls.push(`balances of ${mints.length}`);
        const sol: TokenBalance = {
          mint: WRAPPED_SOL_MINT,
          symbol: 'SOL',
          decimals: 9,
          amountRaw: lamports,
          amountText: '0',
          priceUsd: 100,
        };
        return Promise.resolve([sol, ...held].filter(({ mint }) => mints.includes(mint)));
      },
      readPoolInfo: (address) => {
        calls.push(`info ${address}`);
        return Promise.resolve(info);
      },
      defaultSlippageBps: () => 100,
    },
    from,
  );
  prompts.assertDone();
  return { choices, prompts, calls };
}

describe('The zap-in dialog', () => {
  it('The zap-in dialog asks for the pool, amount, strategy, range and slippage tolerance', async () => {
    const { choices, calls } = await ask([
      { pick: 'P1/SOL' },
      { pick: '4.95 SOL' },
      { pick: 'Curve' },
      { pick: '±34 bins' },
      { pick: '3%' },
    ]);
    assert.deepEqual(choices, {
      target: targetOfPool(pool(1)),
      inputLamports: 4_950_000_000n,
      tokens: undefined,
      bins: { strategy: 'Curve', range: { fromBinId: -384, toBinId: -316 }, activeBin: { binId: -350, price: 0.5 } },
      percentX: 0.5,
      slippageBps: 300,
      solUsd: 100,
    });
    assert.deepEqual(calls, ['balances of 3', `info ${pool(1).address}`]);
  });

  it('The zap-in dialog offers shares of the balance less the reserve, each with its worth', async () => {
    const { prompts } = await ask(['escape'], pool(1));
    const [amounts] = prompts.asked;
    assert.ok(amounts);
    assert.deepEqual(amounts.shown, ['2.475 SOL', '4.95 SOL', '7.425 SOL', '9.9 SOL', 'Other amount…']);
    assert.match(amounts.text, /Amount \(wallet: 10 SOL\)\n2\.475 SOL · 25% · ≈ \$247\.50/);
  });

  it('The zap-in dialog accepts no more than the exact available amount', async () => {
    const { choices, prompts } = await ask(
      [
        { pick: 'Other amount' },
        { type: '9.900000001' },
        { type: '0' },
        { type: '1.0000000001' },
        { type: '9.9' },
        { pick: 'Spot' },
        { pick: '±10' },
        { pick: '1%' },
      ],
      pool(1),
    );
    assert.equal(choices?.inputLamports, 9_900_000_000n);
    assert.equal(prompts.refused.length, 3);
  });

  it('The zap-in dialog shows the price and the distance of each range', async () => {
    const { prompts } = await ask([{ pick: '9.9' }, { pick: 'Spot' }, 'escape'], pool(1));
    const text = prompts.asked.map((asked) => asked.text).join('\n');
    assert.match(text, /active bin: −350/);
    assert.match(text, /±10 bins · .+ SOL per P1 \(−9\.47% to \+10\.46%\) · −360 (?:…|to) −340 \(21 bins\)/);
    assert.match(text, /±50 bins · .+ · −400 (?:…|to) −300 \(101 bins\)/);
  });

  it('The zap-in dialog assigns a one-sided range to one token without a question', async () => {
    for (const [typed, percentX] of [
      ['-400..-351', 0],
      ['-349..-300', 1],
    ] as const) {
      const { choices } = await ask([{ pick: '9.9' }, { pick: 'Spot' }, { pick: 'Other range' }, { type: typed }, { pick: '1%' }], pool(1));
      assert.equal(choices?.percentX, percentX, typed);
    }
  });

  it('The zap-in dialog asks for the split if the range is uneven', async () => {
    const lopsided: readonly ScriptedAnswer[] = [{ pick: '9.9' }, { pick: 'Spot' }, { pick: 'Other range' }, { type: '-370..-340' }];
    const byBins = await ask([...lopsided, { pick: 'Match the Range' }, { pick: '1%' }], pool(1));
    assert.equal(byBins.choices?.percentX, 0.3387);
    const half = await ask([...lopsided, { pick: '50:50' }, { pick: '1%' }], pool(1));
    assert.equal(half.choices?.percentX, 0.5);
    const own = await ask([...lopsided, { pick: 'Other split' }, { type: '101' }, { type: '40' }, { pick: '1%' }], pool(1));
    assert.equal(own.choices?.percentX, 0.4);
  });

  it('The zap-in dialog discards the split when another range is chosen', async () => {
    const { choices } = await ask(
      [
        { pick: '9.9' },
        { pick: 'Spot' },
        { pick: 'Other range' },
        { type: '-370..-340' },
        { pick: 'Match the Range' },
        'back',
        'back',
        'back',
        { pick: '±10' },
        { pick: '1%' },
      ],
      pool(1),
    );
    assert.equal(choices?.percentX, 0.5);
  });

  it('The user can enter a pool by its address, and the dialog reads its details', async () => {
    const tokens = [
      { symbol: 'NEW', decimals: 6 },
      { symbol: 'SOL', decimals: 9 },
    ].map((token, index) => ({
      ...token,
      address: addressOf(700 + index),
      name: undefined,
      marketCapUsd: undefined,
      fdvUsd: undefined,
      priceUsd: undefined,
      organicScore: undefined,
      holders: undefined,
    }));
    const bins = [0.5, 0.51].map((price, index) => ({ binId: ACTIVE + index, amountX: 0, amountY: 0, price }));
    const { choices } = await ask(
      [
        { pick: 'Paste' },
        { type: 'nonsense' },
        { type: ` ${addressOf(900)} ` },
        { pick: '9.9' },
        { pick: 'Spot' },
        { pick: '±10' },
        { pick: '1%' },
      ],
      undefined,
      { info: { ...INFO, tokens, bins } },
    );
    assert.deepEqual(choices?.target, {
      pool: addressOf(900),
      poolType: 'dlmm',
      pairName: 'NEW/SOL',
      priceXUsd: undefined,
      priceYUsd: undefined,
      tokenX: addressOf(700),
      tokenY: addressOf(701),
      symbolX: 'NEW',
      symbolY: 'SOL',
      decimalsX: 6,
      decimalsY: 9,
      binStepBps: 200,
    });
  });

  it('The zap-in dialog asks for no strategy, range or split in a pool without bins and reads no active bin', async () => {
    const { choices, prompts, calls } = await ask([{ pick: 'P2/SOL' }, { pick: '9.9' }, { pick: '1%' }]);
    assert.deepEqual(choices, {
      target: targetOfPool(pool(2, { poolType: 'dammV2' })),
      inputLamports: 9_900_000_000n,
      tokens: undefined,
      bins: undefined,
      percentX: 0.5,
      slippageBps: 100,
      solUsd: 100,
    });
    assert.deepEqual(calls, ['balances of 3']);
    assert.deepEqual(
      prompts.asked.map(({ kind }) => kind),
      ['pick', 'pick', 'pick'],
    );
  });

  it('The user can enter a pool without bins by its address', async () => {
    const { choices } = await ask([{ pick: 'Paste' }, { type: addressOf(900) }, { pick: '9.9' }, { pick: '1%' }], undefined, {
      info: { ...INFO, poolType: 'dammV2', activeBin: undefined },
    });
    assert.deepEqual([choices?.target.poolType, choices?.bins], ['dammV2', undefined]);
  });

  it('The zap-in dialog discards answers about bins when the user changes to a pool without bins', async () => {
    const { choices } = await ask([
      { pick: 'P1/SOL' },
      { pick: '9.9' },
      { pick: 'Spot' },
      { pick: 'Other range' },
      { type: '-370..-340' },
      { pick: 'Other split' },
      'back',
      'back',
      'back',
      'back',
      'back',
      'back',
      { pick: 'P2/SOL' },
      { pick: '9.9' },
      { pick: '1%' },
    ]);
    assert.deepEqual([choices?.target.poolType, choices?.bins, choices?.percentX], ['dammV2', undefined, 0.5]);
  });

  it('The zap-in dialog lists only pools that can be entered', async () => {
    const { prompts } = await ask(['escape'], undefined, { pools: [...POOLS, pool(4, { poolType: 'other' })] });
    assert.deepEqual(prompts.asked[0]?.shown, ['P1/SOL', 'P2/SOL', 'P3/SOL', 'Paste a pool address…']);
  });

  it('The zap-in dialog finds pools that are not listed, and offers those that can be entered', async () => {
    const { prompts } = await ask([{ search: 'WYFF', pick: 'WYFF/SOL' }, 'escape']);
    assert.equal(prompts.asked[1]?.title, 'Zap In: WYFF/SOL');
    await assert.rejects(ask([{ search: 'WYFF', pick: 'WYFF/USDC' }]));
  });

  it('Cancelling at any step of the zap-in dialog yields no choices', async () => {
    const whole: readonly ScriptedAnswer[] = [
      { pick: 'P1/SOL' },
      { pick: 'Other amount' },
      { type: '1' },
      { pick: 'Spot' },
      { pick: 'Other range' },
      { type: '-370..-340' },
      { pick: 'Other split' },
      { type: '50' },
      { pick: 'Other' },
    ];
    for (let steps = 0; steps <= whole.length; steps++) {
      assert.equal((await ask([...whole.slice(0, steps), 'escape'])).choices, undefined);
    }
  });

  it('The zap-in dialog refuses unsupported pools, an insufficient balance and a missing active bin', async () => {
    await assert.rejects(ask([], pool(2, { poolType: 'other' })), /cannot enter this type of pool/);
    await assert.rejects(
      ask([{ pick: 'Paste' }, { type: addressOf(900) }], undefined, { info: { ...INFO, poolType: 'other' } }),
      UserError,
    );
    await assert.rejects(ask([], pool(1), { lamports: RESERVE_LAMPORTS }), /nothing is left to zap in with/);
    await assert.rejects(ask([{ pick: '9.9' }, { pick: 'Spot' }], pool(1), { info: { ...INFO, activeBin: undefined } }), UserError);
  });
});

describe('The zap-in dialog, with tokens of the pool in the wallet', () => {
  const TOKEN = addressOf(600);
  const SOL_TOKEN = { address: WRAPPED_SOL_MINT, symbol: 'SOL', name: undefined, decimals: 9 };
  const intoBins = pool(1, { token1: SOL_TOKEN });
  const intoProduct = pool(2, { poolType: 'dammV2', token1: SOL_TOKEN, price0Usd: 4, price1Usd: 100 });
  const balance = (part: Partial<TokenBalance> = {}): TokenBalance => ({
    mint: TOKEN,
    symbol: 'P1',
    decimals: 6,
    amountRaw: 40_000_000n,
    amountText: '40',
    priceUsd: 1,
    ...part,
  });
  const WITH_TOKENS: Service = { held: [balance()] };

  it('The zap-in dialog asks which tokens to use and asks for each amount once the range is known', async () => {
    const { choices, prompts } = await ask(
      [{ pick: 'P1 from Wallet' }, { pick: 'Spot' }, { pick: '±10' }, { pick: '20 P1' }, { pick: '7.425 SOL' }, { pick: '1%' }],
      intoBins,
      WITH_TOKENS,
    );
    assert.deepEqual(choices, {
      target: targetOfPool(intoBins),
      inputLamports: 0n,
      tokens: { amountXRaw: 20_000_000n, amountYRaw: 7_425_000_000n },
      bins: { strategy: 'Spot', range: { fromBinId: -360, toBinId: -340 }, activeBin: { binId: ACTIVE, price: 0.5 } },
      percentX: 0.5,
      slippageBps: 100,
      solUsd: 100,
    });
    const [what, , , x, y] = prompts.asked;
    assert.match(what?.text ?? '', /^.*Amount \(wallet: 10 SOL and tokens of this pool\)/s);
    assert.equal(what?.shown.at(-1), 'P1 from Wallet…');
    assert.match(x?.text ?? '', /Amount of P1 \(available: 40\)/);
    assert.match(y?.text ?? '', /Amount of SOL \(available: 9\.9\)/);
  });

  it('The zap-in dialog suggests the amount of the second token by the current price and the bins', async () => {
    const even = await ask([{ pick: 'P1 from' }, { pick: 'Spot' }, { pick: '±10' }, { pick: '10 P1' }, 'escape'], intoBins, WITH_TOKENS);
    assert.deepEqual(even.prompts.asked.at(-1)?.shown.slice(0, 2), ['5 SOL', '2.475 SOL']);
    // 10.5 of 31 bins hold X, so that 20.5 bins take what 20.5/10.5 of it is worth.
    const lopsided = await ask(
      [
        { pick: 'P1 from' },
        { pick: 'Spot' },
        { pick: 'Other range' },
        { type: '-370..-340' },
        { pick: 'Other amount' },
        { type: '1.05' },
        'escape',
      ],
      intoBins,
      WITH_TOKENS,
    );
    assert.equal(lopsided.prompts.asked.at(-1)?.shown[0], '1.025 SOL');
    const byUsd = await ask([{ pick: 'P2 from' }, { pick: '40 P2' }, 'escape'], intoProduct, WITH_TOKENS);
    assert.equal(byUsd.prompts.asked.at(-1)?.shown[0], '1.6 SOL');
    const tooMuch = await ask([{ pick: 'P1 from' }, { pick: 'Spot' }, { pick: '±10' }, { pick: '40 P1' }, 'escape'], intoBins, WITH_TOKENS);
    assert.equal(tooMuch.prompts.asked.at(-1)?.shown[0], '2.475 SOL');
  });

  it('The zap-in dialog asks only for tokens that the range takes and never for a split of SOL', async () => {
    const above = await ask(
      [{ pick: 'P1 from' }, { pick: 'Spot' }, { pick: 'Other range' }, { type: '-349..-300' }, { pick: '40 P1' }, { pick: '1%' }],
      intoBins,
      WITH_TOKENS,
    );
    assert.deepEqual(above.choices?.tokens, { amountXRaw: 40_000_000n, amountYRaw: 0n });
    const below = await ask(
      [{ pick: 'P1 from' }, { pick: 'Spot' }, { pick: 'Other range' }, { type: '-400..-351' }, { pick: '9.9 SOL' }, { pick: '1%' }],
      intoBins,
      WITH_TOKENS,
    );
    assert.deepEqual(below.choices?.tokens, { amountXRaw: 0n, amountYRaw: 9_900_000_000n });
  });

  it('The user can leave out one token but not both, and neither in a pool without bins', async () => {
    const onlyY = await ask(
      [{ pick: 'P1 from' }, { pick: 'Spot' }, { pick: '±10' }, { pick: 'No P1' }, { pick: '9.9 SOL' }, { pick: '1%' }],
      intoBins,
      WITH_TOKENS,
    );
    assert.deepEqual(onlyY.choices?.tokens, { amountXRaw: 0n, amountYRaw: 9_900_000_000n });
    assert.ok(!onlyY.prompts.asked.at(-2)?.shown.includes('No SOL'));
    const onlyX = await ask(
      [{ pick: 'P1 from' }, { pick: 'Spot' }, { pick: '±10' }, { pick: '40 P1' }, { pick: 'No SOL' }, { pick: '1%' }],
      intoBins,
      WITH_TOKENS,
    );
    assert.deepEqual(onlyX.choices?.tokens, { amountXRaw: 40_000_000n, amountYRaw: 0n });
    const product = await ask([{ pick: 'P2 from' }, { pick: '40 P2' }, { pick: '2.475 SOL' }, { pick: '1%' }], intoProduct, WITH_TOKENS);
    assert.deepEqual(product.choices?.tokens, { amountXRaw: 40_000_000n, amountYRaw: 2_475_000_000n });
    assert.ok(product.prompts.asked.every(({ shown }) => !shown.includes('No P2') && !shown.includes('No SOL')));
  });

  it('The zap-in dialog accepts no more than the exact available amount of a token', async () => {
    const typed: readonly ScriptedAnswer[] = [
      { type: '40.000001' },
      { type: '0' },
      { type: '0.0000001' },
      { type: '-1' },
      { type: '39.999999' },
    ];
    const { choices, prompts } = await ask(
      [{ pick: 'P1 from' }, { pick: 'Spot' }, { pick: '±10' }, { pick: 'Other amount' }, ...typed, { pick: 'No SOL' }, { pick: '1%' }],
      intoBins,
      WITH_TOKENS,
    );
    assert.deepEqual(choices?.tokens, { amountXRaw: 39_999_999n, amountYRaw: 0n });
    assert.equal(prompts.refused.length, 4);
  });

  it('The zap-in dialog offers tokens without enough SOL and refuses a range that would take nothing', async () => {
    const poor: Service = { ...WITH_TOKENS, lamports: RESERVE_LAMPORTS };
    const { choices, prompts } = await ask(
      [{ pick: 'P1 from' }, { pick: 'Spot' }, { pick: '±10' }, { pick: '40 P1' }, { pick: '1%' }],
      intoBins,
      poor,
    );
    assert.deepEqual(choices?.tokens, { amountXRaw: 40_000_000n, amountYRaw: 0n });
    assert.deepEqual(prompts.asked[0]?.shown, ['P1 from Wallet…']);
    assert.ok(!prompts.asked[3]?.shown.includes('No P1'));
    await assert.rejects(
      ask([{ pick: 'P1 from' }, { pick: 'Spot' }, { pick: 'Other range' }, { type: '-400..-351' }], intoBins, poor),
      /takes only a token of .+ that is not in the wallet/,
    );
  });

  it('The zap-in dialog does not offer tokens with contradictory data, without a name or unusable alone', async () => {
    const shown = async (of: Pool, ...held: readonly TokenBalance[]): Promise<boolean> =>
      (await ask(['escape'], of, { held })).prompts.asked[0]?.shown.some((label) => label.includes('from Wallet')) === true;
    assert.equal(await shown(intoBins, balance()), true);
    assert.equal(await shown(intoBins, balance({ amountRaw: undefined, amountText: '40.5', decimals: undefined })), true);
    assert.equal(await shown(intoBins), false);
    assert.equal(await shown(intoBins, balance({ amountRaw: 0n })), false);
    assert.equal(await shown(intoBins, balance({ decimals: 9 })), false);
    assert.equal(await shown(intoBins, balance({ amountRaw: undefined, amountText: 'much' })), false);
    assert.equal(
      await shown(pool(1, { token0: { ...SOL_TOKEN, address: TOKEN, decimals: undefined }, token1: SOL_TOKEN }), balance()),
      false,
    );
    assert.equal(await shown(pool(1, { token1: { ...SOL_TOKEN, decimals: 6 } }), balance()), false);
    assert.equal(await shown(pool(1, { token1: { ...SOL_TOKEN, address: TOKEN, decimals: 6 } }), balance()), false);
    const twoTokens = pool(2, { poolType: 'dammV2' });
    assert.equal(await shown(twoTokens, balance()), false);
    assert.equal(await shown(twoTokens, balance(), balance({ mint: addressOf(601), decimals: 9 })), true);
  });

  it('The zap-in dialog names a token that resembles SOL by its mint', async () => {
    const { prompts } = await ask(['escape'], pool(1), { held: [balance({ mint: addressOf(601), decimals: 9 })] });
    assert.equal(prompts.asked[0]?.shown.at(-1), `"SOL" (not SOL, but ${addressOf(601)}) from Wallet…`);
  });

  it('The zap-in dialog discards token amounts when the pool is changed', async () => {
    const other = pool(3, { token0: { address: addressOf(610), symbol: 'P3', name: undefined, decimals: 6 }, token1: SOL_TOKEN });
    const { choices, calls } = await ask(
      [
        { pick: 'P1/SOL' },
        { pick: 'P1 from' },
        'back',
        'back',
        { pick: 'P3/SOL' },
        { pick: '9.9 SOL' },
        { pick: 'Spot' },
        { pick: '±10' },
        { pick: '1%' },
      ],
      undefined,
      { ...WITH_TOKENS, pools: [intoBins, other] },
    );
    assert.deepEqual([choices?.inputLamports, choices?.tokens], [9_900_000_000n, undefined]);
    assert.equal(calls.filter((call) => call.startsWith('balances')).length, 2);
  });

  it('The summary names token amounts, with the mint if a ticker resembles SOL', () => {
    const choices: ZapInChoices = {
      target: targetOfPool(intoBins),
      inputLamports: 0n,
      tokens: { amountXRaw: 1_234_500_000n, amountYRaw: 500_000_000n },
      bins: undefined,
      percentX: 0.5,
      slippageBps: 100,
      solUsd: 100,
    };
    assert.equal(inputText(choices), '1,234.5 P1 and 0.5 SOL');
    assert.equal(inputText({ ...choices, tokens: { amountXRaw: 0n, amountYRaw: 1n } }), '0.000000001 SOL');
    assert.equal(inputText({ ...choices, inputLamports: 5n, tokens: undefined }), '0.000000005 SOL');
    assert.equal(
      inputText({ ...choices, target: targetOfPool(pool(1)), tokens: { amountXRaw: 0n, amountYRaw: 5n } }),
      `0.000000005 "SOL" (not SOL, but ${addressOf(601)})`,
    );
    assert.match(spreadText(choices), /both tokens in equal value, the rest stays in your wallet$/);
  });
});

describe('The summary of a zap-in', () => {
  const target = targetOfPool(pool(1, { price0Usd: 7, price1Usd: 99 }));
  const choices: ZapInChoices = {
    target,
    inputLamports: 1n,
    bins: { strategy: 'Curve', range: { fromBinId: -360, toBinId: -340 }, activeBin: { binId: ACTIVE, price: 0.25 } },
    percentX: 0.5,
    slippageBps: 100,
    solUsd: 100,
  };

  it('The summary states the range and the strategy, or that the pool has no bins', () => {
    assert.match(spreadText(choices), /^Range: Curve, .+ SOL per P1 \(−9\.47% to \+10\.46%\)$/);
    assert.match(
      warningsOf({
        ...choices,
        bins: { strategy: 'Spot', range: { fromBinId: -340, toBinId: -330 }, activeBin: { binId: ACTIVE, price: 0.25 } },
      }).join('\n'),
      /earns no fees until the price rises into the range\.$/,
    );
    assert.equal(spreadText({ ...choices, bins: undefined }), 'Range: full price range (no bins); half of the SOL goes to each token');
  });

  it('The summary prices the tokens by the latest data in one consistent dollar value', () => {
    // A pool whose bin step is not known: the price that stands beside the bin counts.
    const withSol: ZapInChoices = { ...choices, target: { ...target, tokenY: WRAPPED_SOL_MINT, binStepBps: undefined } };
    const { decimalsX, decimalsY } = target;
    assert.deepEqual(shownPrices(withSol), { decimalsX, decimalsY, priceXUsd: 25, priceYUsd: 100, solUsd: 100 });
    assert.deepEqual(shownPrices({ ...withSol, solUsd: undefined }), { decimalsX, decimalsY, priceXUsd: 24.75, priceYUsd: 99, solUsd: 99 });
    assert.deepEqual(shownPrices({ ...withSol, bins: undefined }), { decimalsX, decimalsY, priceXUsd: 7, priceYUsd: 100, solUsd: 100 });
    // With it, what the service puts beside the bin does not: it could be any price.
    const byNumber = uiPriceOfBin(ACTIVE, target.binStepBps ?? 0, decimalsX ?? 0, decimalsY ?? 0);
    for (const price of [0.25, 250_000, undefined]) {
      const told: ZapInChoices = {
        ...withSol,
        target: { ...target, tokenY: WRAPPED_SOL_MINT },
        bins: { strategy: 'Curve', range: { fromBinId: -360, toBinId: -340 }, activeBin: { binId: ACTIVE, price } },
      };
      assert.deepEqual(shownPrices(told), { decimalsX, decimalsY, priceXUsd: byNumber * 100, priceYUsd: 100, solUsd: 100 });
    }
    const solFirst: ZapInChoices = { ...choices, target: { ...target, tokenX: WRAPPED_SOL_MINT, tokenY: addressOf(5) } };
    assert.deepEqual(shownPrices(solFirst), { decimalsX, decimalsY, priceXUsd: 100, priceYUsd: 99, solUsd: 100 });
    const none: ZapInChoices = {
      ...choices,
      target: { ...target, tokenX: undefined, tokenY: undefined, priceXUsd: undefined, priceYUsd: undefined },
      solUsd: undefined,
    };
    assert.deepEqual(shownPrices(none), { decimalsX, decimalsY, priceXUsd: undefined, priceYUsd: undefined, solUsd: undefined });
  });
});

describe('An amount of SOL', () => {
  it('An amount of SOL is valid from one lamport to the balance less the reserve', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.bigInt({ min: 0n, max: 10n ** 18n }), (amount, balance) => {
        const text = `${amount / LAMPORTS_PER_SOL}.${(amount % LAMPORTS_PER_SOL).toString().padStart(9, '0')}`;
        const reading = readAmount(text, { lamports: balance, priceUsd: undefined });
        const allowed = amount > 0n && amount <= balance - RESERVE_LAMPORTS;
        assert.equal(reading.ok, allowed);
        assert.ok(!reading.ok || reading.value === amount);
      }),
    );
  });
});

describe('A range', () => {
  const target = targetOfPool(pool(1));
  const read = (text: string) => {
    const reading = readRange(text, target, ACTIVE);
    return reading.ok ? [reading.value.fromBinId, reading.value.toBinId] : undefined;
  };

  it('A range can be entered around the active bin or from bin to bin', () => {
    for (const text of ['34', '±34', '+-34', ' 34 ']) {
      assert.deepEqual(read(text), [-384, -316], text);
    }
    for (const text of ['-400..-300', '-400 … -300', '-400 to -300', '−400..−300', '-400:-300']) {
      assert.deepEqual(read(text), [-400, -300], text);
    }
    assert.deepEqual(read('0'), [ACTIVE, ACTIVE]);
    assert.deepEqual(read('-5..+5'), [-5, 5]);
  });

  it('A range can be entered in percent and in prices of the pool', () => {
    const known = { ...target, binStepBps: 100, decimalsX: 9, decimalsY: 9, symbolY: 'SOL' };
    for (const [text, bins, note] of [
      ['-5% +5%', [-356, -345], /−5\.8% to \+5\.1%/],
      ['0.0225 to 0.0282', [-382, -358], /0\.0223\d* to 0\.0283\d* SOL per P1/],
    ] as const) {
      const reading = readRange(text, known, ACTIVE);
      assert.ok(reading.ok, text);
      assert.deepEqual([reading.value.fromBinId, reading.value.toBinId], bins, text);
      assert.match(reading.note ?? '', note);
    }
    const unknown = readRange('0.0225 to 0.0282', { ...known, decimalsX: undefined }, ACTIVE);
    assert.ok(!unknown.ok && /Enter bins\.$/.test(unknown.message));
  });

  it('An invalid range is refused with a reason', () => {
    for (const [text, reason] of [
      ['', /Enter the bins/],
      ['wide', /Enter the bins/],
      ['1.5', /Enter the bins/],
      ['-300..-400', /lower bin comes first/],
      ['700', /at most 1400 bins/],
      ['-999999..-999990', /whole number from/],
    ] as const) {
      const reading = readRange(text, target, ACTIVE);
      assert.ok(!reading.ok && reason.test(reading.message), text);
    }
  });

  it('A range says that it is entirely on one side of the price', () => {
    const above = readRange('-340..-330', target, ACTIVE);
    const below = readRange('-400..-390', target, ACTIVE);
    assert.ok(above.ok && /Above the price: holds only P1/.test(above.note ?? ''));
    assert.ok(below.ok && /Below the price: holds only SOL/.test(below.note ?? ''));
  });

  it('A range gives token X a share from none to all, and half if it is even', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: -700, max: 700 }), fc.nat(700), (active, offset, width) => {
        const range = { fromBinId: active + offset, toBinId: active + offset + width };
        const share = shareOfXBins(range, active);
        const side = sidesOf(range, active);
        assert.ok(side === 'onlyX' ? share === 1 : side === 'onlyY' ? share === 0 : share > 0 && share < 1);
        assert.equal(shareOfXBins(rangeAround(active, width), active), 0.5);
      }),
    );
  });
});

describe('A split', () => {
  it('A split is read as a fraction', () => {
    assert.deepEqual(readSplit('37.65'), { ok: true, value: 0.3765 });
    for (const text of ['', '100.01', '-1', 'half']) {
      assert.equal(readSplit(text).ok, false, text);
    }
  });
});

describe('A bin step', () => {
  it('The bin step follows from the prices of two neighboring bins, if there are two', () => {
    const bin = (binId: number, price: number | undefined) => ({ binId, amountX: 0, amountY: 0, price });
    assert.equal(binStepOf([bin(1, 1), bin(3, 1.2), bin(4, 1.2012)]), 10);
    assert.equal(binStepOf([bin(1, 1), bin(3, 1.2)]), undefined);
    assert.equal(binStepOf([bin(1, undefined), bin(2, 1.2)]), undefined);
    assert.equal(binStepOf([]), undefined);
  });
});
