import type { Clock } from '../../base/async/clock';
import type { Address } from '../../base/solana/address';
import { ChainRpcError } from '../rpc/errors';
import type { ChainRpc, RpcPriority } from '../rpc/types';
import { SignaturesAnswer, SlotAnswer, StatusesAnswer } from './answers';
import type { IndexStore, Subject } from './indexStore';

/** What listing needs. */
export interface ListingSources {
  readonly rpc: ChainRpc;
  readonly store: IndexStore;
  readonly clock: Clock;
  /** The most signatures that are listed at a time; older ones are as if they were pruned. */
  readonly mostSignatures: number;
  /** Rows of a page; nodes give at most 1,000. */
  readonly pageSize: number;
  readonly signal: AbortSignal;
}

/** Limit of getSignatureStatuses. */
const STATUSES = 256;
/** Slots after which a transaction that no node knows is gone: the chain finalizes after 32. */
const GONE_AFTER_SLOTS = 64;

/**
 * Lists what is new of an address, newest first, down to what is known. Each page is stored with the place that it reached, so a listing that
 * was interrupted goes on from there. What is not finalized is listed again the next time.
 * @param priority is asked before each page
 * @throws ChainRpcError; the pages before it are stored
 */
export async function listNew(address: Address, sources: ListingSources, priority: () => RpcPriority): Promise<void> {
  const { rpc, store, clock, mostSignatures, pageSize, signal } = sources;
  store.beginListing(address);
  for (;;) {
    const subject = subjectOf(store, address);
    const limit = Math.max(Math.min(pageSize, mostSignatures - subject.place), 1);
    const rows = await rpc.call(
      'getSignaturesForAddress',
      [
        address,
        {
          limit,
          commitment: 'confirmed',
          ...(subject.cursor === null ? {} : { before: subject.cursor }),
          ...(subject.known_signature === null ? {} : { until: subject.known_signature }),
        },
      ],
      SignaturesAnswer,
      { priority: priority(), signal },
    );
    // A node that does not know `until`, because it lags behind, lists everything.
    const { known_signature: known, known_slot: knownSlot } = subject;
    const end = rows.findIndex(({ signature, slot }) => signature === known || slot < (knownSlot ?? 0));
    const fresh = end < 0 ? rows : rows.slice(0, end);
    const isFull = subject.place + fresh.length >= mostSignatures;
    const isLast = end >= 0 || rows.length < limit || isFull;
    store.savePage(subject, fresh, { nowMs: clock.now(), isLast });
    if (isLast) {
      await settleVanished(subjectOf(store, address), sources, priority);
      await findPruned(subjectOf(store, address), { oldestSlot: fresh.at(-1)?.slot, isFull }, sources, priority);
      return;
    }
  }
}

function subjectOf(store: IndexStore, address: Address): Subject {
  const subject = store.subject(address);
  if (subject === undefined) {
    throw new Error(`${address} is not followed`);
  }
  return subject;
}

/** Asks what became of transactions that were not finalized and are no longer listed: a fork may have dropped or moved them. */
async function settleVanished(subject: Subject, { rpc, store, signal }: ListingSources, priority: () => RpcPriority): Promise<void> {
  const vanished = store.vanished(subject).slice(0, STATUSES);
  if (vanished.length === 0) {
    return;
  }
  const { context, value } = await rpc.call(
    'getSignatureStatuses',
    [vanished.map(({ signature }) => signature), { searchTransactionHistory: true }],
    StatusesAnswer,
    { priority: priority(), signal },
  );
  vanished.forEach(({ id, slot }, index) => {
    const status = value[index];
    if (status !== null && status !== undefined) {
      store.moved(id, status.slot, status.confirmationStatus === 'finalized');
    } else if (context.slot > slot + GONE_AFTER_SLOTS) {
      store.drop(id);
    }
    // Otherwise the node may lag behind.
  });
}

/** After the first listing of an address: from which slot on there is history at all. */
async function findPruned(
  subject: Subject,
  { oldestSlot, isFull }: { readonly oldestSlot: number | undefined; readonly isFull: boolean },
  { rpc, store, signal }: ListingSources,
  priority: () => RpcPriority,
): Promise<void> {
  if (subject.pruned_before_slot !== null) {
    return;
  }
  if (isFull && oldestSlot !== undefined) {
    store.setPruned(subject.id, oldestSlot);
    return;
  }
  try {
    store.setPruned(subject.id, await rpc.call('getFirstAvailableBlock', [], SlotAnswer, { priority: priority(), signal }));
  } catch (error) {
    if (!(error instanceof ChainRpcError) || error.kind === 'cancelled') {
      throw error;
    }
    // Not every node tells. Each position knows whether its own creation was found.
    store.setPruned(subject.id, 0);
  }
}
