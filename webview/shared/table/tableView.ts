import type { Template } from '../template';
import type { Column, RowAction, Sort } from './columns';

/** Input of a table. Rows that are the same object are assumed to look the same while `columns` is the same array. */
export interface TableView<Row> {
  readonly rows: readonly Row[];
  /** All columns, visible or not. */
  readonly columns: readonly Column<Row>[];
  /** Ids of the visible columns. Default: all. */
  readonly chosen?: readonly string[] | undefined;
  /** How the caller has sorted the rows. */
  readonly sort?: Sort | undefined;
  readonly onSort?: (sort: Sort) => void;
  readonly actions?: (row: Row) => readonly RowAction[];
  /** Called for Enter or a double click on a row. */
  readonly onOpen?: (row: Row) => void;
  /** Marked rows get a bar at their start; a cell should say why. */
  readonly isMarked?: (row: Row) => boolean;
  /** Number of rows including those not loaded yet. Default: the number of `rows`. */
  readonly totalCount?: number | undefined;
  /** Called when the last row is near, once per number of rows. */
  readonly onNearEnd?: () => void;
  /** Shown if there are no rows. */
  readonly empty?: Template;
  readonly isBusy?: boolean;
}
