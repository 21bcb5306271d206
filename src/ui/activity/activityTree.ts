import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { JournalProblem, OperationRecord } from '../../transactions/journal/types';
import type { CommandId } from '../../settings/generated/commandIds';
import type { OpenTask } from '../shell/openTasks';
import { sameRow, type Row } from '../shell/views/rows';
import { markdownTooltip, treeItem } from '../shell/views/treeItems';
import type { Activity } from './activity';
import { NO_NAMES, type NamesOfRecords } from './activity';
import { operationRow, partsOf, problemRow, stepRows, topLevel } from './operationRows';

/** An operation in the tree; the same object as long as it is listed. */
export interface OperationNode {
  readonly kind: 'operation';
  readonly id: string;
  readonly record: OperationRecord;
  readonly row: Row;
}

/** A step or a signature below an operation. */
export interface StepNode {
  readonly kind: 'step';
  readonly signature: string | undefined;
  readonly parent: OperationNode;
  readonly row: Row;
}

/** A record that could not be read. */
interface ProblemNode {
  readonly kind: 'problem';
  readonly problem: JournalProblem;
  readonly row: Row;
}

type Node = OperationNode | StepNode | ProblemNode;

interface LiveOperationNode extends OperationNode {
  record: OperationRecord;
  row: Row;
}

const SHOW_LOG: CommandId = 'binsight.showLog';

/** Returns the Markdown tooltip of an operation. @param parts the zap-outs and zap-ins of a rebalance */
export type OperationTooltip = (
  record: OperationRecord,
  left: OpenTask | undefined,
  parts: readonly OperationRecord[],
  position: string | undefined,
) => Promise<string>;

/** Tree of all operations in the journal; fires change events only for rows that look different. */
export class ActivityTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #nodes = new Map<string, LiveOperationNode>();
  #problems: readonly ProblemNode[] = [];
  /** Ids of the top level, in order. */
  #order: readonly string[] = [];
  /** Of the positions, when the rows were made. */
  #names: NamesOfRecords = NO_NAMES;
  readonly #changed = new vscode.EventEmitter<Node[] | undefined>();
  readonly #subscription: { dispose(): void };

  readonly onDidChangeTreeData = this.#changed.event;

  readonly #activity: Activity;
  readonly #tooltip: OperationTooltip;

  constructor(activity: Activity, tooltip: OperationTooltip) {
    this.#activity = activity;
    this.#tooltip = tooltip;

    this.#updateNodes();
    this.#subscription = activity.onDidChange(() => this.#activityChanged());
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) {
      return [...this.#problems, ...this.#order.flatMap((id) => this.#nodes.get(id) ?? [])];
    }
    if (node.kind !== 'operation') {
      return [];
    }
    const parts = partsOf(node.record, this.#activity.records).flatMap(({ id }) => this.#nodes.get(id) ?? []);
    const steps = stepRows(node.record).map(({ row, signature }): StepNode => ({ kind: 'step', parent: node, row, signature }));
    return [...parts, ...steps];
  }

  getParent(node: Node): Node | undefined {
    if (node.kind === 'step') {
      return node.parent;
    }
    const parent = node.kind === 'operation' ? node.record.created.parent : undefined;
    return parent === undefined ? undefined : this.#nodes.get(parent);
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const item = treeItem(
      node.row,
      node.kind === 'operation' ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
    );
    if (node.kind === 'problem') {
      item.command = { command: SHOW_LOG, title: l10n.t('Show Log') };
    }
    return item;
  }

  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    switch (node.kind) {
      case 'operation': {
        item.tooltip = markdownTooltip(
          await this.#tooltip(node.record, this.#activity.left.get(node.id), this.#partsOf(node.record), this.#activity.names.get(node.id)),
        );
        break;
      }
      case 'step':
        item.tooltip = node.signature ?? `${node.row.label}: ${node.row.description}`;
        break;
      case 'problem':
        item.tooltip = `${node.row.spoken}\n${node.problem.file}`;
    }
    return item;
  }

  /** The open positions may have other names. */
  positionsChanged(): void {
    if (this.#names !== this.#activity.names) {
      this.#activityChanged();
    }
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #activityChanged(): void {
    const before = { order: this.#order, problems: this.#problems };
    const touched = this.#updateNodes();
    if (!sameTexts(before.order, this.#order) || !sameTexts(idsOf(before.problems), idsOf(this.#problems))) {
      this.#changed.fire(undefined);
    } else if (touched.length > 0) {
      this.#changed.fire(touched);
    }
  }

  /** Updates the nodes from the journal, and keeps those that stay. @returns the nodes that look different now */
  #updateNodes(): LiveOperationNode[] {
    const { state, records, names } = this.#activity;
    this.#names = names;
    if (state.kind === 'ready') {
      this.#problems = state.problems.map((problem) => ({ kind: 'problem', problem, row: problemRow(problem) }));
    }
    const listed = new Set(records.map(({ id }) => id));
    for (const id of [...this.#nodes.keys()].filter((one) => !listed.has(one))) {
      this.#nodes.delete(id);
    }
    this.#order = topLevel(records).map(({ id }) => id);
    return records.filter((record) => this.#update(record)).flatMap((record) => this.#shownBy(record));
  }

  /** The nodes that show a record: its own, and that of its rebalance, whose parts may have changed. */
  #shownBy({ id, created }: OperationRecord): LiveOperationNode[] {
    return [id, ...(created.parent === undefined ? [] : [created.parent])].flatMap((one) => this.#nodes.get(one) ?? []);
  }

  /** Only rebalances have parts. */
  #partsOf(record: OperationRecord): readonly OperationRecord[] {
    return record.created.operation === 'rebalance' ? partsOf(record, this.#activity.records) : [];
  }

  /** @returns whether the row or its steps look different now */
  #update(record: OperationRecord): boolean {
    const row = operationRow(record, this.#activity.left.get(record.id), this.#partsOf(record), this.#activity.names.get(record.id));
    const node = this.#nodes.get(record.id);
    if (node === undefined) {
      this.#nodes.set(record.id, { kind: 'operation', id: record.id, record, row });
      return true;
    }
    const differs = !sameRow(node.row, row) || node.record.events.length !== record.events.length;
    node.record = record;
    node.row = row;
    return differs;
  }
}

function idsOf(nodes: readonly ProblemNode[]): readonly string[] {
  return nodes.map(({ row }) => row.id);
}

function sameTexts(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index]);
}
