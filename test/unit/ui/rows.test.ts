import assert from 'node:assert/strict';
import { totalsOf } from '../../../src/portfolio/snapshot';
import type { OpenPosition } from '../../../src/service/positions';
import type { PoolSort } from '../../../src/service/service';
import { poolRow } from '../../../src/ui/pools/poolRow';
import { listPositions } from '../../../src/ui/positions/positionList';
import { groupRow, positionDetails, positionRow, totalsRow } from '../../../src/ui/positions/positionRows';
import { Lineages } from '../../../src/ui/shell/lineages';
import { poolTooltip, positionTooltip } from '../../../src/ui/positions/tooltips';
import { sameRow } from '../../../src/ui/shell/views/rows';
import { escapedMarkdown, plainText } from '../../../src/ui/shell/views/text';
import { openPosition, pool } from '../../support/portfolio/fixtures';
import { fail } from '../../support/ui/memory';

const NOTHING = { usd: undefined, native: undefined };

/** A position of which the service reports next to nothing. */
const BARE: Partial<OpenPosition> = {
  address: undefined,
  inRange: undefined,
  activeBinId: undefined,
  lowerBinId: undefined,
  upperBinId: undefined,
  binStepBps: undefined,
  strategy: undefined,
  ageHours: undefined,
  createdAt: undefined,
  priceRangeUsd: undefined,
  value: NOTHING,
  pnl: NOTHING,
  pnlPercent: NOTHING,
  collectedFee: NOTHING,
  uncollectedFee: NOTHING,
  uncollectedFee0: undefined,
  uncollectedFee1: undefined,
  amount0: undefined,
  amount1: undefined,
  price0Usd: undefined,
  price1Usd: undefined,
};

