import type { Template } from '../template';
import type { Column, RowAction, Sort } from './columns';

/** What a table shows now. Rows that are the same object are taken to look the same for as long as `columns` is the same array. */
export interface TableView<Row> {
  readonly rows: readonly Row[];
  /** All there are. */
  readonly columns: readonly Column<Row>[];
  /** The ids of those that are shown; absent: all. */
  readonly chosen?: readonly string[] | undefined;
  /** How the rows are sorted: whoever gives them has sorted them. */
  readonly sort?: Sort | undefined;
  readonly onSort?: (sort: Sort) => void;
  readonly actions?: (row: Row) => readonly RowAction[];
  /** Enter, or a double click on a row. */
  readonly onOpen?: (row: Row) => void;
  /** Rows that stand out: by a bar at their start; say in a cell why. */
  readonly isMarked?: (row: Row) => boolean;
  /** How many rows there are with those that were not read yet; absent: these. */
  readonly totalCount?: number | undefined;
  /** Called when one has scrolled near the last row, once for each number of rows. */
  readonly onNearEnd?: () => void;
  /** Shown in place of rows where there are none. */
  readonly empty?: Template;
  readonly isBusy?: boolean;
}
