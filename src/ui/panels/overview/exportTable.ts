import type { Money } from '../../../service/common';
import type { ClosedPosition } from '../../../service/positions';

/** Content of a field: text from the network or a number; `undefined`: not known. */
export type Cell = string | number | undefined;

/**
 * Where spreadsheets may interpret text as a formula: at its beginning, or after another column separator than the comma, also behind spaces. The
 * last characters are full-width forms of the same signs. Apostrophes are escaped too, so the ones that are added can be told apart and removed.
 */
const FORMULA = /(^|[,;|\t\r\n])([ \u00a0]*)(?=['=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Prevents spreadsheets from interpreting text as a formula, by an apostrophe before anything that could start one. */
export function withoutFormulas(text: string): string {
  return text.replace(FORMULA, "$1$2'");
}

/** Writes a table as CSV (RFC 4180): a header line, CR LF line ends, fields quoted where necessary, numbers with all their digits. */
export function writeCsv(names: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [names, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

function field(cell: Cell): string {
  return typeof cell === 'string' ? quoted(withoutFormulas(cell)) : String(cell ?? '');
}

function quoted(text: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A column of the exported history: its name, including the unit, and its content. */
type Column = readonly [name: string, cell: (position: ClosedPosition) => Cell];

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
];

/** Writes closed positions as CSV, numbers with all their digits. */
export function closedAsCsv(positions: readonly ClosedPosition[]): string {
  return writeCsv(
    COLUMNS.map(([name]) => name),
    positions.map((position) => COLUMNS.map(([, cell]) => cell(position))),
  );
}

/** Writes closed positions as a JSON array of records with the same names; unknown values are null. */
export function closedAsJson(positions: readonly ClosedPosition[]): string {
  const records = positions.map((position) => Object.fromEntries(COLUMNS.map(([name, cell]) => [name, cell(position) ?? null])));
  return `${JSON.stringify(records, undefined, 2)}\n`;
}
