import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { EngineError } from '../server/engine';
import { StoreError } from '../server/store/sqliteStore';
import type { ChainRpc } from './rpc/types';

/** What the folder is: its key, and the chain that its data is about. */
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
   * Reads the identity, or makes one.
   * @param apiKey replaces the stored one
   * @throws StoreError if it can't be read
   */
  constructor(folder: string, apiKey: string | undefined) {
    this.#file = join(folder, FILE);
    const kept = read(this.#file);
    this.#identity = { ...kept, apiKey: apiKey ?? kept?.apiKey ?? randomBytes(KEY_BYTES).toString('base64url') };
    if (this.#identity.apiKey !== kept?.apiKey) {
      this.#write();
    }
  }

  get apiKey(): string {
    return this.#identity.apiKey;
  }

  /**
   * Makes sure that the RPC is of the chain that the folder is about; the first chain it meets becomes that. Asks once.
   * @throws EngineError if it is another one; ChainRpcError if it does not say
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
    const { genesisHash: kept } = this.#identity;
    if (kept !== undefined && kept !== genesisHash) {
      throw new EngineError('unavailable', 'The RPC is of another chain than the data folder. Name another folder with --data.');
    }
    if (kept === undefined) {
      this.#identity = { ...this.#identity, genesisHash };
      this.#write();
    }
  }

  #write(): void {
    // Renaming is atomic: a crash leaves the old file or the new one.
    const draft = `${this.#file}.new`;
    writeFileSync(draft, JSON.stringify(this.#identity), { mode: OWNER_ONLY });
    renameSync(draft, this.#file);
  }
}

function read(file: string): Identity | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
  try {
    return Identity.parse(JSON.parse(text));
  } catch (error) {
    throw new StoreError(`${FILE} in the data folder is not what the service writes. Remove it to make a new API key.`, { cause: error });
  }
}
