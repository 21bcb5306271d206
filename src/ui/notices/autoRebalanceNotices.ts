import * as l10n from '@vscode/l10n';
import { oneLine } from '../../base/text';
import type { AutoRebalanceAnnouncement } from '../autoRebalance/announcements';
import type { NoticeCenter } from './noticeCenter';
import { outsideName } from './noticeEvent';
import type { NoticeSettings } from './noticeSettings';

export interface AutoRebalanceNoticesDependencies {
  readonly center: Pick<NoticeCenter, 'publish'>;
  readonly settings: Pick<NoticeSettings, 'isOn'>;
  readonly isSandbox: () => boolean;
  readonly nowMs: () => number;
}

/** Characters of a reason. */
const LONGEST_WHY = 300;

/** Reports outside the editor what auto-rebalance asks and does. Its window shows that itself, and only one window runs it. */
export async function reportAutoRebalance(
  announcement: AutoRebalanceAnnouncement,
  { center, settings, isSandbox, nowMs }: AutoRebalanceNoticesDependencies,
): Promise<void> {
  const kind = announcement.kind === 'acts' ? 'autoRebalanceActs' : 'autoRebalanceAsks';
  const pair = announcement.pairName === undefined ? undefined : outsideName(announcement.pairName);
  const brief = briefText(announcement, pair);
  const full = announcement.kind === 'needsUser' ? brief : `${brief} ${oneLine(announcement.why, LONGEST_WHY)}`;
  await center.publish([
    {
      subject: announcement,
      seen: undefined,
      isWanted: settings.isOn(kind),
      outside: { kind, pair, atMs: nowMs(), brief, full, figures: {}, isSandbox: isSandbox() },
    },
  ]);
}

function briefText(announcement: AutoRebalanceAnnouncement, pair: string | undefined): string {
  switch (announcement.kind) {
    case 'asks':
      return announcement.action === 'rebalance'
        ? l10n.t`Auto-rebalance asks: rebalance ${pair ?? ''}?`
        : l10n.t`Auto-rebalance asks: close ${pair ?? ''} without re-entering?`;
    case 'acts':
      return announcement.action === 'rebalance'
        ? l10n.t`Auto-rebalance began to rebalance ${pair ?? ''}.`
        : l10n.t`Auto-rebalance began to close ${pair ?? ''}.`;
    case 'needsUser':
      return pair === undefined ? l10n.t('Auto-rebalance needs you.') : l10n.t`Auto-rebalance needs you for ${pair}.`;
  }
}
