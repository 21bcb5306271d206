import type { Address } from '../solana/address';
import { isEmptySignature } from '../solana/wire';
import { JITO_TIP_ACCOUNTS, WRAPPED_SOL_MINT } from '../solana/programs';
import type { OperationContext } from './context';
import { describeArguments } from './describeArguments';
import { programName } from './knownPrograms';
import type { DecodedCall, ReadTransaction } from './reading';
import type { DecodedInstruction, DecodedTransaction } from './types';

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

function describeInstruction(reading: DecodedCall, context: OperationContext): DecodedInstruction {
  const { view, layout } = reading;
  return {
    program: view.program,
    programName: programName(view.program),
    name: layout?.name ?? 'unknown',
    accounts: view.accounts.map(({ address, signer, writable }, place) => ({
      role: layout?.accounts[place]?.name ?? `account ${place + 1}`,
      address,
      // Programs take their own id for "none".
      knownAs: layout?.accounts[place]?.optional === true && address === view.program ? 'not given' : address && knownName(address, context),
      signer,
      writable,
    })),
    args: describeArguments(reading, context),
    problem: layout === undefined ? 'Binsight does not know this instruction' : reading.problem?.message,
  };
}

/** What an address is to this operation, where that is known for certain. */
function knownName(address: Address, context: OperationContext): string | undefined {
  const { intent, owned, position } = context;
  const mint = owned.mintOf(address);
  const heldMint = owned.heldMintOf(address);
  switch (address) {
    case intent.owner:
      return 'your wallet';
    case intent.pool:
      return 'the pool';
    case position:
      return 'the position';
    case WRAPPED_SOL_MINT:
      return 'wrapped SOL';
    case intent.tokenX:
      return 'the pool\'s first token';
    case intent.tokenY:
      return 'the pool\'s second token';
  }
  if (mint !== undefined) {
    return mint === WRAPPED_SOL_MINT ? 'your wrapped SOL' : `your token account of ${mint}`;
  }
  if (heldMint !== undefined) {
    return owned.isAssociatedByAddress(address) ? `your associated account of ${heldMint}, which belongs to somebody else now` : `an account of ${heldMint} that your wallet holds, but not its associated one`;
  }
  if (JITO_TIP_ACCOUNTS.includes(address)) {
    return 'a Jito tip account';
  }
  const program = programName(address);
  return program === address ? undefined : program;
}
