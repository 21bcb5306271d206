import type { HistoryColumn } from '../../../protocol/overview';
import type { CurrencyView } from '../../../protocol/schemas';
import type { Money, Token } from '../../../service/common';
import type { ClosedPosition } from '../../../service/positions';

/** What many positions have in common: kept once for all of them. */
type ClosedKind = Pick<
  ClosedPosition,
  'owner' | 'pool' | 'pairName' | 'token0' | 'token1' | 'protocol' | 'poolType' | 'strategy' | 'doubt' | 'isFeeEstimate'
> & { readonly followed: Omit<NonNullable<ClosedPosition['followed']>, 'position'> | undefined };

/** A kind with the texts by which it is sorted and found, in lower case. */
interface KnownKind extends ClosedKind {
  readonly sortName: string;
  readonly searched: string;
}

/** The figures of a position, in the order in which a row holds them. Times are milliseconds since 1970. */
const FIGURES = [
  'inputUsd',
  'inputNative',
  'outputUsd',
  'outputNative',
  'collectedFeeUsd',
  'collectedFeeNative',
  'collectedRewardUsd',
  'collectedRewardNative',
  'pnlUsd',
  'pnlNative',
  'pnlPercentUsd',
  'pnlPercentNative',
  'dailyReturnUsd',
  'dailyReturnNative',
  'feeUsd',
  'feeNative',
  'feePercentUsd',
  'feePercentNative',
  'ageHours',
  'createdAtMs',
  'updatedAtMs',
  'closedAtMs',
  'lowerBinId',
  'upperBinId',
  'binStepBps',
  'auditedSolIn',
  'auditedSolOut',
  'auditedPnlNative',
] as const;
export type ClosedFigure = (typeof FIGURES)[number];
const PLACE = Object.fromEntries(FIGURES.map((name, index) => [name, index])) as Readonly<Record<ClosedFigure, number>>;
const WIDTH = FIGURES.length;

/** The figure of a column in a currency. */
export const FIGURE_OF: Readonly<Record<Exclude<HistoryColumn, 'pairName'>, Readonly<Record<CurrencyView, ClosedFigure>>>> = {
  closedAtMs: { usd: 'closedAtMs', native: 'closedAtMs' },
  ageHours: { usd: 'ageHours', native: 'ageHours' },
  input: { usd: 'inputUsd', native: 'inputNative' },
  output: { usd: 'outputUsd', native: 'outputNative' },
  fee: { usd: 'feeUsd', native: 'feeNative' },
  pnl: { usd: 'pnlUsd', native: 'pnlNative' },
  pnlPercent: { usd: 'pnlPercentUsd', native: 'pnlPercentNative' },
  dailyReturn: { usd: 'dailyReturnUsd', native: 'dailyReturnNative' },
};

/** Rows of a block: a power of two. */
const BLOCK_BITS = 10;
const BLOCK = 1 << BLOCK_BITS;

/** Rows that lie together. Unknown figures are NaN. */
interface Block {
  readonly figures: Float64Array;
  readonly rows: Texts[];
}

/** What a row has besides figures. */
interface Texts {
  /** Identifies the position among the rows. */
  readonly key: string;
  readonly kind: KnownKind;
  /** Of the position as the service reports it. */
  readonly itsKey: string;
  readonly address: ClosedPosition['address'];
  readonly followedPosition: NonNullable<ClosedPosition['followed']>['position'];
}

/**
 * Closed positions in little memory: 100,000 take about 40 MB instead of 200 MB, and the garbage collector has few objects to visit. Rows are
 * numbered from 0 and never change, so they can be read while others are added.
 */
export class ClosedTable {
  readonly #blocks: Block[] = [];
  readonly #kinds = new Map<string, KnownKind>();
  #count = 0;

  /** Number of rows. */
  get count(): number {
    return this.#count;
  }

  /** Adds a position. @param key identifies it among the rows @returns its row */
  add(key: string, position: ClosedPosition): number {
    const row = this.#count;
    const place = row & (BLOCK - 1);
    if (place === 0) {
      this.#blocks.push({ figures: new Float64Array(BLOCK * WIDTH), rows: [] });
    }
    const block = this.#blockOf(row);
    block.figures.set(figuresOf(position), place * WIDTH);
    block.rows.push({
      key,
      kind: this.#kindOf(position),
      itsKey: position.key,
      address: position.address,
      followedPosition: position.followed?.position,
    });
    this.#count += 1;
    return row;
  }

  /** A figure of a row; NaN if it is not known. */
  figure(row: number, name: ClosedFigure): number {
    return this.#blocks[row >> BLOCK_BITS]?.figures[(row & (BLOCK - 1)) * WIDTH + PLACE[name]] ?? NaN;
  }

  key(row: number): string {
    return this.#texts(row).key;
  }

  /** The name of the pair in lower case. */
  sortName(row: number): string {
    return this.#texts(row).kind.sortName;
  }

  poolType(row: number): ClosedPosition['poolType'] {
    return this.#texts(row).kind.poolType;
  }

  /** Whether each of these words, in lower case, is in one of the row's texts. */
  hasWords(row: number, words: readonly string[]): boolean {
    const { kind, address } = this.#texts(row);
    return words.every((word) => kind.searched.includes(word) || address?.toLowerCase().includes(word) === true);
  }

