import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { Account, Clock, FailedTransactionMetadata, LiteSvm, Rent } from 'litesvm/dist/internal.js';
import { TransactionMessage, VersionedTransaction, type Keypair, type TransactionInstruction } from '@solana/web3.js';
import { addressBytes, addressFromBytes, type Address } from '../../../../src/base/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { associatedTokenAddress } from '../../../../src/base/solana/pda';
import type { AccountState } from '../../../../src/review/facts/facts';
import { programFolder } from '../../../host/programFiles.mjs';
import { PROGRAMS_BUILT } from '../../programs';

/** A transaction as the VM carried it out. */
export interface Outcome {
  /** `undefined`: it landed. Otherwise the program's error number, or the runtime's words. */
  readonly error: number | string | undefined;
  readonly logs: readonly string[];
  readonly computeUnits: bigint;
}

/** Bytes of a token account, of a mint, and the rent of any account that tests write. */
const TOKEN_ACCOUNT_BYTES = 165;
const MINT_BYTES = 82;
const RICH = 10n ** 12n;
const NEVER = 2n ** 64n - 1n;

/** A Solana VM that runs Meteora's own builds of DLMM and DAMM v2. */
export class ProgramVm {
  readonly #vm = new LiteSvm();

  /** @param rentLamportsPerByte the VM's own by default */
  constructor(slot = 1_000n, unixSeconds = 1_800_000_000n, rentLamportsPerByte?: bigint) {
    if (rentLamportsPerByte !== undefined) {
      this.#vm.setRent(new Rent(rentLamportsPerByte, 1, 50));
    }
    this.#vm.withNativeMints();
    this.#vm.setBlockhashCheck(false);
    this.#vm.setTransactionHistory(0n);
    this.#vm.setClock(new Clock(slot, unixSeconds, 1n, 2n, unixSeconds));
    const folder = programFolder() ?? '';
    for (const { program, file } of PROGRAMS_BUILT) {
      this.#vm.addProgramFromFile(addressBytes(program), join(folder, file));
    }
  }

  /** Gives an account; `undefined` where there is none. */
  account(at: Address): AccountState | undefined {
    const account = this.#vm.getAccount(addressBytes(at));
    return account === null || account.lamports() === 0n
      ? undefined
      : { lamports: account.lamports(), program: addressFromBytes(account.owner()), data: new Uint8Array(account.data()) };
  }

  /** Writes an account as it is, without any program. */
  put(at: Address, program: Address, data: Uint8Array, lamports = RICH): void {
    this.#vm.setAccount(addressBytes(at), new Account(lamports, data, addressBytes(program), false, NEVER));
  }

  /** Gives SOL. */
  fund(wallet: Address, lamports = RICH): void {
    this.put(wallet, PROGRAMS.system, new Uint8Array(), lamports);
  }

  /** Writes a mint of the Token program without authorities. */
  putMint(at: Address, decimals = 6): void {
    const data = Buffer.alloc(MINT_BYTES);
    data.writeBigUInt64LE(10n ** 15n, 36);
    data[44] = decimals;
    data[45] = 1;
    this.put(at, PROGRAMS.token, data);
  }

  /** Gives a wallet tokens in its associated account. */
  putTokens(wallet: Address, mint: Address, amountRaw: bigint): Address {
    const at = associatedTokenAddress(wallet, mint);
    const data = Buffer.alloc(TOKEN_ACCOUNT_BYTES);
    data.set(addressBytes(mint), 0);
    data.set(addressBytes(wallet), 32);
    data.writeBigUInt64LE(amountRaw, 64);
    data[108] = 1;
    let lamports = 2_039_280n;
    if (mint === WRAPPED_SOL_MINT) {
      data.writeUInt32LE(1, 109);
      data.writeBigUInt64LE(lamports, 113);
      lamports += amountRaw;
    }
    this.put(at, PROGRAMS.token, data, lamports);
    return at;
  }

  /** Sends instructions; the first signer pays. */
  send(instructions: readonly TransactionInstruction[], signers: readonly Keypair[]): Outcome {
    const [payer] = signers;
    if (payer === undefined) {
      throw new TypeError('A transaction has a signer');
    }
    const message = new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: this.#vm.latestBlockhash(),
      instructions: [...instructions],
    }).compileToV0Message();
    const transaction = new VersionedTransaction(message);
    transaction.sign([...signers]);
    return this.sendBytes(transaction.serialize());
  }

  /** Sends a signed transaction. */
  sendBytes(bytes: Uint8Array): Outcome {
    const outcome = this.#vm.sendVersionedTransaction(bytes);
    if (!(outcome instanceof FailedTransactionMetadata)) {
      return { error: undefined, logs: outcome.logs(), computeUnits: outcome.computeUnitsConsumed() };
    }
    const logs = outcome.meta().logs();
    const number = /custom program error: 0x([0-9a-f]+)/.exec(logs.join('\n'))?.[1];
    return {
      error: number === undefined ? outcome.toString() : Number.parseInt(number, 16),
      logs,
      computeUnits: outcome.meta().computeUnitsConsumed(),
    };
  }
}