describe('The row of a position', () => {
  it('A position’s row shows value, PnL and fees first: a narrow sidebar cuts off the end', () => {
    const row = positionRow(openPosition(1), false);
    assert.equal(row.label, 'BONK/SOL');
    assert.equal(row.description, '$100 · +11% · $1.97 to claim · 5h');
    assert.equal(row.id, openPosition(1).key);
  });

  it('A position’s row shows what a claim would bring after its costs, with rewards, and nothing where it would cost more', () => {
    const claim = (part: Partial<OpenPosition>) => {
      const position = openPosition(1, part);
      const mark = positionRow(position, false)
        .description.split(' · ')
        .find((text) => /claim|fees/.test(text));
      return [mark, /Worth claiming: [^.]*\.\d+ after costs|A claim would cost more than it brings/.exec(positionTooltip(position))?.[0]];
    };
    const reward = (usd: number | undefined) => ({
      uncollectedRewards: [{ token: openPosition(1).token0, amount: 1, worth: { usd, native: undefined } }],
    });
    const fees = (usd: number | undefined) => ({ uncollectedFee: { usd, native: usd === undefined ? undefined : usd / 150 } });
    assert.deepEqual(claim({}), ['$1.97 to claim', 'Worth claiming: $1.97 after costs']);
    assert.deepEqual(claim({ ...fees(0), ...reward(5) }), ['$4.97 to claim', 'Worth claiming: $4.97 after costs']);
    assert.deepEqual(claim({ ...fees(2), ...reward(undefined) }), ['$1.97 to claim', 'Worth claiming: $1.97 after costs']);
    assert.deepEqual(claim(fees(0.02)), [undefined, 'A claim would cost more than it brings']);
    assert.deepEqual(claim(fees(0)), [undefined, undefined]);
    assert.deepEqual(claim(fees(undefined)), [undefined, undefined]);
    assert.deepEqual(
      claim({ value: NOTHING, uncollectedFee: { usd: 2, native: undefined } }),
      ['$2.00 fees', undefined],
      'the costs are unknown',
    );
  });

  it('A position’s row colors its label by profit or loss, and says the sign in words and figures', () => {
    const rowOf = (usd: number | undefined) =>
      positionRow(openPosition(1, { pnl: { usd, native: undefined }, pnlPercent: { usd, native: undefined } }), false);
    assert.deepEqual(
      [3.24, -3.24, 0, undefined].map((usd) => [rowOf(usd).tone, rowOf(usd).description.split(' · ')[1]]),
      [
        ['gain', '+3.2%'],
        ['loss', '−3.2%'],
        [undefined, '0%'],
        [undefined, 'PnL –'],
      ],
    );
    assert.ok(!sameRow(rowOf(3.24), rowOf(-3.24)));
  });

  it('The row of a position out of range begins with where the price is and how far: that is what decides', () => {
    const described = (part: Partial<OpenPosition>) => positionRow(openPosition(1, { inRange: false, ...part }), false).description;
    assert.equal(described({ activeBinId: -373 }), '▲ 3.0% · $100 · +11% · $1.97 to claim · out of range · 5h');
    assert.equal(described({ activeBinId: -387 }), '▼ 1.0% · $100 · +11% · $1.97 to claim · out of range · 5h');
    for (const unknown of [{ activeBinId: undefined }, { activeBinId: -373, binStepBps: undefined }]) {
      assert.equal(described(unknown), '$100 · +11% · $1.97 to claim · out of range · 5h', 'no distance is made up');
    }
  });

  it('The row of the totals sums up the listed positions, and says how many the filter hides', () => {
    const row = totalsRow(totalsOf([openPosition(1), openPosition(2)]), 3);
    assert.deepEqual([row.label, row.description, row.tone], ['Total of 2, 3 hidden', '$200 · +11% · $4.00 fees', 'gain']);
    assert.equal(row.spoken, 'Total of 2, 3 hidden, PnL: +$20.00 (+11.11%), Value: $200.00, Unclaimed fees: $4.00.');
  });

  it('What a position earned before its rebalances is in its tooltip and in the words of the sum, and a part that is not known is not made up', () => {
    const [rebalanced, other] = [openPosition(1), openPosition(2)];
    const lineages = new Lineages(fail);
    assert.equal(lineages.since([rebalanced, other]), undefined);
    lineages.set(new Map([[rebalanced.key, { rebalances: 3, earlierPnl: { usd: 494, native: undefined } }]]));
    assert.match(positionTooltip(rebalanced, lineages), /Since the first deposit, over 3 rebalances: PnL \+\$504\.00, –\./);
    assert.doesNotMatch(positionTooltip(other, lineages), /first deposit/);
    const row = totalsRow(totalsOf([rebalanced, other]), 0, undefined, lineages.since([rebalanced, other]));
    assert.match(row.spoken, /\. Since the first deposit, over 3 rebalances: PnL \+\$514\.00, –\.$/);
  });

  it('A position’s row marks out of range by an icon, a word and a sentence, not by color alone', () => {
    const inside = positionRow(openPosition(1), false);
    const outside = positionRow(openPosition(1, { inRange: false }), false);
    const unknown = positionRow(openPosition(1, { inRange: undefined }), false);
    assert.equal(new Set([inside, outside, unknown].map(({ icon }) => icon.id)).size, 3);
    assert.match(outside.description, /out of range/);
    assert.doesNotMatch(inside.description, /range/);
    assert.equal(outside.spoken, 'BONK/SOL, out of range, Value: $100.00, gain $10.00 (11.1%), Age: 5 hours, $1.97 to claim.');
    assert.match(inside.contextValue, /\binRange\b/);
    assert.match(outside.contextValue, /\boutOfRange\b/);
  });

  it('A DAMM v2 position says what it is, with an icon of its own, and has no range status, whatever the service reports', () => {
    for (const inRange of [true, false, undefined]) {
      const damm = openPosition(1, { poolType: 'dammV2', inRange });
      const row = positionRow(damm, false);
      assert.deepEqual([row.label, row.icon.id], ['BONK/SOL DAMM v2', 'pulse']);
      assert.match(row.spoken, /^BONK\/SOL DAMM v2, Value: /);
      assert.match(positionTooltip(damm), /Full range/);
      for (const text of [row.description, row.spoken, row.contextValue, positionTooltip(damm)]) {
        assert.doesNotMatch(text, /in ?range|out ?of ?range|range (status )?unknown/i);
      }
      const { groups } = listPositions([damm], { sortBy: 'attention', groupBy: 'range', filter: 'all' });
      assert.deepEqual(
        groups.map((group) => [groupRow(group).label, groupRow(group).icon.id]),
        [['Full range', 'pulse']],
      );
      for (const filter of ['inRange', 'outOfRange'] as const) {
        assert.equal(listPositions([damm], { sortBy: 'attention', groupBy: 'none', filter }).hidden, 1);
      }
    }
  });

  it('A position’s row reads losses and ages in natural words to screen readers', () => {
    const { spoken } = positionRow(
      openPosition(1, { pnl: { usd: -3, native: 0 }, pnlPercent: { usd: -2, native: 0 }, ageHours: 49 }),
      false,
    );
    assert.match(spoken, /loss \$3\.00 \(2%\), Age: 2 days/);
    assert.match(positionRow(openPosition(1, { ageHours: 0.5 }), false).spoken, /Age: 30 minutes/);
  });

  it('A position’s row shows a dash for unknown figures, never a zero', () => {
    const row = positionRow(openPosition(1, BARE), false);
    assert.equal(row.description, 'Value – · PnL – · range unknown');
    assert.doesNotMatch(row.spoken, /0|undefined|NaN/);
    assert.doesNotMatch(row.contextValue, /addressed/);
  });

  it('A position’s row shows an operation in progress and offers no second one', () => {
    const row = positionRow(openPosition(1), true);
    assert.match(row.icon.id, /spin/);
    assert.match(row.contextValue, /\bbusy\b/);
    assert.ok(!sameRow(row, positionRow(openPosition(1), false)));
  });

  it('A long token symbol is shortened in rows, so figures stay in sight, and whole for a screen reader', () => {
    const pairName = 'SUPERGIGALAMBOFTHEHIGHMOUNTAINS/SOL';
    const row = positionRow(openPosition(1, { pairName }), false);
    assert.equal(row.label, 'SUPERGIGALAMB…/SOL');
    assert.match(row.spoken, new RegExp(`^${pairName}, `));
    const listed = poolRow(pool(1, { pairName }));
    assert.equal(listed.label, 'SUPERGIGALAMB…/SOL');
    assert.match(listed.spoken, new RegExp(`^${pairName}, `));
    assert.equal(positionRow(openPosition(1, { pairName: 'FOURTEEN_CHARS/USDC' }), false).label, 'FOURTEEN_CHARS/USDC');
  });
});

