import { address, type Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';

/**
 * Programs with rules besides those of `base/solana/programs`. Sources: npm @meteora-ag/zap-sdk 1.3.2 (IDL 0.2.0); jup-ag/rfq-webhook-toolkit;
 * OKX's DEX documentation and okxlabs/DEX-Router-Solana-V1 (`declare_id!`); npm lighthouse-sdk 2.1.0.
 */
export const REVIEW_PROGRAMS = {
  meteoraZap: address('zapvX9M3uf5pvy4wRPAbQgdQsM1xmuiFnkfHKPvwMiz'),
  jupiterRfq: address('61DFfeTKM7trxYcPQCM78bJ794ddZprZpAwAnLiwTpYH'),
  okxRouter: address('proVF4pMXVaYqmy4NjniPh4pqKNfMmsihgd4wdkCX3u'),
  okxRouterV1: address('6m2CDdhRgxpH4WjvdzxAYbGxwdGUz5MziiL5jek2kBma'),
  lighthouse: address('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'),
} as const satisfies Record<string, Address>;

/**
 * Programs that are never part of a liquidity operation (PRG-3).
 */
export const FORBIDDEN_PROGRAMS: ReadonlyMap<Address, string> = new Map([
  [address('Stake11111111111111111111111111111111111111'), 'Stake'],
  [address('Vote111111111111111111111111111111111111111'), 'Vote'],
  [address('Config1111111111111111111111111111111111111'), 'Config'],
  [address('Feature111111111111111111111111111111111111'), 'Feature'],
  [address('BPFLoader1111111111111111111111111111111111'), 'BPF Loader v1'],
  [address('BPFLoader2111111111111111111111111111111111'), 'BPF Loader v2'],
  [address('BPFLoaderUpgradeab1e11111111111111111111111'), 'Upgradeable BPF Loader'],
  [address('LoaderV411111111111111111111111111111111111'), 'Loader v4'],
  [address('NativeLoader1111111111111111111111111111111'), 'Native Loader'],
  [address('AddressLookupTab1e1111111111111111111111111'), 'Address Lookup Table'],
  [address('ZkTokenProof1111111111111111111111111111111'), 'ZK Token Proof'],
  [address('ZkE1Gama1Proof11111111111111111111111111111'), 'ZK ElGamal Proof'],
]);

/** Programs that only verify signatures over data (PRG-4). */
export const PRECOMPILES: ReadonlyMap<Address, string> = new Map([
  [address('Ed25519SigVerify111111111111111111111111111'), 'Ed25519 verification'],
  [address('KeccakSecp256k11111111111111111111111111111'), 'Secp256k1 verification'],
  [address('Secp256r1SigVerify1111111111111111111111111'), 'Secp256r1 verification'],
]);

/** Programs whose instructions have rules. */
const LISTED_NAMES: ReadonlyMap<Address, string> = new Map([
  [PROGRAMS.system, 'System'],
  [PROGRAMS.computeBudget, 'Compute Budget'],
  [PROGRAMS.token, 'Token'],
  [PROGRAMS.token2022, 'Token-2022'],
  [PROGRAMS.associatedToken, 'Associated Token Account'],
  [PROGRAMS.memo, 'Memo'],
  [PROGRAMS.memoV1, 'Memo (v1)'],
  [PROGRAMS.dlmm, 'Meteora DLMM'],
  [PROGRAMS.dammV2, 'Meteora DAMM v2'],
  [REVIEW_PROGRAMS.meteoraZap, 'Meteora Zap'],
  [PROGRAMS.jupiterV6, 'Jupiter v6'],
  [REVIEW_PROGRAMS.jupiterRfq, 'Jupiter RFQ'],
  [REVIEW_PROGRAMS.okxRouter, 'OKX DEX router'],
  [REVIEW_PROGRAMS.okxRouterV1, 'OKX DEX router (open source)'],
  [REVIEW_PROGRAMS.lighthouse, 'Lighthouse'],
]);

/** Returns the name of a program; its address if it is unknown. */
export function programName(program: Address): string {
  return LISTED_NAMES.get(program) ?? FORBIDDEN_PROGRAMS.get(program) ?? PRECOMPILES.get(program) ?? program;
}
