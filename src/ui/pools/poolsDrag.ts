import * as vscode from 'vscode';
import { VIEW } from '../shell/names';

/** VS Code's type of what is dragged within a tree. */
const MIME = `application/vnd.code.tree.${VIEW.pools}`;

/** A row of the tree of pools, as far as dragging concerns it. */
interface DraggedNode {
  readonly kind: string;
  readonly pool?: { readonly address: string };
}

/** Dragging rows within the *Pools* view. */
export class PoolsDrag implements vscode.TreeDragAndDropController<unknown> {
  readonly dragMimeTypes = [MIME];
  readonly dropMimeTypes = [MIME];
  /** Moves these pools before another one; `undefined`: to the end. Set once the favorites are loaded. */
  moved: ((addresses: readonly string[], before: string | undefined) => Promise<void>) | undefined;

  handleDrag(nodes: readonly unknown[], data: vscode.DataTransfer): void {
    const addresses = nodes.flatMap((node) => addressOf(node) ?? []);
    if (addresses.length > 0) {
      data.set(MIME, new vscode.DataTransferItem(addresses));
    }
  }

  async handleDrop(target: unknown, data: vscode.DataTransfer): Promise<void> {
    const dragged: unknown = data.get(MIME)?.value;
    const addresses = Array.isArray(dragged) ? dragged.filter((one) => typeof one === 'string') : [];
    await this.moved?.(addresses, addressOf(target));
  }
}

function addressOf(node: unknown): string | undefined {
  const { kind, pool } = (node ?? {}) as Partial<DraggedNode>;
  return kind === 'pool' ? pool?.address : undefined;
}
