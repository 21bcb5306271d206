import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { systemCode } from '../base/thrown';
import { EngineError } from '../engine/engine';
import { StoreError } from '../engine/store/sqliteStore';
import type { ChainRpc } from './rpc/types';

/** The API key of a data folder, and the chain of its data. */
const Identity = z.object({
  apiKey: z.string().min(1),
  /** `undefined`: the RPC has not answered yet. */
  genesisHash: z.string().optional(),
});
type Identity = z.output<typeof Identity>;

const FILE = 'identity.json';
const OWNER_ONLY = 0o600;
const KEY_BYTES = 24;

/** The identity of a data folder. */
export class FolderIdentity {
  readonly #file: string;
  #identity: Identity;
  #check: Promise<void> | undefined;

  /**
   * Reads the identity, or creates one.
   * @param apiKey replaces the stored one
   * @throws StoreError if it can't be read
   */
  constructor(folder: string, apiKey: string | undefined) {
    this.#file = join(folder, FILE);
    const stored = read(this.#file);
    this.#identity = { ...stored, apiKey: apiKey ?? stored?.apiKey ?? randomBytes(KEY_BYTES).toString('base64url') };
    if (this.#identity.apiKey !== stored?.apiKey) {
      this.#write();
    }
  }

  get apiKey(): string {
    return this.#identity.apiKey;
  }

  /**
   * Makes sure that the RPC is of the same chain as the data. The first RPC of a folder decides which chain that is. After a success the RPC is
   * not asked again.
   * @throws EngineError if it is of another chain; ChainRpcError if it fails
   */
  checkChain(rpc: ChainRpc): Promise<void> {
    this.#check ??= this.#ask(rpc).catch((error: unknown) => {
      this.#check = undefined;
      throw error;
    });
    return this.#check;
  }

  async #ask(rpc: ChainRpc): Promise<void> {
    const genesisHash = await rpc.call('getGenesisHash', [], z.string().min(1));
    const { genesisHash: stored } = this.#identity;
    if (stored !== undefined && stored !== genesisHash) {
      throw new EngineError('unavailable', 'The RPC is of another chain than the data folder. Choose another folder with --data.');
    }
    if (stored === undefined) {
      this.#identity = { ...this.#identity, genesisHash };
      this.#write();
    }
  }

  #write(): void {
    // Renaming is atomic: a crash leaves the old file or the new one.
    const draft = `${this.#file}.new`;
    writeFileSync(draft, JSON.stringify(this.#identity), { mode: OWNER_ONLY, flush: true });
    renameSync(draft, this.#file);
  }
}

function read(file: string): Identity | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
  try {
    return Identity.parse(JSON.parse(text));
  } catch (error) {
    throw new StoreError(
      `${FILE} in the data folder can't be read. It has the API key and the chain of the folder. Remove it to create a new key, and start with an RPC of the same chain.`,
      { cause: error },
    );
  }
}
