import type { OperationContext, TransactionContext } from '../context';
import type { Notes, PlaceNotes } from '../notes';
import type { DecodedCall } from '../reading';

/** Looks at one instruction of the program that it is for, and writes down what it finds and what the instruction does. */
export type InstructionRule = (reading: DecodedCall, context: TransactionContext, notes: PlaceNotes) => void;

/** Looks at one transaction as a whole. */
export type TransactionRule = (context: TransactionContext, notes: PlaceNotes) => void;

/** Looks at the operation as a whole, after all of its transactions. */
export type OperationRule = (context: OperationContext, notes: Notes) => void;
