import assert from 'node:assert/strict';
import { RULE_IDS } from '../../src/settings/settingTypes';
import type { Inspection } from '../../src/ui/services';
import { extensionReady } from '../support/editor/extensionReady';
import { readExtension, valueOf } from '../support/editor/inspect';
import { describeOnPrograms } from '../support/programs';
import { AUTO_REBALANCE } from './autoRebalance';
import { CONNECTION } from './connection';
import { DISPLAY } from './display';
import { LOCAL_SERVICE } from './localService';
import { POSITION_NOTICES } from './positionNotices';
import type { ProofGroup } from './proof';
import { REBALANCE } from './rebalance';
import { REVIEW } from './review';
import { SENT_NOTICES } from './sentNotices';
import { SIGNING } from './signing';

const GROUPS: readonly ProofGroup[] = [
  CONNECTION,
  LOCAL_SERVICE,
  DISPLAY,
  SIGNING,
  REVIEW,
  REBALANCE,
  AUTO_REBALANCE,
  POSITION_NOTICES,
  SENT_NOTICES,
];

describe('Every setting takes effect', () => {
  it('Every setting of package.json and every rule has one proof in the editor', async () => {
    const manifest: unknown = (await extensionReady()).packageJSON;
    const { contributes } = manifest as {
      readonly contributes: { readonly configuration: readonly { readonly properties: Readonly<Record<string, unknown>> }[] };
    };
    const settings = contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
    const proven = GROUPS.flatMap(({ proofs }) => Object.keys(proofs));
    assert.deepEqual(proven.sort(), [...settings, ...RULE_IDS].sort());
  });

  for (const { subject, setUp, needsPrograms, tests = {}, lastTests = {}, proofs } of GROUPS) {
    (needsPrograms === true ? describeOnPrograms : describe)(subject, () => {
      let inspection: Inspection;
      let takeBack: (() => Promise<void>) | undefined;
      before(async () => {
        inspection = await readExtension();
        takeBack = await setUp?.(inspection);
      });
      after(() => takeBack?.());

      for (const [title, run] of Object.entries(tests)) {
        it(title, () => run(inspection));
      }
      for (const [id, { title, prove }] of Object.entries(proofs)) {
        it(`${id}: ${title}`, async () => {
          const before = await valueOf(id);
          await prove(inspection);
          assert.deepEqual(await valueOf(id), before, 'the setting is put back');
        });
      }
      for (const [title, run] of Object.entries(lastTests)) {
        it(title, () => run(inspection));
      }
    });
  }
});
