import * as l10n from '@vscode/l10n';
import { PROTOCOL_OF } from '../../../service/common';
import type { Overview } from '../../../service/overview';
import { combineOverviews } from '../../../portfolio/combinedOverview';
import type { ReadScheduler } from '../../../portfolio/readScheduler';
import type { OverviewView, OverviewFigures } from '../../../protocol/overview';
import { LOADING, type Part } from '../../../protocol/schemas';
import { UserError } from '../../shell/errors';
import { Query } from '../query';
import type { OwnerReads } from './ownerReads';
import type { Clock } from '../../../base/async/clock';

export interface ProtocolOverviewsSource {
  readonly reads: OwnerReads;
  /** Whether the wallet has a known DAMM v2 position, open or closed. */
  readonly isDammV2Known: () => boolean;
  readonly changed: () => void;
  /** Interval of reads while the panel is visible, milliseconds. */
  readonly everyMs: number;
  readonly scheduler: ReadScheduler;
  readonly clock: Clock;
  readonly log: (level: 'debug' | 'info' | 'warn', message: string) => void;
}

/** An answer of the service; `undefined`: it has no data of the wallet in that protocol. */
interface Answer {
  readonly overview: Overview | undefined;
}

interface ProtocolReader {
  readonly name: string;
  readonly reader: Query<Answer>;
}

const DLMM = 'DLMM';
const DAMM_V2 = 'DAMM v2';

/**
 * The overview of a wallet over both protocols. The service reports one protocol at a time, so each is read separately: if one cannot be read, the
 * other is shown and names what is missing. DAMM v2 is not requested again while no such position is known and the service has none: some plans of
 * the service allow only five requests a minute.
 */
export class ProtocolOverviews {
  readonly #source: ProtocolOverviewsSource;
  readonly #dlmm: ProtocolReader;
  readonly #dammV2: ProtocolReader;
  readonly #all: readonly ProtocolReader[];
  /** The service was asked for DAMM v2 and has nothing. */
  #hasNoDammV2 = false;

  constructor(source: ProtocolOverviewsSource) {
    this.#source = source;
    const { clock, log, scheduler, everyMs, changed } = source;
    const reader = (name: string, read: (signal: AbortSignal) => Promise<Answer>): ProtocolReader => ({
      name,
      reader: new Query({ name: `the overview of ${name}`, read, changed, everyMs, clock, log, scheduler }),
    });
    this.#dlmm = reader(DLMM, (signal) => this.#readDlmm(signal));
    this.#dammV2 = reader(DAMM_V2, (signal) => this.#readDammV2(signal));
    this.#all = [this.#dlmm, this.#dammV2];
  }