describe('The details of a position', () => {
  it('A position’s details cover range, price, holdings, fees, PnL, age, type and address', () => {
    const details = new Map(positionDetails(openPosition(1)).map(({ label, description }) => [label, description]));
    assert.equal(
      details.get('Range'),
      '$1.00 to $2.00 · 5.1% (5 bins) to lower bound, 5.1% (5 bins) to upper bound · −386 to −376 (11 bins)',
    );
    assert.equal(details.get('BONK'), '1,000 · $0.02');
    assert.equal(details.get('SOL'), '0.5 · $75.00');
    assert.equal(details.get('Unclaimed fees'), '$2.00 · 10 BONK + 0.001 SOL');
    assert.equal(details.get('PnL'), '+$10.00 (+11.1%) · +0.1 SOL (+16.7%)');
    assert.equal(details.get('Type'), 'DLMM · Spot · Bin step 100 bps (1%)');
    assert.ok(details.has('Address') && details.has('Age') && details.has('Price') && details.has('Claimed fees'));
  });

  it('A position’s details have the daily return from an hour on: of minutes it would say what chance did', () => {
    const daily = (ageHours: number | undefined) =>
      positionDetails(openPosition(1, { ageHours, dailyReturn: { usd: 0.066, native: 0.07 } })).find(
        ({ label }) => label === 'Daily return',
      )?.description;
    assert.deepEqual([0.02, 1, undefined].map(daily), [undefined, '6.6%', '6.6%']);
  });

  it('A position’s details say how far the price is out of range', () => {
    const range = (activeBinId: number) => positionDetails(openPosition(1, { inRange: false, activeBinId }))[0]?.description;
    assert.match(range(-390) ?? '', /price 4\.06% \(4 bins\) below/);
    assert.match(range(-375) ?? '', /price 1% \(1 bin\) above/);
  });

  it('A position’s details say that a position without bins covers every price', () => {
    const position = openPosition(1, { ...BARE, poolType: 'dammV2', inRange: true, price0Usd: 1.25 });
    const rows = new Map(positionDetails(position).map(({ label, description }) => [label, description]));
    assert.equal(rows.get('Range'), 'full range');
    assert.equal(rows.get('Price'), '$1.25');
    assert.equal(rows.get('Type'), 'DAMM v2');
    assert.match(positionTooltip(position), /\*\*Full range\*\*\. Earns fees at every price\./);
  });

  it('A position’s details omit unknown figures', () => {
    assert.deepEqual(
      positionDetails(openPosition(1, BARE)).map(({ label }) => label),
      ['Type'],
    );
  });

  it('Each detail of a position has its own id', () => {
    const ids = positionDetails(openPosition(1)).map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.every((id) => id.startsWith(`${openPosition(1).key}/`)));
  });
});

