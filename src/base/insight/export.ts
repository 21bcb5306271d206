import { csvLines } from '../format/csv';
import { formatRaw } from '../solana/amounts';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../solana/programs';

/** Programs that read exported transactions. */
export const EXPORT_FORMATS = ['koinly', 'cointracking'] as const;

/** One of {@link EXPORT_FORMATS}. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** An amount of a token that moved. */
export interface Movement {
  /** Not unique: the mint goes into the description. */
  readonly symbol: string;
  readonly mint: string;
  readonly raw: bigint;
  readonly decimals: number;
}

/** What one transaction moved. */
export interface ExportEntry {
  readonly timeS: number;
  readonly signature: string;
  /** What the user did, in words. */
  readonly what: string;
  readonly sent: readonly Movement[];
  readonly received: readonly Movement[];
  /** Fees that a position earned. */
  readonly rewards: readonly Movement[];
  readonly feeLamports: bigint;
  /** Fees that are rows of their own ({@link withFeesTakenOff}). */
  readonly costs?: readonly Movement[] | undefined;
}

/** A line of a file: at most one movement each way. */
interface Row {
  readonly entry: ExportEntry;
  readonly kind: 'trade' | 'sent' | 'received' | 'reward' | 'fee' | 'cost';
  readonly sent?: Movement | undefined;
  readonly received?: Movement | undefined;
  readonly feeLamports: bigint;
}

const SOL = 'SOL';
const PLATFORM = 'Binsight';

/** The header and the cells of each format. Columns: Koinly "Universal" and CoinTracking "Custom Exchange Import", as both publish them. */
const LAYOUTS: Readonly<Record<ExportFormat, { readonly header: readonly string[]; readonly cells: (row: Row) => readonly string[] }>> = {
  koinly: {
    header: [
      'Date',
      'Sent Amount',
      'Sent Currency',
      'Received Amount',
      'Received Currency',
      'Fee Amount',
      'Fee Currency',
      'Net Worth Amount',
      'Net Worth Currency',
      'Label',
      'Description',
      'TxHash',
    ],
    cells: (row) => [
      `${timeOf(row.entry)} UTC`,
      ...amountCells(row.sent),
      ...amountCells(row.received),
      ...feeCells(row.feeLamports),
      '',
      '',
      KOINLY_LABELS[row.kind],
      description(row),
      row.entry.signature,
    ],
  },
  cointracking: {
    header: ['Type', 'Buy', 'Cur.', 'Sell', 'Cur.', 'Fee', 'Cur.', 'Exchange', 'Group', 'Comment', 'Date', 'Tx-ID'],
    cells: (row) => [
      COINTRACKING_TYPES[row.kind],
      ...amountCells(row.received),
      // A fee without a movement is what was sold.
      ...(row.kind === 'fee' ? [...feeCells(row.feeLamports), '', ''] : [...amountCells(row.sent), ...feeCells(row.feeLamports)]),
      PLATFORM,
      '',
      description(row),
      timeOf(row.entry),
      row.entry.signature,
    ],
  },
};

/** Koinly sets its own tags for liquidity. */
const KOINLY_LABELS: Readonly<Record<Row['kind'], string>> = {
  trade: '',
  sent: '',
  received: '',
  reward: 'reward',
  fee: 'cost',
  cost: 'cost',
};
const COINTRACKING_TYPES: Readonly<Record<Row['kind'], string>> = {
  trade: 'Trade',
  sent: 'Withdrawal',
  received: 'Deposit',
  reward: 'Income',
  fee: 'Other Fee',
  cost: 'Other Fee',
};

/**
 * Writes movements as a file for a tax program: a trade of one token for one other is a row, everything else a row a token, and the network fee
 * stands in the first row of its transaction. It says what moved, not how it is taxed.
 */
export function exportCsv(format: ExportFormat, entries: readonly ExportEntry[]): string {
  const { header, cells } = LAYOUTS[format];
  return csvLines([header, ...entries.flatMap((entry) => rowsOf(entry).map(cells))]);
}

