import * as z from 'zod';
import type { TransactionErrorJson } from '../../../../src/sandbox/chain/types';

/** What nodes write for errors of transactions (agave: `TransactionError`), as far as clients look at it. */
const TEXTS: Readonly<Record<string, string>> = {
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  AccountLoadedTwice: 'Account loaded twice',
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  InvalidAccountForFee: 'This account may not be used to pay transaction fees',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
  SanitizeFailure: 'Transaction failed to sanitize accounts offsets correctly',
  SignatureFailure: 'Transaction did not pass signature verification',
  AddressLookupTableNotFound: "Transaction loads an address table account that doesn't exist",
};

const Reason = z.union([z.string(), z.object({ Custom: z.number() })]);
const Structured = z.object({
  InstructionError: z.tuple([z.number(), Reason]).optional(),
  InsufficientFundsForRent: z.object({ account_index: z.number() }).optional(),
});

/** The text of an error of a transaction as nodes write it. */
export function errorText(error: TransactionErrorJson): string {
  if (typeof error === 'string') {
    return TEXTS[error] ?? error;
  }
  const { InstructionError: instruction, InsufficientFundsForRent: rent } = Structured.parse(error);
  if (instruction !== undefined) {
    return `Error processing Instruction ${instruction[0]}: ${reasonText(instruction[1])}`;
  }
  return rent === undefined
    ? JSON.stringify(error)
    : `Transaction results in an account (${rent.account_index}) with insufficient funds for rent`;
}

function reasonText(reason: z.output<typeof Reason>): string {
  if (typeof reason === 'object') {
    return `custom program error: 0x${reason.Custom.toString(16)}`;
  }
  // "InvalidAccountData" is written as "invalid account data".
  return reason.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
