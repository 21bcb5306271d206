import { createHash } from 'node:crypto';
import * as z from 'zod';
import { JITO_TIP_ACCOUNTS } from '../../../../src/base/solana/programs';
import { LandingError } from '../../../../src/sandbox/chain/preflight';
import { isWritableAt } from '../../../../src/sandbox/chain/lookupTables';
import { invalidParams, method, type Methods, withConfig } from '../../../../src/sandbox/rpc/method';
import { readTransaction } from '../../../../src/sandbox/rpc/transactionFormat';
import { signatureOf } from '../chain/littleChain';
import type { Node } from './node';

const MOST_TRANSACTIONS = 5;
const MOST_IDS = 5;

/** The status of a bundle. */
interface Bundle {
  readonly signatures: readonly string[];
  /** When it was sent; `undefined`: it is lost. */
  readonly status: 'Landed' | 'Failed' | undefined;
  readonly slot: number;
}

/** The status now: a fork may have dropped what landed. */
function statusOf({ chain }: Node, { status, signatures }: Bundle): Bundle['status'] {
  return status === 'Landed' && signatures.some((signature) => chain.find(signature) === undefined) ? undefined : status;
}

const Ids = z.tuple([z.array(z.string()).max(MOST_IDS)]);

/** A block engine as Jito's: bundles land in one slot, all transactions or none. */
export class Bundles {
  readonly #bundles = new Map<string, Bundle>();

  readonly methods: Methods<Node> = new Map(
    Object.entries({
      getTipAccounts: method<z.ZodType, Node>(z.array(z.unknown()), () => JITO_TIP_ACCOUNTS),

      sendBundle: method(
        withConfig(z.array(z.string()).min(1), z.object({ encoding: z.enum(['base58', 'base64']).nullish() })),
        (node: Node, [texts, config]) => this.#send(node, texts, config?.encoding ?? 'base58'),
      ),

      getBundleStatuses: method(Ids, (node: Node, [ids]) =>
        node.inContext(
          node.slotOf('processed'),
          ids.map((id) => {
            const bundle = this.#bundles.get(id);
            return bundle !== undefined && statusOf(node, bundle) === 'Landed'
              ? {
                  bundle_id: id,
                  transactions: bundle.signatures,
                  slot: bundle.slot,
                  confirmation_status: node.commitmentOf(bundle.slot),
                  err: { Ok: null },
                }
              : null;
          }),
        ),
      ),

      getInflightBundleStatuses: method(Ids, (node: Node, [ids]) =>
        node.inContext(
          node.slotOf('processed'),
          ids.map((id) => {
            const bundle = this.#bundles.get(id);
            const status = bundle === undefined ? 'Invalid' : (statusOf(node, bundle) ?? 'Pending');
            return { bundle_id: id, status, landed_slot: status === 'Landed' ? bundle?.slot : null };
          }),
        ),
      ),
    }),
  );

  /** Answers with the id of the bundle, whether it lands or not. */
  #send(node: Node, texts: readonly string[], encoding: 'base58' | 'base64'): string {
    const { chain, faults } = node;
    if (texts.length > MOST_TRANSACTIONS) {
      throw invalidParams(`Bundles must contain 1 to ${MOST_TRANSACTIONS} transactions`);
    }
    const read = texts.map((text) => readTransaction(text, encoding));
    const tips = read.some(({ wire }) =>
      wire.staticKeys.some((key, place) => JITO_TIP_ACCOUNTS.includes(key) && isWritableAt(wire, place)),
    );
    if (!tips) {
      throw invalidParams('Bundles must write lock at least one tip account to be eligible for the auction.');
    }
    const transactions = read.map(({ bytes }) => bytes);
    const signatures = transactions.map(signatureOf);
    const id = createHash('sha256').update(signatures.join(',')).digest('hex');
    const { slot } = chain;
    if (faults.vanishingBundles > 0) {
      faults.vanishingBundles -= 1;
      this.#bundles.set(id, { signatures, slot, status: undefined });
      return id;
    }
    const earlier = this.#bundles.get(id);
    if (earlier === undefined || statusOf(node, earlier) !== 'Landed') {
      this.#bundles.set(id, { signatures, slot, status: landed(() => chain.landBundle(transactions)) ? 'Landed' : 'Failed' });
    }
    return id;
  }
}

/** Whether a bundle landed. */
function landed(land: () => readonly unknown[] | object): boolean {
  try {
    return Array.isArray(land());
  } catch (error) {
    if (error instanceof LandingError) {
      return false;
    }
    throw error;
  }
}
