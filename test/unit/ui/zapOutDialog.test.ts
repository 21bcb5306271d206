import assert from 'node:assert/strict';
import type { OpenPosition } from '../../../src/service/positions';
import { askZapOut, outputChoices, outputName, readShare, type ZapOutChoices } from '../../../src/ui/zap/zapOutDialog';
import { readSlippage } from '../../../src/ui/zap/slippage';
import { UserError } from '../../../src/ui/shell/errors';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { ScriptedPrompts, type ScriptedAnswer } from '../../support/editor/scriptedPrompts';
import { openPosition } from '../../support/portfolio/fixtures';

const SOL = { address: WRAPPED_SOL_MINT, symbol: 'SOL', name: 'Wrapped SOL', decimals: 9 };
const BONK = openPosition(1, { token1: SOL });
const JUP = openPosition(2, { pairName: 'JUP/SOL', token1: SOL });

async function ask(
  answers: readonly ScriptedAnswer[],
  from?: OpenPosition,
  positions = [BONK, JUP],
): Promise<{ readonly choices: ZapOutChoices | undefined; readonly prompts: ScriptedPrompts }> {
  const prompts = new ScriptedPrompts(answers);
  const choices = await askZapOut({ prompts, positions, defaultSlippageBps: () => 150 }, from);
  prompts.assertDone();
  return { choices, prompts };
}

describe('The zap-out dialog', () => {
  it('The zap-out dialog asks for the position, share, output and slippage tolerance', async () => {
    const { choices, prompts } = await ask([{ pick: 'JUP/SOL' }, { pick: '25%' }, { pick: 'SOL' }, { pick: '1.5%' }]);
    assert.deepEqual(choices, { position: JUP, shareBps: 2_500, output: 'allBaseToken', slippageBps: 150 });
    assert.deepEqual(
      prompts.asked.map(({ title }) => title),
      ['Zap Out', ...Array<string>(3).fill('Zap Out: JUP/SOL')],
    );
  });

  it('The zap-out dialog tells two positions of a pair apart, in the list and in the titles after it', async () => {
    const twins = [25, 100].map((binStepBps, index) => openPosition(index + 1, { binStepBps, token1: SOL }));
    const { prompts } = await ask([{ pick: 'BONK/SOL 100 bps' }, 'escape'], undefined, twins);
    assert.deepEqual(prompts.asked[0]?.shown, ['BONK/SOL 25 bps', 'BONK/SOL 100 bps']);
    assert.equal(prompts.asked[1]?.title, 'Zap Out: BONK/SOL 100 bps');
    assert.equal((await ask(['escape'], twins[0], twins)).prompts.asked[0]?.title, 'Zap Out: BONK/SOL 25 bps');
  });

  it('The zap-out dialog does not ask for a position that it was started on', async () => {
    const { choices } = await ask([{ pick: '100%' }, { pick: 'SOL' }, { pick: '0.5%' }], BONK);
    assert.deepEqual(choices, { position: BONK, shareBps: 10_000, output: 'allBaseToken', slippageBps: 50 });
  });

  it('The zap-out dialog asks for no slippage tolerance if nothing is swapped and nothing depends on it', async () => {
    const { choices, prompts } = await ask([{ pick: '100%' }, { pick: 'BONK and SOL' }], BONK);
    assert.deepEqual(choices, { position: BONK, shareBps: 10_000, output: 'both', slippageBps: 150 });
    assert.ok(prompts.asked.every(({ text }) => !text.includes('lippage')));
    // What a DAMM v2 withdrawal gives at least follows from it.
    const product = { ...BONK, poolType: 'dammV2' as const };
    assert.equal((await ask([{ pick: '100%' }, { pick: 'BONK and SOL' }, { pick: '0.5%' }], product)).choices?.slippageBps, 50);
  });

  it('The zap-out dialog shows each share’s worth, the fees included and that 100% closes the position', async () => {
    const { prompts } = await ask(['escape'], BONK);
    assert.match(
      prompts.asked[0]?.text ?? '',
      /25% · ≈ \$25\.00 \+ \$2\.00 fees\n50% · ≈ \$50\.00 \+ \$2\.00 fees\n75% · ≈ \$75\.00 \+ \$2\.00 fees\n100% · ≈ \$100\.00 \+ \$2\.00 fees · closes the position/,
    );
  });

  it('The zap-out dialog accepts a custom share and slippage tolerance once they are valid', async () => {
    const { choices, prompts } = await ask(
      [
        { pick: 'Other…' },
        { type: '0' },
        { type: '101' },
        { type: '33.333' },
        { type: '33.33' },
        { pick: 'SOL' },
        { pick: 'Other' },
        { type: 'x' },
        { type: '-1' },
        { type: '2.25' },
      ],
      BONK,
    );
    assert.deepEqual([choices?.shareBps, choices?.slippageBps], [3_333, 225]);
    assert.equal(prompts.refused.length, 5);
  });

  it('The zap-out dialog goes back step by step and keeps the answers', async () => {
    const { choices } = await ask(
      [
        { pick: 'BONK' },
        { pick: '25%' },
        'back',
        'back',
        { pick: 'JUP' },
        { pick: '50%' },
        { pick: 'SOL' },
        'back',
        { pick: 'SOL' },
        { pick: '1%' },
      ],
      undefined,
      [openPosition(1, { token1: SOL }), openPosition(2, { pairName: 'JUP/SOL', token0: { ...BONK.token0, symbol: 'JUP' }, token1: SOL })],
    );
    assert.deepEqual(
      [choices?.position.pairName, choices?.shareBps, choices?.output, choices?.slippageBps],
      ['JUP/SOL', 5_000, 'allBaseToken', 100],
    );
  });

  it('Cancelling at any step of the zap-out dialog yields no choices', async () => {
    const whole: readonly ScriptedAnswer[] = [{ pick: 'BONK' }, { pick: 'Other…' }, { type: '10' }, { pick: 'SOL' }, { pick: 'Other' }];
    for (let steps = 0; steps <= whole.length; steps++) {
      assert.equal((await ask([...whole.slice(0, steps), 'escape'])).choices, undefined);
    }
  });

  it('The zap-out dialog refuses unsupported positions before it asks anything', async () => {
    await assert.rejects(ask([], undefined, []), UserError);
    const unknown = openPosition(3, { pairName: 'WEN/SOL', poolType: 'other' });
    await assert.rejects(ask([], unknown), /does not know this type of pool and signs nothing for it/);
    await assert.rejects(ask([{ pick: 'WEN/SOL' }], undefined, [unknown]), UserError);
  });

  it('The zap-out dialog treats pools without bins like those with bins', async () => {
    const position = openPosition(3, { poolType: 'dammV2', token1: SOL });
    assert.deepEqual((await ask([{ pick: '50%' }, { pick: 'SOL' }, { pick: '1%' }], position)).choices, {
      position,
      shareBps: 5_000,
      output: 'allBaseToken',
      slippageBps: 100,
    });
  });
});

