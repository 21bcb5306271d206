import * as l10n from '@vscode/l10n';
import type { Subscription } from '../../base/async/clock';
import { usdBrief } from '../../base/format/money';
import { counted } from '../../base/format/counted';
import { percent, signedPercent } from '../../base/format/percent';
import type { PortfolioChange, PortfolioReader } from '../../portfolio/types';
import type { ServiceChoice } from '../shell/serviceChoice';
import type { Prompts } from '../shell/prompts/prompts';
import { plainText } from '../shell/views/text';
import type { NoticeCenter, NoticeDraft } from './noticeCenter';
import { type NoticeFigures, outsideName } from './noticeEvent';
import { type NoticeRules, type PositionNotice, PositionWatch } from './positionWatch';

export interface PositionNoticesDependencies {
  readonly portfolio: PortfolioReader;
  readonly center: Pick<NoticeCenter, 'publish'>;
  readonly prompts: Pick<Prompts, 'notify'>;
  readonly rules: () => NoticeRules;
  /** The service that the positions come from. */
  readonly service: () => Pick<ServiceChoice, 'id' | 'kind'>;
  /** Opens the panel of a position, by its key. */
  readonly openPosition: (key: string) => Promise<void>;
  /** Whether fees can be claimed: the service offers it, and the wallet can sign. */
  readonly canClaim: () => boolean;
  /** Begins the claim of the fees of a position, by its key; `undefined`: of all positions. It asks before anything is signed. */
  readonly claim: (key: string | undefined) => Promise<void>;
  /** Brings the list of positions into view. */
  readonly showPositions: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Reports events of positions, in one notification for each read of the service at most. */
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
    const readAtMs = positionsState.asOf.getTime();
    this.#readAtMs = readAtMs;
    const notices = this.#watch.observe(positions, this.#dependencies.rules(), readAtMs);
    if (notices.length > 0) {
      this.#report(notices, owner ?? '', readAtMs).catch(this.#dependencies.onError);
    }
  }

  async #report(notices: readonly PositionNotice[], owner: string, atMs: number): Promise<void> {
    const { center, service } = this.#dependencies;
    const { id = '', kind } = service();
    const drafts = notices.map((notice) => draftOf(notice, `${id} ${owner} ${notice.position.key}`, atMs, kind === 'sandbox'));
    const shown = await center.publish(drafts);
    await this.#show(shown.map(({ subject }) => subject));
  }

  async #show(notices: readonly PositionNotice[]): Promise<void> {
    const [first] = notices;
    if (first === undefined) {
      return;
    }
    const { prompts, openPosition, showPositions, canClaim, claim } = this.#dependencies;
    const isOne = notices.length === 1;
    const button = isOne ? l10n.t('Open Position') : l10n.t('Show Positions');
    const isOfFees = notices.every(({ kind }) => kind === 'feesAbove') && canClaim();
    const claiming = isOne ? l10n.t('Claim Fees…') : l10n.t('Claim All Fees…');
    const texts = notices.map((notice) => noticeText(notice, plainText(notice.position.pairName)));
    const action = await prompts.notify({
      severity: notices.some(({ kind }) => kind === 'leftRange' || kind === 'pnlBelow') ? 'warning' : 'info',
      message: isOne ? texts.join('') : l10n.t`${counted(notices.length, 'notice')}: ${texts.join(' ')}`,
      actions: isOfFees ? [claiming, button] : [button],
    });
    if (action === claiming) {
      await claim(isOne ? first.position.key : undefined);
    }
    if (action === button) {
      await (isOne ? openPosition(first.position.key) : showPositions());
    }
  }
}

function draftOf(notice: PositionNotice, position: string, atMs: number, isSandbox: boolean): NoticeDraft<PositionNotice> {
  const pair = outsideName(notice.position.pairName);
  const seen =
    'threshold' in notice
      ? { subject: `${position} ${notice.kind} ${notice.threshold}`, event: 'passed' }
      : { subject: `${position} range`, event: notice.kind };
  return {
    subject: notice,
    seen: { ...seen, sinceMs: notice.sinceMs },
    isWanted: 'threshold' in notice || notice.isWanted,
    outside: {
      kind: notice.kind,
      pair,
      atMs,
      brief: briefText(notice, pair),
      full: noticeText(notice, pair),
      figures: figuresOf(notice),
      isSandbox,
    },
  };
}

function figuresOf(notice: PositionNotice): NoticeFigures {
  switch (notice.kind) {
    case 'leftRange':
    case 'enteredRange':
      return {};
    case 'pnlAbove':
    case 'pnlBelow':
      return { pnlPercent: notice.percent };
    case 'feesAbove':
      return { feesUsd: notice.usd };
  }
}

/** A notice as one short sentence. */
function noticeText(notice: PositionNotice, pair: string): string {
  switch (notice.kind) {
    case 'leftRange':
      return l10n.t`${pair} left its range.`;
    case 'enteredRange':
      return l10n.t`${pair} is back in range.`;
    case 'pnlAbove':
    case 'pnlBelow':
      return l10n.t`${pair}: PnL ${signedPercent(notice.percent)} (threshold: ${percent(notice.threshold)}).`;
    case 'feesAbove':
      return l10n.t`${pair}: ${usdBrief(notice.usd)} of unclaimed fees.`;
  }
}

/** The same without figures. */
function briefText(notice: PositionNotice, pair: string): string {
  switch (notice.kind) {
    case 'leftRange':
    case 'enteredRange':
      return noticeText(notice, pair);
    case 'pnlAbove':
      return l10n.t`${pair}: PnL above your threshold.`;
    case 'pnlBelow':
      return l10n.t`${pair}: PnL below your threshold.`;
    case 'feesAbove':
      return l10n.t`${pair}: fees worth claiming.`;
  }
}
