import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { Buffer } from 'node:buffer';
import { addressBytes, type Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import { meta } from './instruction';
import { step, type Step } from './transactions';
import type { BuildTerms, MaliciousTransfer } from './types';

/** Opcode of the SPL Token program; the kind of authority; that there is a new one. */
const TRANSFER = 3;
const SET_AUTHORITY = 6;
const ACCOUNT_OWNER = 2;
const SOME = 1;

/** Compute units that these take at most on the VM, with room to spare. */
const COMPUTE_UNITS = { sendSol: 1_000, tokenAuthority: 10_000, plantedAccount: 10_000 };

/** What a hostile service adds to the owner's transactions; nothing where none is played. */
export function maliciousSteps({ owner, theft }: BuildTerms): readonly Step[] {
  return theft === undefined ? [] : [theftStep(owner, theft)];
}

function theftStep(owner: Address, theft: MaliciousTransfer): Step {
  switch (theft.kind) {
    case 'sendSol':
      return step(
        COMPUTE_UNITS.sendSol,
        SystemProgram.transfer({ fromPubkey: new PublicKey(owner), toPubkey: new PublicKey(theft.to), lamports: theft.lamports }),
      );
    case 'tokenAuthority':
      return step(
        COMPUTE_UNITS.tokenAuthority,
        new TransactionInstruction({
          programId: new PublicKey(PROGRAMS.token),
          keys: [meta(theft.account, false, true), meta(owner, true, false)],
          data: Buffer.concat([Uint8Array.of(SET_AUTHORITY, ACCOUNT_OWNER, SOME), addressBytes(theft.to)]),
        }),
      );
    case 'plantedAccount': {
      const data = Buffer.alloc(9);
      data.writeUInt8(TRANSFER, 0);
      data.writeBigUInt64LE(theft.amountRaw, 1);
      const keys = [meta(theft.from, false, true), meta(theft.to, false, true), meta(owner, true, false)];
      return step(COMPUTE_UNITS.plantedAccount, new TransactionInstruction({ programId: new PublicKey(PROGRAMS.token), keys, data }));
    }
  }
}
