import * as l10n from '@vscode/l10n';
import type { Subscription } from '../../base/async/clock';
import { usdBrief } from '../../base/format/money';
import { counted } from '../../base/format/counted';
import { percent, shortSignedPercent } from '../../base/format/percent';
import type { PortfolioChange, PortfolioReader } from '../../portfolio/types';
import type { Prompts } from '../shell/prompts/prompts';
import { plainText } from '../shell/views/text';
import { type NoticeRules, type PositionNotice, PositionWatch } from './positionWatch';

export interface PositionNoticesDependencies {
  readonly portfolio: PortfolioReader;
  readonly prompts: Pick<Prompts, 'notify'>;
  readonly rules: () => NoticeRules;
  /** Opens the panel of a position, by its key. */
  readonly openPosition: (key: string) => Promise<void>;
  /** Brings the list of positions into view. */
  readonly showPositions: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Shows notices about positions, one for each read of the service at most. */
export class PositionNotices {
  readonly #dependencies: PositionNoticesDependencies;
  readonly #watch = new PositionWatch();
  readonly #subscription: Subscription;
  #owner: string | undefined;
  /** When the positions were read that were looked at last. */
  #readAtMs: number | undefined;

  constructor(dependencies: PositionNoticesDependencies) {
    this.#dependencies = dependencies;
    this.#subscription = dependencies.portfolio.onDidChange((change) => this.#look(change));
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #look({ snapshot: { owner, positions, positionsState } }: PortfolioChange): void {
    if (owner !== this.#owner || positionsState.kind === 'idle') {
      this.#watch.reset();
      [this.#owner, this.#readAtMs] = [owner, undefined];
    }
    if (positionsState.kind !== 'ready' || positionsState.asOf.getTime() === this.#readAtMs) {
      return;
    }
    this.#readAtMs = positionsState.asOf.getTime();
    const notices = this.#watch.observe(positions, this.#dependencies.rules());
    if (notices.length > 0) {
      this.#show(notices).catch(this.#dependencies.onError);
    }
  }

  async #show(notices: readonly PositionNotice[]): Promise<void> {
    const { prompts, openPosition, showPositions } = this.#dependencies;
    const [first] = notices;
    const isOne = first !== undefined && notices.length === 1;
    const button = isOne ? l10n.t('Show Position') : l10n.t('Show Positions');
    const action = await prompts.notify({
      severity: notices.some(({ kind }) => kind === 'leftRange' || kind === 'pnlBelow') ? 'warning' : 'info',
      message: isOne ? noticeText(first) : l10n.t`${counted(notices.length, 'notice')}: ${notices.map(noticeText).join(' ')}`,
      actions: [button],
    });
    if (action === button) {
      await (isOne ? openPosition(first.position.key) : showPositions());
    }
  }
}

/** A notice as one short sentence. */
function noticeText(notice: PositionNotice): string {
  const pair = plainText(notice.position.pairName);
  switch (notice.kind) {
    case 'leftRange':
      return l10n.t`${pair} left its range.`;
    case 'enteredRange':
      return l10n.t`${pair} is back in range.`;
    case 'pnlAbove':
      return l10n.t`${pair}: PnL ${shortSignedPercent(notice.percent)}, above ${percent(notice.threshold)}.`;
    case 'pnlBelow':
      return l10n.t`${pair}: PnL ${shortSignedPercent(notice.percent)}, below ${percent(notice.threshold)}.`;
    case 'feesAbove':
      return l10n.t`${pair}: ${usdBrief(notice.usd)} of unclaimed fees.`;
  }
}
