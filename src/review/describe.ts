import { addressFromBytes, type Address } from '../solana/address';
import type { ArgumentValue } from '../solana/instructionCodec';
import { isEmptySignature } from '../solana/wire';
import { JITO_TIP_ACCOUNTS, WRAPPED_SOL_MINT } from '../solana/programs';
import type { OperationContext } from './context';
import { programName } from './knownPrograms';
import { quoted } from './quoted';
import type { Reading, ReadTransaction } from './reading';
import type { DecodedInstruction, DecodedTransaction } from './types';

/** Bytes of an argument that are shown before it is cut. */
const SHOWN_BYTES = 64;
const ADDRESS_BYTES = 32;

/** Puts a transaction into words, as far as it was read. */
export function describeTransaction({ view, readings }: ReadTransaction, context: OperationContext): DecodedTransaction {
  const { wire } = view;
  return {
    group: view.group,
    transaction: view.index,
    version: wire.version,
    feePayer: wire.staticKeys[0] ?? context.intent.owner,
    signers: wire.staticKeys
      .slice(0, wire.requiredSignatures)
      .map((address, slot) => ({ address, signed: !isEmptySignature(wire.signatures[slot] ?? new Uint8Array()) })),
    instructions: readings.map((reading) => describeInstruction(reading, context)),
    messageHash: view.messageHash,
  };
}

function describeInstruction(reading: Reading, context: OperationContext): DecodedInstruction {
  const { view, layout, args } = reading;
  return {
    program: view.program,
    programName: programName(view.program),
    name: layout?.name ?? 'unknown',
    accounts: view.accounts.map(({ address, signer, writable }, place) => ({
      role: layout?.accounts[place]?.name ?? `account ${place + 1}`,
      address,
      knownAs: address === undefined ? undefined : knownName(address, context),
      signer,
      writable,
    })),
    args: args === undefined ? [{ name: 'data', value: hex(view.data) }] : Object.entries(args).map(([name, value]) => ({ name, value: argumentText(value) })),
    problem: layout === undefined ? 'Binsight does not know this instruction' : reading.problem?.message,
  };
}

/** What an address is to this operation, where that is known for certain. */
function knownName(address: Address, context: OperationContext): string | undefined {
  const { intent, owned, position } = context;
  const mint = owned.mintOf(address);
  switch (address) {
    case intent.owner:
      return 'your wallet';
    case intent.pool:
      return 'the pool';
    case position:
      return 'the position';
    case WRAPPED_SOL_MINT:
      return 'wrapped SOL';
  }
  if (mint !== undefined) {
    return mint === WRAPPED_SOL_MINT ? 'your wrapped SOL' : `your token account of ${mint}`;
  }
  if (JITO_TIP_ACCOUNTS.includes(address)) {
    return 'a Jito tip account';
  }
  const program = programName(address);
  return program === address ? undefined : program;
}

function argumentText(value: ArgumentValue): string {
  if (value === undefined) {
    return 'none';
  }
  if (value instanceof Uint8Array) {
    return value.length === ADDRESS_BYTES ? addressFromBytes(value) : hex(value);
  }
  if (typeof value === 'string') {
    return quoted(value);
  }
  if (typeof value !== 'object') {
    return String(value);
  }
  if (isList(value)) {
    return `[${value.map(argumentText).join(', ')}]`;
  }
  const { kind, fields } = value;
  if (typeof kind === 'string') {
    return fields !== undefined && isList(fields) ? `${kind}(${fields.map(argumentText).join(', ')})` : kind;
  }
  return `{ ${Object.entries(value).map(([name, field]) => `${name}: ${argumentText(field)}`).join(', ')} }`;
}

function isList(value: ArgumentValue): value is readonly ArgumentValue[] {
  return Array.isArray(value);
}

function hex(bytes: Uint8Array): string {
  const shown = Buffer.from(bytes.subarray(0, SHOWN_BYTES)).toString('hex');
  return bytes.length > SHOWN_BYTES ? `0x${shown}… (${bytes.length} bytes)` : `0x${shown}`;
}