/**
 * Makes fees rows of their own where the program would not take them off the balance of the wallet, so that its balance becomes that of the wallet.
 * Koinly: a deposit cannot have a fee, nor can a row have a fee alone ("What are transactions in Koinly": a withdrawal with the tag Cost instead).
 * CoinTracking: the fee of a row only informs, amounts are with fees ("Entering fees": a row of the type Other Fee instead); and rows with one Tx-ID
 * may count as one, so that later rows of a transaction have a number behind it.
 */
export function withFeesTakenOff(format: ExportFormat, entries: readonly ExportEntry[]): readonly ExportEntry[] {
  return entries.flatMap((entry) => {
    const hasOwnRow = format === 'cointracking' || !entry.sent.some(({ raw }) => raw > 0n);
    const taken = hasOwnRow ? { ...entry, feeLamports: 0n, costs: [feeMovement(entry.feeLamports)] } : entry;
    return format === 'koinly' ? [taken] : rowsOf(taken).map(entryOfRow);
  });
}

/** A row as an entry of its own. @param place in its transaction, from 0 */
function entryOfRow({ entry, kind, sent, received }: Row, place: number): ExportEntry {
  const [isReward, isCost] = [kind === 'reward', kind === 'cost'];
  return {
    timeS: entry.timeS,
    signature: place === 0 ? entry.signature : `${entry.signature}.${place + 1}`,
    what: entry.what,
    sent: isCost ? [] : listOf(sent),
    received: isReward ? [] : listOf(received),
    rewards: isReward ? listOf(received) : [],
    feeLamports: 0n,
    costs: isCost ? listOf(sent) : [],
  };
}

function feeMovement(raw: bigint): Movement {
  return { symbol: SOL, mint: WRAPPED_SOL_MINT, raw, decimals: SOL_DECIMALS };
}

function listOf(movement: Movement | undefined): readonly Movement[] {
  return movement === undefined ? [] : [movement];
}

function rowsOf(entry: ExportEntry): readonly Row[] {
  const all = [entry.sent, entry.received, entry.rewards, entry.costs ?? []];
  const [sent, received, rewards, costs] = all.map((some) => some.filter(({ raw }) => raw > 0n));
  const movements: readonly Omit<Row, 'feeLamports'>[] = [
    ...(sent?.length === 1 && received?.length === 1
      ? [{ entry, kind: 'trade', sent: sent[0], received: received[0] } as const]
      : [
          ...(sent ?? []).map((one) => ({ entry, kind: 'sent', sent: one }) as const),
          ...(received ?? []).map((one) => ({ entry, kind: 'received', received: one }) as const),
        ]),
    ...(rewards ?? []).map((one) => ({ entry, kind: 'reward', received: one }) as const),
    ...(costs ?? []).map((one) => ({ entry, kind: 'cost', sent: one }) as const),
  ];
  if (movements.length === 0) {
    return entry.feeLamports > 0n ? [{ entry, kind: 'fee', feeLamports: entry.feeLamports }] : [];
  }
  return movements.map((row, index) => ({ ...row, feeLamports: index === 0 ? entry.feeLamports : 0n }));
}

function amountCells(movement: Movement | undefined): readonly string[] {
  return movement === undefined ? ['', ''] : [formatRaw(movement.raw, movement.decimals), movement.symbol];
}

function feeCells(lamports: bigint): readonly string[] {
  return lamports > 0n ? [formatRaw(lamports, SOL_DECIMALS), SOL] : ['', ''];
}

/** Tickers collide, mints do not. */
function description({ entry, sent, received }: Row): string {
  return [entry.what, ...[sent, received].flatMap((one) => (one === undefined ? [] : [one.mint]))].join(' ');
}

/** "2026-11-01 22:20:05", UTC. */
function timeOf({ timeS }: ExportEntry): string {
  return new Date(timeS * 1_000).toISOString().slice(0, 19).replace('T', ' ');
}
