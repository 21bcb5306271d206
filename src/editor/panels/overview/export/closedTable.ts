import type { Money } from '../../../../api/records/money';
import type { ClosedPosition } from '../../../../api/records/position';
import { writeCsv, type Cell } from './csv';

/** A column of the exported history: its name, with the unit, and what stands in it. */
type Column = readonly [name: string, cell: (position: ClosedPosition) => Cell];

const iso = (at: Date | undefined): string | undefined => at?.toISOString();

/** A figure in both currencies, or both currencies' percentages. */
function both(name: string, figure: (position: ClosedPosition) => Money, ending = ''): readonly Column[] {
  return [
    [`${name}${ending}_usd`, (position) => figure(position).usd],
    [`${name}${ending}_sol`, (position) => figure(position).native],
  ];
}

/** Times are ISO 8601 in UTC, ages hours, percentages percent, the daily return a fraction; what is not known is empty. */
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

/** Writes closed positions as a table; every number with all its digits. */
export function closedAsCsv(positions: readonly ClosedPosition[]): string {
  return writeCsv(
    COLUMNS.map(([name]) => name),
    positions.map((position) => COLUMNS.map(([, cell]) => cell(position))),
  );
}

/** Writes closed positions as a JSON list of records with the same names; what is not known is null. */
export function closedAsJson(positions: readonly ClosedPosition[]): string {
  const records = positions.map((position) => Object.fromEntries(COLUMNS.map(([name, cell]) => [name, cell(position) ?? null])));
  return `${JSON.stringify(records, undefined, 2)}\n`;
}
