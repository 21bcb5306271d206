import * as l10n from '@vscode/l10n';
import type { Clock } from '../../../base/async/clock';
import { Slices } from '../../../base/async/slices';
import { counted } from '../../../base/format/counted';
import { csvLines, type CsvCell } from '../../../base/format/csv';
import { count } from '../../../base/format/numbers';
import { asError } from '../../../base/thrown';
import type { DateRange, ExportProgress, HistoryFormat } from '../../../protocol/overview';
import { exportCsv, type ExportEntry, type ExportFormat, withFeesTakenOff } from '../../../base/insight/export';
import { mergedMovements, movementsOf } from '../../../transactions/earnings/movements';
import type { Money } from '../../../service/common';
import type { ClosedPosition } from '../../../service/positions';
import type { EditorActions } from '../../shell/editorAccess';
import { UserError } from '../../shell/errors';
import type { Prompts } from '../../shell/prompts/prompts';
import { errorSentence } from '../query';
import type { ReadClosedEarnings } from './closedEarnings';
import { type ClosedPages, type ReadClosedPage, retryLater } from './closedPages';
import type { ClosedTable } from './closedTable';
import { newestFirst } from './closedView';

/** A column of the exported history: its name, including the unit, and its content. */
type Column = readonly [name: string, cell: (position: ClosedPosition) => CsvCell];

const iso = (at: Date | undefined): string | undefined => at?.toISOString();

/** Two columns: the figure in US dollars and in SOL. */
function both(name: string, figure: (position: ClosedPosition) => Money, ending = ''): readonly Column[] {
  return [
    [`${name}${ending}_usd`, (position) => figure(position).usd],
    [`${name}${ending}_sol`, (position) => figure(position).native],
  ];
}

/** Times are ISO 8601 in UTC, ages in hours, percentages in percent, the daily return a fraction; unknown values are empty. */
const COLUMNS: readonly Column[] = [
  ['closed_at', ({ closedAt }) => iso(closedAt)],
  ['opened_at', ({ createdAt }) => iso(createdAt)],
  ['pair', ({ pairName }) => pairName],
  ['token0', ({ token0 }) => token0.symbol],
  ['token1', ({ token1 }) => token1.symbol],
  ['protocol', ({ protocol }) => protocol],
  ['strategy', ({ strategy }) => strategy],
  ['age_hours', ({ ageHours }) => ageHours],
  ...both('input', ({ input }) => input),
  ...both('output', ({ output }) => output),
  ...both('fee', ({ fee }) => fee),
  ...both('fee', ({ feePercent }) => feePercent, '_percent'),
  ...both('reward', ({ collectedReward }) => collectedReward),
  ...both('pnl', ({ pnl }) => pnl),
  ...both('pnl', ({ pnlPercent }) => pnlPercent, '_percent'),
  ...both('daily_return', ({ dailyReturn }) => dailyReturn),
  ['audited_in_sol', ({ audited }) => audited.solIn],
  ['audited_out_sol', ({ audited }) => audited.solOut],
  ['audited_pnl_sol', ({ audited }) => audited.pnlNative],
  ['lower_bin', ({ lowerBinId }) => lowerBinId],
  ['upper_bin', ({ upperBinId }) => upperBinId],
  ['bin_step_bps', ({ binStepBps }) => binStepBps],
  ['followed_label', ({ followed }) => followed?.label],
  ['followed_owner', ({ followed }) => followed?.owner],
  ['followed_position', ({ followed }) => followed?.position],
  ['position', ({ address }) => address],
  ['pool', ({ pool }) => pool],
  ['token0_address', ({ token0 }) => token0.address],
  ['token1_address', ({ token1 }) => token1.address],
  ['owner', ({ owner }) => owner],
  ['fee_is_estimate', ({ isFeeEstimate }) => (isFeeEstimate === true ? 'yes' : undefined)],
  ['doubt', ({ doubt }) => doubt],
];

/** Formats with a row a position. */
type FigureFormat = Exclude<HistoryFormat, ExportFormat>;

/** Positions that are written in one go. */
const LOT = 100;

/**
 * Writes closed positions in slices, numbers with all their digits: as CSV, or as a JSON array of records with the same names, in which unknown
 * values are null. In UTF-8: 100,000 positions take more than 100 MB, which as one text would be there twice. @throws the signal's reason
 */
async function closedAsBytes(table: ClosedTable, rows: readonly number[], format: FigureFormat, signal: AbortSignal): Promise<Uint8Array> {
  const slices = new Slices();
  const encoder = new TextEncoder();
  const names = csvLines([COLUMNS.map(([name]) => name)]);
  const parts: Uint8Array[] = [encoder.encode(format === 'csv' ? names : '[\n')];
  for (let from = 0; from < rows.length; from += LOT) {
    await slices.yieldIfDue();
    signal.throwIfAborted();
    const positions = rows.slice(from, from + LOT).map((row) => table.at(row));
    parts.push(encoder.encode(format === 'csv' ? closedAsCsv(positions) : `${from === 0 ? '' : ',\n'}${closedAsJson(positions)}`));
  }
  parts.push(encoder.encode(format === 'csv' ? '' : '\n]\n'));
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    await slices.yieldIfDue();
    signal.throwIfAborted();
    all.set(part, end);
    end += part.length;
  }
  return all;
}

