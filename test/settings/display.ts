import assert from 'node:assert/strict';
import { signedSol, signedUsd } from '../../src/base/format/money';
import type { OpenPosition } from '../../src/service/positions';
import type { Inspection } from '../../src/ui/services';
import { answering, eventually, refresh, untilShown, withSetting } from '../support/editor/inspect';
import type { ProofGroup } from './proof';

const rows = ({ views }: Inspection): readonly OpenPosition[] =>
  views.positions.getChildren().flatMap((node) => (node.kind === 'position' ? [node.position] : []));
const groups = ({ views }: Inspection) => views.positions.getChildren().filter(({ kind }) => kind === 'group');

function statusBar({ views }: Inspection) {
  return views.statusBar.model ?? assert.fail('nothing is shown in the status bar');
}

/** What the positions are sorted by, the largest first. */
const FIGURES: Readonly<Record<string, (position: OpenPosition) => number | undefined>> = {
  pnlPercent: ({ pnlPercent }) => pnlPercent.usd,
  pnl: ({ pnl }) => pnl.usd,
  value: ({ value }) => value.usd,
  fees: ({ uncollectedFee }) => uncollectedFee.usd,
  age: ({ ageHours }) => ageHours,
};

function isDescending(figures: readonly (number | undefined)[]): boolean {
  const known = figures.map((figure) => figure ?? Number.NEGATIVE_INFINITY);
  return known.every((figure, place) => place === 0 || figure <= (known[place - 1] ?? figure));
}

/** Lists and status bar. */
export const DISPLAY: ProofGroup = {
  subject: 'Lists and status bar',
  proofs: {
    'binsight.positions.sortBy': {
      title: 'The rows of the positions are in the order of each choice',
      prove: async (inspection) => {
        const orders = new Set([
          rows(inspection)
            .map(({ key }) => key)
            .join(),
        ]);
        for (const [by, figureOf] of Object.entries(FIGURES)) {
          await withSetting('binsight.positions.sortBy', by, async () => {
            await eventually(`the rows by ${by}`, () => isDescending(rows(inspection).map(figureOf)));
            orders.add(
              rows(inspection)
                .map(({ key }) => key)
                .join(),
            );
          });
        }
        await withSetting('binsight.positions.sortBy', 'pair', async () => {
          const names = () => rows(inspection).map(({ pairName }) => pairName.toLowerCase());
          await eventually('the rows by pair', () => names().join() === [...names()].sort().join());
        });
        assert.ok(orders.size > 2, 'the orders differ');
      },
    },
    'binsight.positions.groupBy': {
      title: 'The positions are grouped by pool or by range status',
      prove: async (inspection) => {
        assert.deepEqual(groups(inspection), []);
        const { positions } = inspection.portfolio.snapshot;
        for (const [by, count] of [
          ['pool', new Set(positions.map(({ pool }) => pool)).size],
          ['range', new Set(positions.map(({ inRange }) => inRange)).size],
        ] as const) {
          await withSetting('binsight.positions.groupBy', by, () =>
            eventually(`groups by ${by}`, () => groups(inspection).length === count),
          );
        }
        await eventually('rows without groups', () => groups(inspection).length === 0 && rows(inspection).length === positions.length);
      },
    },
    'binsight.pools.sortBy': {
      title: 'The pools are read again in the new order, which the view names',
      prove: async (inspection) => {
        const before = inspection.views.poolsView.description;
        await withSetting('binsight.pools.sortBy', 'tvl', async () => {
          await untilShown(
            inspection,
            'the pools by TVL',
            ({ pools }) => pools.length > 1 && isDescending(pools.map(({ tvlUsd }) => tvlUsd)),
          );
          assert.match(inspection.views.poolsView.description ?? '', /TVL/);
        });
        await eventually('the order as before', () => inspection.views.poolsView.description === before);
      },
    },
    'binsight.statusBar.currency': {
      title: 'The status bar shows SOL, and the default with one warning if the setting is invalid',
      prove: async (inspection) => {
        const totals = () => inspection.portfolio.snapshot.totals;
        const shows = (text: () => string) => eventually('the figure in the status bar', () => statusBar(inspection).text.includes(text()));
        await withSetting('binsight.statusBar.currency', 'sol', () => shows(() => signedSol(totals().pnlNative)));
        const { notices } = await answering(inspection, [], () =>
          withSetting('binsight.statusBar.currency', 'doubloons', async () => {
            await shows(() => signedUsd(totals().pnlUsd));
            await refresh(inspection);
          }),
        );
        assert.deepEqual(
          notices.map(({ message }) => message),
          ['The setting binsight.statusBar.currency must be one of usd, sol, not "doubloons". The default is used until you correct it.'],
        );
      },
    },
    'binsight.statusBar.template': {
      title: 'The status bar shows the figures of the template',
      prove: async (inspection) => {
        const totals = () => inspection.portfolio.snapshot.totals;
        await withSetting('binsight.statusBar.template', 'Mine: {positions}', () =>
          eventually(
            'the figures of the template',
            () => statusBar(inspection).text === `$(beaker) Sandbox Mine: ${totals().count} positions`,
          ),
        );
        await eventually('the usual figures', () => statusBar(inspection).text.includes(signedUsd(totals().pnlUsd)));
      },
    },
  },
};
