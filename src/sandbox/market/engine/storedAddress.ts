import * as z from 'zod';
import { type Address, parseAddress } from '../../../solana/address';

/** An address, checked when it is read from the database. */
export const StoredAddress = z.custom<Address>((value) => typeof value === 'string' && parseAddress(value) !== undefined, 'not an address');