describe('The row of a pool', () => {
  it('A pool’s row shows its pair, TVL, volume, fees over TVL, bin step and type', () => {
    const row = poolRow(pool(1));
    assert.equal(row.label, 'P1/SOL');
    assert.equal(row.description, '1%/d · $1M · 100 bps · vol $1,000 · DLMM');
    assert.match(row.spoken, /^P1\/SOL, DLMM, TVL: \$1M/);
  });

  it('A pool’s row begins with the figure by which the pools are sorted', () => {
    const first = (sortBy: PoolSort) => poolRow(pool(1), sortBy).description.split(' · ')[0];
    assert.deepEqual((['fee_tvl_ratio', 'tvl', 'vol_24h', 'volatility'] as const).map(first), ['1%/d', '$1M', 'vol $1,000', '1%/d']);
    assert.equal(poolRow(pool(1), 'tvl').description, '$1M · 1%/d · 100 bps · vol $1,000 · DLMM');
  });

  it('A pool’s row shows a dash for unknown figures', () => {
    const row = poolRow(
      pool(1, {
        tvlUsd: undefined,
        feeTvlRatio24h: undefined,
        binStepBps: undefined,
        poolType: 'dammV2',
        volumeUsd: { '5m': undefined, '1h': undefined, '6h': undefined, '24h': undefined },
      }),
    );
    assert.equal(row.description, 'TVL – · DAMM v2');
    assert.equal(row.spoken, 'P1/SOL, DAMM v2, TVL: unknown, 24h volume: unknown, 24h fees / TVL: unknown, Base fee: 1%.');
    assert.equal(row.contextValue, 'pool dammV2');
  });
});

const HOSTILE = '[click](command:evil) <b>$(trash)</b> `x` **y** \u202e| & ![i](http://x)\n# h';

describe('A name from the network', () => {
  it('A name from the network is shown in one line without icons or direction marks', () => {
    const shown = plainText(HOSTILE);
    assert.doesNotMatch(shown, /\$\(|[\u202a-\u202e\n]/);
    assert.ok(shown.length <= 41);
  });

  it('A name from the network is escaped in Markdown', () => {
    const escaped = escapedMarkdown(HOSTILE);
    for (const { 0: character, index } of escaped.matchAll(/[`*_[\]()#!|~$]/g)) {
      assert.equal(escaped[index - 1], '\\', `${character} at ${index} of ${escaped}`);
    }
    assert.doesNotMatch(escaped, /</);
  });

  it('A name from the network reaches tooltips only in escaped form', () => {
    const token = { address: undefined, symbol: HOSTILE, name: HOSTILE, decimals: 6 };
    for (const text of [
      positionTooltip(openPosition(1, { pairName: HOSTILE, token0: token })),
      poolTooltip(pool(1, { pairName: HOSTILE, token0: token, mintOrFreezeEnabled: true, price0Usd: 2 })),
    ]) {
      assert.doesNotMatch(text, /\[click\]\(|<b>|[^\\]\$\(trash/);
    }
  });
});

describe('A tooltip', () => {
  it('Claimed fees whose value is an estimate are called that, in the tooltip and among the details', () => {
    const position = openPosition(1, { isFeeEstimate: true });
    assert.match(positionTooltip(position), /Claimed fees \(estimate\)[\s\S]*PnL is an estimate/);
    assert.ok(positionDetails(position).some(({ label }) => label === 'Claimed fees (estimate)'));
    assert.doesNotMatch(positionTooltip(openPosition(1)), /estimate/);
  });

  it('A position’s tooltip has every figure in both currencies', () => {
    const text = positionTooltip(openPosition(1, { inRange: false, activeBinId: -370 }));
    assert.match(text, /\$\(warning\) \*\*Out of range\*\*/);
    assert.match(text.replace(/<\/?span[^>]*>/g, ''), /\| PnL \| &emsp;\+\$10\.00 \| &emsp;\+0\.1 SOL \|/);
    assert.ok(text.includes(openPosition(1).key));
  });

  it('A position’s tooltip colors gains and losses, and has no other HTML', () => {
    const text = positionTooltip(
      openPosition(1, { pnl: { usd: 5, native: -0.1 }, pnlPercent: { usd: undefined, native: 0 }, pairName: HOSTILE }),
    );
    assert.match(text, /<span style="color:var\(--vscode-binsight-gainForeground\);">\+\$5\.00<\/span>/);
    assert.match(text, /<span style="color:var\(--vscode-binsight-lossForeground\);">−0\.1 SOL<\/span>/);
    assert.equal(text.match(/<[a-z/]/gi)?.length, 4);
  });

  it('A pool’s tooltip warns of tokens that can be minted or frozen', () => {
    assert.match(poolTooltip(pool(1, { mintOrFreezeEnabled: true })), /can still be minted or frozen/);
    assert.doesNotMatch(poolTooltip(pool(1, { mintOrFreezeEnabled: false })), /mint/);
  });
});
