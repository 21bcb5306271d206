import * as l10n from '@vscode/l10n';
import type { TemplateResult } from 'lit-html';
import { VirtualTable, type Column } from '../../shared/table/virtualTable';
import type { DistributionModel } from './model';
import { binMessages, type BinTextContext } from './messages';
import type { WorthBin } from './worth';

/** All bins of a pool as a table: what the picture shows, in figures. To be made once for a chart. */
export class BinTable {
  readonly #table = new VirtualTable<WorthBin>({ id: 'bins', label: l10n.t('Bins with liquidity'), keyOf: ({ binId }) => String(binId) });
  #language: BinTextContext | undefined;
  #columns: readonly Column<WorthBin>[] = [];

  /** The table of what the model holds now. */
  view({ language, weighed }: DistributionModel): TemplateResult<1> {
    if (language !== this.#language) {
      this.#language = language;
      this.#columns = columnsOf(language);
    }
    return this.#table.view({ rows: weighed.bins, columns: this.#columns, isMarked: ({ binId }) => binId === language.pool.activeBinId });
  }
}

function columnsOf(language: BinTextContext): readonly Column<WorthBin>[] {
  const { pool } = language;
  const wordsOf = (bin: WorthBin): ReturnType<typeof binMessages> => binMessages(bin.binId, bin, language);
  const column = (id: string, label: string, text: (bin: WorthBin) => string): Column<WorthBin> => ({
    id,
    label,
    align: 'end',
    text,
    cell: text,
  });
  return [
    {
      ...column('bin', 'Bin', (bin) => (bin.binId === pool.activeBinId ? l10n.t`${wordsOf(bin).bin} (active)` : wordsOf(bin).bin)),
      isRowName: true,
    },
    column(
      'price',
      l10n.t`Price, ${language.isPriceSwapped ? l10n.t`${pool.x.symbol} per ${pool.y.symbol}` : l10n.t`${pool.y.symbol} per ${pool.x.symbol}`}`,
      (bin) => wordsOf(bin).priceAlone,
    ),
    column('fromActive', l10n.t('From active'), (bin) => wordsOf(bin).fromActive ?? ''),
    column('y', pool.y.symbol, (bin) => wordsOf(bin).yAlone),
    column('x', pool.x.symbol, (bin) => wordsOf(bin).xAlone),
    column('worth', 'Worth', (bin) => wordsOf(bin).worth),
  ];
}