  /** Whether the row has exactly this content. */
  equals(row: number, position: ClosedPosition): boolean {
    const { kind, itsKey, address, followedPosition } = this.#texts(row);
    const isSameText =
      itsKey === position.key &&
      address === position.address &&
      followedPosition === position.followed?.position &&
      kind === this.#kindOf(position);
    return isSameText && figuresOf(position).every((figure, index) => Object.is(figure, this.figure(row, FIGURES[index] ?? 'inputUsd')));
  }

  /** The position of a row. */
  at(row: number): ClosedPosition {
    const { kind, itsKey, address, followedPosition } = this.#texts(row);
    const { sortName: _sortName, searched: _searched, followed, ...common } = kind;
    const known = (name: ClosedFigure): number | undefined => {
      const figure = this.figure(row, name);
      return Number.isNaN(figure) ? undefined : figure;
    };
    const date = (name: ClosedFigure): Date | undefined => {
      const atMs = known(name);
      return atMs === undefined ? undefined : new Date(atMs);
    };
    const money = (usd: ClosedFigure, native: ClosedFigure): Money => ({ usd: known(usd), native: known(native) });
    return {
      key: itsKey,
      address,
      ...common,
      lowerBinId: known('lowerBinId'),
      upperBinId: known('upperBinId'),
      binStepBps: known('binStepBps'),
      input: money('inputUsd', 'inputNative'),
      output: money('outputUsd', 'outputNative'),
      collectedFee: money('collectedFeeUsd', 'collectedFeeNative'),
      collectedReward: money('collectedRewardUsd', 'collectedRewardNative'),
      pnl: money('pnlUsd', 'pnlNative'),
      pnlPercent: money('pnlPercentUsd', 'pnlPercentNative'),
      dailyReturn: money('dailyReturnUsd', 'dailyReturnNative'),
      ageHours: known('ageHours'),
      createdAt: date('createdAtMs'),
      updatedAt: date('updatedAtMs'),
      closedAt: date('closedAtMs'),
      fee: money('feeUsd', 'feeNative'),
      feePercent: money('feePercentUsd', 'feePercentNative'),
      audited: { solIn: known('auditedSolIn'), solOut: known('auditedSolOut'), pnlNative: known('auditedPnlNative') },
      followed: followed === undefined ? undefined : { ...followed, position: followedPosition },
    };
  }

  /** An independent copy. Full blocks are shared: they never change. */
  copy(): ClosedTable {
    const copy = new ClosedTable();
    for (const block of this.#blocks) {
      copy.#blocks.push(block.rows.length === BLOCK ? block : { figures: block.figures.slice(), rows: [...block.rows] });
    }
    this.#kinds.forEach((kind, name) => copy.#kinds.set(name, kind));
    copy.#count = this.#count;
    return copy;
  }

  #blockOf(row: number): Block {
    const block = this.#blocks[row >> BLOCK_BITS];
    if (block === undefined) {
      throw new RangeError(`There is no row ${row}`);
    }
    return block;
  }

  #texts(row: number): Texts {
    const texts = this.#blockOf(row).rows[row & (BLOCK - 1)];
    if (texts === undefined) {
      throw new RangeError(`There is no row ${row}`);
    }
    return texts;
  }

  #kindOf(position: ClosedPosition): KnownKind {
    const { owner, pool, pairName, token0, token1, protocol, poolType, strategy, followed, doubt, isFeeEstimate } = position;
    const name = JSON.stringify([
      ...[owner, pool, pairName, protocol, poolType, strategy, doubt, isFeeEstimate],
      ...[token0, token1].map((token) => [token.address, token.symbol, token.name, token.decimals]),
      followed === undefined ? 0 : [followed.owner, followed.label],
    ]);
    const known = this.#kinds.get(name);
    if (known !== undefined) {
      return known;
    }
    const kind: KnownKind = {
      owner,
      pool,
      pairName,
      protocol,
      poolType,
      strategy,
      ...(doubt === undefined ? {} : { doubt }),
      ...(isFeeEstimate === undefined ? {} : { isFeeEstimate }),
      token0: copyOf(token0),
      token1: copyOf(token1),
      followed: followed === undefined ? undefined : { owner: followed.owner, label: followed.label },
      sortName: pairName.toLowerCase(),
      searched: [pairName, strategy, pool, followed?.label, followed?.owner]
        .filter((part) => part !== undefined)
        .join('\n')
        .toLowerCase(),
    };
    this.#kinds.set(name, kind);
    return kind;
  }
}

function copyOf({ address, symbol, name, decimals }: Token): Token {
  return { address, symbol, name, decimals };
}

/** The figures in the order of {@link FIGURES}. */
function figuresOf(position: ClosedPosition): readonly number[] {
  const { input, output, collectedFee, collectedReward, pnl, pnlPercent, dailyReturn, fee, feePercent, audited } = position;
  return [
    ...[input, output, collectedFee, collectedReward, pnl, pnlPercent, dailyReturn, fee, feePercent].flatMap(({ usd, native }) => [
      usd,
      native,
    ]),
    ...[position.ageHours, position.createdAt?.getTime(), position.updatedAt?.getTime(), position.closedAt?.getTime()],
    ...[position.lowerBinId, position.upperBinId, position.binStepBps],
    ...[audited.solIn, audited.solOut, audited.pnlNative],
  ].map((figure) => figure ?? NaN);
}