describe('Output choices of a withdrawal', () => {
  const values = (position: OpenPosition) => outputChoices(position).map(({ value }) => value);

  it('The output choices begin with SOL and offer it once', () => {
    assert.deepEqual(values(BONK), ['allBaseToken', 'both', 'allToken0']);
    assert.deepEqual(values(openPosition(1, { token0: SOL })), ['allBaseToken', 'both', 'allToken1']);
  });

  it('The output choices without SOL in the pair are the base token, either token, or both', () => {
    assert.deepEqual(values(openPosition(1)), ['allBaseToken', 'both', 'allToken0', 'allToken1']);
    assert.equal(
      outputName(openPosition(1, { token1: { ...BONK.token1, address: openPosition(1).token1.address, symbol: 'USDC' } }), 'allBaseToken'),
      'SOL',
    );
    assert.equal(outputName(BONK, 'both'), 'BONK and SOL');
  });

  it('A token of the pool that calls itself SOL is not offered as SOL', () => {
    const position = openPosition(1, { token0: { ...SOL, address: BONK.token0.address } });
    const labels = outputChoices(position).map(({ label }) => label);
    assert.equal(labels.filter((label) => label === 'SOL').length, 1);
    assert.ok(
      labels.some((label) => label.startsWith('"SOL" (not SOL, but ')),
      labels.join(),
    );
  });
});

describe('A share', () => {
  it('A share is read exactly, in basis points', () => {
    const value = (text: string) => {
      const reading = readShare(text, undefined);
      return reading.ok ? reading.value : undefined;
    };
    assert.deepEqual(['0.01', '33.33', '100', '50 %', ' 7.5 '].map(value), [1, 3_333, 10_000, 5_000, 750]);
    assert.deepEqual(
      ['', '0', '0.001', '100.01', '1e2', '-5', 'half', '1,5', '9'.repeat(70)].map(value),
      Array<undefined>(9).fill(undefined),
    );
  });

  it('A share of a position is shown with what can be withdrawn, and all of it closes the position unless a part is locked', () => {
    const note = (withdrawableShare: number | undefined) => {
      const reading = readShare('100', { ...BONK, withdrawableShare });
      return reading.ok ? reading.note : undefined;
    };
    assert.deepEqual([note(undefined), note(0.25)], ['≈ $100.00 + $2.00 fees · closes the position', '≈ $25.00 + $2.00 fees']);
  });
});

describe('A slippage', () => {
  it('A slippage tolerance is read exactly, from 0% to 100%', () => {
    const value = (text: string) => {
      const reading = readSlippage(text);
      return reading.ok ? reading.value : undefined;
    };
    assert.deepEqual(['0', '0.01', '1', '100'].map(value), [0, 1, 100, 10_000]);
    assert.deepEqual(['', '100.01', '0.001', 'a'].map(value), Array<undefined>(4).fill(undefined));
  });

  it('A slippage tolerance is shown in both units, with a warning if it is zero or high', () => {
    const none = readSlippage('0');
    assert.ok(none.ok && /^0 bps \(0%\): the trade fails as soon as the price moves/.test(none.note ?? ''));
    const high = readSlippage('100');
    const low = readSlippage('1');
    assert.ok(high.ok && /10,000 bps \(100%\): high slippage/.test(high.note ?? ''));
    assert.ok(low.ok && low.note === '100 bps (1%)');
  });
});