function closedAsCsv(positions: readonly ClosedPosition[]): string {
  return csvLines(positions.map((position) => COLUMNS.map(([, cell]) => cell(position))));
}

/** Records without the brackets of their array. */
function closedAsJson(positions: readonly ClosedPosition[]): string {
  const records = positions.map((position) => Object.fromEntries(COLUMNS.map(([name, cell]) => [name, cell(position) ?? null])));
  return JSON.stringify(records, undefined, 2).slice(2, -2);
}

export interface ExportDependencies {
  readonly clock: Clock;
  readonly prompts: Pick<Prompts, 'notify'>;
  readonly actions: Pick<EditorActions, 'saveText'>;
  readonly readEarnings: ReadClosedEarnings;
  /** Called with the progress; `undefined` when no export is running. */
  readonly changed: (progress: ExportProgress | undefined) => void;
  readonly log: (level: 'debug' | 'info' | 'warn', message: string) => void;
}

export interface ExportRequest {
  readonly format: HistoryFormat;
  readonly range: DateRange;
  /** Pages already loaded. */
  readonly pages: ClosedPages;
  readonly read: (signal: AbortSignal) => ReadClosedPage;
}

/** Abort reason of a canceled export. An export whose panel is closed while the save dialog is open is aborted without it, and still saved. */
const CANCELED = 'canceled';

/** Exports all closed positions of a range to a file: all or nothing, one export at a time. */
export class HistoryExport {
  readonly #dependencies: ExportDependencies;
  #running: AbortController | undefined;
  #isDisposed = false;
  #progress: ExportProgress | undefined;

  constructor(dependencies: ExportDependencies) {
    this.#dependencies = dependencies;
  }

  get progress(): ExportProgress | undefined {
    return this.#progress;
  }

  /** Runs an export; does nothing while another one is running. Never rejects. */
  async run(request: ExportRequest): Promise<void> {
    if (this.#running !== undefined || this.#isDisposed) {
      return;
    }
    const abort = new AbortController();
    this.#running = abort;
    try {
      await this.#readAll(request, abort.signal);
      await this.#save(request, abort.signal);
    } catch (thrown) {
      if (!abort.signal.aborted) {
        this.#failed(asError(thrown), request);
      }
    } finally {
      this.#ended(abort);
    }
  }

  /** Cancels the export: nothing is saved. */
  cancel(): void {
    if (this.#running !== undefined) {
      this.#running.abort(CANCELED);
      this.#ended(this.#running);
    }
  }

  /** Cancels the export and tells the user why. */
  giveUp(reason: string): void {
    if (this.#running !== undefined) {
      this.cancel();
      void this.#dependencies.prompts.notify({ severity: 'warning', message: l10n.t`Export failed. ${reason} Nothing was saved.` });
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#running?.abort();
    this.#running = undefined;
  }

  async #readAll({ format, pages, read }: ExportRequest, signal: AbortSignal): Promise<void> {
    const one = async (readOn: (page: ReadClosedPage) => Promise<void>): Promise<void> => {
      await retryLater(this.#dependencies.clock, signal, () => readOn(read(signal)));
      signal.throwIfAborted();
      this.#become({ format, rows: pages.count, totalCount: pages.totalCount });
    };
    this.#become({ format, rows: pages.count, totalCount: pages.totalCount });
    await one((page) => pages.catchUp(page));
    while (pages.hasMore) {
      if (pages.isFull) {
        throw new UserError(l10n.t`More than ${counted(pages.count, 'position')} in these days. Choose fewer days.`);
      }
      await one((page) => pages.readNext(page));
    }
    if (pages.totalCount !== undefined && pages.count < pages.totalCount) {
      // Positions were closed meanwhile.
      await one((page) => pages.catchUp(page));
    }
  }

  async #save(request: ExportRequest, signal: AbortSignal): Promise<void> {
    const { format, pages, range } = request;
    const { prompts, clock } = this.#dependencies;
    if (pages.count === 0) {
      void prompts.notify({ severity: 'info', message: l10n.t('No positions closed on these days.') });
      return;
    }
    const rows = await newestFirst(pages.table, pages.rows(), signal);
    if (format === 'koinly' || format === 'cointracking') {
      await this.#saveMovements(format, rows, request, signal);
      return;
    }
    const text = await closedAsBytes(pages.table, rows, format, signal);
    const file = {
      title: l10n.t`Save ${counted(pages.count, 'position')}`,
      name: fileName(range, clock.now(), format),
      text,
      isWanted: () => signal.reason !== CANCELED,
    };
    const name = await this.#write(file);
    if (name === undefined) {
      return;
    }
    const counts = pages.totalCount ?? pages.count;
    void prompts.notify(
      pages.count >= counts
        ? { severity: 'info', message: l10n.t`Exported ${counted(pages.count, 'position')} to ${name}.` }
        : { severity: 'warning', message: l10n.t`Exported only ${count(pages.count)} of ${counted(counts, 'position')}. See the log.` },
    );
  }

