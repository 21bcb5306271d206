import assert from 'node:assert/strict';
import { signedSol, signedUsd } from '../../src/base/format/money';
import type { Inspection } from '../../src/ui/services';
import { answering, eventually, refresh, withSetting } from '../support/editor/inspect';
import type { ProofGroup } from './proof';

function statusBar({ views }: Inspection) {
  return views.statusBar.model ?? assert.fail('nothing is shown in the status bar');
}

/** The status bar. */
export const DISPLAY: ProofGroup = {
  subject: 'Status bar',
  proofs: {
    'binsight.currency': {
      title: 'The status bar shows SOL, and the default with one warning if the setting is invalid',
      prove: async (inspection) => {
        const totals = () => inspection.portfolio.snapshot.totals;
        const shows = (text: () => string) => eventually('the figure in the status bar', () => statusBar(inspection).text.includes(text()));
        await withSetting('binsight.currency', 'sol', () => shows(() => signedSol(totals().pnlNative)));
        const { notices } = await answering(inspection, [], () =>
          withSetting('binsight.currency', 'doubloons', async () => {
            await shows(() => signedUsd(totals().pnlUsd));
            await refresh(inspection);
          }),
        );
        assert.deepEqual(
          notices.map(({ message }) => message),
          ['binsight.currency must be usd / sol, not "doubloons". Until you correct it, "usd" is used.'],
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