  /** Both overviews combined. A ready part with `undefined` data: the service has nothing about the wallet. */
  get part(): Part<{ readonly overview: OverviewView | undefined }> {
    const answered = this.#all.flatMap(({ name, reader: { part } }) =>
      part.data === undefined ? [] : [{ name, part, overview: part.data.overview }],
    );
    const unanswered = this.#all.filter(({ reader }) => reader.part.data === undefined);
    const failed = unanswered.find(({ reader }) => reader.part.status === 'failed');
    const found = answered.flatMap(({ name, overview }) => (overview === undefined ? [] : [{ name: nameOf(overview, name), overview }]));
    const [first, ...others] = found;
    if (first === undefined && unanswered.length > 0) {
      const isLoading = unanswered.some(({ reader }) => reader.part.status === 'loading');
      return isLoading || failed === undefined
        ? LOADING
        : { status: 'failed', words: failed.reader.part.words, remedies: failed.reader.part.remedies };
    }
    const stale = answered.find(({ part }) => part.status === 'stale');
    const asOfMs = Math.min(...answered.flatMap(({ part }) => part.asOfMs ?? []));
    const combined =
      first === undefined ? undefined : overviewFiguresOf(combineOverviews([first.overview, ...others.map(({ overview }) => overview)]));
    const overview: OverviewView | undefined = combined && {
      ...combined,
      ofEach: found.map((one) => ({ name: one.name, figures: overviewFiguresOf(one.overview) })),
      none: answered.flatMap((one) => (one.overview === undefined ? [one.name] : [])),
      missing: unanswered.map(({ name, reader }) => ({ name, words: reader.part.words })),
    };
    return {
      status: stale === undefined ? 'ready' : 'stale',
      data: { overview },
      asOfMs,
      words: stale?.part.words,
      remedies: stale?.part.remedies,
    };
  }

  /** End of the last read of either, milliseconds since 1970; `undefined` before the first. */
  get readAtMs(): number | undefined {
    const ended = this.#all.flatMap(({ reader }) => reader.readAtMs ?? []);
    return ended.length === 0 ? undefined : Math.max(...ended);
  }

  /** The service's names of both protocols, as a filter for its other lists. Waits for the first answer, which contains them. Never rejects. */
  async protocols(): Promise<readonly string[]> {
    const { reader } = this.#dlmm;
    if (reader.part.status === 'loading') {
      await reader.ask();
    }
    return [...new Set([reader.part.data?.overview?.protocol ?? PROTOCOL_OF.dlmm, PROTOCOL_OF.dammV2])];
  }

  want(): void {
    this.#each((reader) => reader.want());
  }

  setVisible(isVisible: boolean): void {
    this.#each((reader) => reader.setVisible(isVisible));
  }

  /** Reads now, at the user's request. */
  async ask(): Promise<void> {
    this.#hasNoDammV2 = false;
    await Promise.all(this.#all.map(({ reader }) => reader.ask()));
  }

  /** Reads again only what failed. */
  async retry(): Promise<void> {
    const failed = this.#all.filter(({ reader }) => reader.part.status === 'failed' || reader.part.status === 'stale');
    await (failed.length === 0 ? this.ask() : Promise.all(failed.map(({ reader }) => reader.ask())));
  }

  /** The lists have changed: once a DAMM v2 position appears in them, the protocol is requested, even if the position is gone by then. */
  listsChanged(): void {
    this.#hasNoDammV2 &&= !this.#source.isDammV2Known();
  }

  /** Positions have been closed since the last read. */
  again(): void {
    this.#each((reader) => reader.again());
  }

  /** The wallet or service changed. */
  forget(): void {
    this.#hasNoDammV2 = false;
    this.#each((reader) => reader.forget());
  }

  dispose(): void {
    this.#each((reader) => reader.dispose());
  }

  #each(work: (reader: Query<Answer>) => void): void {
    this.#all.forEach(({ reader }) => work(reader));
  }

  async #readDlmm(signal: AbortSignal): Promise<Answer> {
    const { service, owner } = await this.#source.reads.open();
    return { overview: await service.overview({ owner }, { signal }) };
  }

  async #readDammV2(signal: AbortSignal): Promise<Answer> {
    const { reads, isDammV2Known } = this.#source;
    if (this.#hasNoDammV2 && !isDammV2Known()) {
      return { overview: undefined };
    }
    const { service, owner } = await reads.open();
    const protocol = PROTOCOL_OF.dammV2;
    const overview = await service.overview({ owner, protocol }, { signal });
    if (overview !== undefined && overview.protocol !== protocol) {
      // The service ignores the filter: adding its answer would count the same positions twice.
      throw new UserError(l10n.t('Not reported by the service.'));
    }
    // An open position that is not reported yet is reported once it is closed.
    this.#hasNoDammV2 = overview === undefined && !isDammV2Known();
    return { overview };
  }
}

/** The protocol's display name; an unknown one keeps the service's name. */
function nameOf({ protocol }: Overview, asked: string): string {
  switch (protocol) {
    case undefined:
      return asked;
    case PROTOCOL_OF.dlmm:
      return DLMM;
    case PROTOCOL_OF.dammV2:
      return DAMM_V2;
    default:
      return protocol;
  }
}

/** Converts an overview to the panel's format, with every field of the record. */
function overviewFiguresOf({ firstActivity, lastActivity, updatedAt, ...figures }: Overview): OverviewFigures {
  return {
    ...figures,
    firstActivityMs: firstActivity?.getTime(),
    lastActivityMs: lastActivity?.getTime(),
    updatedAtMs: updatedAt?.getTime(),
  };
}