  /** Writes what the transactions of the positions moved. Those of which they are not all known are left out, and counted. */
  async #saveMovements(
    format: ExportFormat,
    rows: readonly number[],
    { pages: { table }, range }: ExportRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const { prompts, clock, readEarnings } = this.#dependencies;
    const entries: ExportEntry[] = [];
    let leftOut = 0;
    for (const [index, row] of rows.entries()) {
      this.#become({ format, rows: index, totalCount: rows.length });
      const position = table.at(row);
      const earned = await readEarnings(position, { signal, mayReadMany: true });
      signal.throwIfAborted();
      if (!earned.known && earned.why === 'noRpc') {
        throw new UserError(l10n.t('Only the chain knows the transactions. Connect to a Solana RPC.'));
      }
      const moved = movementsIn(position, earned);
      entries.push(...(moved ?? []));
      leftOut += moved === undefined ? 1 : 0;
    }
    if (entries.length === 0) {
      throw new UserError(notWhole(rows.length));
    }
    const movements = mergedMovements(entries);
    const name = await this.#write({
      title: l10n.t`Save ${counted(movements.length, 'transaction')}`,
      name: fileName(range, clock.now(), format),
      text: new TextEncoder().encode(exportCsv(format, withFeesTakenOff(format, movements))),
      isWanted: () => signal.reason !== CANCELED,
    });
    if (name !== undefined) {
      const saved = `${l10n.t`Exported ${counted(movements.length, 'transaction')} to ${name}.`} ${l10n.t('Movements with times in UTC, not tax advice.')}`;
      void prompts.notify(
        leftOut === 0 ? { severity: 'info', message: saved } : { severity: 'warning', message: `${saved} ${notWhole(leftOut)}` },
      );
    }
  }

  /** @returns its name; `undefined`: the user did not want it */
  async #write(file: Parameters<EditorActions['saveText']>[0]): Promise<string | undefined> {
    return this.#dependencies.actions.saveText(file).catch((error: unknown) => {
      throw new UserError(l10n.t`The file could not be written: ${asError(error).message}.`);
    });
  }

  #failed(error: Error, request: ExportRequest): void {
    const { prompts, log } = this.#dependencies;
    log('warn', `Exporting the history failed: ${error.message}`);
    void prompts
      .notify({
        severity: 'error',
        message: l10n.t`Export failed. ${errorSentence(error)} Nothing was saved.`,
        actions: [l10n.t('Try Again')],
      })
      .then((pressed) => (pressed === undefined ? undefined : this.run(request)));
  }

  #become(progress: ExportProgress | undefined): void {
    this.#progress = progress;
    this.#dependencies.changed(progress);
  }

  #ended(abort: AbortController): void {
    if (this.#running === abort) {
      this.#running = undefined;
      this.#become(undefined);
    }
  }
}

/** That positions are not in the export. */
function notWhole(positions: number): string {
  return l10n.t`${counted(positions, 'position')} left out: not all of their transactions are known.`;
}

/** What the transactions of a position moved; `undefined`: not known. */
function movementsIn(
  { pairName, token0, token1 }: ClosedPosition,
  earned: Awaited<ReturnType<ReadClosedEarnings>>,
): readonly ExportEntry[] | undefined {
  const tokens = [token0, token1].flatMap(({ address, symbol, decimals }) =>
    address === undefined || decimals === undefined ? [] : [{ mint: address, symbol, decimals }],
  );
  return earned.known || earned.why === 'priceNotKnown' ? movementsOf(earned.transactions, { pairName, tokens }) : undefined;
}

/** For example "binsight-closed-2026-11-01-to-2026-11-20-154407.csv": a valid name on every system. */
function fileName({ from, to }: DateRange, nowMs: number, format: HistoryFormat): string {
  const [today = '', time = ''] = new Date(nowMs).toISOString().split('T');
  const days = from === undefined ? `until-${to ?? today}` : `${from}-to-${to ?? today}`;
  const stamp = `${days}-${time.slice(0, 8).replaceAll(':', '')}`;
  return format === 'csv' || format === 'json' ? `binsight-closed-${stamp}.${format}` : `binsight-${format}-${stamp}.csv`;
}
