import { Connection, type Keypair, Transaction, type TransactionInstruction } from '@solana/web3.js';
import { answerCalls, NODE_METHODS, readCalls } from '../rpc/answer';
import type { LittleChain } from '../chain/littleChain';
import { Faults } from '../rpc/faults';
import { Node } from '../rpc/node';

/** A transaction of a helper did not land, or failed. */
class MainnetError extends Error {
  override readonly name = 'MainnetError';
}

/** Builds and lands transactions of the world itself: without HTTP, faults and counts. */
export class Sender {
  readonly chain: LittleChain;
  /** For the SDKs. */
  readonly connection: Connection;

  constructor(chain: LittleChain) {
    this.chain = chain;
    const node = new Node(chain, new Faults(() => []));
    this.connection = new Connection('http://little.mainnet', {
      commitment: 'processed',
      fetch: async (_url, init) => {
        const read = readCalls(typeof init?.body === 'string' ? init.body : '');
        return new Response(read === undefined ? '' : answerCalls(NODE_METHODS, node, read, undefined));
      },
    });
  }

  /**
   * Signs and lands transactions one after the other; the first signer pays.
   * @returns their signatures
   * @throws MainnetError if one fails, with its logs
   */
  send(transactions: readonly (Transaction | readonly TransactionInstruction[])[], signers: readonly Keypair[]): readonly string[] {
    return transactions.map((given) => this.#sendOne(given instanceof Transaction ? given : new Transaction().add(...given), signers));
  }

  #sendOne(transaction: Transaction, signers: readonly Keypair[]): string {
    const [payer] = signers;
    transaction.feePayer = payer?.publicKey;
    transaction.recentBlockhash = this.chain.latestBlockhash().blockhash;
    const needed = new Set(transaction.compileMessage().accountKeys.map((key) => key.toBase58()));
    transaction.sign(...signers.filter(({ publicKey }) => needed.has(publicKey.toBase58())));
    const landing = this.chain.land(transaction.serialize());
    if (landing.kind === 'dropped') {
      throw new MainnetError(`The transaction was dropped: ${JSON.stringify(landing.error)}`);
    }
    const { error, signature, execution } = landing.transaction;
    if (error !== null) {
      throw new MainnetError(`Transaction ${signature} failed: ${JSON.stringify(error)}\n${execution.logs.join('\n')}`);
    }
    return signature;
  }
}
