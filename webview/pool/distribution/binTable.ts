import * as l10n from '@vscode/l10n';
import type { TemplateResult } from 'lit-html';
import { VirtualTable, type Column } from '../../shared/table/virtualTable';
import type { DistributionModel } from './model';
import { binMessages, type BinTextContext } from './messages';
import type { WorthBin } from './worth';

/** The chart's bins as a table. Create once per chart. */
export class BinTable {
  readonly #table = new VirtualTable<WorthBin>({ id: 'bins', label: l10n.t('Bins with liquidity'), keyOf: ({ binId }) => String(binId) });
  #language: BinTextContext | undefined;
  #columns: readonly Column<WorthBin>[] = [];

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
  const textOf = (bin: WorthBin): ReturnType<typeof binMessages> => binMessages(bin.binId, bin, language);
  const column = (id: string, label: string, text: (bin: WorthBin) => string): Column<WorthBin> => ({
    id,
    label,
    align: 'end',
    text,
    cell: text,
  });
  return [
    {
      ...column('bin', l10n.t('Bin'), (bin) => (bin.binId === pool.activeBinId ? l10n.t`${textOf(bin).bin} (active)` : textOf(bin).bin)),
      isRowName: true,
    },
    column(
      'price',
      l10n.t`Price, ${language.isPriceSwapped ? l10n.t`${pool.x.symbol} per ${pool.y.symbol}` : l10n.t`${pool.y.symbol} per ${pool.x.symbol}`}`,
      (bin) => textOf(bin).priceAlone,
    ),
    column('fromActive', l10n.t('From active'), (bin) => textOf(bin).fromActive ?? ''),
    column('y', pool.y.symbol, (bin) => textOf(bin).yAlone),
    column('x', pool.x.symbol, (bin) => textOf(bin).xAlone),
    column('worth', l10n.t('Value'), (bin) => textOf(bin).worth),
  ];
}
