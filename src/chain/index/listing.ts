import type { Clock } from '../../base/async/clock';
import type { Address } from '../../base/solana/address';
import { ChainRpcError } from '../rpc/errors';
import type { ChainRpc, RpcPriority } from '../rpc/types';
import { SignaturesAnswer, SlotAnswer, StatusesAnswer } from './answers';
import type { Subject, SubjectStore } from './subjectStore';

/** What listing needs. */
export interface ListingSources {
  readonly rpc: ChainRpc;
  readonly store: SubjectStore;
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
 * Lists what is new of an address, newest first, down to what is known; the first time, down to an empty page. A short page is no end: nodes give
 * less than was asked for where their own history ends and an archive begins (solana-labs/solana#21442, #22110). Each page is stored with the place that it reached, so an interrupted
 * listing continues from there. What is not finalized is listed again the next time.
 *
 * A position needs nothing that is older than its creation, which is on the first page as a rule. So a short first page is enough at first; the
 * listing goes on to an empty page if the creation was not there (`SignatureLists.followPosition`).
 *
 * The known signature itself has to be in the list, so the node is asked for everything down to the one behind it: a list that ends before
 * reaching it has a gap. The node no longer has those transactions, or gives shorter pages than were asked for.
 * @param priority is asked before each page
 * @throws ChainRpcError; the pages before it are stored
 */
export async function listNew(address: Address, sources: ListingSources, priority: () => RpcPriority): Promise<void> {
  const { rpc, store, clock, mostSignatures, pageSize, signal } = sources;
  store.beginListing(address, clock.now());
  for (;;) {
    const subject = subjectOf(store, address);
    const { known_signature: known, known_slot: knownSlot, before_known: beforeKnown, cursor, place } = subject;
    const limit = Math.max(Math.min(pageSize, mostSignatures - place), 1);
    const rows = await rpc.call(
      'getSignaturesForAddress',
      [
        address,
        {
          limit,
          commitment: 'confirmed',
          ...(cursor === null ? {} : { before: cursor }),
          ...(beforeKnown === null ? {} : { until: beforeKnown }),
        },
      ],
      SignaturesAnswer,
      { priority: priority(), signal },
    );
    const end = rows.findIndex(({ signature, slot }) => signature === known || slot < (knownSlot ?? 0));
    const isReached = known === null ? rows.length === 0 : end >= 0;
    const fresh = end < 0 ? rows : rows.slice(0, end);
    const isFull = place + fresh.length >= mostSignatures;
    const mayHaveCreation = subject.kind === 'position' && known === null && place === 0 && rows.length > 0 && rows.length < limit;
    const isLast = isReached || isFull || rows.length === 0 || mayHaveCreation;
    const oldestSlot = fresh.at(-1)?.slot ?? subject.cursor_slot ?? undefined;
    // A list without any row is of a node that lags behind, or has nothing.
    const gap =
      isLast && !isReached && !mayHaveCreation && oldestSlot !== undefined ? { after: (knownSlot ?? 0) - 1, to: oldestSlot } : undefined;
    store.savePage(subject, fresh, { nowMs: clock.now(), isLast, isToEnd: isLast && (known === null || isFull), gap });
    if (!isLast) {
      continue;
    }
    if (gap === undefined) {
      await settleVanished(subjectOf(store, address), sources, priority);
    }
    if (subject.kind === 'owner' && store.continueBelow(address, mostSignatures)) {
      continue;
    }
    await findPruned(subjectOf(store, address), isFull ? oldestSlot : undefined, sources, priority);
    return;
  }
}

function subjectOf(store: SubjectStore, address: Address): Subject {
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

/** After the first listing of an owner: the first slot that the node has history of. @param fullAtSlot where the listing had its limit */
async function findPruned(
  subject: Subject,
  fullAtSlot: number | undefined,
  { rpc, store, signal }: ListingSources,
  priority: () => RpcPriority,
): Promise<void> {
  if (subject.kind !== 'owner' || subject.pruned_before_slot !== null) {
    return;
  }
  if (fullAtSlot !== undefined) {
    store.setPruned(subject.id, fullAtSlot);
    return;
  }
  try {
    store.setPruned(subject.id, await rpc.call('getFirstAvailableBlock', [], SlotAnswer, { priority: priority(), signal }));
  } catch (error) {
    if (!(error instanceof ChainRpcError) || error.kind === 'cancelled') {
      throw error;
    }
    // Not every node answers that. Of each position it is known whether its creation was found.
    store.setPruned(subject.id, 0);
  }
}
